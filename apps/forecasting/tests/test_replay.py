"""Past forecasts held against what came."""

import numpy as np
import pytest

from apps.forecasting.breach import Direction
from apps.forecasting.replay import replayed
from apps.forecasting.track_record import Verdict

UPPER = Direction.AT_MOST
GROWING = np.arange(200, dtype=np.float64) + 100
FALLING = 300 - np.arange(200, dtype=np.float64)


def test_a_steady_growth_was_foreseen_to_the_day():
    values = GROWING

    found = replayed(values, [(280.5, UPPER)])

    said = {one.days_ago: one for one in found}
    assert sorted(said) == [30, 60, 90, 120, 180]
    assert (said[60].crossed, said[60].verdict) == (42, Verdict(days_off=0, is_inside=True))
    assert said[30].off == pytest.approx(0, abs=0.5)
    assert said[30].line_off == pytest.approx(0, abs=1e-6)


def test_what_was_beyond_already_is_no_prediction():
    found = replayed(GROWING, [(150, UPPER)])

    assert {one.verdict for one in found if one.days_ago < 150} == {None}


def test_a_limit_that_was_not_crossed_has_no_days_off():
    found = replayed(np.full(120, 5.0), [(10, UPPER)])

    assert {one.crossed for one in found} == {None}
    assert {one.verdict for one in found} == {Verdict(None, None)}


@pytest.mark.parametrize("values", [np.array([]), np.array([1.0]), np.full(200, np.nan), np.full(20, 1.0)])
def test_a_history_too_short_has_no_past_forecasts(values):
    assert replayed(values, [(10, UPPER)]) == []


def test_gaps_zeros_and_no_limit_are_no_matter():
    values = np.zeros(150)
    values[::7] = np.nan

    found = replayed(values, [])

    assert {one.told for one in found} == {None}
    assert {one.off for one in found} <= {0.0, None}


def test_a_lower_limit_is_crossed_from_above():
    found = replayed(FALLING, [(150.5, Direction.AT_LEAST)])

    assert next(one for one in found if one.days_ago == 60).crossed == 11
