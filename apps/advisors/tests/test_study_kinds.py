"""Kinds of studies: found by their place, and peak hours of days held against each other."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from apps.advisors.engine.outcome import Outcome
from apps.advisors.models import ChangeStudy
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_deeds import StudyDraft, add_aim, make_study, propose_next_limits
from apps.advisors.study_registry import all_kinds, find_kind
from apps.collection.tests.scripted import BOOT, GB, TODAY, WORK, days_before, instance, prepare
from apps.inventory.models import Target
from apps.reports.study_paper import build_document
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import rebuild_figures, roll_up_day
from apps.thresholds.case_steps import Refusal

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
DAYS = days_before(TODAY, 8)


def record_day(target: Target, on: date, peak: float) -> None:
    """A day whose hours from 9 to 17 have so many GB of redo, the others one."""
    total = 0.0
    for hour in range(25):
        slot = datetime.combine(on, time(), UTC) + timedelta(hours=hour)
        total += 0 if not hour else peak if 9 <= hour - 1 < 17 else 1
        values = {("x_redo", ""): total * GB, ("x_calls", ""): 0.0}
        source = ReadSource(category=WORK, values=values)
        record_snapshot(target, [source], slot=slot, captured_at=slot, started_at=BOOT)
    roll_up_day(target, on, NOW)


@pytest.fixture
def hourly(db: None) -> Target:
    prepare(*DAYS)
    target = instance("HOURLY", interval_minutes=60)
    for number, on in enumerate(DAYS):
        record_day(target, on, (3 if number < 4 else 6) + number / 100)
    target.reviewed_through = TODAY
    target.save()
    return target


def make(target: Target, hours: str = "9-17", **other: Any) -> ChangeStudy:
    draft = StudyDraft(
        target=target,
        question="Is there less redo at work?",
        change="Batches run at night.",
        before=(DAYS[0], DAYS[3]),
        after=(DAYS[4], DAYS[7]),
        kind="hours",
        fields={"hours": hours},
        **other,
    )
    return make_study(draft, by=None, now=NOW)


def test_kinds_are_found_by_their_place_whole_days_first():
    assert [kind.key for kind in all_kinds()] == ["days", "hours", "runs"]
    assert find_kind("no such kind").key == "days"


def test_peak_hours_of_days_are_held_against_each_other(hourly):
    made = make(hourly, " 09 - 17 ")
    assert made.windows == {"hours": "9-17"}
    assert add_aim(made, "x_redo", "", "<=100").metric == "x_redo:9-17"
    assert compare_study(made).aimed[0].before is None  # until past days are rolled up
    rebuild_figures(hourly, DAYS[0], DAYS[7], NOW)

    result = compare_study(made)

    (redo,) = result.aimed
    assert redo.before == pytest.approx(24 * 3.015)
    assert redo.after == pytest.approx(24 * 6.055)
    assert redo.outcome is Outcome.WORSE
    assert not result.other_things  # the whole day is no row of it
    (limit,) = propose_next_limits(made, result)
    assert limit.metric.key == "x_redo:9-17"
    windows = {line["name"]: line["text"] for line in build_document(made)["windows"]}
    assert windows["of each day"] == "9 to 17 h of each day"


@pytest.mark.parametrize(
    ("hours", "sentence"),
    [
        ("", "Give the hours, for example 9-17"),
        ("17-9", "“17-9” are no hours of a day; give for example 9-17"),
        ("9-25", "are no hours of a day"),
        ("noon", "are no hours of a day"),
    ],
)
def test_hours_that_are_none_get_a_sentence_and_nothing_is_stored(hourly, hours, sentence):
    with pytest.raises(Refusal, match=sentence):
        make(hourly, hours)

    assert not ChangeStudy.objects.exists()


def test_a_target_that_is_read_too_seldom_has_no_peak_hours(hourly):
    hourly.interval_minutes = 1440

    with pytest.raises(Refusal, match="HOURLY is read once a day; study whole days"):
        make(hourly)

    assert not ChangeStudy.objects.exists()


def test_a_figure_of_a_reduction_stands_for_its_statistic(hourly):
    made = make(hourly)

    assert add_aim(made, "x_redo:9-12", "", "").metric == "x_redo:9-17"
    with pytest.raises(Refusal, match="is no statistic that a study of peak hours of days can have"):
        add_aim(made, "x_nothing", "", "")
