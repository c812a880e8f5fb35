"""What each task does with what it is given: one call, and another try only where it is worth it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessLog
from celery.exceptions import Retry
from django.contrib.sessions.models import Session
from django.utils import timezone

from apps.collection.collector import CollectionError
from apps.collection.lease import take_lease
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import SCRIPT, instance, prepare, reading, register
from apps.inventory.models import Target
from apps.inventory.register import set_password
from apps.reports.models import WeeklyReport
from apps.snapshots import dictionary
from apps.snapshots.models import Coverage, Snapshot
from worker import tasks

pytestmark = pytest.mark.django_db


@pytest.fixture
def target() -> Target:
    register()
    dictionary.forget()
    SCRIPT.answers.clear()
    SCRIPT.calls.clear()
    prepare(timezone.now().date())
    return instance(registered_at=timezone.now())


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was put into the queues."""
    calls: list[Any] = []
    for task in (tasks.collect, tasks.review):
        monkeypatch.setattr(task, "apply_async", lambda *args, **options: calls.append((args, options)))
    return calls


def slot() -> str:
    return timezone.now().replace(second=0, microsecond=0).isoformat()


def collected(target: Target, at: str) -> str:
    """Run the task as a worker does, so that a retry is raised and not carried out."""
    tasks.collect.push_request(
        id="a task", called_directly=False, retries=0, args=(target.pk, at), kwargs={}, delivery_info={}
    )
    try:
        return str(tasks.collect(target.pk, at))
    finally:
        tasks.collect.pop_request()


def test_a_task_collects_and_says_how_it_went(target):
    at = slot()

    assert collected(target, at) == "complete"
    assert collected(target, at) == "complete"

    assert len(SCRIPT.calls) == CollectionRun.objects.count() == 1
    assert Snapshot.objects.count() == 2


@pytest.mark.parametrize(
    "state",
    [{"is_paused": True}, {"retired_at": datetime(2026, 1, 1, tzinfo=UTC)}, {"blocked_because": "ORA-28000"}],
)
def test_a_target_that_is_not_watched_or_waits_for_a_person_is_left_alone(target, state):
    Target.objects.update(**state)

    assert collected(target, slot()) == "not watched"
    assert SCRIPT.calls == []


def test_a_target_that_is_gone_is_left_alone(target):
    pk = target.pk
    target.delete()
    target.pk = pk

    assert collected(target, slot()) == "not watched"


def test_a_failure_worth_it_is_tried_again_after_a_pause(target, sent):
    SCRIPT.answers["SCRIPT"] = CollectionError("Nothing answers.", is_worth_retrying=True)

    with pytest.raises(Retry) as retry:
        collected(target, slot())

    assert retry.value.when == pytest.approx(60, abs=10)


def test_O6_a_partial_reading_is_tried_again_after_a_pause(target, sent):
    SCRIPT.answers["SCRIPT"] = reading(timezone.now(), failed={"v$x": "The connection was lost."})

    with pytest.raises(Retry) as retry:
        collected(target, slot())

    assert retry.value.when == pytest.approx(120, abs=10)


def test_O13_what_was_recorded_and_not_rolled_up_is_made_up_for(target):
    at = timezone.now() - timedelta(minutes=5)
    SCRIPT.answers["SCRIPT"] = lambda target, slot: reading(slot)
    collected(target, (at - timedelta(days=1)).isoformat())
    collected(target, at.isoformat())
    before = Coverage.objects.count()
    Coverage.objects.all().delete()  # as if the worker had been killed between recording and rolling up
    CollectionRun.objects.update(needs_roll_up=True, ended_at=at)

    tasks.make_up_figures()

    assert Coverage.objects.count() == before > 0
    assert not CollectionRun.objects.filter(needs_roll_up=True).exists()


@pytest.mark.parametrize("code", ["ORA-01017", "ORA-28000", "ORA-28001"])
def test_a_wrong_password_is_never_tried_again(target, sent, code):
    SCRIPT.answers["SCRIPT"] = CollectionError(f"{code}: ask for a password.", needs_a_person=True)

    assert collected(target, slot()) == "failed"
    assert collected(target, slot()) == "not watched"

    assert len(SCRIPT.calls) == 1


def test_a_target_that_is_being_read_is_asked_for_again_later(target, sent):
    take_lease(target, "another", timezone.now())

    with pytest.raises(Retry) as retry:
        collected(target, slot())

    assert retry.value.when == tasks.WAIT_FOR_TURN


def test_what_is_due_is_queued_by_its_number_and_its_moment_with_an_end(target, sent):
    set_password(target, "HEADROOM", "tiger's secret")
    now = timezone.now()
    Target.objects.update(
        collect_at=now.replace(second=0, microsecond=0).time(), registered_at=now - timedelta(hours=1)
    )

    tasks.collect_due()
    tasks.collect_due()

    (((arguments,), options),) = sent
    assert arguments[0] == target.pk
    assert datetime.fromisoformat(arguments[1]) <= now
    assert options["expires"] > now
    assert "tiger" not in str(sent)
    assert "HEADROOM" not in str(sent)


def test_reading_at_once_asks_for_several_readings_seconds_apart(target, sent):
    tasks.collect_at_once(target.pk, readings=2)

    first, second = (datetime.fromisoformat(arguments[1]) for (arguments,), _ in sent)
    assert second - first == timedelta(seconds=10)
    assert [options["countdown"] for _, options in sent] == [0, 10]


def test_reviews_are_queued_for_targets_of_one_day_together(target, sent):
    at = (timezone.now() - timedelta(days=2)).replace(hour=0, minute=5)
    SCRIPT.answers["SCRIPT"] = lambda target, slot: reading(slot)
    prepare(at.date())
    collected(target, at.isoformat())

    tasks.review_due()

    ((arguments, options),) = sent
    assert arguments == (([target.pk], (at - timedelta(days=1)).date().isoformat()),)
    assert options["expires"] == 50


def test_the_report_of_the_last_complete_week_is_composed(target):
    tasks.compose_report()
    tasks.compose_report()

    assert WeeklyReport.objects.count() == 1


def test_the_nightly_task_clears_what_has_ended_of_sessions_and_sign_ins():  # S16
    now = timezone.now()
    for days, number in ((1, 1), (-1, 2)):
        Session.objects.create(
            session_key=f"key{number}", session_data="", expire_date=now + timedelta(days=days)
        )
    for model, fields in ((AccessAttempt, {"failures_since_start": 1}), (AccessLog, {})):
        for username in ("old", "new"):
            model.objects.create(username=username, ip_address="203.0.113.5", **fields)
        model.objects.filter(username="old").update(attempt_time=now - timedelta(days=91))

    tasks.keep_house()

    assert [session.session_key for session in Session.objects.all()] == ["key1"]
    assert [attempt.username for attempt in AccessAttempt.objects.all()] == ["new"]
    assert [entry.username for entry in AccessLog.objects.all()] == ["new"]


def test_the_nightly_task_forgets_old_complete_runs(target):
    target.interval_minutes = 5
    target.save()
    for days in (0, 4000):
        at = timezone.now() - timedelta(days=days)
        CollectionRun.objects.create(target=target, slot=at, began_at=at, state=CollectionRun.State.COMPLETE)

    tasks.keep_house()

    assert (timezone.now() - CollectionRun.objects.get().slot).days == 0
