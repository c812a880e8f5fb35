"""Intervals, and sums in which dates and intervals meet."""

import re
from datetime import datetime, timedelta

from ..values import (
    INTERVAL,
    MONTHS,
    Cell,
    date_cell,
    date_of,
    interval_cell,
    is_date,
    number_of,
    text_of,
    to_cell,
)
from ..wire import OracleType
from .dates import DAY, months_later
from .register import Functions

DATE = OracleType.DATE

functions = Functions()


UNITS = {"DAY": DAY, "HOUR": DAY / 24, "MINUTE": DAY / 1440, "SECOND": timedelta(seconds=1)}


@functions.add("numtodsinterval", OracleType.INTERVAL)
def numtodsinterval(cell: Cell, unit: Cell) -> Cell:
    return interval_cell(number_of(cell) * UNITS[text_of(unit).upper()])


@functions.add("numtoyminterval", OracleType.VARCHAR2)
def numtoyminterval(cell: Cell, unit: Cell) -> Cell:
    return f"{MONTHS}{int(number_of(cell) * (12 if text_of(unit).upper() == 'YEAR' else 1))}"


@functions.add("interval_literal", OracleType.INTERVAL)
def interval_literal(cell: Cell, unit: Cell) -> Cell:
    """Read INTERVAL '7' DAY, INTERVAL '1 02:03:04' DAY TO SECOND and INTERVAL '3' MONTH."""
    first, _, _ = text_of(unit).upper().partition(" TO ")
    numbers = [float(part) for part in re.findall(r"\d+(?:\.\d+)?", text_of(cell))]
    sign = -1 if text_of(cell).lstrip().startswith("-") else 1
    if first in ("YEAR", "MONTH"):
        months = numbers[0] * (12 if first == "YEAR" else 1) + sum(numbers[1:])
        return f"{MONTHS}{sign * int(months)}"
    names = list(UNITS)[list(UNITS).index(first) :]
    return interval_cell(
        sum((sign * n * UNITS[name] for n, name in zip(numbers, names, strict=False)), timedelta())
    )


@functions.add("plus", 0)
def plus(cell: Cell, other: Cell) -> Cell:
    """Add numbers, or add days or an interval to a date."""
    if isinstance(cell, int | float) and isinstance(other, int | float):
        return to_cell(cell + other)
    if is_date(other):
        cell, other = other, cell
    if is_date(cell):
        return later(date_of(cell), other, 1)
    if is_interval(cell) and is_interval(other):
        return f"{INTERVAL}{int(str(cell)[2:]) + int(str(other)[2:])}"
    return to_cell(number_of(cell) + number_of(other))


@functions.add("minus", 0)
def minus(cell: Cell, other: Cell) -> Cell:
    """Subtract numbers; days or an interval from a date; or one date from another, in days."""
    if isinstance(cell, int | float) and isinstance(other, int | float):
        return to_cell(cell - other)
    if is_date(cell):
        if is_date(other):
            days = between(cell, other) / DAY
            return int(days) if days.is_integer() else days
        return later(date_of(cell), other, -1)
    if is_interval(cell) and is_interval(other):
        return f"{INTERVAL}{int(str(cell)[2:]) - int(str(other)[2:])}"
    return to_cell(number_of(cell) - number_of(other))


@functions.add("minus_timestamps", OracleType.INTERVAL)
def minus_timestamps(cell: Cell, other: Cell) -> Cell:
    return interval_cell(between(cell, other))


def between(cell: Cell, other: Cell) -> timedelta:
    later, earlier = date_of(cell), date_of(other)
    if (later.tzinfo is None) != (earlier.tzinfo is None):
        later, earlier = later.replace(tzinfo=None), earlier.replace(tzinfo=None)
    return later - earlier


def is_interval(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith(INTERVAL)


def later(moment: datetime, step: Cell, sign: int) -> str:
    if isinstance(step, str) and step.startswith(MONTHS):
        return date_cell(months_later(moment, sign * int(step[2:])))
    if is_interval(step):
        return date_cell(moment + sign * timedelta(microseconds=int(str(step)[2:])))
    # A DATE has whole seconds: a day divided by 86,400 must not lose one.
    seconds = round(number_of(step) * 86400)
    return date_cell(moment + sign * timedelta(seconds=seconds))
