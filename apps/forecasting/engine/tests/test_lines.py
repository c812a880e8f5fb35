from datetime import date

import numpy as np
import pytest

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.lines import comparison_lines, find_line_day
from apps.forecasting.engine.tests.series import sure
from apps.thresholds.engine.notation import Form

LAST = date(2008, 8, 4)
SIZE = 35000
TABLESPACE1 = [25000, 25120, 25220, 25989]
TABLESPACE2 = [31000, 32001, 32150, 33000]


def test_PRE2_least_squares_on_the_four_printed_days_of_tablespace1():
    line = comparison_lines(TABLESPACE1, LAST, SIZE)[0]

    assert (line.name, round(line.slope, 1), round(sure(line.r2), 2)) == ("least squares", 306.7, 0.78)
    assert (round(sure(line.days), 1), line.on) == (29.4, date(2008, 9, 2))


def test_PRE2_least_squares_on_the_four_printed_days_of_tablespace2():
    line = comparison_lines(TABLESPACE2, LAST, SIZE)[0]

    assert (round(line.slope, 1), round(sure(line.r2), 2)) == (614.9, 0.94)
    assert (round(sure(line.days), 2), line.on) == (3.25, date(2008, 8, 7))


def test_PRE2_the_forecast_itself_says_what_it_needs():
    assert forecast_batch([TABLESPACE1]).reasons == ("needs 14 days, has 4",)


def test_PRE3_end_points_and_pairwise_slopes_disagree():
    lines = comparison_lines(TABLESPACE1, LAST, SIZE)

    assert [line.name for line in lines] == ["least squares", "end points", "median of pairwise slopes"]
    assert [round(line.slope, 1) for line in lines] == [306.7, 329.7, 224.8]
    assert [round(sure(line.days), 1) for line in lines] == [29.4, 27.3, 40.1]
    assert [line.on for line in lines] == [date(2008, 9, 2), date(2008, 8, 31), date(2008, 9, 13)]


def test_PRE4_a_flat_tablespace_has_no_date():
    lines = comparison_lines([13210] * 4, LAST, SIZE)

    assert [(line.slope, line.days, line.on) for line in lines] == [(0, None, None)] * 3
    assert lines[0].r2 == 0


def test_PRE4_a_falling_line_and_one_already_over_have_no_date():
    assert comparison_lines(TABLESPACE1[::-1], LAST, SIZE)[0].on is None
    assert comparison_lines(TABLESPACE1, LAST, 25500)[0].on is None


def test_a_lower_limit_is_met_by_a_falling_line():
    line = comparison_lines([50, 40, 30], LAST, 10, Form.AT_LEAST)[0]

    assert line.days == pytest.approx(2)
    assert line.on == date(2008, 8, 6)


def test_two_points_are_enough_and_one_is_not():
    assert [line.days for line in comparison_lines([10, 20], LAST, 50)] == [3, 3, 3]
    assert comparison_lines([10], LAST, 50) == []
    assert comparison_lines([np.nan, 10, np.nan], LAST, 50) == []


def test_gaps_are_left_out_and_days_count_from_the_last_observed_one():
    lines = comparison_lines([10, np.nan, 30, np.nan], LAST, 50)

    assert [line.slope for line in lines] == pytest.approx([10, 10, 10])
    assert lines[0].on == date(2008, 8, 5)


def test_a_crossing_ten_years_ahead_is_no_date():
    assert comparison_lines([1000, 1000.1], LAST, 2000)[0].on is None


def test_without_a_limit_a_line_has_its_slope_only():
    assert [line.days for line in comparison_lines(TABLESPACE1, LAST)] == [None] * 3


@pytest.mark.parametrize(
    ("values", "edges", "day"),
    [
        ([0.0, 1.0, 2.0, 3.0], [(10.0, Form.AT_MOST)], 7),
        (
            [0.0, 1.0, 2.0, 3.0, np.nan, np.nan],
            [(10.0, Form.AT_MOST)],
            5,
        ),  # counted from the last day of the series
        ([0.0, 1.0, 2.0, 3.0, np.nan, np.nan], [(4.0, Form.AT_MOST)], 1),  # never today or before
        ([3.0, 2.0, 1.0], [(10.0, Form.AT_MOST)], None),
        ([3.0, 2.0, 1.0], [(10.0, Form.AT_MOST), (-9.0, Form.AT_LEAST)], 10),
        ([np.nan, 1.0], [(10.0, Form.AT_MOST)], None),
        ([*[0.0] * 40, *range(30)], [(40.0, Form.AT_MOST)], 11),  # of the last 30 days alone
    ],
)
def test_the_line_of_30_days_has_a_day_ahead(values, edges, day):
    assert find_line_day([np.array(values, dtype=float)], [edges]) == day


def test_of_two_conditions_the_line_that_comes_later_counts():
    soon, late = np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.5, 1.0])
    beyond = np.array([9.0, 9.5])
    edge = [(8.0, Form.AT_MOST)]

    assert find_line_day([soon, late], [edge, edge]) == 14
    assert find_line_day([soon, beyond], [edge, edge]) == 6
    assert find_line_day([soon, -late], [edge, edge]) is None
