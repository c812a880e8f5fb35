"""
Days of a calendar as people type them, a rule a line (no Django).

`2026-03-14` one day · `2026-12-24..2027-01-02` a range · `Sundays` or `every Sunday` · `third Sunday of the month` ·
`last 3 days of the month`, `first day of the quarter`, `last 5 days of the year`.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

LONGEST = 366  # days of a range
LONGEST_RULE = 100  # characters
MOST_RULES = 1000
EARLIEST, LATEST = date(1970, 1, 1), date(2999, 12, 31)
EXAMPLES = (
    "2026-03-14, 2026-12-24..2027-01-02, every Sunday, third Sunday of the month, last 3 days of the month"
)

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_PERIODS = {"month": 1, "quarter": 3, "year": 12}
_WEEKLY = re.compile(r"^(?:every\s+|each\s+)?(?P<weekday>[a-z]+?)s?$")
_NUMBERED_WEEKDAY = re.compile(
    r"^(?P<number>[a-z]+)\s+(?P<weekday>[a-z]+?)\s+of\s+(?:the|every|each)\s+month$"
)
_EDGE = re.compile(
    r"^(?P<side>first|last)\s+(?:(?P<count>\d{1,3})\s+)?days?\s+of\s+(?:the|every|each)\s+(?P<period>\w+)$"
)
_RANGE = re.compile(r"^(?P<first>\S+?)\s*(?:\.\.|…)\s*(?P<last>\S+)$")


class BadDays(ValueError):
    """This does not name days; the message says what was given and what is expected."""


@dataclass(frozen=True)
class Rule:
    """One line: what was typed, and which days it covers."""

    text: str
    covers: Callable[[date], bool]


def parse_days(text: str) -> list[Rule]:
    """The rules of a text, one a line. Raises BadDays, also where they leave no day of a year over."""
    lines = [line.strip() for line in text.replace(";", "\n").splitlines() if line.strip()]
    if not lines:
        raise BadDays(f"Give the days, one rule a line, for example {EXAMPLES}.")
    if len(lines) > MOST_RULES:
        raise BadDays(
            f"There are {len(lines):,} rules; give at most {MOST_RULES:,}, and ranges for days in a row."
        )
    for line in lines:
        if len(line) > LONGEST_RULE:
            raise BadDays(
                f"“{line[:20]}…” has {len(line):,} characters; give at most {LONGEST_RULE} to a rule, for example {EXAMPLES}."
            )
    rules = [Rule(line, _rule(line)) for line in lines]
    leap_year = [date(2028, 1, 1) + timedelta(days=offset) for offset in range(366)]
    if all(any(rule.covers(day) for rule in rules) for day in leap_year):
        raise BadDays("These rules cover every day, so nothing would ever be judged; leave some days over.")
    return rules


def days_covered(rules: list[Rule], first: date, last: date) -> Iterator[date]:
    """The days from first to last that any of the rules covers, oldest first."""
    for offset in range((last - first).days + 1):
        day = first + timedelta(days=offset)
        if any(rule.covers(day) for rule in rules):
            yield day


def _rule(line: str) -> Callable[[date], bool]:
    words = " ".join(line.casefold().split())
    if (span := _RANGE.match(words)) is not None:
        return _between(_day(span["first"], line), _day(span["last"], line), line)
    if re.match(r"^\d", words):
        single = _day(words, line)
        return lambda day: day == single
    if (edge := _EDGE.match(words)) is not None and edge["period"] in _PERIODS:
        return _edge_days(edge["side"], int(edge["count"] or 1), edge["period"], line)
    numbered = _NUMBERED_WEEKDAY.match(words)
    if numbered is not None and numbered["number"] in _NUMBERED:
        return _numbered_weekday(_NUMBERED[numbered["number"]], _weekday(numbered["weekday"], line))
    if (weekly := _WEEKLY.match(words)) is not None:
        weekday = _weekday(weekly["weekday"], line)
        return lambda day: day.weekday() == weekday
    raise BadDays(f"“{line}” does not name days; give for example {EXAMPLES}.")


def _day(word: str, line: str) -> date:
    try:
        day = date.fromisoformat(word)
    except ValueError:
        raise BadDays(f"“{line}”: {word} is not a day; write year, month and day as 2026-03-14.") from None
    if not EARLIEST <= day <= LATEST:
        raise BadDays(f"“{line}” lies outside of the years {EARLIEST.year} to {LATEST.year}.")
    return day


def _between(first: date, last: date, line: str) -> Callable[[date], bool]:
    if last < first:
        raise BadDays(f"“{line}” ends before it begins; give the earlier day first.")
    if (last - first).days >= LONGEST:
        raise BadDays(f"“{line}” is longer than a year; give at most {LONGEST} days.")
    return lambda day: first <= day <= last


def _weekday(word: str, line: str) -> int:
    weekdays = [number for number, name in enumerate(_WEEKDAYS) if len(word) >= 3 and name.startswith(word)]
    if len(weekdays) != 1:
        raise BadDays(f"“{line}” does not name days; give for example {EXAMPLES}.")
    return weekdays[0]


def _numbered_weekday(number: int, weekday: int) -> Callable[[date], bool]:
    def covers(day: date) -> bool:
        if day.weekday() != weekday:
            return False
        if number < 0:
            return day.day + 7 > monthrange(day.year, day.month)[1]
        return (day.day - 1) // 7 + 1 == number

    return covers


def _edge_days(side: str, count: int, period: str, line: str) -> Callable[[date], bool]:
    months = _PERIODS[period]
    if not 1 <= count <= 27 * months:
        raise BadDays(f"“{line}”: give from 1 to {27 * months} days of a {period}.")

    def covers(day: date) -> bool:
        begins = date(day.year, (day.month - 1) // months * months + 1, 1)
        if side == "first":
            return (day - begins).days < count
        after = begins.month + months
        ends = date(day.year + (after > 12), (after - 1) % 12 + 1, 1) - timedelta(days=1)
        return (ends - day).days < count

    return covers
