"""Days of a driver as people give them: lines of CSV, or JSON; taken whole or not at all."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from apps.collection.engine.csv_text import (
    BadCsv,
    decode_text,
    read_day,
    read_number,
    split_lines,
    tell_problems,
)

DAY, VALUE, PLANNED = "day", "value", "planned"
MOST_DAYS = 10_000
MOST_LINES = 200_000  # that are counted, so that a refusal says how many there are
LARGEST = 1e15
EARLIEST = date(1990, 1, 1)
LATEST_AHEAD = 3653  # days
EXAMPLE = "day,value,planned"


class BadDriverDays(BadCsv):
    """These days cannot be taken; the message says which and why."""


@dataclass(frozen=True)
class NewDays:
    """What a driver came to, and what is planned of it, by day."""

    measured: dict[date, float] = field(default_factory=dict)
    planned: dict[date, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.measured) + len(self.planned)

    @property
    def summary(self) -> str:
        """ "365 days and 90 planned ones" """
        days = f"{len(self.measured):,} {'day' if len(self.measured) == 1 else 'days'}"
        return f"{days} and {len(self.planned):,} planned" if self.planned else days


Row = tuple[str, dict[str, str]]  # where it stands, and its fields by name


def read_days(content: bytes, today: date) -> NewDays:
    """
    Read days from CSV with the head `day,value,planned`, or from JSON, a list of objects with these names. Raises BadDriverDays.

    Either of the last two may be missing or empty. What was measured has come by `today`, what is planned has not.
    """
    try:
        text = decode_text(content)
        if not text:
            raise BadDriverDays(f"There are no days; give lines below the head {EXAMPLE}.")
        rows = list(_json_rows(text) if text[0] in "[{" else _csv_rows(text))
    except BadCsv as problem:
        raise BadDriverDays(str(problem)) from None
    if len(rows) > MOST_DAYS:
        raise BadDriverDays(f"There are {len(rows):,} days; give at most {MOST_DAYS:,} at once.")
    return _collect(rows, today)


def _csv_rows(text: str) -> Iterator[Row]:
    read = split_lines(text, MOST_LINES, f"There are too many days; give at most {MOST_DAYS:,} at once.")
    _check_names([name.casefold() for name in read.head])
    for number, fields in read.fields():
        if read.has_comma:
            fields = {name: value.replace(",", ".") for name, value in fields.items()}
        yield f"Line {number}", fields


def _check_names(names: list[str]) -> None:
    unknown = [name for name in names if name not in (DAY, VALUE, PLANNED)]
    if DAY not in names or unknown or len(set(names)) < max(len(names), 2):
        raise BadDriverDays(f"The first line is “{','.join(names)[:60]}”; expected the head {EXAMPLE}.")


def _json_rows(text: str) -> Iterator[Row]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadDriverDays(f"This is not JSON: {str(error)[:80]}.") from None
    if not isinstance(entries, list):
        raise BadDriverDays(f"Give a list of objects with {DAY}, {VALUE} and {PLANNED}.")
    for number, entry in enumerate(entries, 1):
        where = f"Entry {number}"
        if not isinstance(entry, dict):
            raise BadDriverDays(f"{where} is no object with {DAY}, {VALUE} and {PLANNED}.")
        _check_names([str(name) for name in entry])
        yield where, {name: "" if value is None else str(value) for name, value in entry.items()}


def _collect(rows: Iterable[Row], today: date) -> NewDays:
    new_days, problems = NewDays(), []
    for where, fields in rows:
        try:
            _add(new_days, fields, today)
        except BadCsv as problem:
            problems.append(f"{where}: {problem}")
    if problems:
        raise BadDriverDays(tell_problems(problems))
    if not len(new_days):
        raise BadDriverDays(f"There are no days; give lines below the head {EXAMPLE}.")
    return new_days


def _add(new_days: NewDays, fields: dict[str, str], today: date) -> None:
    text, value, planned = (fields.get(name, "") for name in (DAY, VALUE, PLANNED))
    day = read_day(text, today)
    if not value and not planned:
        raise BadDriverDays(f"{day} has neither a value nor a planned one.")
    if value:
        if day > today:
            raise BadDriverDays(f"{day} has not come yet; what you expect of it goes under {PLANNED}.")
        if day < EARLIEST:
            raise BadDriverDays(f"{day} is before {EARLIEST}.")
        _put(new_days.measured, day, _number(value))
    if planned:
        if (day - today).days > LATEST_AHEAD:
            raise BadDriverDays(f"{day} is more than ten years ahead.")
        _put(new_days.planned, day, _number(planned))


def _put(days: dict[date, float], day: date, value: float) -> None:
    if day in days:
        raise BadDriverDays(f"{day} is there twice.")
    days[day] = value


def _number(text: str) -> float:
    value = read_number(text)
    if value > LARGEST:
        raise BadDriverDays(f"“{text[:20]}” is more than can be.")
    if value < 0:
        raise BadDriverDays(f"{text[:20]} is less than nothing; a driver counts what there is.")
    return value
