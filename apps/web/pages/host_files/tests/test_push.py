"""Records that hosts send: with their token, as often as they like up to a bound, each day once."""

import gzip
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.collection.models import CollectionRun, PushToken
from apps.collection.push import renew_token
from apps.collection.sender_tokens import MOST_AN_HOUR
from apps.people.models import User
from apps.platforms.linux.tests.test_host_file_formats import as_json, sar, statistics
from apps.snapshots.models import Coverage
from apps.web.pages.host_files.tests.test_host_files import host, page, planner  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def token(host):  # noqa: F811
    return renew_token(host, User.objects.create(username="maker"), timezone.now())


def push(token, content, **headers):
    client = Client(enforce_csrf_checks=True)
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return client.post(reverse("host_push"), content, content_type="application/json", headers=headers)


def test_what_a_host_sends_is_stored(host, token):  # noqa: F811
    answer = push(token, gzip.compress(as_json(statistics()).encode()))

    assert answer.status_code == 200
    assert [day["day"] for day in answer.json()["days"]] == ["2026-11-20"]
    assert Coverage.objects.get(target=host).origin == "what db01 sent"
    assert CollectionRun.objects.get(target=host).state == "complete"
    assert PushToken.objects.get().outcome == "1 of 1 days stored."


def test_the_same_again_changes_nothing(token):
    push(token, as_json(statistics()))
    before = Coverage.objects.values().get()

    answer = push(token, as_json(statistics()))

    assert answer.json()["days"][0]["reason"] == "already there, unchanged"
    assert Coverage.objects.values().get() == before
    assert PushToken.objects.get().outcome == "Nothing new."


def test_a_day_that_has_grown_takes_the_place_of_what_was_sent_before(token):
    push(token, as_json(statistics()))

    answer = push(token, as_json(statistics(), statistics("08:20:00")))

    assert answer.json()["days"][0]["stored"]
    assert Coverage.objects.get().hours == pytest.approx(1 / 3)


@pytest.mark.parametrize("wrong", [None, "", "wrong", "é"])
def test_without_its_token_nothing_is_taken(token, wrong):
    answer = push(wrong, as_json(statistics()))

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert "token" in answer.json()["error"].casefold()
    assert not Coverage.objects.exists()


def test_a_token_that_was_renewed_is_good_for_nothing(host, token):  # noqa: F811
    renew_token(host, User.objects.get(username="maker"), timezone.now())

    assert push(token, as_json(statistics())).status_code == 401


def test_a_retired_host_sends_no_more(host, token):  # noqa: F811
    host.retire(timezone.now())

    assert push(token, as_json(statistics())).status_code == 401


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "empty"),
        ("hello", "none of the formats"),
        (as_json(statistics(), nodename="hr07"), "calls itself"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_a_sentence(token, content, sentence):
    answer = push(token, content)

    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
    assert PushToken.objects.get().outcome.startswith("Refused: ")
    assert not Coverage.objects.exists()


def test_too_much_is_refused(token, monkeypatch):
    monkeypatch.setattr("apps.web.sending.LARGEST", 100)

    assert push(token, as_json(statistics())).status_code == 413


def test_too_often_is_refused_until_the_hour_is_over(token):
    PushToken.objects.update(counted_since=timezone.now(), sendings=MOST_AN_HOUR)

    answer = push(token, as_json(statistics()))

    assert answer.status_code == 429
    assert 3500 < int(answer["Retry-After"]) <= 3600
    PushToken.objects.update(counted_since=timezone.now() - timedelta(hours=1))
    assert push(token, as_json(statistics())).status_code == 200


def test_a_full_disk_takes_nothing(token, monkeypatch):
    monkeypatch.setattr("apps.web.sending.refuse_when_disk_is_full", lambda: "The disk is full.")

    assert push(token, as_json(statistics())).status_code == 503


def test_text_of_sar_is_taken_as_well(token):
    assert push(token, sar("08:00:00", "08:10:00")).status_code == 200


def test_the_page_shows_a_token_once_with_the_lines_for_cron(planner, host):  # noqa: F811
    assert "Make a token" in page(planner, host)

    made = page(planner, host, token="1")
    later = page(planner, host)

    assert "Authorization: Bearer " in made
    assert "curl -sSf -H @/etc/headroom-push --data-binary @- http://testserver/push/host" in made
    assert "10 0 * * * LC_ALL=C sadf -j -1 -- -A" in later
    assert "Authorization: Bearer " not in later
    assert len(PushToken.objects.get().digest) == 64
    assert PushToken.objects.get().digest not in made
