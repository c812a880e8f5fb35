"""Tests of connections: bounded per person and altogether, made once, and told what became of them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.collection import connection
from apps.collection.collector import Account, ConnectionResult, ConnectionStep, add_tester
from apps.collection.connection import CannotTest, ask_test, run_test, steps_of
from apps.collection.models import ConnectionTest
from apps.inventory.models import Deed
from apps.people.models import User

pytestmark = pytest.mark.django_db
tried: list[tuple[object, Account]] = []


@pytest.fixture(autouse=True)
def _tester() -> None:
    def tester(address: object, account: Account) -> ConnectionResult:
        tried.append((address, account))
        return ConnectionResult([ConnectionStep("Sign-in", True, "It works.", 0.1)])

    tried.clear()
    add_tester("scripted", tester)


@pytest.fixture
def dana() -> User:
    return User.objects.create(username="dana", may_change=True)


def ask(person: User, host: str = "db1") -> ConnectionTest:
    return ask_test(
        person, "a session", target=None, collector="scripted", address={"host": host, "port": 1}, username="HR",
        typed={"password": "tiger"},
    )  # fmt: skip


def test_a_test_is_made_once_with_what_was_typed(dana):
    test = ask(dana)
    assert steps_of(test) is None

    run_test(test.pk)
    run_test(test.pk)

    test.refresh_from_db()
    assert steps_of(test) == [ConnectionStep("Sign-in", True, "It works.", 0.1)]
    assert tried == [({"host": "db1", "port": 1}, Account("HR", "tiger"))]


def test_a_person_has_two_tests_at_a_time(dana):
    first, _ = ask(dana), ask(dana)

    with pytest.raises(CannotTest, match="2 of your tests are under way; wait for one of them"):
        ask(dana)
    run_test(first.pk)

    assert ask(dana).pk
    assert ask(User.objects.create(username="eve")).pk


def test_all_people_together_have_so_many_tests_at_a_time(dana, monkeypatch):
    monkeypatch.setattr(connection, "MOST_IN_ALL", 3)
    for number in range(3):
        ask(User.objects.create(username=f"person{number}"))

    with pytest.raises(CannotTest, match="Many connections are being tested just now"):
        ask(dana)


def test_nobody_scans_ports_by_tests(dana):
    """S13: twenty tests in ten minutes, each on record, then a sentence."""
    for number in range(20):
        run_test(ask(dana, f"10.0.0.{number}").pk)

    with pytest.raises(CannotTest, match="You have tested 20 connections within 10 minutes"):
        ask(dana)

    assert Deed.objects.filter(actor=dana, kind="connection_tested").count() == 20
    assert set(Deed.objects.values_list("subject", flat=True)) == {f"10.0.0.{n}:1" for n in range(20)}


def test_a_test_that_no_worker_takes_is_given_up_with_a_sentence_and_not_made_later(dana):
    test = ask(dana)
    ConnectionTest.objects.update(asked_at=timezone.now() - timedelta(seconds=11))
    run_test(test.pk)
    test.refresh_from_db()

    [step] = steps_of(test) or []

    assert step.sentence.startswith("No worker took the test within 8 s")
    assert tried == []
    assert ask(dana).pk, "it does not count as under way"


def test_a_test_whose_worker_was_killed_is_given_up_too(dana):
    test = ask(dana)
    long_ago = timezone.now() - timedelta(seconds=100)
    ConnectionTest.objects.update(asked_at=long_ago, began_at=long_ago, state="running")
    test.refresh_from_db()

    assert [step.sentence for step in steps_of(test) or []] == [
        "The worker ended before the test did; test again."
    ]


def test_a_test_that_breaks_off_says_so(dana):
    def broken(address: object, account: Account) -> ConnectionResult:
        raise ZeroDivisionError

    add_tester("scripted", broken)
    test = ask(dana)

    with pytest.raises(ZeroDivisionError):
        run_test(test.pk)

    test.refresh_from_db()
    assert "The test broke off" in (steps_of(test) or [])[0].sentence
