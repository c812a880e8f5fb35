"""What became of readings is kept for as long as something rests on it."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.collection.models import CollectionRun
from apps.collection.retention import clear_runs
from apps.collection.tests.scripted import instance

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)


def ran(minutes: int, *runs: tuple[int, str], name: str = "HOST") -> None:
    """A target of this rhythm, with a run so many days ago, in this state."""
    target = instance(name, interval_minutes=minutes)
    for days, state in runs:
        slot = NOW - timedelta(days=days)
        CollectionRun.objects.create(target=target, slot=slot, began_at=slot, state=state)


def left() -> set[tuple[int, str]]:
    return {((NOW - run.slot).days, str(run.state)) for run in CollectionRun.objects.all()}


def test_complete_runs_go_after_their_days_and_what_was_not_read_in_full_goes_with_the_figures():
    rows = (
        (1, "complete"),
        (99, "complete"),
        (101, "complete"),
        (400, "failed"),
        (401, "missed"),
        (700, "partial"),
    )
    ran(5, *rows)

    assert clear_runs(NOW, run_days=100, figure_days=500) == 2

    assert left() == {(1, "complete"), (99, "complete"), (400, "failed"), (401, "missed")}


def test_a_target_that_is_read_daily_keeps_its_complete_runs_as_long_as_its_figures():
    ran(1440, (1, "complete"), (300, "complete"), (501, "complete"))

    clear_runs(NOW, run_days=100, figure_days=500)

    assert left() == {(1, "complete"), (300, "complete")}


def test_the_last_that_is_known_of_a_target_stays_however_old_it_is():
    ran(5, (900, "complete"), (800, "complete"), (700, "failed"), (600, "failed"))

    clear_runs(NOW, run_days=100, figure_days=500)

    assert left() == {(800, "complete"), (600, "failed")}
