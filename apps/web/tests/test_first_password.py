"""S9: whoever was given a password chooses their own before anything else."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.people.models import User
from apps.people.roles import Role, add_person, new_password
from apps.people.tests.hashers import COUNTED

pytestmark = pytest.mark.django_db

OWN = "seven lamps under water"


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = COUNTED


def sign_in(name: str, password: str) -> Client:
    browser = Client()
    assert browser.post(reverse("sign_in"), {"username": name, "password": password}).status_code == 302
    return browser


def choose(browser: Client, old: str, new: str, address: str = "") -> Any:
    fields = {"old_password": old, "new_password1": new, "new_password2": new}
    return browser.post(address or reverse("account"), fields)


def test_the_first_administrator_chooses_a_password_before_any_page_opens():
    out = StringIO()
    call_command("ensure_administrator", "--json", stdout=out)
    first = json.loads(out.getvalue())["password"]
    browser = sign_in("admin", first)

    sent = browser.get(reverse("risks") + "?sort=slack")
    page = browser.get(sent["Location"]).content.decode()
    done = choose(browser, first, OWN, sent["Location"])

    assert sent["Location"] == "/account?next=/risks%3Fsort%3Dslack"
    assert "Choose your own password.</strong> Whoever gave you the first one knows it too." in " ".join(
        page.split()
    )
    assert "Password you were given" in page
    assert (done.status_code, done["Location"]) == (302, "/risks?sort=slack")
    assert browser.get(done["Location"]).status_code == 200
    assert not User.objects.get().has_first_password


def test_a_password_that_an_administrator_made_is_changed_at_the_next_sign_in():
    person, first = add_person("rita", Role.PLANNER)
    browser = sign_in("rita", first)
    choose(browser, first, OWN)
    assert browser.get(reverse("estate")).status_code == 200
    person.refresh_from_db()

    again = sign_in("rita", new_password(person))

    assert again.get(reverse("estate"))["Location"].startswith("/account?")
    assert again.post(reverse("targets_change"))["Location"].startswith("/account?")
    assert again.post(reverse("sign_out"))["Location"] == reverse("sign_in")


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ("first", "This is the old password; choose another one."),
        ("passwordpassword", "This password is easy to guess."),
    ],
)
def test_the_old_password_and_one_that_is_guessed_soon_are_refused(new: str, sentence: str):
    person, first = add_person("rita", Role.READER)
    browser = sign_in("rita", first)

    page = choose(browser, first, first if new == "first" else new)

    assert sentence in page.content.decode()
    person.refresh_from_db()
    assert (person.has_first_password, person.check_password(first)) == (True, True)


def test_the_page_leads_nowhere_else_afterwards():
    _, first = add_person("rita", Role.READER)
    browser = sign_in("rita", first)

    done = choose(browser, first, OWN, reverse("account") + "?next=https://evil.example/")

    assert done["Location"] == reverse("account")
