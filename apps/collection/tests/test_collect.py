"""One reading of one target: what is kept, what is told, and what is tried again."""

import json
import threading
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection

from apps.collection.collect import AlreadyUnderWay, collect_target
from apps.collection.collector import Collected, CollectionError, Reading, SourceRun
from apps.collection.due_slots import due_collections, pause_before
from apps.collection.lease import LEASE, give_back, take_lease
from apps.collection.missed_slots import note_missed
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import (
    BOOT,
    SCRIPT,
    SPACE,
    WAITS,
    WORK,
    committed,
    instance,
    prepare,
    reading,
)
from apps.collection.today import last_closed_day, today_of
from apps.inventory.models import Target
from apps.inventory.register import set_password
from apps.snapshots.models import Coverage, FailedSource, Snapshot

pytestmark = pytest.mark.django_db

SLOT = datetime(2026, 6, 30, 0, 5, tzinfo=UTC)
NOW = SLOT + timedelta(seconds=20)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def target() -> Target:
    prepare(date(2026, 6, 30))
    return instance()


def test_COL1_a_reading_becomes_a_run_a_snapshot_and_figures(target):
    run = collect_target(target, SLOT, NOW)

    assert (run.state, run.series, run.tries, run.reason) == ("complete", 2, 1, "")
    assert set(Snapshot.objects.values_list("category", "bucket")) == {(921, SLOT), (922, SLOT)}
    assert dict(Coverage.objects.values_list("day", "is_so_far")) == {date(2026, 6, 29): False}
    target.refresh_from_db()
    assert (target.leased_until, target.leased_by) == (None, "")


def test_the_runs_json_tells_when_how_long_how_much_and_what_failed(target):
    SCRIPT.answers["SCRIPT"] = reading(SLOT, failed={"v$system_event": "ORA-00942: grant it."})

    document = collect_target(target, SLOT, NOW).as_json()

    assert json.loads(json.dumps(document)) == document
    assert (document["target"], document["slot"], document["state"], document["series"]) == (
        "SCRIPT",
        "2026-06-30T00:05:00+00:00",
        "partial",
        2,
    )
    assert document["sources"] == [
        {"name": "space", "category": 922, "seconds": 0.25, "series": 1, "error": ""},
        {"name": "work", "category": 921, "seconds": 0.5, "series": 1, "error": ""},
        {
            "name": "v$system_event",
            "category": 923,
            "seconds": 0.0,
            "series": 0,
            "error": "ORA-00942: grant it.",
        },
    ]
    assert document["reason"] is None


def test_a_task_that_is_delivered_twice_leaves_one_snapshot(target):
    collect_target(target, SLOT, NOW, holder="a task")
    collect_target(target, SLOT, NOW + MINUTE, holder="a task")

    assert len(SCRIPT.calls) == 1
    assert CollectionRun.objects.count() == 1
    assert Snapshot.objects.filter(category=SPACE).count() == 1


def with_waits(at: datetime) -> Collected:
    """A reading of all three sources."""
    waits = [Reading("x_waits", 7.0, "log file sync"), Reading("x_wait_time", 7e4, "log file sync")]
    whole = reading(at)
    return replace(
        whole, sources=[*whole.sources, SourceRun(name="v$system_event", category=WAITS, readings=waits)]
    )


def test_O6_a_partial_reading_is_completed_by_the_sources_that_failed_alone(target):
    SCRIPT.answers["SCRIPT"] = reading(
        SLOT, failed={"v$system_event": "The connection was lost (ORA-03113)."}
    )
    collect_target(target, SLOT, NOW)
    assert FailedSource.objects.get().reason == "The connection was lost (ORA-03113)."
    SCRIPT.answers["SCRIPT"] = with_waits(SLOT + 7 * MINUTE)

    run = collect_target(target, SLOT, NOW + 7 * MINUTE)

    assert (run.state, run.tries, run.series) == ("complete", 2, 4)
    assert [source["name"] for source in run.sources] == ["space", "work", "v$system_event"]
    assert dict(Snapshot.objects.values_list("category", "captured_at")) == {
        SPACE: SLOT,
        WORK: SLOT,
        WAITS: SLOT + 7 * MINUTE,
    }
    assert not FailedSource.objects.exists()


def test_O6_a_partial_reading_is_due_again_within_the_hour_and_then_left(target):
    SCRIPT.answers["SCRIPT"] = reading(SLOT, failed={"v$system_event": "The connection was lost."})
    now, tried = NOW, []
    while now < NOW + timedelta(hours=11):
        if due_collections(now):
            collect_target(target, SLOT, now)
            tried.append(now - SLOT)
        now += MINUTE

    assert 3 <= len(tried) <= 5
    assert tried[-1] <= timedelta(hours=1)
    assert CollectionRun.objects.get().state == "partial"


def test_a_partial_reading_that_no_try_mends_is_not_read_again(target):
    grant = SourceRun(name="v$x", category=WAITS, error="ORA-00942: grant it.", is_worth_retrying=False)
    whole = reading(SLOT)
    SCRIPT.answers["SCRIPT"] = replace(whole, sources=[*whole.sources, grant])
    collect_target(target, SLOT, NOW)

    assert due_collections(NOW + 30 * MINUTE) == []


def test_a_failure_after_a_partial_reading_loses_nothing_that_was_measured(target):
    SCRIPT.answers["SCRIPT"] = reading(SLOT, failed={"waits": "It took too long."})
    collect_target(target, SLOT, NOW)
    SCRIPT.answers["SCRIPT"] = CollectionError("The password is wrong.", needs_a_person=True)

    run = collect_target(target, SLOT, NOW + MINUTE)

    assert run.state == "partial"
    target.refresh_from_db()
    assert target.blocked_because == "The password is wrong."


def test_a_target_of_which_no_source_could_be_read_was_not_read(target):
    failed = [SourceRun(name=name, category=WAITS, error="It hangs.") for name in ("a", "b")]
    SCRIPT.answers["SCRIPT"] = Collected(captured_at=SLOT, started_at=BOOT, sources=failed)

    run = collect_target(target, SLOT, NOW)

    assert (run.state, run.reason) == ("failed", "No source could be read. It hangs.")
    assert [source["name"] for source in run.failed_sources] == ["a", "b"]
    assert not Snapshot.objects.exists()


def test_an_expected_failure_is_told_on_the_run_and_the_lease_is_given_back(target):
    SCRIPT.answers["SCRIPT"] = CollectionError("Nothing answers at db1:1521.", is_worth_retrying=True)

    run = collect_target(target, SLOT, NOW)

    assert (run.state, run.reason, run.is_worth_retrying) == ("failed", "Nothing answers at db1:1521.", True)
    assert take_lease(target, "another", NOW)


def test_an_unknown_collector_is_told_to_people(target):
    target.collector = "sybase"

    run = collect_target(target, SLOT, NOW)

    assert run.reason.startswith("There is no collector “sybase”")


def test_what_nobody_expects_fails_loudly_and_gives_the_lease_back(target):
    SCRIPT.answers["SCRIPT"] = ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        collect_target(target, SLOT, NOW)

    assert take_lease(target, "another", NOW)
    run = CollectionRun.objects.get()
    assert (run.state, run.reason) == (
        "failed",
        "Headroom itself failed while SCRIPT was read: ZeroDivisionError: a bug",
    )


# ── at most one at a time ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_collection_is_refused_while_one_is_under_way(target):
    take_lease(target, "the first", NOW)

    with pytest.raises(AlreadyUnderWay, match="SCRIPT is being collected already"):
        collect_target(target, SLOT, NOW + MINUTE)

    assert SCRIPT.calls == []


def test_a_killed_holders_lease_ends_by_itself(target):
    take_lease(target, "killed", NOW)

    assert not take_lease(target, "next", NOW + LEASE)
    assert take_lease(target, "next", NOW + LEASE + MINUTE)


def test_the_same_task_delivered_again_takes_its_lease_over_at_once(target):
    take_lease(target, "a task", NOW)

    assert collect_target(target, SLOT, NOW + MINUTE, holder="a task").state == "complete"


def test_nobody_gives_back_the_lease_of_another(target):
    take_lease(target, "the first", NOW)

    give_back(target, "another")

    assert not take_lease(target, "a third", NOW)


def test_a_lease_from_before_the_clock_jumped_back_holds_nobody_up(target):
    take_lease(target, "killed", NOW + timedelta(days=3))

    assert take_lease(target, "next", NOW)


@committed
def test_of_two_at_the_same_time_one_collects():
    prepare(date(2026, 6, 30))
    target = instance()
    began, go_on, refused = threading.Event(), threading.Event(), []

    def wait(target: Target, slot: datetime) -> Collected:
        began.set()
        assert go_on.wait(60)
        return reading(slot)

    def collect() -> None:
        try:
            collect_target(Target.objects.get(pk=target.pk), SLOT, NOW)
        finally:
            connection.close()

    SCRIPT.answers["SCRIPT"] = wait
    first = threading.Thread(target=collect)
    first.start()
    assert began.wait(60)
    try:
        collect_target(target, SLOT, NOW)
    except AlreadyUnderWay as refusal:
        refused.append(refusal)
    go_on.set()
    first.join()

    assert len(refused) == len(SCRIPT.calls) == 1
    assert CollectionRun.objects.get().state == "complete"


# ── targets that go away ─────────────────────────────────────────────────────────────────────────────────────────────


@committed
@pytest.mark.parametrize("fails", [False, True])
def test_a_target_that_is_deleted_while_it_is_read_leaves_nothing(fails):
    prepare(date(2026, 6, 30))
    target = instance()

    def delete(target: Target, slot: datetime) -> Collected:
        Target.objects.get(pk=target.pk).delete()
        if fails:
            raise CollectionError("It hung up.", needs_a_person=True)
        return reading(slot)

    SCRIPT.answers["SCRIPT"] = delete

    run = collect_target(target, SLOT, NOW)

    assert run.state == "failed"
    assert run.reason == "SCRIPT was deleted while it was being read; nothing was kept."
    assert not Snapshot.objects.exists()
    assert not CollectionRun.objects.exists()


# ── due, tried again, missed ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_slot_is_put_into_the_queue_once_and_again_when_nothing_came_of_it(target):
    assert [due.slot for due in due_collections(NOW)] == [SLOT]
    assert due_collections(NOW + MINUTE) == []

    assert [due.slot for due in due_collections(NOW + 16 * MINUTE)] == [SLOT]


def test_a_slot_that_was_read_is_not_due(target):
    collect_target(target, SLOT, NOW)

    assert due_collections(NOW + 16 * MINUTE) == []


@pytest.mark.parametrize("state", ["is_paused", "retired_at", "blocked_because"])
def test_a_target_that_is_paused_retired_or_waits_for_a_person_is_not_due(target, state):
    value = {"is_paused": True, "retired_at": NOW, "blocked_because": "ORA-01017"}[state]
    Target.objects.update(**{state: value})

    assert due_collections(NOW) == []


def test_a_failure_worth_it_is_tried_again_with_growing_pauses_and_then_given_up(target):
    SCRIPT.answers["SCRIPT"] = CollectionError("Nothing answers.", is_worth_retrying=True)
    tries = []
    for number in range(5):
        now = NOW + 16 * MINUTE * number
        assert due_collections(now)
        tries.append(collect_target(target, SLOT, now).tries)

    assert tries == [1, 2, 3, 4, 5]
    assert due_collections(NOW + 96 * MINUTE) == []
    assert [pause_before(number) for number in tries] == [60, 120, 240, 480, None]


def test_a_failure_that_a_try_does_not_mend_is_not_tried_again(target):
    SCRIPT.answers["SCRIPT"] = CollectionError("The service is unknown.")
    collect_target(target, SLOT, NOW)

    assert due_collections(NOW + 16 * MINUTE) == []
    assert due_collections(NOW + timedelta(days=1))


def test_a_wrong_password_blocks_the_target_until_somebody_gives_another(target):
    SCRIPT.answers["SCRIPT"] = CollectionError("ORA-01017: the password is wrong.", needs_a_person=True)
    collect_target(target, SLOT, NOW)
    assert due_collections(NOW + timedelta(days=1)) == []

    set_password(target, "HEADROOM", "another-secret")

    assert not target.is_blocked
    assert due_collections(NOW + timedelta(days=1))


def test_a_slot_that_nothing_read_in_time_is_told_of_once_for_every_night(target):
    collect_target(target, SLOT, NOW)
    now = SLOT + timedelta(days=3, hours=13)

    assert note_missed(now) == 3
    assert note_missed(now) == 0

    missed = CollectionRun.objects.filter(state="missed")
    assert [run.slot for run in missed.order_by("slot")] == [SLOT + timedelta(days=day) for day in (1, 2, 3)]
    assert all("Nothing read it in time" in run.reason for run in missed)


def test_a_missed_slot_of_a_target_that_waits_for_a_person_says_for_what(target):
    collect_target(target, SLOT, NOW)
    Target.objects.update(blocked_because="ORA-28001: the password expired.")

    note_missed(SLOT + timedelta(days=1, hours=13))

    assert CollectionRun.objects.get(state="missed").reason == "ORA-28001: the password expired."


def test_a_slot_that_may_still_be_read_is_not_missed(target):
    collect_target(target, SLOT, NOW)

    assert note_missed(SLOT + timedelta(days=1, hours=11)) == 0


def test_a_reading_that_was_interrupted_for_good_is_told_of(target):
    CollectionRun.objects.create(target=target, slot=SLOT, began_at=NOW)

    note_missed(SLOT + timedelta(hours=11))
    assert CollectionRun.objects.get(slot=SLOT).state == "running"
    note_missed(SLOT + timedelta(hours=13))

    run = CollectionRun.objects.get(slot=SLOT)
    assert (run.state, run.reason) == (
        "missed",
        "Its reading was interrupted, and was not made up for in time.",
    )


def test_a_clock_that_jumps_back_reads_nothing_twice(target):
    Target.objects.update(registered_at=SLOT - timedelta(days=1))
    collect_target(target, SLOT - timedelta(days=1), NOW - timedelta(days=1))
    collect_target(target, SLOT, NOW)
    before = list(Snapshot.objects.values_list("bucket", "category"))

    due = due_collections(NOW - timedelta(days=1) + MINUTE)
    note_missed(NOW - timedelta(days=1) + MINUTE)

    assert due == []
    assert list(Snapshot.objects.values_list("bucket", "category")) == before
    assert not CollectionRun.objects.exclude(state="complete").exists()


def test_S6_a_slot_of_any_rhythm_that_nothing_read_is_noted_and_a_long_stop_is_one_row_a_day(target):
    Target.objects.update(interval_minutes=5)
    target.refresh_from_db()
    first = datetime(2026, 6, 30, 22, 0, tzinfo=UTC)
    collect_target(target, first, first)
    note_missed(first + MINUTE)

    for minutes in range(8, 30):  # beat asks each minute while nothing reads
        note_missed(first + minutes * MINUTE)
    assert note_missed(first + timedelta(hours=4, minutes=3)) > 40

    rows = (
        CollectionRun.objects.filter(state="missed")
        .order_by("slot")
        .values_list("slot", "last_slot", "slots")
    )
    assert list(rows) == [
        (first + 5 * MINUTE, first + timedelta(hours=1, minutes=55), 23),
        (first + timedelta(hours=2), first + timedelta(hours=4), 25),
    ]
    assert note_missed(first + timedelta(hours=4, minutes=4)) == 0


def test_S6_a_missed_slot_is_noted_though_a_later_one_was_read_before_anybody_looked(target):
    Target.objects.update(interval_minutes=5)
    target.refresh_from_db()
    collect_target(target, SLOT, SLOT)
    note_missed(SLOT + MINUTE)
    collect_target(target, SLOT + 15 * MINUTE, SLOT + 15 * MINUTE)

    assert note_missed(SLOT + 16 * MINUTE) == 2

    missed = CollectionRun.objects.get(state="missed")
    assert (missed.slot, missed.last_slot, missed.slots) == (SLOT + 5 * MINUTE, SLOT + 10 * MINUTE, 2)


def test_S6_a_slot_of_a_short_rhythm_that_was_lost_in_the_queue_is_queued_again_in_time(target):
    Target.objects.update(interval_minutes=5)
    assert [due.slot for due in due_collections(SLOT)] == [SLOT]

    assert [due.slot for due in due_collections(SLOT + MINUTE)] == [SLOT]


# ── today ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_today_is_the_last_closed_day_with_figures_else_the_running_day_so_far(target):
    assert today_of(target, NOW) is None
    evening = datetime(2026, 6, 30, 20, tzinfo=UTC)
    SCRIPT.answers["SCRIPT"] = lambda target, slot: reading(slot)

    collect_target(target, evening, evening)
    running = today_of(target, evening)
    collect_target(target, SLOT + timedelta(days=1), NOW + timedelta(days=1))
    closed = today_of(target, NOW + timedelta(days=1))

    assert running is not None
    assert (running.day, running.is_so_far) == (date(2026, 6, 30), True)
    assert closed is not None
    assert (closed.day, closed.is_so_far, closed.is_old) == (date(2026, 6, 30), False, False)


def test_a_target_first_read_in_the_morning_shows_the_running_day_once_something_was_counted(target):
    first, second = (datetime(2026, 6, 30, 7, minute, tzinfo=UTC) for minute in (0, 30))
    SCRIPT.answers["SCRIPT"] = lambda target, slot: reading(slot)

    collect_target(target, first, first)
    alone = today_of(target, first)
    collect_target(target, second, second)
    running = today_of(target, second)

    assert alone is not None
    assert (alone.day, alone.is_so_far) == (date(2026, 6, 29), False)
    assert running is not None
    assert (running.day, running.is_so_far) == (date(2026, 6, 30), True)


def test_today_is_old_when_a_later_day_is_closed_without_figures(target):
    collect_target(target, SLOT, NOW)

    fresh = today_of(target, NOW)
    old = today_of(target, NOW + timedelta(days=3))

    assert fresh is not None
    assert not fresh.is_old
    assert old is not None
    assert (old.day, old.is_old) == (date(2026, 6, 29), True)
    assert last_closed_day(target, NOW + timedelta(days=3)) == date(2026, 7, 1)
