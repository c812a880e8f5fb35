from datetime import date

import numpy as np
import pytest

from apps.forecasting.breach import Breach, breach
from apps.forecasting.headroom import days_left, headroom, headroom_in_range, room
from apps.forecasting.methods import forecast_batch
from apps.forecasting.tests.series import growing, sure


@pytest.mark.parametrize(
    ("value", "limit", "direction", "percent"),
    [
        (80, 100, "at_most", 20),
        (80, 100, "below", 20),
        (120, 100, "at_most", -20),
        (100, 100, "at_most", 0),
        (98, 95, "at_least", 300 / 95),
        (90, 95, "above", -500 / 95),
        (-50, -40, "at_most", 25),
        (5, 0, "at_most", None),
        (None, 100, "at_most", None),
        (float("nan"), 100, "at_most", None),
    ],
)
def test_headroom_is_the_share_of_the_limit_still_free(value, limit, direction, percent):
    assert headroom(value, limit, direction) == (None if percent is None else pytest.approx(percent))


def test_room_is_what_is_left_in_its_own_unit_also_for_a_limit_of_0():
    assert (room(25989, 35000), room(98, 95, "at_least"), room(5, 0), room(None, 1)) == (9011, 3, -5, None)


def test_the_headroom_of_a_range_is_the_smaller_one():
    assert headroom_in_range(18, 10, 20) == pytest.approx(10)
    assert headroom_in_range(10.5, 10, 20) == pytest.approx(5)
    assert headroom_in_range(25, 10, 20) == pytest.approx(-25)
    assert headroom_in_range(5, 0, 20) == pytest.approx(75)
    assert headroom_in_range(None, 10, 20) is None


def test_PRE6_slack_is_days_left_minus_lead_time_and_names_the_last_day_to_act():
    left = days_left(Breach(within=90, chance=0.8, day=41, soonest=35, latest=50))

    assert (left.days, left.slack(30), left.words) == (41, 11, "41 days")
    assert left.act_by(date(2026, 2, 1), lead_time=30) == date(2026, 2, 12)
    assert left.slack(60) == -19


def test_PRE6_a_predicted_violation_is_told_with_its_lead_time_from_a_real_series():
    told = breach(forecast_batch([growing()]), [2200])[0]

    assert days_left(told).slack(30) == sure(told.day) - 30


def test_PRE4_days_left_of_a_violation_say_since_when():
    left = days_left(Breach(within=90, is_violated=True, reason="already beyond the limit"), date(2026, 3, 1))

    assert (left.days, left.slack(30), left.words) == (None, None, "violated since 2026-03-01")
    assert days_left(Breach(within=90, is_violated=True)).words == "violated"


def test_PRE4_without_a_crossing_the_horizon_is_named():
    told = breach(forecast_batch([np.full(100, 5.0)]), [10])[0]

    assert days_left(told).words == "none within 90 days"


def test_PRE5_without_a_forecast_the_reason_stands_in_its_place():
    told = breach(forecast_batch([growing(9)]), [5000])[0]

    assert days_left(told).words == "needs 14 days, has 9"
    assert days_left(told).act_by(date(2026, 1, 1), 30) is None
