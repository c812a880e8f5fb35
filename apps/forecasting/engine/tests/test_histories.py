import numpy as np
import pytest

from apps.forecasting.engine.histories import WINDOW, prepare_histories
from apps.forecasting.engine.series import days_of, reason_against
from apps.forecasting.engine.tests.series import growing, noisy, with_weekends

STOCK, FLOW = np.array([False]), np.array([True])


def test_fewer_than_14_days_say_how_many_there_are():
    assert reason_against(np.arange(9.0)) == "needs 14 days, has 9"
    assert reason_against(np.arange(14.0)) is None


def test_missing_days_do_not_count_as_days():
    days = np.arange(20.0)
    days[5:12] = np.nan

    assert reason_against(days) == "needs 14 days, has 13"


def test_a_week_without_a_figure_makes_a_series_stale():
    days = np.concatenate([growing(60), [np.nan] * 7])

    assert reason_against(days) == "nothing measured for 7 days"
    assert reason_against(days[:-1]) is None


def test_a_series_is_stale_when_too_many_of_the_last_60_days_are_missing():
    days = growing(200)
    days[-50:-25] = np.nan

    assert reason_against(days) == "25 of the last 60 days are missing"


def test_what_is_not_a_finite_number_is_a_gap():
    assert np.isnan(days_of([1, np.inf, None, -np.inf])[1:]).all()


@pytest.mark.parametrize("bad", ["text", [[1.0, 2.0]], {"a": 1}, ["a", "b"]])
def test_what_is_not_a_series_is_refused(bad):
    with pytest.raises((TypeError, ValueError)):
        days_of(bad)


def test_gaps_are_filled_by_a_straight_line_and_stay_unobserved():
    days = growing(100, noise=0)
    days[40:43] = np.nan

    table = prepare_histories([days], STOCK, [[]])

    np.testing.assert_allclose(table.values[0, -100:] * table.scale[0], growing(100, noise=0))
    assert table.observed[0, -100:].sum() == 97


def test_the_age_of_the_last_value_is_kept():
    table = prepare_histories([np.concatenate([growing(50), [np.nan, np.nan]])], STOCK, [[]])

    assert (table.age[0], table.days[0], table.spans[0]) == (2, 50, 50)


def test_only_the_last_400_days_are_used():
    table = prepare_histories([growing(1000)], STOCK, [[]])

    assert (table.days[0], table.spans[0], table.values.shape) == (WINDOW, 1000, (1, WINDOW))


def test_the_weekly_index_finds_the_weekend():
    table = prepare_histories([with_weekends()], FLOW, [[]])

    weekly = table.weekly[0] * table.scale[0]
    np.testing.assert_allclose(weekly, [120 / 7] * 5 + [-300 / 7] * 2, atol=1.5)
    assert np.ptp(table.values[0, -100:]) * table.scale[0] < 6


def test_noise_has_no_weekly_index():
    assert not prepare_histories([noisy()], FLOW, [[]]).weekly.any()


def test_three_weeks_are_too_short_for_a_weekly_index():
    assert not prepare_histories([with_weekends(20)], FLOW, [[]]).weekly.any()


def test_a_purge_is_a_level_shift_and_the_history_moves_to_the_new_level():
    days = growing(200)
    days[150:] -= 500

    table = prepare_histories([days], STOCK, [[]])

    assert table.shifts.days[0].tolist() == [49, -1, -1, -1]
    assert table.shifts.sizes[0, 0] * table.scale[0] == pytest.approx(-495, abs=8)
    slope = np.polyfit(np.arange(200), table.values[0, -200:] * table.scale[0], 1)[0]
    assert slope == pytest.approx(5, abs=0.1)


def test_a_spike_of_one_day_is_no_level_shift():
    days = growing(200)
    days[150] += 500

    assert (prepare_histories([days], STOCK, [[]]).shifts.days == -1).all()


def test_regular_purges_are_no_level_shifts():
    days = np.array([1000.0 + 50 * (day % 30) for day in range(200)])

    assert (prepare_histories([days], STOCK, [[]]).shifts.days == -1).all()


@pytest.mark.parametrize("age", [3, 10, 30])
@pytest.mark.parametrize("factor", [0.15, 1.8])
def test_a_flow_all_of_whose_last_days_lie_beyond_two_months_is_on_a_new_level(age, factor):
    days = noisy(200)
    days[-age:] *= factor

    table = prepare_histories([days], FLOW, [[]])

    assert age - 1 in table.shifts.days[0]
    before, after = table.values[0, -200:-age], table.values[0, -age:]
    assert before.mean() * table.scale[0] == pytest.approx(after.mean() * table.scale[0], abs=4)


def test_two_days_or_days_that_were_seen_before_are_no_new_level_of_a_flow():
    burst, again = noisy(200), noisy(200)
    burst[-2:] *= 3
    again[-10:] *= 1.8
    again[-40:-30] *= 1.8

    assert (prepare_histories([burst, again], np.array([True, True]), [[], []]).shifts.days == -1).all()
    assert prepare_histories([burst], STOCK, [[]]).shifts.days[0, 0] == 1
