"""Counters become differences, and restarts, falls and other instances never become a wrong number."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from apps.snapshots.rates import intervals, rates


def at(clock: str) -> pd.Timestamp:
    day = "2026-02-01" if not clock.startswith("+") else "2026-02-02"
    return pd.Timestamp(f"{day} {clock.lstrip('+')}", tz="UTC")


def readings(*rows: tuple[str, float, pd.Timestamp]) -> pd.DataFrame:
    return pd.DataFrame(
        {"value": [value for _, value, _ in rows], "started_at": [started for _, _, started in rows]},
        index=[at(clock) for clock, _, _ in rows],
    )


BOOT = at("00:00") - pd.Timedelta(days=3)


def test_a_rate_is_the_growth_over_the_time_that_passed():
    history = readings(("01:00", 1000, BOOT), ("02:00", 4600, BOOT))

    result = rates(history).iloc[-1]

    assert (result["rate"], result["since_restart"]) == (1.0, False)


def test_the_first_reading_has_no_rate():
    assert np.isnan(rates(readings(("01:00", 1000, BOOT)))["rate"].iloc[0])


def test_COL3_after_a_restart_the_rate_counts_from_start_up():
    history = readings(("00:00", 9000, at("00:00") - pd.Timedelta(hours=1)), ("01:00", 1800, at("00:30")))

    result = rates(history).iloc[-1]

    assert (result["rate"], result["since_restart"]) == (1.0, True)


def test_a_start_up_that_differs_and_is_not_later_is_another_instance():
    history = readings(("01:00", 9000, BOOT), ("02:00", 99000, BOOT - pd.Timedelta(days=9)))

    assert np.isnan(rates(history)["rate"].iloc[-1])


def test_a_counter_that_falls_without_a_restart_has_no_rate():
    history = readings(("01:00", 9000, BOOT), ("02:00", 8000, BOOT))

    assert np.isnan(rates(history)["rate"].iloc[-1])


def test_a_start_up_that_moves_by_an_hour_while_no_counter_falls_is_the_same():
    history = readings(("01:00", 1000, BOOT), ("02:00", 4600, BOOT + pd.Timedelta(hours=1)))

    assert rates(history)["rate"].iloc[-1] == 1.0


def test_T2_the_decks_falling_series_gives_no_negative_figure():
    waits = np.array([[1838346.0], [1906533.0], [1754866.0], [2356571.0]])
    captured = np.array([0.0, 86400.0, 172800.0, 259200.0])

    found = intervals(captured, np.zeros(4), waits)

    assert found.delta[0, 0] == 68187
    assert np.isnan(found.delta[1, 0])
    assert found.fell[1, 0]
    assert found.delta[2, 0] == 601705


def test_an_event_that_was_absent_before_has_waited_since_then():
    found = intervals(
        np.array([0.0, 60.0]), np.array([-9.0, -9.0]), np.array([[np.nan], [40.0]]), sparse=np.array([True])
    )

    assert found.delta[0, 0] == 40


def test_a_statistic_that_was_absent_before_is_not_known():
    found = intervals(np.array([0.0, 60.0]), np.array([-9.0, -9.0]), np.array([[np.nan], [40.0]]))

    assert np.isnan(found.delta[0, 0])


def test_beyond_two_to_the_53_a_difference_too_small_to_tell_is_not_zero():
    huge = 2.0**60

    found = intervals(np.array([0.0, 60.0]), np.zeros(2), np.array([[huge], [huge]]))

    assert np.isnan(found.delta[0, 0])


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

    found = intervals(np.array(captured), np.array(started), np.array(values)[:, None])

    for index, (growth, seconds) in enumerate(expected):
        assert found.seconds[index] == seconds
        assert np.isnan(found.delta[index, 0]) if growth is None else found.delta[index, 0] == growth
