"""ISO weeks, from Monday to Sunday."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.reports.engine.week import BadWeek, Week, last_complete_week, parse_week, week_of


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2026, 11, 16), "2026-W47"),
        (date(2026, 11, 22), "2026-W47"),
        (date(2027, 1, 1), "2026-W53"),
        (date(2024, 12, 30), "2025-W01"),
        (date(2026, 1, 1), "2026-W01"),
    ],
)
def test_a_day_belongs_to_the_week_of_its_monday(day, name):
    week = week_of(day)

    assert week.name == name
    assert parse_week(name) == week
    assert week.first_day <= day <= week.last_day


@given(some.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_weeks_follow_each_other_and_have_seven_days(day):
    week = week_of(day)

    assert week.first_day.weekday() == 0
    assert (week.last_day - week.first_day).days == 6
    assert week.following.previous == week
    assert parse_week(week.name) == week
    assert week < week.following


@pytest.mark.parametrize(
    "text",
    ["", "2026", "2026-47", "2026-W00", "2026-W54", "2025-W53", "w47", "0000-W01", "2026-W47 ", "2026-W4７"],
)
def test_what_is_not_a_week_gets_a_sentence(text):
    with pytest.raises(BadWeek, match=r"is not a week; write it like 2026-W47\.$"):
        parse_week(text)


def test_the_last_complete_week_is_the_one_whose_sunday_is_over():
    assert last_complete_week(datetime(2026, 11, 22, 23, 59, tzinfo=UTC)) == Week(date(2026, 11, 9))
    assert last_complete_week(datetime(2026, 11, 23, 7, tzinfo=UTC)) == Week(date(2026, 11, 16))
