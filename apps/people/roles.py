"""Roles, and what administrators do with people."""

import secrets

from axes.utils import reset
from django.db import models, transaction

from apps.people.models import User

PASSWORD_BYTES = 12


class Role(models.TextChoices):
    """From reading alone to everything; each may do what those before it may."""

    READER = "reader", "reader: profiles and reports"
    PLANNER = "planner", "planner: targets, thresholds and plans too"
    ADMINISTRATOR = "administrator", "administrator: people too"


class CannotChangePerson(Exception):
    """It would lock somebody out; the message says who, and what to do instead."""


def role_of(person: User) -> Role:
    if person.is_staff:
        return Role.ADMINISTRATOR
    return Role.PLANNER if person.may_change else Role.READER


def add_person(username: str, role: Role, **account: str) -> tuple[User, str]:
    """A new person and the password of the first sign-in, which is kept nowhere else; `account` names and addresses the person."""
    person = User(username=username, **account)
    _give(person, role)
    password = give_password(person)
    person.save()
    return person, password


def change_person(person: User, role: Role, *, is_active: bool, by: User, **account: str) -> None:
    """
    Change what is known of a person, what they may do, and whether they may sign in.

    Raises CannotChangePerson where nobody would be left to look after people, or where one would shut oneself out.
    """
    with transaction.atomic():
        administrators = User.objects.select_for_update(of=("self",)).filter(is_active=True, is_staff=True)
        others = [
            administrator
            for administrator in administrators
            if administrator.pk != person.pk and administrator.has_usable_password()
        ]
        stays = is_active and role is Role.ADMINISTRATOR
        if person.is_staff and person.is_active and not stays and not others:
            raise CannotChangePerson(f"{person} is the only administrator; make somebody else one first.")
        if person == by and not is_active:
            raise CannotChangePerson("You cannot close your own account; another administrator can.")
        _give(person, role)
        person.is_active = is_active
        for name, value in account.items():
            setattr(person, name, value)
        person.save()


def new_password(person: User) -> str:
    """A new password, told once; the old one ends at once, and so do its sign-ins and what refused them."""
    password = give_password(person)
    person.save(update_fields=["password", "has_first_password"])
    reset(username=person.username)
    return password


def give_password(person: User) -> str:
    """A generated password, which the person changes at the first sign-in; not saved yet."""
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    person.set_password(password)
    person.has_first_password = True
    return password


def _give(person: User, role: Role) -> None:
    person.is_staff = role is Role.ADMINISTRATOR
    person.may_change = role is not Role.READER
