"""Planned changes: as typed, in a forecast, in scenarios, and in the nightly review."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from apps.catalog.metric import Display, Kind, Metric
from apps.catalog.registry import get_metric
from apps.collection.tests.scripted import BOOT, TODAY, instance, levels, prepare
from apps.forecasting.change_notation import BadChange, read_change, through_formula
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.effects import Effect, apply_effects
from apps.forecasting.figure_forecast import forecast_figure
from apps.forecasting.models import Forecast, PlannedChange, Scenario
from apps.forecasting.predict import predict_violations
from apps.forecasting.scenarios import compare_scenarios
from apps.inventory.models import Target
from apps.thresholds.register import add_threshold

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
USED = Metric(
    key="t_used",
    label="used",
    unit="MB",
    display=Display(unit="GB"),
    reading_unit="bytes",
    kind=Kind.GAUGE,
    source="s",
    category=1,
)
MOST = Metric(key="t_most", label="most", unit="MB", kind=Kind.GAUGE, source="s", category=1)
SHARE = Metric(
    key="t_share", label="share", unit="%", kind=Kind.RATIO, source="s", category=1,
    formula=lambda w: 100 * w.level("t_used") / w.level("t_most"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "metric", "change"),
    [
        ("+200 GB", USED, Effect(addend=204800)),
        ("-1 TB", USED, Effect(addend=-1048576)),
        ("+200", USED, Effect(addend=204800)),
        ("+1,024 MB", USED, Effect(addend=1024)),
        ("+20 %", USED, Effect(factor=1.2)),
        ("−25%", USED, Effect(factor=0.75)),
        ("4 -> 8 cores", SHARE, Effect(factor=0.5)),
        ("8 to 4", SHARE, Effect(factor=2)),
        ("+5 pt", SHARE, Effect(addend=5)),
    ],
)
def test_PRE7_a_change_is_read_as_planners_write_it(text, metric, change):
    assert read_change(text, metric) == change


@pytest.mark.parametrize(
    ("text", "metric", "words"),
    [
        ("", USED, "is not a change"),
        ("200 GB", USED, "is not a change; expected +200 GB"),
        ("+2 parsecs", USED, "“parsecs” is not a unit of used, which is in GB: give +10 GB or +20 %."),
        ("+200 ms", USED, "“ms” is not a unit of used"),
        ("4 -> 8 cores", USED, "is no share of one"),
        ("0 -> 8 cores", SHARE, "has a capacity of 0"),
        ("-100 %", USED, "leaves less than nothing"),
        ("+" + "9" * 30, USED, "is more than can be"),
        ("+NaN GB", USED, "is not a change"),
    ],
)
def test_what_is_no_change_gets_a_sentence(text, metric, words):
    with pytest.raises(BadChange) as refused:
        read_change(text, metric)

    assert words in str(refused.value)


def test_PRE7_an_amount_of_space_moves_the_share_that_is_computed_from_it():
    levels = {"t_used": 500.0, "t_most": 1000.0}

    assert through_formula(SHARE, {"t_used": Effect(addend=200)}, levels) == Effect(addend=20.0)
    more = through_formula(SHARE, {"t_most": Effect(addend=1000)}, levels)
    assert more == Effect(factor=0.5)
    assert through_formula(SHARE, {"t_used": Effect(addend=200)}, {"t_most": 1000.0}) is None


def test_PRE7_a_change_of_both_readings_of_a_share_is_told_of_both_at_once():
    levels = {"t_used": 500.0, "t_most": 1000.0}
    more = Effect(factor=1.2)

    both = through_formula(SHARE, {"t_used": more, "t_most": more}, levels)
    effect = through_formula(SHARE, {"t_used": more}, levels)

    assert both is not None
    assert effect is not None
    assert (both.factor, both.addend) == (pytest.approx(1.0), 0)
    assert (effect.factor, effect.addend) == (pytest.approx(1.2), 0)


def test_PRE7_a_change_holds_from_its_day_on_and_one_of_the_past_is_in_the_figures():
    plain = forecast_batch([np.full(100, 50.0)] * 2)

    moved = apply_effects(
        plain, {0: [(10, Effect(addend=7)), (20, Effect(factor=2))], 1: [(0, Effect(addend=7))]}
    )

    assert moved.mean[0, [8, 9, 18, 19]].tolist() == pytest.approx([50, 57, 57, 114])
    assert moved.mean[1].tolist() == plain.mean[1].tolist()
    assert (moved.low80[0] <= moved.mean[0]).all()


@pytest.fixture(scope="module")
def growing_pk(module_db: None) -> int:
    prepare()
    target = instance()
    levels(target, [100.0 + day for day in range(60)])
    add_threshold("x_used", "300", now=BOOT, target=target, component="DATA", lead_time_days=10)
    return target.pk


@pytest.fixture
def growing(growing_pk: int, db: None) -> Target:
    return Target.objects.get(pk=growing_pk)


def planned(target: Target, change: str, ahead: int, **rest: object) -> Scenario:
    scenario, _ = Scenario.objects.get_or_create(name=change, defaults={"created_at": NOW})
    PlannedChange.objects.create(
        scenario=scenario, target=target, metric="x_used", component="DATA", change=change,
        on=TODAY + timedelta(days=ahead), **rest,
    )  # fmt: skip
    return scenario


def test_PRE7_a_decided_change_enters_the_nightly_forecast_and_another_does_not(growing):
    planned(growing, "+200 MB", 20)
    predict_violations(growing, TODAY, NOW)
    assert Forecast.objects.get().likely_on is None
    Forecast.objects.all().delete()

    planned(growing, "+150 MB", 20, decided_at=NOW)
    predict_violations(growing, TODAY, NOW)

    assert Forecast.objects.get().likely_on == TODAY + timedelta(days=20)


def test_PRE7_on_demand_a_decided_change_is_taken_in_as_by_the_review(growing):
    planned(growing, "+150 MB", 20, decided_at=NOW)

    forecast = forecast_figure(growing, get_metric("x_used"), "DATA", TODAY)

    assert forecast.limits[0].likely_on == TODAY + timedelta(days=20)
    assert forecast.planned == [(TODAY + timedelta(days=20), Effect(addend=150.0))]


def test_PRE7_scenarios_stand_side_by_side_with_days_and_slack(growing):
    first, second = planned(growing, "+100 MB", 20), planned(growing, "+150 MB", 20)

    (moved,) = compare_scenarios([first, second], [growing], TODAY + timedelta(days=1))

    assert (moved.target, moved.component, moved.value) == (growing, "DATA", pytest.approx(159))
    assert moved.likely_on(moved.outcomes[1]) == TODAY + timedelta(days=20)
    assert moved.slack(moved.outcomes[1]) == 10
    assert moved.baseline.day is None
    late = moved.likely_on(moved.outcomes[0])
    assert late is not None
    assert abs((late - date(2026, 8, 10)).days) <= 3


def test_a_scenario_that_moves_nothing_has_no_rows(growing):
    assert compare_scenarios([planned(growing, "+100 MB", -3)], [growing], TODAY) == []
    assert compare_scenarios([planned(instance("OTHER"), "+90 MB", 3)], [growing], TODAY) == []
