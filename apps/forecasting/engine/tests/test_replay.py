"""Past forecasts held against what came."""

import numpy as np
import pytest

from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.replay import ReplayVerdict, judge_prediction, replay_forecasts
from apps.thresholds.engine.notation import Form

UPPER = Form.AT_MOST
GROWING = np.arange(200, dtype=np.float64) + 100
FALLING = 300 - np.arange(200, dtype=np.float64)


def test_a_steady_growth_was_foreseen_to_the_day():
    replays = {replay.days_ago: replay for replay in replay_forecasts(GROWING, [(280.5, UPPER)])}

    assert sorted(replays) == [30, 60, 90, 120, 180]
    assert (replays[60].crossed, replays[60].verdict) == (42, ReplayVerdict(days_off=0, is_inside=True))
    assert replays[30].off == pytest.approx(0, abs=0.5)
    assert replays[30].line_off == pytest.approx(0, abs=1e-6)


def test_what_was_beyond_already_is_no_prediction():
    replays = replay_forecasts(GROWING, [(150, UPPER)])

    assert {replay.verdict for replay in replays if replay.days_ago < 150} == {None}


def test_a_limit_that_was_not_crossed_has_no_days_off():
    replays = replay_forecasts(np.full(120, 5.0), [(10, UPPER)])

    assert {replay.crossed for replay in replays} == {None}
    assert {replay.verdict for replay in replays} == {ReplayVerdict(None, None)}


@pytest.mark.parametrize("values", [np.array([]), np.array([1.0]), np.full(200, np.nan), np.full(20, 1.0)])
def test_a_history_too_short_has_no_past_forecasts(values):
    assert replay_forecasts(values, [(10, UPPER)]) == []


def test_gaps_zeros_and_no_limit_are_no_matter():
    values = np.zeros(150)
    values[::7] = np.nan

    replays = replay_forecasts(values, [])

    assert {replay.prediction for replay in replays} == {None}
    assert {replay.off for replay in replays} <= {0.0, None}


def test_a_lower_limit_is_crossed_from_above():
    replays = replay_forecasts(FALLING, [(150.5, Form.AT_LEAST)])

    assert next(replay for replay in replays if replay.days_ago == 60).crossed == 11


@pytest.mark.parametrize(
    ("day", "soonest", "latest", "crossed", "days_off", "is_inside"),
    [
        (47, 35, 72, 53, 6, True),
        (47, 35, 50, 53, 6, False),
        (47, 35, None, 53, 6, True),
        (None, None, None, 53, None, False),
        (47, 35, 72, None, None, None),
    ],
)
def test_a_prediction_is_judged_by_its_day_and_its_range(day, soonest, latest, crossed, days_off, is_inside):
    prediction = Prediction(within=90, chance=0.6, day=day, soonest=soonest, latest=latest)

    assert judge_prediction(prediction, crossed) == ReplayVerdict(days_off, is_inside)
