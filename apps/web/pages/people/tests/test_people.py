"""The pages of people: who may do what, and nobody shuts the last door behind them."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.people.models import User
from apps.people.roles import Role, role_of

pytestmark = pytest.mark.django_db

PERSON = {"username": "r.lindqvist", "first_name": "Rut", "last_name": "Lindqvist", "role": "planner"}


@pytest.fixture
def administrator(client: Client) -> Client:
    client.force_login(User.objects.create_user("admin", password="so long, farewell", is_staff=True))
    return client


def password_on(page: bytes) -> str:
    match = re.search(r"<dt>password</dt>\s*<dd><code>([^<]+)</code>", page.decode())
    assert match is not None
    return match[1]


def test_somebody_who_was_added_signs_in_with_the_password_that_was_shown(administrator):
    page = administrator.post(reverse("person_add"), PERSON)

    person = User.objects.get(username="r.lindqvist")
    assert (str(person), role_of(person)) == ("Rut Lindqvist", Role.PLANNER)
    assert "no-store" in page["Cache-Control"]
    entered = Client().post(
        reverse("sign_in"), {"username": "r.lindqvist", "password": password_on(page.content)}
    )
    assert entered.status_code == 302
    assert (
        password_on(page.content)
        not in administrator.get(reverse("person", args=[person.pk])).content.decode()
    )


def test_a_new_password_ends_the_old_one_its_sign_ins_and_its_lock(administrator):
    person = User.objects.create_user("ann", password="the old one")
    elsewhere = Client()
    elsewhere.post(reverse("sign_in"), {"username": "ann", "password": "the old one"})
    assert elsewhere.get(reverse("estate")).status_code == 200
    for _ in range(6):
        Client().post(reverse("sign_in"), {"username": "ann", "password": "guessed"})

    page = administrator.post(reverse("person_password", args=[person.pk]))

    assert elsewhere.get(reverse("estate")).status_code == 302
    again = Client().post(reverse("sign_in"), {"username": "ann", "password": password_on(page.content)})
    assert again.status_code == 302


def test_an_account_is_closed_and_opened_again(administrator):
    person = User.objects.create_user("ann", password="the old one")
    elsewhere = Client()
    elsewhere.force_login(person)

    administrator.post(reverse("person", args=[person.pk]), {"username": "ann", "role": "reader"})
    assert elsewhere.get(reverse("estate")).status_code == 302
    assert "closed" in administrator.get(reverse("people")).content.decode()

    fields = {"username": "ann", "role": "administrator", "is_active": "on"}
    administrator.post(reverse("person", args=[person.pk]), fields)
    person.refresh_from_db()
    assert (person.is_active, role_of(person)) == (True, Role.ADMINISTRATOR)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"role": "reader"}, "admin is the only administrator; make somebody else one first."),
        ({"is_active": ""}, "admin is the only administrator; make somebody else one first."),
        ({"username": "ANN"}, "Somebody signs in as ANN already; choose another name."),
        ({"username": "no blanks"}, "Enter a valid username"),
        ({"role": "king"}, "king"),
        ({"email": "nowhere"}, "Enter a valid email address"),
    ],
)
def test_what_would_lock_everybody_out_or_makes_no_sense_is_refused(administrator, change, sentence):
    User.objects.create_user("ann")
    mine = User.objects.get(username="admin")
    fields = {"username": "admin", "role": "administrator", "is_active": "on"} | change

    page = administrator.post(reverse("person", args=[mine.pk]), {k: v for k, v in fields.items() if v})

    assert sentence in page.content.decode()
    mine.refresh_from_db()
    assert (mine.username, mine.is_active, mine.is_staff) == ("admin", True, True)


def test_nobody_closes_their_own_account(administrator):
    User.objects.create_user("other", password="x", is_staff=True)
    mine = User.objects.get(username="admin")

    page = administrator.post(
        reverse("person", args=[mine.pk]), {"username": "admin", "role": "administrator"}
    )

    assert "You cannot close your own account" in page.content.decode()


@pytest.mark.parametrize("page", ["people", "person_add", "person", "person_password"])
def test_only_administrators_look_after_people(client, page):
    person = User.objects.create_user("planner", may_change=True)
    client.force_login(person)
    address = reverse(page, args=[person.pk] if page in ("person", "person_password") else [])

    answers = [client.post(address, PERSON)] + ([] if page == "person_password" else [client.get(address)])

    assert {answer.status_code for answer in answers} <= {403, 405}
    assert User.objects.count() == 1
