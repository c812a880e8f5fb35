"""A limit that was set, changed or not judged between two reviews says the same wherever it is read."""

from dataclasses import replace
from datetime import timedelta

import pytest

from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.counts import Counts
from apps.outlook.outlooks import outlooks_of
from apps.outlook.profile import read_figure_outlooks, read_forecast_outlooks, read_profile_outlook
from apps.outlook.tests.test_one_answer import NOW, YESTERDAY, growing_target
from apps.profiles.models import Baseline
from apps.thresholds.calendar_register import save_calendar
from apps.thresholds.calendars import Calendar
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.precedence import find_applicable
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

METRIC, COMPONENT = "x_used", "DATA"


def states_of(target: Target) -> dict[str, FigureState | None]:
    """The state of the limited figure where it is read: profile, risk board, statistic; estate, where it lists it."""
    target.refresh_from_db()
    targets = Target.objects.filter(pk=target.pk)
    row = next(
        row
        for row in read_profile_outlook(target, YESTERDAY, NOW).judged.rows
        if row.row.key == (METRIC, COMPONENT)
    )
    limits = find_applicable(Threshold.objects.touching([target]), target, METRIC, COMPONENT)
    (board,) = outlooks_of(targets, NOW, {}, is_whole=True)
    (standing,) = read_figure_outlooks(target, METRIC, COMPONENT, limits, YESTERDAY, NOW).values()
    estate = outlooks_of(targets, NOW, {})
    states = {"profile": row.state, "risk board": board.state, "statistic": standing.state}
    if estate:
        states["estate"] = estate[0].state
    return states


def unlimited_target() -> Target:
    """A tablespace of 159 MB, reviewed through yesterday; its only limit is withdrawn."""
    target = growing_target("FRESH", "<=900")
    Threshold.objects.all().delete()
    Forecast.objects.all().delete()
    return target


def set_limit(target: Target, notation: str) -> Threshold:
    return add_threshold(METRIC, notation, now=NOW, target=target, component=COMPONENT)[0]


def test_a_new_limit_that_holds_is_comfortable_before_its_first_review():
    target = unlimited_target()
    set_limit(target, "<=1000")

    assert set(states_of(target).values()) == {FigureState.COMFORTABLE}
    (board,) = outlooks_of(Target.objects.all(), NOW, {}, is_whole=True)
    assert board.value == 159
    assert board.note == "no forecast: the limit is newer than the last review; the next one forecasts it"


def test_a_new_limit_that_is_broken_is_violated_also_on_the_estate():
    target = unlimited_target()
    set_limit(target, "<100")

    states = states_of(target)

    assert set(states.values()) == {FigureState.VIOLATED}
    assert "estate" in states
    (board,) = outlooks_of(Target.objects.all(), NOW, {}, is_whole=True)
    assert board.note == "over its limit, no case is open yet"
    assert Counts.of([board]).lead == "One figure is beyond its limit without a case yet"
    assert Counts.of([board]).rest == []


def test_what_has_no_case_yet_is_counted_beside_those_that_have_one():
    cases = [FigureState.VIOLATED, FigureState.CLOSING]

    counts = replace(Counts.of_states(cases), young=2)

    assert counts.lead == "One figure is over its limit"
    assert counts.rest == ["one is inside again, closing", "two more are beyond it without a case yet"]
    assert replace(Counts(closing=1), young=1).rest == ["one is inside again, closing"]


def test_no_change_is_judged_by_the_baseline_though_nothing_forecasts_it():
    target = unlimited_target()
    set_limit(target, "no change")
    assert set(states_of(target).values()) == {FigureState.NO_DATA}

    Baseline.objects.create(
        target=target,
        first_day=YESTERDAY - timedelta(days=12),
        last_day=YESTERDAY,
        marked_at=NOW,
    )

    assert set(states_of(target).values()) == {
        FigureState.VIOLATED
    }  # the highest of 13 days, beyond their 95th percentile


def test_a_limit_that_was_changed_is_judged_anew_and_its_old_forecast_is_told_no_more():
    target = growing_target("CHANGED", "<=900")
    assert set(states_of(target).values()) == {FigureState.COMFORTABLE}

    Threshold.objects.update(notation="<100", form="below", high=100, set_at=NOW)

    assert set(states_of(target).values()) == {FigureState.VIOLATED}
    (board,) = outlooks_of(Target.objects.all(), NOW, {}, is_whole=True)
    (listed,) = read_forecast_outlooks(target, YESTERDAY, NOW)
    assert (board.forecast, board.notation) == (listed.forecast, listed.notation) == (None, "<100")
    assert listed.state is FigureState.VIOLATED


def test_an_open_case_keeps_its_state_until_the_next_review_judges_by_the_changed_limit():
    target = growing_target("OPEN", "<100")
    Threshold.objects.update(notation="<900", form="below", high=900, set_at=NOW)

    assert set(states_of(target).values()) == {FigureState.VIOLATED}
    (row,) = (row for row in read_profile_outlook(target, YESTERDAY, NOW).judged.rows if row.threshold)
    assert row.reason == "the limit was changed after the last review; the case is that of the limit before"
    assert row.severity == "warning"


def test_a_day_that_is_not_judged_leaves_an_open_case_violated_everywhere_with_the_reason():
    target = growing_target("LEFTOUT", "<100")
    calendar = Calendar(name="Move", days=YESTERDAY.isoformat(), target=target)
    save_calendar(calendar, by=None, now=NOW)

    assert set(states_of(target).values()) == {FigureState.VIOLATED}
    (row,) = (row for row in read_profile_outlook(target, YESTERDAY, NOW).judged.rows if row.threshold)
    assert row.reason == "left out by the maintenance window “Move”, so it is not judged"
    assert Violation.objects.live().count() == 1
