"""Counters become differences, and restarts, falls and other instances never become a wrong number."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.snapshots.engine.rates import Intervals, intervals

HOUR = 3600.0
BOOT = -3 * 24 * HOUR


def between(before: tuple[float, float, float], after: tuple[float, float, float]) -> Intervals:
    """What happened between two readings of one counter, each given as its moment, its start-up and its value."""
    captured, started, values = (np.array(column) for column in zip(before, after, strict=True))
    return intervals(captured, started, values[:, None])


def test_a_difference_is_the_growth_over_the_time_that_passed():
    result = between((HOUR, BOOT, 1000), (2 * HOUR, BOOT, 4600))

    assert (result.delta[0, 0], result.seconds[0], result.since_restart[0]) == (3600, HOUR, False)


def test_COL3_after_a_restart_it_counts_from_start_up():
    result = between((0, -HOUR, 9000), (HOUR, HOUR / 2, 1800))

    assert (result.delta[0, 0], result.seconds[0], result.since_restart[0]) == (1800, HOUR / 2, True)


def test_a_start_up_that_differs_and_is_not_later_is_another_instance():
    result = between((HOUR, BOOT, 9000), (2 * HOUR, BOOT - 9 * 24 * HOUR, 99000))

    assert np.isnan(result.delta[0, 0])
    assert np.isnan(result.seconds[0])


def test_a_counter_that_falls_without_a_restart_has_no_difference():
    result = between((HOUR, BOOT, 9000), (2 * HOUR, BOOT, 8000))

    assert np.isnan(result.delta[0, 0])


def test_a_start_up_that_moves_by_an_hour_while_no_counter_falls_is_the_same():
    result = between((HOUR, BOOT, 1000), (2 * HOUR, BOOT + HOUR, 4600))

    assert (result.delta[0, 0], result.seconds[0], result.since_restart[0]) == (3600, HOUR, False)


def test_T2_the_decks_falling_series_gives_no_negative_figure():
    waits = np.array([[1838346.0], [1906533.0], [1754866.0], [2356571.0]])
    captured = np.array([0.0, 86400.0, 172800.0, 259200.0])

    result = intervals(captured, np.zeros(4), waits)

    assert result.delta[0, 0] == 68187
    assert np.isnan(result.delta[1, 0])
    assert result.fell[1, 0]
    assert result.delta[2, 0] == 601705


def test_an_event_that_was_absent_before_has_waited_since_then():
    result = intervals(
        np.array([0.0, 60.0]), np.array([-9.0, -9.0]), np.array([[np.nan], [40.0]]), sparse=np.array([True])
    )

    assert result.delta[0, 0] == 40


def test_a_statistic_that_was_absent_before_is_not_known():
    result = intervals(np.array([0.0, 60.0]), np.array([-9.0, -9.0]), np.array([[np.nan], [40.0]]))

    assert np.isnan(result.delta[0, 0])


def test_beyond_two_to_the_53_a_difference_too_small_to_tell_is_not_zero():
    huge = 2.0**60

    result = intervals(np.array([0.0, 60.0]), np.zeros(2), np.array([[huge], [huge]]))

    assert np.isnan(result.delta[0, 0])


@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.booleans(), st.integers(1, 10**5)), min_size=2, max_size=30)
)
def test_whatever_is_read_a_known_difference_is_never_negative_and_agrees_with_plain_arithmetic(steps):
    captured, started, values = [0.0], [-100.0], [0.0]
    expected: list[tuple[float | None, float]] = []
    for value, restarts, seconds in steps:
        now = captured[-1] + seconds + 10
        start = now - 5 if restarts else started[-1]
        if restarts:
            expected.append((float(value), 5.0))
        else:
            expected.append((value - values[-1] if value >= values[-1] else None, now - captured[-1]))
        captured.append(now)
        started.append(start)
        values.append(float(value))

    result = intervals(np.array(captured), np.array(started), np.array(values)[:, None])

    for index, (growth, seconds) in enumerate(expected):
        assert result.seconds[index] == seconds
        assert np.isnan(result.delta[index, 0]) if growth is None else result.delta[index, 0] == growth
