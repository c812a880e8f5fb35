"""Patterns of the week and of the day."""

from datetime import date, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.profiles.engine.rhythm import by_hour, by_weekday

MONDAY = date(2026, 2, 2)
DAYS = [MONDAY + timedelta(days=number) for number in range(28)]


def test_each_weekday_has_the_median_and_the_quarters_of_its_own_days():
    values = [float(100 * day.weekday() + week) for week in range(4) for day in DAYS[7 * week : 7 * week + 7]]

    rhythm = by_weekday(DAYS, values)

    tuesday = rhythm.spreads[1]
    assert (tuesday.count, tuesday.median, tuesday.low, tuesday.high) == (4, 101.5, 100.75, 102.25)
    assert rhythm.highest
    assert rhythm.lowest
    assert (rhythm.highest.slot, rhythm.lowest.slot, rhythm.stands_out) == (6, 0, True)


def test_what_differs_by_less_than_its_spread_does_not_stand_out():
    draw = np.random.default_rng(3)

    rhythm = by_weekday(DAYS, [float(value) for value in draw.normal(100, 10, len(DAYS))])

    assert rhythm.highest != rhythm.lowest
    assert not rhythm.stands_out


def test_fewer_than_three_days_have_no_median():
    values = [None if day.weekday() == 5 and day > DAYS[13] else 1.0 for day in DAYS]

    saturday = by_weekday(DAYS, values).spreads[5]

    assert (saturday.count, saturday.median) == (2, None)


def test_nothing_known_has_no_highest():
    rhythm = by_weekday(DAYS, [None] * len(DAYS))

    assert (rhythm.known_spreads, rhythm.highest, rhythm.stands_out) == ([], None, False)


def test_hours_are_told_apart_and_what_is_not_known_left_out():
    rhythm = by_hour([3, 3, 3, 3, 4], np.array([1.0, 2.0, 3.0, np.nan, 9.0]))

    assert (rhythm.spreads[3].count, rhythm.spreads[3].median) == (3, 2.0)
    assert (rhythm.spreads[4].count, rhythm.spreads[4].median) == (1, None)


@given(st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), min_size=28, max_size=28))
def test_every_figure_is_counted_once_and_the_median_lies_between_the_quarters(values):
    rhythm = by_weekday(DAYS, values)

    assert sum(spread.count for spread in rhythm.spreads) == sum(value is not None for value in values)
    for spread in rhythm.known_spreads:
        low, median, high = (float(value or 0.0) for value in (spread.low, spread.median, spread.high))
        assert low - 1e-6 <= median <= high + 1e-6
