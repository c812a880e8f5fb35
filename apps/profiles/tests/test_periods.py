"""Two periods side by side."""

from datetime import date, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.catalog.metric import Worse
from apps.profiles.engine.periods import (
    LONGEST,
    BadPeriod,
    ChangeVerdict,
    DailyValues,
    Judgement,
    Period,
    judge,
)

MONDAY = date(2026, 6, 1)
NONE = float("nan")
NOISE = np.array([0.4, -0.3, 0.1, -0.5, 0.2, 0.5, -0.4])


def days(*values: float, absent: str = "", first: date = MONDAY) -> DailyValues:
    """One row; `absent` has an x for each day on which it was read and did not occur."""
    figures: NDArray[np.float64] = np.array([values], dtype=float)
    marks = np.array([[mark == "x" for mark in absent.ljust(len(values))]])
    weekdays = np.array([(first + timedelta(days=offset)).weekday() for offset in range(len(values))])
    return DailyValues(figures, marks, weekdays)


def verdict(
    before: DailyValues, after: DailyValues, worse: Worse = Worse.HIGHER, usual: DailyValues | None = None
) -> Judgement:
    (judgement,) = judge(before, after, [worse], usual)
    return judgement


@pytest.mark.parametrize(
    ("worse", "grown", "shrunk"),
    [
        (Worse.HIGHER, ChangeVerdict.WORSE, ChangeVerdict.BETTER),
        (Worse.LOWER, ChangeVerdict.BETTER, ChangeVerdict.WORSE),
        (Worse.NEITHER, ChangeVerdict.HIGHER, ChangeVerdict.LOWER),
    ],
)
def test_the_catalogue_says_which_way_is_worse(worse, grown, shrunk):
    low, high = days(*(100 + NOISE)), days(*(110 - NOISE))

    assert verdict(low, high, worse).verdict is grown
    assert verdict(high, low, worse).verdict is shrunk


def test_a_change_tells_the_days_the_means_and_the_spread_of_both():
    result = verdict(days(10, 12, NONE, 14, 12), days(20, 22, 24, 22, NONE))

    assert (result.before.read, result.before.mean) == (4, 12)
    assert result.before.sd == pytest.approx(1.63299, rel=1e-5)
    assert (result.after.read, result.after.mean, result.percent) == (4, 22, pytest.approx(83.333, rel=1e-4))
    assert result.t == pytest.approx(8.66025, rel=1e-5)


def test_noise_is_called_noise():
    result = verdict(days(80, 120, 95, 130, 70), days(90, 125, 100, 128, 85))

    assert (result.verdict, result.reason) == (ChangeVerdict.SAME, "within its noise")


def test_a_sure_change_of_less_than_a_hundredth_is_the_same():
    result = verdict(days(*(1000 + NOISE)), days(*(1005 + NOISE)))

    assert result.percent == pytest.approx(0.5)
    assert (result.verdict, result.reason) == (ChangeVerdict.SAME, "less than 1 % apart")


def test_what_did_not_occur_before_appeared_and_what_occurs_no_more_is_gone():
    absent, present = days(*[NONE] * 5, absent="xxxxx"), days(3, 4, 5, 4, NONE, absent="    x")

    assert verdict(absent, present).verdict is ChangeVerdict.APPEARED
    assert verdict(absent, present).reason == "occurred on 4 of 5 days"
    assert verdict(present, absent).verdict is ChangeVerdict.GONE
    assert verdict(absent, present).percent is None


def test_what_was_not_read_neither_appears_nor_goes():
    unread, present = days(*[NONE] * 5), days(3, 4, 5, 4, 3)

    assert verdict(unread, present).verdict is ChangeVerdict.NO_DATA
    assert verdict(unread, present).reason == "no figure in the earlier"
    assert verdict(present, unread).reason == "no figure in the later"


def test_what_occurs_seldom_has_not_appeared():
    absent, once = days(*[NONE] * 7, absent="xxxxxxx"), days(3, *[NONE] * 6, absent=" xxxxxx")

    assert (verdict(absent, once).verdict, verdict(absent, once).reason) == (
        ChangeVerdict.SAME,
        "occurred on 1 of 7 days",
    )


def test_a_period_with_too_few_days_says_so():
    result = verdict(days(10, 11, 12, 13, 14), days(30, NONE, 31, NONE, NONE))

    assert (result.verdict, result.reason) == (ChangeVerdict.TOO_FEW, "needs 3 days, has 2")


def test_two_days_are_judged_by_the_spread_of_the_days_before():
    usual = days(*(100 + 10 * np.tile(NOISE, 4)))

    assert verdict(days(100), days(104), usual=usual).verdict is ChangeVerdict.SAME
    assert verdict(days(100), days(140), usual=usual).verdict is ChangeVerdict.WORSE
    assert verdict(days(100), days(140)).verdict is ChangeVerdict.TOO_FEW
    assert verdict(days(100), days(140), usual=days(99, 101, 100)).verdict is ChangeVerdict.TOO_FEW


def test_weeks_are_compared_weekday_by_weekday():
    week = np.array([100.0, 103, 99, 101, 98, 20, 22])

    result = verdict(days(*week), days(*(week + 9 + NOISE)))
    torn = verdict(days(*week[:6]), days(*(week + 9 + NOISE)[:6]))

    assert result.verdict is ChangeVerdict.WORSE
    assert torn.verdict is ChangeVerdict.SAME


def test_from_nothing_to_something_has_no_percentage():
    result = verdict(days(0, 0, 0, 0), days(5, 6, 5, 6))

    assert (result.percent, result.verdict) == (None, ChangeVerdict.WORSE)


def test_what_stays_as_it_was_set_is_the_same_and_any_other_setting_is_not():
    assert verdict(days(*[450.0] * 4), days(*[450.0] * 4), Worse.NEITHER).verdict is ChangeVerdict.SAME
    assert verdict(days(*[450.0] * 4), days(*[600.0] * 4), Worse.NEITHER).verdict is ChangeVerdict.HIGHER


def test_of_a_thousand_rows_of_noise_hardly_any_is_told():
    noise = np.random.default_rng(3).normal(100, 10, (1000, 14))
    none = np.zeros((1000, 7), dtype=bool)
    weekdays = np.arange(7)

    result = judge(
        DailyValues(noise[:, :7], none, weekdays),
        DailyValues(noise[:, 7:], none, weekdays),
        [Worse.HIGHER] * 1000,
    )

    assert sum(judgement.verdict is not ChangeVerdict.SAME for judgement in result) <= 3


def test_a_period_has_its_days_and_an_order():
    week = Period(MONDAY, MONDAY + timedelta(days=6))

    assert (len(week), week.days[-1], week.earlier(7).last) == (7, week.last, MONDAY - timedelta(days=1))
    with pytest.raises(BadPeriod, match="exchange them"):
        Period(week.last, week.first)
    with pytest.raises(BadPeriod, match=f"at most {LONGEST}"):
        Period(MONDAY, MONDAY + timedelta(days=LONGEST))
