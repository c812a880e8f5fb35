"""Successive months and quarters, from readings."""

from datetime import date, timedelta

import pytest

from apps.collection.tests.scripted import Story, instance, prepare
from apps.inventory.models import Target
from apps.profiles.engine.pattern import Pattern, pattern_of
from apps.profiles.engine.periods import Period
from apps.profiles.period_patterns import PatternRow, read_patterns, successive_periods

LAST = date(2026, 6, 20)
WAVE = (0.2, -0.1, 0.3, -0.2, 0.1, -0.3, 0.0)
NONE = float("nan")


@pytest.mark.parametrize(
    ("last", "count", "step", "expected"),
    [
        (date(2026, 6, 20), 3, "month", ["2026-04-01..2026-04-30", "2026-05-01..2026-05-31", "2026-06-01..2026-06-20"]),
        (date(2026, 1, 31), 3, "month", ["2025-11-01..2025-11-30", "2025-12-01..2025-12-31", "2026-01-01..2026-01-31"]),
        (date(2024, 3, 1), 2, "month", ["2024-02-01..2024-02-29", "2024-03-01..2024-03-01"]),
        (date(2026, 5, 9), 3, "quarter", ["2025-10-01..2025-12-31", "2026-01-01..2026-03-31", "2026-04-01..2026-05-09"]),
        (date(2026, 9, 30), 1, "quarter", ["2026-07-01..2026-09-30"]),
    ],
)  # fmt: skip
def test_months_and_quarters_are_those_of_the_calendar(last, count, step, expected):
    assert [f"{period.first}..{period.last}" for period in successive_periods(last, count, step)] == expected


@pytest.mark.parametrize(
    ("means", "spreads", "pattern"),
    [
        ([100, 103, 106], [1, 1, 1], Pattern.RISING),
        ([100, 103, 106], [10, 10, 10], Pattern.FLAT),
        ([106, 103, 100], [1, 1, 1], Pattern.FALLING),
        ([100, 101, 100.5, 108], [2, 2, 2, 2], Pattern.RISING),
        ([100, 140, 90, 108], [2, 2, 2, 2], Pattern.FLAT),
        ([1000, 1002, 1004], [0, 0, 0], Pattern.FLAT),
        ([450, 450, 600], [0, 0, 0], Pattern.RISING),
        ([NONE, 5, 6], [NONE, 1, 1], Pattern.APPEARED),
        ([5, 6, NONE], [1, 1, NONE], Pattern.GONE),
        ([100, 120], [NONE, NONE], Pattern.RISING),
    ],
)
def test_COL8_a_pattern_is_beyond_the_spread_of_the_period_before(means, spreads, pattern):
    assert pattern_of(means, spreads) is pattern


def test_what_was_nothing_and_then_something_appeared():
    """W16: 0, 0, 0, 1,149 was called rising."""
    assert pattern_of([0, 0, 0, 1149]) is Pattern.APPEARED
    assert pattern_of([0, 0, 0, 1149], [0, 0, 0, 12]) is Pattern.APPEARED
    assert pattern_of([0, 0, 0, 0]) is Pattern.FLAT


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def tell_patterns(target: Target, months: dict[int, dict[str, object]], skip: int = 1) -> list[PatternRow]:
    """Every `skip`-th day of months of 2026, and the patterns of April to June."""
    story = Story(target)
    day, number = date(2026, 4, 1), 0
    while day <= LAST:
        of_day = months.get(day.month)
        if of_day is not None and number % skip == 0:
            wave = WAVE[number % 7]
            story.day(
                day,
                **{name: value + wave if isinstance(value, int) else value for name, value in of_day.items()},  # type: ignore[arg-type]
            )
        day, number = day + timedelta(days=1), number + 1
    return read_patterns(target, successive_periods(LAST, 3, "month"))


def row(rows: list[PatternRow], key: str, component: str = "") -> PatternRow:
    return next(row for row in rows if (row.metric.key, row.component) == (key, component))


@pytest.mark.django_db
def test_COL8_profiles_of_successive_months_show_what_rises_falls_appeared_and_is_gone(target):
    sync, busy = {"log file sync": (1000.0, 8.0)}, {"buffer busy waits": (1000.0, 3.0)}
    rows = tell_patterns(
        target,
        {
            4: {"redo": 40, "hits": 97, "used": {"DATA": 100.0}, "waits": busy},
            5: {"redo": 50, "hits": 94, "used": {"DATA": 100.0}, "waits": sync | busy},
            6: {"redo": 60, "hits": 91, "used": {"DATA": 100.0}, "waits": sync},
        },
    )

    redo = row(rows, "x_redo")
    assert (redo.pattern, redo.is_worse, redo.percent) == (Pattern.RISING, True, pytest.approx(50, abs=0.5))
    assert [stretch.days for stretch in redo.stretches] == [30, 31, 20]
    assert [stretch.mean for stretch in redo.stretches] == pytest.approx([40, 50, 60], abs=0.1)
    assert (row(rows, "x_hit_pct").pattern, row(rows, "x_hit_pct").is_worse) == (Pattern.FALLING, True)
    assert row(rows, "x_used", "DATA").pattern is Pattern.FLAT
    assert row(rows, "x_read_ms", "log file sync").pattern is Pattern.APPEARED
    assert row(rows, "x_read_ms", "buffer busy waits").pattern is Pattern.GONE


@pytest.mark.django_db
def test_a_month_that_was_hardly_read_takes_no_part(target):
    story = Story(target)
    for back in range(3):
        story.day(date(2026, 4, 10 + back), redo=10)
    rows = tell_patterns(target, {5: {"redo": 50}, 6: {"redo": 60}})

    redo = row(rows, "x_redo")
    assert [stretch.is_known for stretch in redo.stretches] == [False, True, True]
    assert (redo.pattern, redo.percent) == (Pattern.RISING, pytest.approx(20, abs=0.5))


@pytest.mark.django_db
def test_a_month_that_was_not_read_is_not_gone(target):
    rows = tell_patterns(target, {4: {"waits": {"log file sync": (1000.0, 8.0)}}, 5: {"waits": {"log file sync": (1000.0, 8.0)}}})  # fmt: skip

    assert row(rows, "x_read_ms", "log file sync").pattern is Pattern.FLAT


@pytest.mark.django_db
def test_what_occurs_on_one_day_of_a_month_has_not_appeared(target):
    story = Story(target)
    day = date(2026, 5, 1)
    while day <= LAST:
        seldom = {"latch free": (1000.0, 1.0)} if day == date(2026, 6, 9) else {}
        story.day(day, waits={"log file sync": (1000.0, 8.0)} | seldom)
        day += timedelta(days=1)

    rows = read_patterns(
        target, [Period(date(2026, 5, 1), date(2026, 5, 31)), Period(date(2026, 6, 1), LAST)]
    )

    assert "latch free" not in {row.component for row in rows if row.metric.key == "x_read_ms"}
