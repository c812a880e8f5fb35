"""How a figure goes from day to day."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.demo.rhythm import NIGHTLY_LOADS, OFFICE, Days, noise
from apps.demo.trajectory import CALM, Trajectory, flow, stock, through

LAST_DAY = date(2026, 2, 17)


def days(first_age: int = -119, last_age: int = 8, last_day: date = LAST_DAY) -> Days:
    return Days.between(first_age, last_age, last_day)


def on(age: int, values: np.ndarray, stretch: Days) -> float:
    return float(values[age - stretch.ages[0]])


def test_at_a_knot_the_figure_is_the_knots_value_whatever_the_weekday():
    course = through((-90, 41), (-7, 44.9), (0, 47.3), noise=0.2, week=OFFICE, month_end=1.3)

    values = course.by_day("somebody/redo", days(last_day=date(2026, 2, 1)))

    assert [on(age, values, days()) for age in (-90, -7, 0)] == [41, 44.9, 47.3]


def test_a_quiet_weekend_is_below_the_working_days_around_it():
    values = flow(100, noise=0.0, growth=0.0, week=OFFICE).by_day("x", days())

    saturday, monday = on(-3, values, days()), on(-1, values, days())
    assert saturday == pytest.approx(55)
    assert monday == pytest.approx(102)


def test_a_month_end_shows_except_where_the_story_needs_a_plain_month():
    course = Trajectory(knots=((0, 100.0),), growth=0.0, noise=0.0, month_end=1.5, is_exact=False)
    stretch = days(last_day=date(2026, 1, 31))

    values = course.by_day("x", stretch)

    assert [on(age, values, stretch) for age in (-2, -1, 0)] == [100, 100, 100]
    assert [on(age, values, stretch) for age in (-33, -32, -31, -30)] == pytest.approx([150, 150, 150, 100])
    assert CALM[-1][0] <= -3


def test_space_grows_on_working_days_and_is_relieved_by_a_purge():
    course = stock((-70, 1000), (0, 1385), (70, 1770), noise=0.0, relief=(35, 35, 192.5))
    stretch = days(-70, 69)

    values = course.by_day("x", stretch)
    growth = np.diff(values)

    assert on(0, values, stretch) == 1385
    assert on(35, values, stretch) == pytest.approx(1385, abs=5)
    assert growth[stretch.weekdays[1:] == 6].max() < growth[(stretch.weekdays[1:] == 2)].min()


@given(first=st.integers(-400, -20), last=st.integers(1, 400), age=st.integers(-19, 0))
def test_a_figure_does_not_depend_on_the_stretch_it_is_asked_with(first: int, last: int, age: int):
    courses = [
        flow(100, week=OFFICE),
        through((-90, 3), (-7, 5), (0, 4), noise=0.1, week=NIGHTLY_LOADS, month_end=1.3),
        stock((-120, 10), (0, 20), (400, 30), noise=0.01, relief=(5, 9, 1)),
    ]

    for course in courses:
        narrow, wide = days(-19, 0), days(first, last)
        mine = on(age, course.by_day("x", narrow), narrow)
        assert on(age, course.by_day("x", wide), wide) == pytest.approx(mine, rel=1e-12)


def test_noise_is_spread_around_nothing_and_differs_by_name():
    ages = np.arange(-2000, 2000)

    first, second = noise(["one", "other"], ages)

    assert abs(first.mean()) < 0.08
    assert 0.95 < first.std() < 1.05
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.08
