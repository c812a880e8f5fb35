"""Values of what users were promised, day by day, as people and programs give them: lines of CSV, taken whole or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import nan

from apps.catalog.experience import LATEST_END, RESPONSE, hours_of_clock
from apps.catalog.metric import Metric
from apps.collection.engine.csv_text import (
    BadCsv,
    decode_text,
    read_day,
    read_number,
    split_lines,
    tell_problems,
)

DAY, NAME, VALUE = "day", "name", "value"
EXAMPLE = "day,name,value"
MOST_DAYS = 10_000
LONGEST_RESPONSE = 86_400.0  # seconds

Key = tuple[str, str]  # metric, component


class BadUserDays(ValueError):
    """These values cannot be taken; the message says which and why."""


@dataclass(frozen=True)
class UserDays:
    """Values by day and figure; one that is no number takes back what was given."""

    days: Mapping[date, Mapping[Key, float]]

    def __len__(self) -> int:
        return sum(map(len, self.days.values()))


def read_user_days(content: bytes, agreed: Mapping[str, Metric], first: date, today: date) -> UserDays:
    """
    Read values of figures that are agreed on, by their names, below the head `day,name,value`. Raises BadUserDays.

    Days lie between `first` and `today`. An end is a time of the clock or hours; an empty value takes back what was given.
    """
    try:
        read = split_lines(decode_text(content), MOST_DAYS, f"Give at most {MOST_DAYS:,} lines at once.")
    except BadCsv as problem:
        raise BadUserDays(str(problem)) from None
    head = [name.casefold() for name in read.head]
    if sorted(head) != sorted((DAY, NAME, VALUE)):
        raise BadUserDays(f"The first line is “{','.join(read.head)[:60]}”; expected the head {EXAMPLE}.")
    named = {name.casefold(): (metric, name) for name, metric in agreed.items()}
    days: dict[date, dict[Key, float]] = {}
    problems = []
    for number, fields in read.fields():
        try:
            day = _day(fields.get(DAY, ""), first, today)
            metric, name = _figure(fields.get(NAME, ""), named)
            value = _value(fields.get(VALUE, ""), metric, has_comma=read.has_comma)
            if (metric.key, name) in days.setdefault(day, {}):
                raise BadCsv(f"“{name}” is there twice for {day}.")
            days[day][metric.key, name] = value
        except BadCsv as problem:
            problems.append(f"Line {number}: {problem}")
    if problems:
        raise BadUserDays(tell_problems(problems))
    if not days:
        raise BadUserDays(f"There are no values; give lines below the head {EXAMPLE}.")
    return UserDays(days)


def _day(text: str, first: date, today: date) -> date:
    day = read_day(text, today)
    if day > today:
        raise BadCsv(f"{day} has not come yet.")
    if day < first:
        raise BadCsv(f"{day} lies before what is kept: figures are kept since {first}.")
    return day


def _figure(name: str, named: Mapping[str, tuple[Metric, str]]) -> tuple[Metric, str]:
    if name.casefold() in named:
        return named[name.casefold()]
    names = ", ".join(f"“{name}”" for _, name in named.values()) or "nothing yet"
    raise BadCsv(f"“{name[:60]}” is not agreed on; what is: {names}.")


def _value(text: str, metric: Metric, *, has_comma: bool) -> float:
    if not text:
        return nan
    if metric == RESPONSE:
        seconds = read_number(text, has_comma=has_comma)
        if not 0 <= seconds <= LONGEST_RESPONSE:
            raise BadCsv(f"“{text[:20]}” is no response in seconds; give 0 to 86400.")
        return seconds
    hours = hours_of_clock(text)
    if hours is None:
        hours = read_number(text, has_comma=has_comma)
    if not 0 <= hours < LATEST_END + 1:
        raise BadCsv(f"“{text[:20]}” is no end; give 05:30, or 25:00 for 01:00 of the day after.")
    return hours
