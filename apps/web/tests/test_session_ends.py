"""S9: a session ends after a time without use and some days after it began; a page comes back by signing in."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.people.models import User
from apps.people.tests.hashers import COUNTED
from apps.web.session_ends import BEGAN_AT, USED_AT

pytestmark = pytest.mark.django_db

HOUR = 60 * 60


@pytest.fixture
def person(settings: Any) -> User:
    settings.PASSWORD_HASHERS = COUNTED
    return User.objects.create_user("rita", password="seven lamps under water")


@pytest.fixture
def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def wait(browser: Client, seconds: float, *, is_used: bool = False) -> None:
    """Let the session be so much older; used all the time, or left alone."""
    session = browser.session
    session[BEGAN_AT] -= seconds
    session[USED_AT] -= 0 if is_used else seconds
    session.save()


def test_a_session_ends_after_eight_hours_without_use_and_signing_in_leads_back(browser: Client):
    page = reverse("risks") + "?sort=slack"
    wait(browser, 8 * HOUR + 60)

    sent = browser.get(page)
    door = browser.get(sent["Location"])

    assert sent["Location"] == "/sign-in?next=/risks%3Fsort%3Dslack&ended=idle"
    assert "You were signed out after eight hours without use." in door.content.decode()
    fields = {"username": "rita", "password": "seven lamps under water", "next": page}
    assert browser.post(sent["Location"], fields)["Location"] == page


def test_a_session_that_is_used_goes_on(browser: Client):
    for _ in range(3):
        wait(browser, 7 * HOUR)
        assert browser.get(reverse("risks")).status_code == 200


def test_a_session_ends_fourteen_days_after_it_began_however_much_it_is_used(browser: Client):
    wait(browser, 14 * 24 * HOUR + 60, is_used=True)

    sent = browser.get(reverse("risks"))

    assert sent["Location"] == "/sign-in?next=/risks&ended=age"
    assert (
        "You were signed out 14 days after you had signed in."
        in browser.get(sent["Location"]).content.decode()
    )


def test_both_times_are_settings(browser: Client, settings: Any):
    settings.HEADROOM_SESSION_IDLE = timedelta(minutes=30)
    wait(browser, 31 * 60)

    sent = browser.get(reverse("risks"))

    assert "after 30 minutes without use" in browser.get(sent["Location"]).content.decode()


def test_a_part_of_a_page_sends_the_whole_page_to_the_sign_in(browser: Client):
    wait(browser, 9 * HOUR)
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/thresholds/add?metric=x"}

    answer = browser.get(reverse("threshold_preview"), headers=headers)

    assert (answer.status_code, answer["HX-Redirect"]) == (
        200, "/sign-in?next=/thresholds/add%3Fmetric%3Dx&ended=idle",
    )  # fmt: skip


def test_a_deed_leads_back_to_the_page_it_was_done_on(browser: Client):
    wait(browser, 9 * HOUR)

    sent = browser.post(reverse("targets_change"), headers={"Referer": "http://testserver/targets?q=PRD"})

    assert sent["Location"] == "/sign-in?next=/targets%3Fq%3DPRD&ended=idle"


def test_use_is_written_once_in_a_while_and_not_with_every_page(browser: Client):
    def writes() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(reverse("account")).status_code == 200
        return sum("django_session" in query["sql"] and "SELECT" not in query["sql"] for query in queries)

    assert (writes(), writes()) == (0, 0)
    wait(browser, 301)
    assert (writes(), writes()) == (1, 0)


def test_a_session_from_before_sessions_had_an_end_begins_now(browser: Client):
    session = browser.session
    del session[BEGAN_AT], session[USED_AT]
    session.save()

    assert browser.get(reverse("account")).status_code == 200
    assert {BEGAN_AT, USED_AT} <= set(browser.session.keys())


@pytest.mark.django_db(transaction=True)
def test_pages_stay_readable_and_sessions_end_while_the_database_refuses_writes(browser: Client):
    wait(browser, HOUR)
    sign_in = reverse("sign_in")
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")  # as on a full disk
        try:
            page = browser.get(reverse("account"))
            cursor.execute("SET default_transaction_read_only = off")
            wait(browser, 9 * HOUR)
            cursor.execute("SET default_transaction_read_only = on")
            sent = browser.get(reverse("account"))
            door = browser.get(sent["Location"])
        finally:
            cursor.execute("RESET default_transaction_read_only")

    assert page.status_code == 200
    assert sent["Location"].startswith(f"{sign_in}?next=/account&ended=idle")
    assert door.status_code == 200


def post_note(browser: Client, **headers: str) -> Any:
    fields = {"text": "Month end close.", "first_on": "2026-02-16", "password": "lion"}
    sender = {"Referer": "http://testserver/notes/add"} | headers
    return browser.post(reverse("note_add") + "?target=1", fields, headers=sender)


def sign_in_again(browser: Client, sent: Any) -> Any:
    fields = {"username": "rita", "password": "seven lamps under water"}
    return browser.post(sent["Location"], fields)


def test_what_was_typed_survives_the_end_of_a_session(browser: Client):
    wait(browser, 8 * HOUR + 60)

    sent = post_note(browser)
    door = browser.get(sent["Location"]).content.decode()
    back = sign_in_again(browser, sent)
    page = browser.get(back["Location"]).content.decode()

    assert "What you typed is kept, and shown once you have signed in." in door
    assert back["Location"] == reverse("unsent")
    assert "<dd>Month end close.</dd>" in page
    assert f'action="{reverse("note_add")}?target=1"' in page
    assert "passwords and files were not kept" in page
    assert "lion" not in page


def test_it_survives_a_session_that_somebody_else_removed(browser: Client):
    browser.session.flush()

    sent = post_note(browser)
    back = sign_in_again(browser, sent)

    assert sent["Location"].startswith("/sign-in?next=/notes/add")
    assert "Month end close." in browser.get(back["Location"]).content.decode()


def test_it_is_gone_once_it_was_sent_or_dropped(browser: Client):
    for end in ("send", "drop"):
        wait(browser, 8 * HOUR + 60)
        sign_in_again(browser, post_note(browser))
        if end == "send":
            post_note(browser)
        else:
            assert browser.post(reverse("unsent"))["Location"] == "/notes/add"
        assert "Nothing waits to be sent." in browser.get(reverse("unsent")).content.decode()


def test_what_another_site_sent_is_not_kept(browser: Client):
    for headers in (
        {"Referer": "https://evil.example/"},
        {"Origin": "https://evil.example"},
        {"Referer": ""},
    ):
        wait(browser, 8 * HOUR + 60)

        sent = post_note(browser, **headers)
        back = sign_in_again(browser, sent)

        assert back["Location"] != reverse("unsent")
