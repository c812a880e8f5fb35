import numpy as np
import pytest

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import earlier_prediction
from apps.forecasting.engine.effects import Effect, apply_effects
from apps.forecasting.engine.tests.series import growing, noisy, predict, sure
from apps.thresholds.engine.notation import Form


def predicted(days, limit, side="at_most", **options):
    return predict(forecast_batch([days], **options), [limit], side)[0]


def test_PRE1_growth_is_projected_against_the_threshold_with_day_soonest_latest_and_chance():
    result = predicted(growing(200), 2200)

    assert result.day == pytest.approx(41, abs=4)
    assert result.soonest <= result.day <= result.latest
    assert result.chance > 0.9
    assert result.curve.shape == (90,)
    assert result.reason is None


def test_the_chance_by_day_never_falls_and_ends_with_the_chance():
    result = predicted(noisy(), 61)

    assert (np.diff(result.curve) >= 0).all()
    assert result.curve[-1] == result.chance


def test_PRE4_a_flat_series_gives_no_breach():
    result = predicted(np.full(100, 13210.0), 35000)

    assert (result.day, result.reason, result.is_violated) == (None, "none within 90 days", False)
    assert result.chance_in_words == "under 7 %"


def test_PRE4_a_falling_series_gives_no_breach():
    assert predicted(growing(200, 5000, -5), 6000).day is None


def test_PRE4_a_series_already_over_is_violated_and_no_breach_in_0_days():
    result = predicted(growing(200), 1500)

    assert result.is_violated
    assert (result.day, result.chance, result.reason) == (None, None, "already beyond the limit")


def test_of_a_violation_the_likely_end_is_foretold():
    assert predicted(growing(200, 5000, -5), 3900).ends == pytest.approx(21, abs=4)
    assert predicted(growing(200), 1500).ends is None


@pytest.mark.parametrize("days", [45, 100, 400])
def test_flat_exactly_at_the_limit_never_crosses_at_most_but_is_beyond_below(days):
    flat = np.full(days, 2.0)

    assert predicted(flat, 2, "at_most").chance == 0
    assert predicted(flat, 2, "below").is_violated
    assert predicted(flat, 2, "at_least").chance == 0
    assert predicted(flat, 2, "above").is_violated


def test_zeros_stay_within_a_limit_of_zero():
    assert predicted(np.zeros(100), 0).chance == 0


def test_values_and_limits_are_compared_to_nine_digits():
    assert not predicted(np.full(100, 2.0000000001), 2, "at_most").is_violated
    assert predicted(np.full(100, 2.0000001), 2, "at_most").is_violated


def test_a_lower_limit_is_the_same_with_signs_turned():
    days = growing(200)

    upper, lower = predicted(days, 2200), predicted(-days, -2200, "at_least")

    assert (upper.day, upper.soonest, upper.chance) == (lower.day, lower.soonest, lower.chance)


def test_a_noisy_metric_crosses_on_its_peaks_while_its_mean_does_not():
    days = noisy(400, level=50, size=10)
    days[np.arange(20) ** 2] = 80.0  # 0, 1, 4, 9, ... 361: no period

    result = predicted(days, 75)

    assert result.chance > 0.1
    assert forecast_batch([days]).mean.max() < 70


def test_a_range_is_broken_by_the_earlier_of_its_two_limits():
    outlook = forecast_batch([growing(200)])
    low, high = [predict(outlook, [900], "at_least")[0], predict(outlook, [2200])[0]]

    assert earlier_prediction(low, high).day == high.day
    assert earlier_prediction(high, low).chance == high.chance


def test_a_range_left_already_is_violated():
    outlook = forecast_batch([growing(200)])
    low, high = [predict(outlook, [2500], "at_least")[0], predict(outlook, [3000])[0]]

    assert earlier_prediction(high, low).is_violated


def test_a_range_of_which_one_limit_cannot_be_reached_is_that_of_the_other():
    outlook = forecast_batch([growing(200)])
    low, high = [predict(outlook, [-5], "at_least")[0], predict(outlook, [2200])[0]]

    assert low.reason == "cannot be reached: the least there can be is 0"
    assert earlier_prediction(low, high) == high


def test_a_limit_above_the_cap_cannot_be_reached():
    result = predicted(growing(200, 20, 0.2, 0.1), 120, caps=[100])

    assert (result.chance, result.reason) == (None, "cannot be reached: the most there can be is 100")


def test_PRE5_short_histories_say_what_is_missing():
    assert predicted(growing(9), 5000).reason == "needs 14 days, has 9"
    assert predicted(growing(20), 5000).reason == "cannot tell yet: needs 30 days, has 20"
    assert predicted(growing(20), 5000).chance is None


def test_PRE4_a_short_history_already_over_is_violated_all_the_same():
    assert predicted(growing(9), 500).is_violated


def test_a_stale_series_gets_no_new_breach():
    result = predicted(np.concatenate([growing(), [np.nan] * 8]), 2200)

    assert (result.chance, result.reason) == (None, "nothing measured for 8 days")


def test_a_history_of_45_days_is_not_asked_about_the_91st_and_shows_no_small_chance():
    result = predicted(growing(45), 1700)

    assert (result.within, result.day) == (45, None)
    assert result.reason == "none within 45 days"
    assert result.chance_in_words == "under 35 %"


@pytest.mark.parametrize("limit", [np.nan, np.inf, -np.inf])
def test_a_limit_that_is_no_number_is_no_limit(limit):
    result = predicted(growing(), limit)

    assert (result.reason, result.is_violated) == ("has no limit", False)


def test_chances_in_words_are_never_none_and_never_certain():
    assert predicted(growing(400), 3100).chance_in_words == "over 95 %"


def test_PRE7_a_planned_step_brings_the_crossing_nearer():
    forecasts = forecast_batch([growing()])
    near, at_once = (apply_effects(forecasts, {0: [(7, Effect(addend=amount))]}) for amount in (200.0, 500.0))

    assert sure(predict(near, [2200])[0].day) < sure(predict(forecasts, [2200])[0].day)
    assert predict(at_once, [2200])[0].day == 7


def test_several_limits_may_lie_on_one_series():
    outlook = forecast_batch([growing(), noisy()])

    warning, critical, other = predict(outlook, [2100, 2300, 90], of=[0, 0, 1])

    assert sure(warning.day) < sure(critical.day)
    assert sure(other.chance) < 0.5


def test_sides_know_where_comfort_is():
    sides = [Form.AT_MOST, Form.BELOW, Form.AT_LEAST, Form.ABOVE]

    assert [side for side in sides if side.is_upper] == ["at_most", "below"]
    assert [side for side in sides if side.allows_limit] == ["at_most", "at_least"]
