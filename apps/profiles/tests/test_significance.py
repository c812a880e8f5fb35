"""Whether a difference is more than noise."""

import numpy as np
import pytest

from apps.profiles.engine.significance import (
    Spread,
    against,
    beyond_noise,
    like_with_like,
    spread,
    welch,
)
from apps.profiles.engine.student import two_sided


def spread_of(count: float, mean: float, sd: float) -> Spread:
    return Spread(np.array([count]), np.array([mean]), np.array([sd]))


@pytest.mark.parametrize(
    ("before", "after", "percent", "t", "is_noise"),
    [
        pytest.param((40, 8865085.94, 185926.15), (40, 9398380.94, 263674.90), 6.0, 10.5, False, id="STU15"),
        pytest.param((40, 100.0, 2.0), (40, 100.4, 2.0), 0.4, 0.9, True, id="STU15 no difference"),
    ],
)
def test_the_effect_of_forty_runs_is_told_with_its_noise(before, after, percent, t, is_noise):
    result = welch(spread_of(*before), spread_of(*after))

    assert round(100 * result.change[0] / before[1], 1) == percent
    assert round(result.t[0], 1) == t
    assert bool(result.p[0] > 0.05) is is_noise


def test_a_single_day_has_no_spread_to_be_judged_by():
    assert np.isnan(welch(spread_of(1, 5, np.nan), spread_of(7, 6, 1)).p[0])


def test_days_that_do_not_count_are_no_zeroes():
    result = spread(np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [5.0, np.nan, np.nan]]))

    assert result.count.tolist() == [2, 0, 1]
    assert result.mean[[0, 2]].tolist() == [2, 5]
    assert np.isnan(result.mean[1])
    assert result.sd[0] == pytest.approx(np.sqrt(2))
    assert np.isnan(result.sd[1:]).all()


WEEK = np.array([100.0, 102, 99, 101, 98, 20, 19])
DAYS = np.arange(7)


def test_weekends_are_no_noise_when_whole_weeks_are_compared():
    after = WEEK + np.array([[9, 11, 10, 10, 9, 11, 10]])

    plain = welch(spread(WEEK[None]), spread(after))
    weekly = like_with_like(WEEK[None], after, (DAYS, DAYS))

    assert plain.p[0] > 0.5
    assert weekly.p[0] < 1e-5
    assert weekly.change[0] == pytest.approx(10)


def test_a_week_against_another_is_the_paired_test():
    gains = np.array([3.0, -1, 4, 2, 0, 5, 1])

    result = like_with_like(WEEK[None], (WEEK + gains)[None], (DAYS, DAYS))

    assert result.t[0] == pytest.approx(gains.mean() / (gains.std(ddof=1) / np.sqrt(7)))
    assert result.p[0] == pytest.approx(two_sided(result.t, np.array([6.0]))[0])


def test_a_missing_day_of_a_week_leaves_the_others_comparable():
    before, after = WEEK.copy(), WEEK + 10.0
    before[5] = np.nan

    result = like_with_like(before[None], after[None], (DAYS, DAYS))

    assert result.change[0] == pytest.approx(10, abs=0.5)
    assert result.p[0] < 0.01


def test_two_days_are_judged_by_the_usual_spread():
    usual = spread_of(28, 100, 5)

    near = against(spread_of(1, 100, np.nan), spread_of(1, 106, np.nan), usual)
    far = against(spread_of(1, 100, np.nan), spread_of(1, 140, np.nan), usual)

    assert near.p[0] > 0.3
    assert far.p[0] < 1e-4


def test_what_never_changes_differs_by_any_change():
    result = welch(spread_of(7, 450, 0), spread_of(7, 600, 0))
    same = welch(spread_of(7, 450, 0), spread_of(7, 450, 0))

    assert (result.t[0], result.p[0]) == (np.inf, 0)
    assert (same.t[0], same.p[0]) == (0, 1)


def test_of_many_differences_few_are_told_by_chance():
    noise = np.random.default_rng(7).normal(size=(1000, 14))
    changed = noise.copy()
    changed[:50, 7:] += 6

    quiet = beyond_noise(welch(spread(noise[:, :7]), spread(noise[:, 7:])).p)
    loud = beyond_noise(welch(spread(changed[:, :7]), spread(changed[:, 7:])).p)

    assert quiet.sum() <= 2
    assert loud[:50].mean() > 0.9
    assert loud[50:].sum() <= 15


def test_nothing_is_told_of_what_is_not_known():
    assert beyond_noise(np.array([np.nan, np.nan])).tolist() == [False, False]
    assert beyond_noise(np.array([])).tolist() == []
    assert beyond_noise(np.array([np.nan, 0.001, 0.9])).tolist() == [False, True, False]
