"""Who owns what. They are accounts without a password: nobody signs in as them."""

from apps.demo.parts import Person

LINDQVIST = "demo-lindqvist"
OKAFOR = "demo-okafor"
PETROV = "demo-petrov"
HADDAD = "demo-haddad"
CASTELLANOS = "demo-castellanos"

PEOPLE = (
    Person(LINDQVIST, "R.", "Lindqvist"),
    Person(OKAFOR, "T.", "Okafor"),
    Person(PETROV, "A.", "Petrov"),
    Person(HADDAD, "S.", "Haddad"),
    Person(CASTELLANOS, "M.", "Castellanos"),
)
