import numpy as np

from apps.forecasting.track_record import Verdict, judge, reliability, width_factor


def test_the_reliability_table_sets_what_was_said_against_what_happened():
    table = reliability([0.9] * 20 + [0.1] * 5, [True] * 18 + [False] * 7)

    high = table[5]
    assert (high.cases, high.happened, high.share) == (20, 18, 0.9)
    assert (table[1].cases, table[1].share) == (5, None)


def test_certainty_belongs_to_the_last_bin():
    assert [row.cases for row in reliability([0.0, 0.05, 1.0], [False, False, True])] == [1, 1, 0, 0, 0, 0, 1]


def test_a_prediction_is_judged_by_its_day_and_its_range():
    assert judge(47, 35, 72, crossed=53) == Verdict(days_off=6, is_inside=True)
    assert judge(47, 35, 50, crossed=53) == Verdict(days_off=6, is_inside=False)
    assert judge(47, 35, None, crossed=53) == Verdict(days_off=6, is_inside=True)
    assert judge(None, None, None, crossed=53) == Verdict(days_off=None, is_inside=False)
    assert judge(47, 35, 72, crossed=None) == Verdict(days_off=None, is_inside=None)


def test_bands_that_held_keep_their_width():
    assert width_factor(np.linspace(0, 1.25, 1000)) == 1.0


def test_bands_that_were_too_narrow_are_widened_within_limits():
    assert width_factor(np.linspace(0, 1.5, 1000)) == np.float64(1.2)
    assert width_factor(np.linspace(0, 9, 1000)) == 1.8
    assert width_factor(np.linspace(0, 0.2, 1000)) == 0.7


def test_fewer_than_100_cases_change_nothing():
    assert width_factor(np.full(99, 5.0)) == 1.0
