import pytest

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.headroom import headroom, room, slack
from apps.forecasting.engine.tests.series import growing, predict, sure
from apps.thresholds.engine.notation import Form


@pytest.mark.parametrize(
    ("value", "limit", "side", "percent"),
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
def test_headroom_is_the_share_of_the_limit_still_free(value, limit, side, percent):
    assert headroom(value, limit, Form(side)) == (None if percent is None else pytest.approx(percent))


def test_room_is_what_is_left_in_its_own_unit_also_for_a_limit_of_0():
    assert (room(25989, 35000), room(98, 95, Form.AT_LEAST), room(5, 0), room(None, 1)) == (9011, 3, -5, None)


def test_PRE6_slack_is_days_left_minus_lead_time():
    assert (slack(41, 30), slack(41, 60), slack(None, 30)) == (11, -19, None)


def test_PRE6_a_predicted_violation_is_told_with_its_lead_time_from_a_real_series():
    prediction = predict(forecast_batch([growing()]), [2200])[0]

    assert slack(prediction.day, 30) == sure(prediction.day) - 30
