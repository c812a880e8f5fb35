"""
A sender that is killed, as by `kill -9` or a power cut: a process of its own, a real PostgreSQL, a real mail server.

Nothing in the sender is changed for it. It is held where it is to die by a lock in the database or by the mail server,
and killed there. Each recipient gets the mail exactly once, or, where it died between the hand-over and its note, once
more under the same Message-ID.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.collection.tests import scripted
from apps.collection.tests.scripted import committed
from apps.notices.handover import deliver_due
from apps.notices.models import Delivery, RecipientList
from apps.notices.tests.conftest import Post
from apps.reports.engine.week import Week
from apps.reports.models import WeeklyReport
from apps.reports.tests.scenes import MONDAY, limit, opened

pytestmark = committed

ROOT = Path(__file__).resolve().parents[3]
PEOPLE = ("ada@example.com", "bob@example.com")
SECONDS = 180
State = Delivery.State


def database() -> str:
    """The address of the database of this test."""
    return (
        urlsplit(os.environ["HEADROOM_DATABASE_URL"])
        ._replace(path=f"/{connection.settings_dict['NAME']}")
        .geturl()
    )


@pytest.fixture
def managers() -> RecipientList:
    opened(limit(scripted.instance("DWPRD"), severity="critical"), MONDAY)
    return RecipientList.objects.create(name="managers", addresses=", ".join(PEOPLE))


@contextmanager
def sender() -> Iterator[subprocess.Popen[bytes]]:
    """The command that people and the timetable use, in a process of its own; it does not outlive the block."""
    started = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "apps.notices.tests.sender",
            "--list",
            "managers",
            "--week",
            Week(MONDAY).name,
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "HEADROOM_DATABASE_URL": database(),
            "HEADROOM_SMTP_URL": f"smtp://127.0.0.1:{settings.EMAIL_PORT}",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait(SECONDS)


def kill(process: subprocess.Popen[bytes]) -> None:
    assert process.poll() is None, process.stdout.read().decode() if process.stdout else ""
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait(SECONDS) == -signal.SIGKILL


def wait_until(is_so: Callable[[], Any], process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert process.poll() is None, process.stdout.read().decode() if process.stdout else ""
        assert time.monotonic() < end, "the sender never came to where it was to die"
        time.sleep(0.05)


@contextmanager
def locked(statement: str) -> Iterator[Callable[[], bool]]:
    """Hold a lock; what is given tells whether somebody waits for it."""
    with psycopg.connect(database()) as holder, psycopg.connect(database(), autocommit=True) as watcher:
        holder.execute(statement)  # type: ignore[call-overload]

        def is_waited_for() -> bool:
            waiting = watcher.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
            return bool(waiting and waiting[0])

        yield is_waited_for
        holder.rollback()


def later(times: int = 2) -> None:
    """What the timetable does after the crash: the same command's functions, then and long after."""
    for number in range(1, times + 1):
        deliver_due(timezone.now() + number * (Delivery.LONGEST + timedelta(minutes=1)))


def mails(post: Post) -> dict[str, Counter[str]]:
    """For each recipient how often each Message-ID arrived."""
    arrivals: dict[str, Counter[str]] = {}
    for mail in post.mails:
        arrivals.setdefault(str(mail["To"]), Counter())[str(mail["Message-ID"])] += 1
    return arrivals


def arrived_once(post: Post) -> bool:
    arrivals = mails(post)
    return set(arrivals) == set(PEOPLE) and all(list(names.values()) == [1] for names in arrivals.values())


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1 FROM notices_recipientlist FOR UPDATE",  # before anything was composed
        "LOCK TABLE reports_weeklyreport IN EXCLUSIVE MODE",  # composed, not yet kept
        "LOCK TABLE notices_delivery IN EXCLUSIVE MODE",  # kept, its rows not yet made
    ],
)
def test_killed_while_composing_it_has_prepared_nothing_and_the_next_one_sends_once(
    post: Post, managers: RecipientList, statement: str
):
    with locked(statement) as is_waited_for, sender() as process:
        wait_until(is_waited_for, process)
        kill(process)
    assert not Delivery.objects.exists()
    assert not WeeklyReport.objects.exclude(sent_at=None).exists()
    managers.refresh_from_db()
    assert managers.last_week == ""
    assert post.mails == []

    with sender() as process:
        assert process.wait(SECONDS) == 0
    later()

    assert arrived_once(post)
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.SENT}


class Halt:
    """Holds the mail server at the n-th time it comes there, until it is let go on."""

    def __init__(self, number: int = 1, also: Callable[[], None] = lambda: None) -> None:
        self.number, self.also = number, also
        self.reached, self.go_on = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.number -= 1
        if self.number == 0:
            self.also()
            self.reached.set()
            self.go_on.wait(SECONDS)


@pytest.mark.parametrize("number", [2])
def test_killed_before_the_server_took_the_message_it_is_unknown_and_arrives_once(
    post: Post, managers: RecipientList, number: int
):
    halt = post.before = Halt(number)
    with sender() as process:
        wait_until(halt.reached.is_set, process)
        kill(process)
    halt.go_on.set()
    assert len(post.mails) == number - 1
    expected = {State.SENT: number - 1, State.HANDING_OVER: 1, State.QUEUED: 2 - number}
    assert states() == {state: count for state, count in expected.items() if count}

    later()

    assert arrived_once(post)
    assert states() == {State.SENT: 2}
    assert Delivery.objects.filter(is_second=True).count() == 1


@pytest.mark.parametrize("number", [1])
def test_killed_before_the_answer_to_the_message_it_is_sent_once_more_under_the_same_name(
    post: Post, managers: RecipientList, number: int
):
    halt = post.then = Halt(number)
    with sender() as process:
        wait_until(halt.reached.is_set, process)
        kill(process)
    halt.go_on.set()

    later()

    assert_one_came_twice_under_one_name(post)


def test_killed_between_the_answer_and_its_note_it_is_sent_once_more_under_the_same_name(
    post: Post, managers: RecipientList
):
    held: list[psycopg.Connection] = []

    def hold_the_row() -> None:
        holder = psycopg.connect(database())
        holder.execute("SELECT 1 FROM notices_delivery WHERE state = 'handing_over' FOR UPDATE")
        held.append(holder)

    halt = post.then = Halt(1, hold_the_row)
    halt.go_on.set()  # the server answers: the message is taken; the note of it waits for the row
    with sender() as process, locked("SELECT 1") as is_waited_for:
        wait_until(is_waited_for, process)
        kill(process)
        forget_what_waits()  # the server would still write the note it was sent
    held[0].close()
    assert states() == {State.HANDING_OVER: 1, State.QUEUED: 1}

    deliver_due(timezone.now() + Delivery.LONGEST - timedelta(minutes=1))  # it may still be alive
    assert states() == {State.HANDING_OVER: 1, State.SENT: 1}
    later()

    assert_one_came_twice_under_one_name(post)


def test_after_an_end_that_was_noted_nothing_is_sent_again(post: Post, managers: RecipientList):
    for _ in range(2):
        with sender() as process:
            assert process.wait(SECONDS) == 0
    later()

    assert arrived_once(post)


def forget_what_waits() -> None:
    """End the sessions that wait for a lock, and wait until they are gone."""
    with psycopg.connect(database(), autocommit=True) as other:
        waiting = other.execute("SELECT pid FROM pg_locks WHERE NOT granted").fetchall()
        for (pid,) in waiting:
            other.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])


def states() -> dict[str, int]:
    return {state: number for state in State if (number := Delivery.objects.filter(state=state).count())}


def assert_one_came_twice_under_one_name(post: Post) -> None:
    arrivals = mails(post)
    assert set(arrivals) == set(PEOPLE)
    assert all(len(names) == 1 for names in arrivals.values())
    assert sorted(sum(names.values()) for names in arrivals.values()) == [1, 2]
    assert states() == {State.SENT: 2}
    assert Delivery.objects.filter(is_second=True).count() == 1
