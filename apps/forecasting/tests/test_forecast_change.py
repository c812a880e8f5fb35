"""Why a forecast changed: each part is computed, and what they move adds up."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.figure_forecast import forecast_figure
from apps.forecasting.forecast_change import (
    ChangePart,
    ForecastChange,
    explain_change,
    find_earlier_forecast,
    has_moved,
)
from apps.forecasting.models import Forecast, PlannedChange, Scenario, TrendChange
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.register import add_threshold

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
BEFORE = TODAY - timedelta(days=14)
SHAKE = np.random.default_rng(3).normal(0, 1, 120)
STEADY = [100.0 + day + SHAKE[day] for day in range(120)]
RATES = {"steady": [1.0] * 14, "faster": [4.0] * 14, "jump": [40.0, *[1.0] * 13]}


def scene(kind: str = "steady", notation: str = "<=280") -> tuple[Target, Threshold]:
    """A tablespace that grew by 1 MB a day until two weeks ago, when its forecast was kept."""
    prepare()
    target = instance()
    tail = STEADY[105] + np.cumsum(RATES[kind]) + SHAKE[106:]
    levels(target, [*STEADY[:106], *tail])
    (threshold,) = add_threshold(
        "x_used", notation, now=BOOT, target=target, component="DATA", lead_time_days=14
    )
    predict_violations(target, BEFORE, NOW)
    return target, threshold


def explained(target: Target) -> ForecastChange:
    (answer,) = forecast_figure(target, get_metric("x_used"), "DATA", TODAY).limits
    before = find_earlier_forecast(answer.threshold, target, "DATA", TODAY)
    assert before is not None
    change = explain_change(before, answer.figure, target, TODAY)
    assert change is not None
    assert (change.after.day, change.after.chance) == (answer.likely_on, answer.prediction.chance)
    return change


def moved(change: ForecastChange) -> dict[ChangePart, int]:
    """The days of each part, all of which have some here."""
    days = {stage.part: change.days_of(place) for place, stage in enumerate(change.stages)}
    assert None not in days.values()
    return {part: number for part, number in days.items() if number is not None}


def test_the_days_of_all_parts_add_up_to_the_difference():
    for kind in RATES:
        change = explained(scene(kind)[0])

        assert change.days is not None
        assert sum(moved(change).values()) == change.days
        Target.objects.all().delete()


def test_where_nothing_is_new_nothing_moved_much():
    change = explained(scene()[0])

    days = moved(change)
    assert change.days is not None
    assert abs(change.days) <= 5
    assert (
        days[ChangePart.METHOD],
        days[ChangePart.SHIFT],
        days[ChangePart.LIMIT],
        days[ChangePart.DECIDED],
    ) == (0, 0, 0, 0)


def test_faster_growth_is_told_from_where_the_figure_stands():
    change = explained(scene("faster")[0])

    days = moved(change)
    assert days[ChangePart.LEVEL] < -20
    assert change.level == pytest.approx(42, abs=8)
    assert change.growth[1] > change.growth[0] == pytest.approx(1, abs=0.2)
    assert (days[ChangePart.LIMIT], days[ChangePart.DECIDED]) == (0, 0)


def test_a_jump_is_where_it_stands_and_little_else():
    change = explained(scene("jump")[0])

    days = {part: abs(number) for part, number in moved(change).items()}
    assert max(days, key=lambda part: days[part]) is ChangePart.LEVEL


def test_a_changed_limit_moves_the_day_by_itself():
    target, threshold = scene()
    Threshold.objects.filter(pk=threshold.pk).update(notation="<=250", high=250.0)

    change = explained(target)

    days = moved(change)
    assert -36 < days[ChangePart.LIMIT] < -24
    assert (change.before.notation, change.notation) == ("<=280", "<=250")


def test_a_change_decided_since_moves_the_day_by_itself_and_one_decided_before_does_not():
    target, _ = scene()
    scenario = Scenario.objects.create(name="Plan", created_at=NOW)
    decided = PlannedChange.objects.create(
        scenario=scenario, target=target, metric="x_used", component="DATA", change="+40 MB",
        on=TODAY + timedelta(days=3), decided_at=NOW, decided_by=User.objects.create_user("planner"),
    )  # fmt: skip

    change = explained(target)
    days = moved(change)
    assert -50 < days[ChangePart.DECIDED] < -30
    assert list(change.decided) == [decided]
    PlannedChange.objects.update(decided_at=BOOT)
    assert moved(explained(target))[ChangePart.DECIDED] == 0
    assert explained(target).decided == []


def test_a_trend_change_accepted_since_is_a_part_of_its_own():
    target, _ = scene("faster")
    TrendChange.objects.create(
        target=target, metric="x_used", component="DATA", on=TODAY - timedelta(days=13),
        state=TrendChange.State.ACCEPTED, decided_at=NOW,
    )  # fmt: skip

    change = explained(target)

    assert change.accepted == [TODAY - timedelta(days=13)]
    assert change.days is not None
    assert sum(moved(change).values()) == change.days


def test_a_limit_that_cannot_be_read_any_more_is_not_explained():
    target, _ = scene()
    Forecast.objects.update(notation="<=95 % unless >=50 GB free")
    (answer,) = forecast_figure(target, get_metric("x_used"), "DATA", TODAY).limits

    assert explain_change(Forecast.objects.get(), answer.figure, target, TODAY) is None


def test_the_night_compared_is_the_newest_a_week_old_or_the_one_chosen():
    target, threshold = scene()
    for ago in (8, 6):
        predict_violations(target, TODAY - timedelta(days=ago), NOW)

    def night(made_on: date | None = None) -> date | None:
        forecast = find_earlier_forecast(threshold, target, "DATA", TODAY, made_on)
        return None if forecast is None else forecast.made_on

    assert night() == TODAY - timedelta(days=8)
    assert night(TODAY - timedelta(days=6)) == TODAY - timedelta(days=6)
    assert night(TODAY - timedelta(days=5)) is None
    assert night(TODAY) is None


@pytest.mark.parametrize(
    ("likely", "chance", "lead", "is_moved"),
    [
        (40, 0.7, 14, False),
        (70, 0.7, 14, True),
        (10, 0.7, 14, True),
        (54, 0.7, 14, False),
        (None, 0.2, 14, True),
        (None, 0.65, 14, False),
        (40, None, 14, False),
    ],
)
def test_it_has_moved_by_more_than_the_days_to_act_or_appeared(likely, chance, lead, is_moved):
    before = Forecast(
        made_on=BEFORE, chance=chance, likely_on=None if likely is None else TODAY + timedelta(days=likely)
    )

    assert has_moved(before, TODAY + timedelta(days=40), 0.7, lead) is is_moved
