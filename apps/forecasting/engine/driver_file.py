"""Days of a driver as people give them: lines of CSV, or JSON; taken whole or not at all."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

DAY, VALUE, PLANNED = "day", "value", "planned"
MOST_DAYS = 10_000
MOST_NAMED = 5  # lines of which a refusal tells
LARGEST = 1e15
EARLIEST = date(1990, 1, 1)
LATEST_AHEAD = 3653  # days
EXAMPLE = "day,value,planned"


class BadDriverDays(ValueError):
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
        text = content.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise BadDriverDays("This is not text in UTF-8.") from None
    if not text:
        raise BadDriverDays(f"There are no days; give lines below the head {EXAMPLE}.")
    rows = list(_json_rows(text) if text[0] in "[{" else _csv_rows(text))
    if len(rows) > MOST_DAYS:
        raise BadDriverDays(f"There are {len(rows):,} days; give at most {MOST_DAYS:,} at once.")
    return _collect(rows, today)


def _csv_rows(text: str) -> Iterator[Row]:
    head, _, _ = text.partition("\n")
    separator = ";" if ";" in head else ","
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        names = [name.strip().casefold() for name in next(reader)]
        _check_names(names)
        for fields in reader:
            where = f"Line {reader.line_num}"
            if not any(value.strip() for value in fields):
                continue
            if len(fields) > len(names):
                raise BadDriverDays(f"{where} has {len(fields)} fields, the head has {len(names)}.")
            values = [value.strip() for value in fields]
            if separator == ";":
                values = [value.replace(",", ".") for value in values]
            yield where, dict(zip(names, values, strict=False))
    except csv.Error as error:
        raise BadDriverDays(f"Line {reader.line_num} is not CSV: {error}.") from None


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
        except BadDriverDays as problem:
            problems.append(f"{where}: {problem}")
    if problems:
        more = len(problems) - MOST_NAMED
        also = [f"So are {more:,} more."] if more > 0 else []
        raise BadDriverDays(" ".join(problems[:MOST_NAMED] + also))
    if not len(new_days):
        raise BadDriverDays(f"There are no days; give lines below the head {EXAMPLE}.")
    return new_days


def _add(new_days: NewDays, fields: dict[str, str], today: date) -> None:
    text, value, planned = (fields.get(name, "") for name in (DAY, VALUE, PLANNED))
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadDriverDays(f"“{text[:20]}” is not a day; expected one such as {today}.") from None
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
    try:
        value = float(text)
    except ValueError:
        raise BadDriverDays(f"“{text[:20]}” is not a number; write 1200 or 1200.5.") from None
    if not math.isfinite(value) or value > LARGEST:
        raise BadDriverDays(f"“{text[:20]}” is more than can be.")
    if value < 0:
        raise BadDriverDays(f"{text[:20]} is less than nothing; a driver counts what there is.")
    return value
