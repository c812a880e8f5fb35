import pytest

from apps.forecasting.breach import breach
from apps.forecasting.headroom import headroom, room, slack
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


def test_PRE6_slack_is_days_left_minus_lead_time():
    assert (slack(41, 30), slack(41, 60), slack(None, 30)) == (11, -19, None)


def test_PRE6_a_predicted_violation_is_told_with_its_lead_time_from_a_real_series():
    told = breach(forecast_batch([growing()]), [2200])[0]

    assert slack(told.day, 30) == sure(told.day) - 30
