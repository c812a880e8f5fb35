import numpy as np
import pytest
from numpy.typing import ArrayLike

from apps.forecasting.engine import batch
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.candidates import NAMES
from apps.forecasting.engine.series import Floats, likeness
from apps.forecasting.engine.tests.series import growing, noisy, with_weekends, wobble


def forecast(days: ArrayLike, horizon: int) -> tuple[Floats, Floats, Floats]:
    """The forecast of one series: its mean, low and high at 80 %."""
    forecasts = forecast_batch([days], horizon=horizon)
    return forecasts.mean[0], forecasts.low80[0], forecasts.high80[0]


def test_a_growing_stock_goes_on_growing():
    mean, low, high = forecast(growing(), 90)

    assert mean[-1] == pytest.approx(1000 + 5 * 289, rel=0.01)
    assert (low <= mean).all()
    assert (mean <= high).all()


def test_the_week_goes_on():
    days = with_weekends(210)

    mean, _, _ = forecast(days, 14)

    np.testing.assert_allclose(mean, with_weekends(224)[-14:], atol=4)


def test_the_weekly_index_begins_with_the_first_forecast_day_also_after_missing_days():
    days = with_weekends(210)
    days[-2:] = np.nan

    result = forecast_batch([days, with_weekends(210)], horizon=14)

    np.testing.assert_allclose(result.weekly[0], result.weekly[1], atol=2)
    np.testing.assert_allclose(result.mean[0], result.mean[1], atol=4)


def test_the_95_percent_bounds_are_given_when_asked_for():
    forecasts = forecast_batch([growing()], horizon=30)
    mean, low80, high80, low95, high95 = (
        each[0]
        for each in (forecasts.mean, forecasts.low80, forecasts.high80, forecasts.low95, forecasts.high95)
    )

    assert mean.shape == (30,)
    assert (low95 <= low80).all()
    assert (high95 >= high80).all()


def test_PRE5_too_few_days_give_a_reason_with_the_number_and_stop_no_other_series():
    result = forecast_batch([np.arange(9.0), growing()])

    assert result.reasons == ("needs 14 days, has 9", None)
    assert np.isnan(result.mean[0]).all()
    assert np.isfinite(result.mean[1]).all()


@pytest.mark.parametrize("bad", [[], [5.0], [np.nan] * 300, "text", [[1.0]], None])
def test_PRE5_nothing_one_point_and_no_series_at_all_give_reasons(bad):
    result = forecast_batch([bad, growing()])

    assert result.reasons[0] is not None
    assert result.reasons[1] is None


def test_an_empty_batch_gives_an_empty_result():
    result = forecast_batch([])

    assert len(result) == 0
    assert result.mean.shape == (0, 90)


def test_14_to_29_days_give_a_level_with_a_wide_band():
    result = forecast_batch([growing(20, noise=0)], horizon=30)

    assert np.ptp(result.mean[0]) == 0
    assert dict(zip(NAMES, result.weights[0], strict=True))["level"] == 1
    assert result.high80[0, -1] - result.mean[0, -1] > 5 * np.sqrt(30)
    assert result.reach[0] == 20


def test_30_days_give_a_trend_and_say_that_the_history_is_short():
    result = forecast_batch([growing(45)], horizon=90)

    assert result.mean[0, 44] > growing(45)[-1] + 150
    assert (result.is_short[0], result.reach[0]) == (True, 45)


def test_a_constant_has_a_band_of_half_a_percent():
    mean, low, high = forecast(np.full(100, 200.0), 10)

    np.testing.assert_allclose([mean, low, high], [[200] * 10, [199] * 10, [201] * 10])


def test_zeros_stay_zeros():
    mean, low, high = forecast(np.zeros(100), 10)

    assert not np.concatenate([mean, low, high]).any()


def test_what_was_never_negative_does_not_become_so():
    assert (forecast(growing(200, 1000, -5, 3), 90)[1] >= 0).all()
    assert forecast(growing(200, 100, -5, 3), 90)[0][-1] < -900


def test_a_cap_and_the_floor_of_what_was_never_negative_hold():
    result = forecast_batch([growing(100, 50, 0.4, 1), growing(100, 50, -0.4, 1)], caps=[100, 100])

    assert result.mean.max() == result.high95.max() == 100
    assert (result.mean.min(), result.low95.min()) == (0, 0)


def test_gaps_are_no_obstacle():
    days = growing(200)
    days[::5] = np.nan

    assert forecast(days, 90)[0][-1] == pytest.approx(1000 + 5 * 289, rel=0.01)


def test_the_forecast_begins_on_the_day_after_the_last_even_when_that_is_missing():
    days = growing(200, noise=0)
    late = np.concatenate([days[:-3], [np.nan] * 3])

    np.testing.assert_allclose(forecast(late, 30)[0], forecast(days, 30)[0], rtol=1e-3)


def test_a_stale_series_has_no_new_forecast_but_its_age():
    result = forecast_batch([np.concatenate([growing(), [np.nan] * 9])])

    assert (result.reasons[0], result.age[0]) == ("nothing measured for 9 days", 9)


def test_after_a_purge_the_forecast_starts_low_keeps_its_slope_and_marks_the_day():
    days = growing(200)
    days[-5:] -= 500

    result = forecast_batch([days], horizon=30)

    assert result.mean[0, 29] == pytest.approx(days[-1] + 150, rel=0.05)
    (shift,) = result.level_shifts[0]
    assert (shift.days_ago, round(shift.size, -2)) == (4, -500)


def test_a_level_shift_widens_the_band_until_14_days_have_passed(monkeypatch):
    days = growing(300)
    days[200:] -= 500
    fresh, settled = days[:213], days[:216]

    widened = forecast_batch([fresh, settled], horizon=30)
    monkeypatch.setattr(batch, "SETTLING_FACTOR", 1.0)
    plain = forecast_batch([fresh, settled], horizon=30)

    np.testing.assert_allclose(widened.noise[0], 1.3 * plain.noise[0])
    np.testing.assert_array_equal(widened.noise[1], plain.noise[1])


def test_the_weights_add_up_to_one_and_a_steady_slope_is_told_from_a_level():
    noise = 50 + 10 * np.random.default_rng(1).uniform(-1, 1, 400)

    result = forecast_batch([growing(400, noise=0.5), noise])

    np.testing.assert_allclose(result.weights.sum(axis=1), 1)
    assert result.weights[0, NAMES.index("level")] < 0.01
    assert abs(result.mean[1, -1] - 50) < 5


def test_stocks_and_flows_are_told_from_the_data():
    result = forecast_batch([growing(), noisy(), with_weekends()])

    assert result.is_flow.tolist() == [False, True, True]
    assert likeness(np.zeros(5)) == 1.0


def test_last_year_is_mentioned_when_it_went_another_way():
    days = growing(420)
    days[60:150] += 4000 * np.arange(90) / 90
    days[150:] += 4000

    result = forecast_batch([days, growing(420), growing(200)])

    assert result.differs_from_last_year.tolist() == [True, False, False]


def test_a_walk_whose_slopes_never_held_wanders():
    turns = np.cumsum(np.where(np.arange(300) // 20 % 2, -1.0, 1.0)) * 3 + 500 + np.cumsum(wobble(300, 5))

    assert not forecast_batch([growing()]).wanders[0]
    assert forecast_batch([turns]).wanders.dtype == np.bool_


@pytest.mark.parametrize("horizon", [0, 181, -1])
def test_a_horizon_out_of_range_is_refused_with_the_range(horizon):
    with pytest.raises(ValueError, match=f"horizon: given {horizon}, expected 1 to 180 days"):
        forecast_batch([growing()], horizon=horizon)


def test_options_must_be_one_for_each_series():
    with pytest.raises(ValueError, match="caps: given 2, expected one for each of 1 series"):
        forecast_batch([growing()], caps=[1.0, 2.0])
