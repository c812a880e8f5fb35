"""Shapes that DBAs have, each with its right answer."""

from datetime import date, timedelta

import numpy as np
import pytest

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import Prediction, predict_crossings
from apps.forecasting.engine.edges import AT_ONCE, Opening, build_edges
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.series import Floats, SeriesKind
from apps.forecasting.engine.tests.series import growing, noisy, sure, wobble
from apps.thresholds.engine.notation import Form

ON = date(2026, 6, 20)
STOCK, FLOW = SeriesKind.STOCK, SeriesKind.FLOW


def forecast(days: Floats, kind: SeriesKind = STOCK) -> Forecasts:
    return forecast_batch([days], kinds=[kind], last_on=[ON])


def predicted(days: Floats, limit: float, kind: SeriesKind = STOCK, opening: Opening = AT_ONCE) -> Prediction:
    (prediction,) = predict_crossings(
        forecast(days, kind), build_edges([0], [limit], [Form.AT_MOST], [opening])
    )
    return prediction


def teeth(period: int, days: int = 400, phase: int = 0) -> Floats:
    """Purged to 100 each period, 300 before that."""
    return 100 + 200 * ((np.arange(days) + phase) % period) / (period - 1)


def month_ends(days: int, level: float, peak: float) -> Floats:
    first = ON - timedelta(days=days - 1)
    dates = [first + timedelta(days=day) for day in range(days)]
    is_last = [(day + timedelta(days=1)).month != day.month for day in dates]
    return np.where(is_last, peak, level) + wobble(days)


@pytest.mark.parametrize("period", [10, 28, 30, 45, 60])
def test_of_purges_a_limit_above_all_teeth_is_not_broken_and_one_below_their_tips_on_its_day(period):
    half = period // 2
    days = teeth(period, phase=half - 400 % period)  # asked in the middle of a tooth

    assert predicted(days, 330).chance_in_words == "under 7 %"
    below = predicted(days, 270)
    tooth = teeth(period, phase=half)[:90]
    assert below.day == int((tooth > 270).argmax()) + 1
    assert forecast(days).mean[0, -1] == pytest.approx(tooth[-1], abs=10)


def test_growing_teeth_break_a_limit_above_those_that_were_with_the_tooth_that_reaches_it():
    days = np.arange(490)
    whole = (100 + 0.5 * days) * (1 + (days % 30) / 29)
    limit = 0.5 * (whole[:400].max() + whole[400:].max())

    prediction = predicted(whole[:400], limit)

    assert sure(prediction.day) == pytest.approx(int((whole[400:] > limit).argmax()) + 1, abs=2)


def test_a_peak_of_one_day_each_30_days_breaks_its_limit_on_the_day_of_the_next():
    days = np.where(np.arange(400) % 30 == 29, 220.0, 100.0) + wobble(400)

    prediction = predicted(days, 200, FLOW)

    assert (prediction.day, prediction.chance_in_words) == (20, "over 95 %")
    assert sure(predicted(days, 200, FLOW, (2, 3)).chance) < 0.07


@pytest.mark.parametrize("days", [200, 400])
def test_month_ends_break_a_limit_on_the_last_day_of_the_month(days):
    prediction = predicted(month_ends(days, 100, 220), 180, FLOW)

    assert prediction.day == 10  # 30 June
    assert sure(predicted(month_ends(days, 100, 220), 260, FLOW).chance) < 0.07


@pytest.mark.parametrize("rate", [0.002, 0.005, 0.01])
def test_growth_that_compounds_goes_on_compounding(rate):
    whole = np.asarray(1000 * np.exp(rate * np.arange(390.0)) * (1 + 0.01 * wobble(390)), dtype=np.float64)

    result, limit = forecast(whole[:300], FLOW), float(whole[355])

    assert result.mean[0, -1] == pytest.approx(whole[-1], rel=0.05)
    came = int((whole[300:] >= limit).argmax()) + 1
    assert predicted(whole[:300], limit, FLOW).day == pytest.approx(came, abs=7)


def test_straight_growth_does_not_compound():
    assert forecast(growing(300)).mean[0, -1] == pytest.approx(1000 + 5 * 389, rel=0.01)


def test_a_level_that_fell_two_weeks_ago_goes_on_at_its_new_level_with_a_band_around_that():
    days = 2.6 + 0.4 * wobble(400)
    days[-14:] = 0.3 + 0.05 * wobble(14)

    result = forecast(days, FLOW)

    (shift,) = result.level_shifts[0]
    assert shift.days_ago == 13
    assert result.mean[0] == pytest.approx(np.full(90, 0.3), abs=0.15)
    assert result.high80[0, 0] < 1.2


def test_of_a_young_step_band_and_chance_agree():
    days = np.full(200, 100.0) + wobble(200)
    days[-5:] += 60

    prediction, result = predicted(days, 200), forecast(days)

    is_inside = (result.low80[0] < 200) & (result.high80[0] > 200)
    assert not is_inside.any() or sure(prediction.chance) >= 0.1
    assert result.high80[0, -1] - result.low80[0, -1] > 2


@pytest.mark.parametrize("count", [30, 35, 50, 60])
def test_an_exact_line_is_met_to_the_day_from_30_days_on(count):
    days = 100.0 + 2 * np.arange(count)

    assert sure(predicted(days, days[-1] + 51.0).day) == pytest.approx(26, abs=1)


def test_exact_growth_has_a_band_that_widens():
    result = forecast(growing(200, noise=0))

    width = result.high80[0] - result.low80[0]
    assert 0 < width[0] < width[29] < width[-1] < 50


def test_growth_that_stopped_has_a_band_and_no_certain_breach():
    days = 500.0 + 3 * np.minimum(np.arange(200), 189)

    prediction, result = predicted(days, days[-1] + 60), forecast(days)

    assert (result.high80[0] > result.low80[0]).all()
    assert result.low80[0, 29] <= days[-1]
    assert sure(prediction.chance) <= 0.95


@pytest.mark.parametrize("value", [0.0, 7.0])
def test_a_constant_stays_and_does_not_wander(value):
    result = forecast(np.full(200, value))

    assert not result.wanders[0]
    assert result.mean[0] == pytest.approx(np.full(90, value))
    assert predicted(np.full(200, value), 9).chance_in_words == "under 7 %"


def test_a_share_stops_at_100_percent_and_a_mark_that_never_fell_does_not_fall():
    share = forecast_batch([60 + 0.2 * np.arange(190.0)], kinds=[STOCK], caps=[100.0])
    mark = forecast_batch([np.maximum.accumulate(noisy(200))], kinds=[SeriesKind.HIGH_WATER])

    assert share.high95.max() == 100
    assert mark.low95.min() >= mark.last[0]


def test_last_years_shape_comes_again_where_the_last_weeks_followed_it():
    at = np.arange(490)
    whole = 100 + 60 * np.sin(2 * np.pi * at / 365) + 0.2 * wobble(490)

    result = forecast(whole[:400], FLOW)

    assert result.mean[0, -1] == pytest.approx(whole[-1], abs=25)
