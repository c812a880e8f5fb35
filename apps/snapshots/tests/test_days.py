"""Which reading ends which day."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from apps.snapshots.engine.days import bounds, day_of, days_bounded_by, nearest

BERLIN = ZoneInfo("Europe/Berlin")
DAY = day_of(date(2026, 2, 10), ZoneInfo("UTC"))


def utc(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 2, day, hour, minute, tzinfo=UTC)


def test_a_collection_at_five_past_midnight_closes_the_day_before():
    limits = bounds([utc(10, 0, 5), utc(11, 0, 5)], DAY)

    assert limits is not None
    assert (limits.first, limits.last, limits.spans_days) == (0, 1, 1)


def test_a_collection_at_ten_in_the_evening_closes_its_own_day():
    limits = bounds([utc(9, 22), utc(10, 22)], DAY)

    assert limits is not None
    assert (limits.first, limits.last) == (0, 1)


def test_of_two_readings_equally_near_to_midnight_the_earlier_counts():
    assert nearest([utc(10, 12), utc(11, 12)], utc(11, 0)) == 0


def test_a_day_whose_end_was_not_read_has_no_bounds():
    assert bounds([utc(9, 0, 5), utc(10, 0, 5)], DAY) is None


def test_after_a_missed_reading_the_difference_spans_two_days_and_says_so():
    limits = bounds([utc(9, 0, 5), utc(11, 0, 5)], DAY)

    assert limits is not None
    assert (limits.first, limits.last, limits.spans_days) == (0, 1, 2)


def test_a_first_reading_ends_its_day_without_a_beginning():
    limits = bounds([utc(11, 0, 5)], DAY)

    assert limits is not None
    assert limits.first is None


def test_the_days_on_which_the_clocks_change_have_23_and_25_hours():
    assert day_of(date(2026, 3, 29), BERLIN).hours == 23
    assert day_of(date(2026, 10, 25), BERLIN).hours == 25


def test_a_reading_at_midnight_bounds_the_day_before_and_its_own():
    days = days_bounded_by(utc(11, 0, 5), ZoneInfo("UTC"))

    assert days == [date(2026, 2, 10), date(2026, 2, 11)]


def test_a_reading_in_the_evening_bounds_its_own_day_alone():
    assert days_bounded_by(utc(10, 0, 5) + timedelta(hours=22), ZoneInfo("UTC")) == [date(2026, 2, 10)]
