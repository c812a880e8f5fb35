"""Limits of two conditions foreseen: the breach is the first time both hold."""

import json
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import Prediction, predict_crossings
from apps.forecasting.engine.edges import build_edges
from apps.forecasting.engine.series import Floats
from apps.forecasting.engine.tests.series import growing, predict, sure, wobble
from apps.forecasting.models import Forecast, PlannedChange, Scenario
from apps.forecasting.predict import predict_violations
from apps.forecasting.scenarios import compare_scenarios
from apps.inventory.models import Target
from apps.outlook.profile import read_profile_outlook
from apps.thresholds.engine.notation import Form
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Violation
from apps.thresholds.register import add_threshold

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
UPPER, LOWER = Form.AT_MOST, Form.AT_LEAST


def both(first: Floats, limit: float, second: Floats, least: float, **options: Any) -> Prediction:
    """What is foreseen of `one` over its limit while `other` is under its own."""
    forecasts = forecast_batch([first, second], **options)
    return predict_crossings(
        forecasts, build_edges([0], [limit], [UPPER]), build_edges([1], [least], [LOWER])
    )[0]


# ── the arithmetic ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("limit", "least"), [(2200, 900), (2050, 700)])
def test_the_day_is_that_on_which_the_later_of_the_two_is_broken(limit, least):
    used, free = growing(), 2000 - growing(start=0)
    single = [
        predict(forecast_batch([used]), [limit])[0],
        predict(forecast_batch([free]), [least], LOWER)[0],
    ]

    prediction = both(used, limit, free, least)

    last = max(single, key=lambda each: each.day or 1000)
    assert sure(prediction.day) == pytest.approx(sure(last.day), abs=2)
    assert sure(prediction.chance) <= min(sure(each.chance) for each in single) + 1e-9


def test_the_same_condition_twice_is_one_condition():
    used = growing(noise=20)
    forecasts = forecast_batch([used, used])
    each = predict(forecasts, [2200], of=[0])[0]

    prediction = predict_crossings(
        forecasts, build_edges([0], [2200], [UPPER]), build_edges([1], [2200], [UPPER])
    )[0]

    assert (prediction.chance, prediction.day, prediction.soonest, prediction.latest) == (
        each.chance,
        each.day,
        each.soonest,
        each.latest,
    )


def test_what_is_broken_by_turns_is_not_broken_at_once():
    """One is over its limit only when the other has room: each alone crosses, both together never."""
    weekday = (np.arange(200) - 200) % 7  # the last day is 6
    used = 100 + 20 * (weekday < 2) + wobble(200)
    free = 50 - 40 * ((weekday == 3) | (weekday == 4)) + wobble(200, 1)
    each = [
        predict(forecast_batch([used]), [107])[0].chance,
        predict(forecast_batch([free]), [20], LOWER)[0].chance,
    ]

    prediction = both(used, 107, free, 20)

    assert min(sure(chance) for chance in each) > 0.5
    assert sure(prediction.chance) < 0.2


def test_without_past_days_in_common_the_worst_of_one_meets_the_worst_of_the_other():
    """Both histories are too short for three trials: the chance is the most it can be, that of the rarer one."""
    used, free = growing(32, noise=20), 2000 - growing(32, start=0, noise=20)
    forecasts = forecast_batch([used, free])
    single = [predict(forecasts, [1310], of=[0])[0], predict(forecasts, [1690], LOWER, of=[1])[0]]

    prediction = predict_crossings(
        forecasts, build_edges([0], [1310], [UPPER]), build_edges([1], [1690], [LOWER])
    )[0]

    assert sure(prediction.chance) == pytest.approx(min(sure(each.chance) for each in single), abs=0.06)


def test_one_that_is_broken_already_waits_for_the_other():
    prediction = both(growing(), 1500, 2000 - growing(start=0), 900)

    alone = predict(forecast_batch([2000 - growing(start=0)]), [900], LOWER)[0]
    assert not prediction.is_violated
    assert sure(prediction.day) == pytest.approx(sure(alone.day), abs=2)


def test_both_broken_already_are_violated_and_end_with_the_first_to_return():
    prediction = both(growing(), 1500, 2000 - growing(start=0), 1900)

    assert (prediction.is_violated, prediction.chance, prediction.ends) == (True, None, None)


@pytest.mark.parametrize(
    ("used", "free", "reason"),
    [
        (growing(9), growing(), "needs 14 days, has 9"),
        (growing(), np.full(5, np.nan), "needs 14 days, has 0"),
        (growing(), np.concatenate([growing(), [np.nan] * 9]), "nothing measured for 9 days"),
        (np.full(100, np.nan), np.full(100, np.nan), "needs 14 days, has 0"),
    ],
)
def test_without_either_figure_there_is_a_reason_and_no_chance(used, free, reason):
    prediction = both(used, 5000, free, 10)

    assert (prediction.chance, prediction.day, prediction.reason) == (None, None, reason)


@pytest.mark.parametrize("value", [0.0, 7.0, 1e300])
def test_constants_and_zeros_break_nothing(value):
    prediction = both(
        np.full(100, value), 2 * value + 1, np.full(100, value), value - 1 if value < 1e200 else 1.0
    )

    assert prediction.day is None
    assert not prediction.is_violated


def test_noise_that_peaks_together_counts_more_than_noise_that_does_not():
    noise = 10 * wobble(300, seed=5)
    used = 100 + noise
    together, apart = 50 - noise, 50 - 10 * wobble(300, seed=11)

    pair = both(used, 108, together, 42), both(used, 108, apart, 42)

    assert sure(pair[0].chance) > sure(pair[1].chance)


# ── through the review, the command and the profile ──────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def filling_pk(module_db: None) -> int:
    """60 days: 100 to 159 MB used, one more a day; 190 to 72 GB free, two fewer a day."""
    prepare()
    target = instance()
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 60)):
        story.day(on, used={"DATA": 100.0 + number}, free={"DATA": 190.0 - 2 * number})
    return target.pk


@pytest.fixture
def filling(filling_pk: int, db: None) -> Target:
    return Target.objects.get(pk=filling_pk)


def limited(target: Target, notation: str, **rest: Any) -> None:
    add_threshold("x_used", notation, now=BOOT, target=target, component="DATA", **rest)


@pytest.mark.parametrize(
    ("notation", "ahead"),
    [
        ("<=170 MB unless >=50 GB free", 12),  # 11 days to 170 MB, 11 to 50 GB
        ("<=170 MB unless >=20 GB free", 27),
        ("<=190 MB unless >=50 GB free", 32),
        ("<=120 MB unless >=30 GB free", 22),  # over 120 MB already
    ],
)
def test_the_review_foresees_the_first_day_on_which_both_hold(filling, notation, ahead):
    limited(filling, notation)

    predict_violations(filling, TODAY, NOW)

    made = Forecast.objects.get()
    assert made.is_likely
    assert made.likely_on is not None
    assert abs((made.likely_on - TODAY).days - ahead) <= 2
    assert (made.notation, made.value) == (notation, pytest.approx(159))


def test_three_reviews_in_a_row_predict_it_and_the_profile_says_the_days_left(filling):
    limited(filling, "over 190 MB and less than 50 GB free", lead_time_days=7)

    for on in days_before(TODAY, 3):
        predict_violations(filling, on, NOW)

    violation = Violation.objects.get()
    assert violation.is_predicted
    step = violation.steps.get().sentence
    assert step.startswith("The chance that both are broken, over 190 MB and less than 50 GB free, within ")
    row = read_profile_outlook(filling, TODAY, NOW).outlooks["x_used", "DATA"]
    assert row.state is FigureState.AT_RISK
    newest = sure(Forecast.objects.first())
    assert row.days_left == (sure(newest.likely_on) - TODAY).days


def test_the_second_figure_that_was_never_read_is_named(db):
    prepare()
    target = instance("ANOTHER")
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 60)):
        story.day(on, used={"DATA": 100.0 + number})
    limited(target, "<=170 MB unless >=50 GB free")

    predict_violations(target, TODAY, NOW)

    made = Forecast.objects.get()
    assert (made.chance, made.reason) == (None, "“free” needs 14 days, has 0")


def answer_of(target: Target, on: date = TODAY) -> dict[str, Any]:
    out = StringIO()
    arguments = [target.name, "x_used", "--component", "DATA", "--on", str(on), "--json"]
    call_command("forecast", *arguments, stdout=out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def test_the_command_tells_both_edges_the_day_and_the_later_line(filling):
    limited(filling, "<=170 MB unless >=20 GB free", lead_time_days=5)

    (limit,) = answer_of(filling)["limits"]

    assert limit["edges"] == [{"limit": 170.0, "direction": "at_most"}]
    assert limit["second"] == {"statistic": "x_free", "limit": 20.0, "direction": "at_least"}
    assert limit["slack_days"] == limit["days_left"] - 5
    assert [round(line["days"]) for line in limit["lines"]] == [26, 26, 26]


def test_the_command_says_since_when_both_are_broken(filling):
    limited(filling, "<=130 MB unless >=100 GB free")

    (limit,) = answer_of(filling)["limits"]

    since = TODAY - timedelta(days=13)  # 98 GB free, and 146 MB used
    assert (limit["words"], limit["chance"]) == (f"violated since {since}", None)


def test_a_planned_change_of_the_second_figure_moves_the_day(filling):
    limited(filling, "<=170 MB unless >=50 GB free")
    scenario = Scenario.objects.create(name="more disk", created_at=NOW)
    PlannedChange.objects.create(
        scenario=scenario, target=filling, metric="x_free", component="DATA", change="+20 GB",
        on=TODAY + timedelta(days=5),
    )  # fmt: skip

    (moved,) = compare_scenarios([scenario], [filling], TODAY + timedelta(days=1))

    assert sure(moved.outcomes[0].day) - sure(moved.baseline.day) == pytest.approx(10, abs=2)
