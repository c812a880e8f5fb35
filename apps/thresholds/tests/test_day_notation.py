"""The days of a calendar as people type them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.thresholds.engine.day_notation import BadDays, days_covered, parse_days


def covered(text: str, first: date, last: date) -> list[str]:
    return [f"{day:%m-%d}" for day in days_covered(parse_days(text), first, last)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-02-14", ["02-14"]),
        ("2026-01-30..2026-02-02", ["01-30", "01-31", "02-01", "02-02"]),
        ("2026-02-27 … 2026-03-01", ["02-27", "02-28"]),
        ("every Sunday", ["01-04", "01-11", "01-18", "01-25", "02-01", "02-08", "02-15", "02-22"]),
        ("Mondays", ["01-05", "01-12", "01-19", "01-26", "02-02", "02-09", "02-16", "02-23"]),
        ("third Sunday of the month", ["01-18", "02-15"]),
        ("last Friday of every month", ["01-30", "02-27"]),
        ("last 3 days of the month", ["01-29", "01-30", "01-31", "02-26", "02-27", "02-28"]),
        ("first day of the month", ["01-01", "02-01"]),
        ("first 2 days of the quarter", ["01-01", "01-02"]),
        ("last day of the month; first day of the year", ["01-01", "01-31", "02-28"]),
        ("  LAST  2 Days of THE month \n\n2026-01-05", ["01-05", "01-30", "01-31", "02-27", "02-28"]),
    ],
)
def test_every_form_names_its_days(text, expected):
    assert covered(text, date(2026, 1, 1), date(2026, 2, 28)) == expected


def test_the_ends_of_quarters_and_years_are_found():
    assert covered("last 2 days of the quarter", date(2026, 1, 1), date(2026, 12, 31)) == [
        "03-30", "03-31", "06-29", "06-30", "09-29", "09-30", "12-30", "12-31",
    ]  # fmt: skip
    assert covered("last 2 days of the year", date(2027, 1, 1), date(2028, 1, 1)) == ["12-30", "12-31"]
    assert covered("last day of the month", date(2028, 2, 1), date(2028, 2, 29)) == ["02-29"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Give the days, one rule a line"),
        (" \n ", "Give the days, one rule a line"),
        ("sometimes", "“sometimes” does not name days"),
        ("every S", "does not name days"),
        ("2026-02-30", "2026-02-30 is not a day; write year, month and day"),
        ("14.03.2026", "write year, month and day as 2026-03-14"),
        ("2026-03-02..2026-03-01", "ends before it begins"),
        ("2026-01-01..2028-01-01", "longer than a year"),
        ("1066-10-14", "outside of the years 1970 to 2999"),
        ("last 0 days of the month", "give from 1 to 27 days of a month"),
        ("last 31 days of the month", "give from 1 to 27 days of a month"),
        ("last 3 days of the week", "does not name days"),
        ("fifth Sunday of the month", "does not name days"),
        ("2026-03-01..", "is not a day; write year"),
        ("Mondays\nTuesdays\nWednesdays\nThursdays\nFridays\nSaturdays\nSundays", "cover every day"),
        ("<script>", "does not name days"),
    ],
)
def test_what_names_no_days_gets_a_sentence_that_says_what_is_expected(text, sentence):
    with pytest.raises(BadDays, match=sentence) as refused:
        parse_days(text)

    assert str(refused.value).endswith(".")


@given(some.dates(date(1971, 1, 1), date(2998, 1, 1)), some.integers(1, 27))
def test_the_last_days_of_a_month_are_so_many_and_end_with_the_month(day, count):
    rules = parse_days(f"last {count} days of the month")
    first = day.replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)

    covered = list(days_covered(rules, first, following - timedelta(days=1)))

    assert covered == [following - timedelta(days=back) for back in range(count, 0, -1)]


@given(some.text(max_size=30))
def test_any_text_names_days_or_gets_a_sentence(text):
    try:
        rules, sentence = parse_days(text), ""
    except BadDays as refused:
        rules, sentence = [], str(refused)

    assert bool(rules) != sentence.endswith(".")
