"""What becomes of slots while the disk is full, and what pages say of it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import Retry
from django.test import Client
from django.utils import timezone

from apps.collection import full_disk
from apps.collection.due_slots import due_collections
from apps.collection.engine.disk import GIGABYTE, MEGABYTE, DiskRoom
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import SCRIPT, instance, prepare, register
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots import dictionary
from worker import tasks


@pytest.fixture
def target(db: None) -> Target:
    register()
    dictionary.forget()
    SCRIPT.answers.clear()
    SCRIPT.calls.clear()
    now = timezone.now()
    prepare(now.date())
    return instance(
        collect_at=now.replace(second=0, microsecond=0).time(), registered_at=now - timedelta(hours=1)
    )


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was put into the queues."""
    sent: list[Any] = []
    for task in (tasks.collect, tasks.collect_due):
        monkeypatch.setattr(task, "apply_async", lambda *args, **options: sent.append((args, options)))
    return sent


@pytest.fixture
def have(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Any:
    """Makes the disk have so many bytes left of 100 GB."""
    settings.HEADROOM_DISK = tmp_path

    def leave(free: int, days_left: float | None = None) -> None:
        monkeypatch.setattr(
            full_disk, "measure_disk", lambda folder: DiskRoom(free, 100 * GIGABYTE, days_left)
        )

    return leave


def look_at_what_is_due() -> None:
    tasks.collect_due.push_request(
        id="a task", called_directly=False, retries=0, args=(), kwargs={}, delivery_info={}
    )
    try:
        tasks.collect_due()
    finally:
        tasks.collect_due.pop_request()


def test_a_full_disk_is_the_reason_of_a_slot_which_is_read_as_soon_as_there_is_room(target, sent, have):  # S2
    have(41 * MEGABYTE)
    with pytest.raises(Retry) as retry:
        look_at_what_is_due()
    with pytest.raises(Retry):
        look_at_what_is_due()
    refused = CollectionRun.objects.get()

    have(20 * GIGABYTE)
    sent.clear()
    look_at_what_is_due()
    (((arguments,), _),) = sent
    outcome = tasks.collect(*arguments)
    run = CollectionRun.objects.get()

    assert retry.value.when <= 10
    assert refused.state == CollectionRun.State.FAILED
    assert refused.reason.replace("\xa0", " ") == (
        "The disk that holds Headroom's data is nearly full (41 MB left): make room; reading goes on by itself."
    )
    assert (outcome, run.state, run.tries, run.reason) == ("complete", "complete", 1, "")


def test_what_waited_in_the_queue_while_the_disk_filled_up_is_not_read_and_not_lost(target, sent, have):
    have(41 * MEGABYTE)
    ((due),) = due_collections(timezone.now())

    assert tasks.collect(due.target_id, due.slot.isoformat()) == "no room"
    assert SCRIPT.calls == []
    assert [again.slot for again in due_collections(timezone.now())] == [due.slot]


@pytest.mark.parametrize(
    ("free", "days_left", "sentence"),
    [
        (41 * MEGABYTE, None, "is nearly full: 41 MB of 100 GB left."),
        (9 * GIGABYTE, None, "has 9 GB of 100 GB left."),
        (50 * GIGABYTE, 2.5, "if it goes on as in the last days: 50 GB of 100 GB left."),
        (50 * GIGABYTE, 30.0, None),
    ],
)
def test_every_page_warns_of_a_disk_that_fills_up(db, have, free, days_left, sentence):
    have(free, days_left)
    browser = Client()
    browser.force_login(User.objects.create_user("rita", password="a password of Rita's"))

    pages = [
        browser.get(path).content.decode().replace("\xa0", " ") for path in ("/", "/collection", "/targets")
    ]

    assert all((sentence in page) if sentence else ("disk-warning" not in page) for page in pages)


def test_of_a_database_elsewhere_the_page_says_that_its_disk_is_not_seen(db, settings):
    settings.HEADROOM_DISK = None
    browser = Client()
    browser.force_login(User.objects.create_user("rita", password="a password of Rita's"))

    assert "not seen from here: PostgreSQL is your own" in browser.get("/collection").content.decode()
