"""The page of who is told what."""

from io import StringIO
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from apps.notices.models import Delivery, RecipientList, Subscriber
from apps.people.models import User

pytestmark = pytest.mark.django_db

LIST = {"name": "managers", "addresses": "ada@example.com, bob@example.com", "weekday": "1", "at": "07:00",
        "time_zone": "Europe/Berlin", "is_active": "on"}  # fmt: skip
SUBSCRIBER = {"name": "room", "way": "slack", "failing_days": "2", "digest_minutes": "60", "time_zone": "UTC",
              "is_active": "on", "webhook": "https://93.184.215.14/hook"}  # fmt: skip


@pytest.fixture
def planner(client: Client) -> Client:
    client.force_login(User.objects.create(username="planner", may_change=True))
    return client


def test_without_a_mail_server_the_page_says_so(planner: Client, settings: Any):
    settings.EMAIL_HOST = ""

    page = planner.get("/notices").content.decode()

    assert "Nobody gets a message yet." in page
    assert "No mail server is configured" in page


def test_recipients_are_added_changed_and_removed(planner: Client):
    planner.post("/notices/recipients/add", LIST)
    made = RecipientList.objects.get()
    planner.post(f"/notices/recipients/{made.pk}", LIST | {"addresses": "eve@example.com"})
    made.refresh_from_db()

    assert made.recipients == ["eve@example.com"]
    assert made.last_week
    planner.post(f"/notices/recipients/{made.pk}", {"delete": "1"})
    assert not RecipientList.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"addresses": "ada"}, "“ada” is not a mail address"),
        ({"addresses": ""}, "Mail addresses is missing. One a line."),
        ({"time_zone": "Berlin"}, "“Berlin” is not a time zone"),
        ({"weekday": "8"}, "“8” is not one of those offered"),
        ({"at": "25:00"}, "“25:00” is not a time of day"),
    ],
)
def test_bad_recipients_are_refused_and_nothing_is_saved(planner: Client, wrong: dict[str, str], words: str):
    page = planner.post("/notices/recipients/add", LIST | wrong).content.decode()

    assert words in page
    assert not RecipientList.objects.exists()


def test_a_webhook_is_kept_encrypted_and_never_shown(planner: Client):
    planner.post("/notices/subscribers/add", SUBSCRIBER)
    made = Subscriber.objects.get()

    page = planner.get(f"/notices/subscribers/{made.pk}").content.decode()
    planner.post(f"/notices/subscribers/{made.pk}", SUBSCRIBER | {"webhook": "", "name": "renamed"})

    made.refresh_from_db()
    assert "93.184.215.14" not in page
    assert (made.name, made.url.reveal(made, "url")) == ("renamed", SUBSCRIBER["webhook"])


def test_the_address_of_a_webhook_goes_under_the_newest_key(planner: Client, settings: Any):
    planner.post("/notices/subscribers/add", SUBSCRIBER)
    planner.post(
        "/notices/subscribers/add",
        SUBSCRIBER | {"name": "by mail", "way": "mail", "webhook": "", "address": "ada@example.com"},
    )
    old, new = settings.HEADROOM_SECRET_KEYS[0], Fernet.generate_key().decode()
    settings.HEADROOM_SECRET_KEYS = [new, old]
    before = Subscriber.objects.get(name="room").url.token

    call_command("rotate_secrets", stdout=(output := StringIO()))
    settings.HEADROOM_SECRET_KEYS = [new]

    made = Subscriber.objects.get(name="room")
    assert made.url.token != before
    assert made.url.reveal(made, "url") == SUBSCRIBER["webhook"]
    assert "93.184.215.14" not in output.getvalue()
    assert Subscriber.objects.get(name="by mail").mail_address == "ada@example.com"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"webhook": "http://127.0.0.1/"}, "which is not a public address"),
        ({"webhook": "http://169.254.169.254/latest"}, "which is not a public address"),
        ({"webhook": "nonsense"}, "That is not an address"),
        ({"webhook": ""}, "A webhook needs its address."),
        ({"way": "mail", "webhook": ""}, "Mail needs an address"),
        ({"quiet_from": "22:00"}, "Quiet hours need both ends"),
        ({"failing_days": "0"}, "is not a whole number from 1"),
    ],
)
def test_bad_subscribers_are_refused_and_nothing_is_saved(planner: Client, wrong: dict[str, str], words: str):
    page = planner.post("/notices/subscribers/add", SUBSCRIBER | wrong).content.decode()

    assert words in page
    assert not Subscriber.objects.exists()


def test_the_test_button_sends_and_the_log_says_what_became_of_it(planner: Client, settings: Any):
    settings.EMAIL_HOST = "mail.example"  # the tests' own backend takes it
    person = Subscriber.objects.create(name="ada", address="ada@example.com")

    page = planner.post(f"/notices/subscribers/{person.pk}/test", follow=True).content.decode()

    assert "The test reached ada@example.com." in page
    assert Delivery.objects.get().state == "sent"
    assert "Test from Headroom" in page


def test_readers_see_the_log_and_change_nothing(client: Client):
    client.force_login(User.objects.create(username="reader"))

    assert client.get("/notices").status_code == 200
    assert client.get("/notices/recipients/add").status_code == 403
    assert client.post("/notices/subscribers/add", SUBSCRIBER).status_code == 403


def test_who_is_told_is_asked_for_in_our_words(planner):
    fields = {"name": "", "way": "mail", "address": "nobody@", "quiet_from": "25:00", "failing_days": "x"}

    errors = planner.post(reverse("subscriber_add"), fields).context["form"].errors

    assert errors["address"] == ["“nobody@” is not a mail address; give one such as dba@example.com."]
    assert errors["quiet_from"] == ["“25:00” is not a time of day; give one such as 00:05."]
    assert errors["name"][0].startswith("Name is missing.")
    assert "“x” is not a whole number" in errors["failing_days"][0]
    assert not [words for words in errors.values() if "required" in words[0]]
