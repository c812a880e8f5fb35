"""
Oracle's values inside SQLite, which knows neither dates nor long numbers.

A date is text that sorts like the date, an interval is text with its microseconds, a number beyond 64 bits is text
with its digits; each begins with a mark that no ordinary text has. An empty string is null.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from .errors import OraError
from .wire import OracleType, Value

Cell = int | float | str | bytes | None

MARK = "\x1f"
INTERVAL = MARK + "I"
MONTHS = MARK + "M"
LONG_NUMBER = MARK + "N"

LARGEST = 2**63


def to_cell(value: Value) -> Cell:
    """Return a value as SQLite keeps it."""
    match value:
        case int():
            return int(value) if -LARGEST <= value < LARGEST else f"{LONG_NUMBER}{value}"
        case str():
            return value or None
        case datetime():
            return date_cell(value)
        case Decimal():
            return to_cell(int(value)) if value == value.to_integral_value() else float(value)
        case timedelta():
            return interval_cell(value)
    return value


def from_cell(cell: Cell) -> Value:
    """Return a value as it was before `to_cell`."""
    if not isinstance(cell, str) or not cell.startswith(MARK):
        return cell
    if cell.startswith(INTERVAL):
        return timedelta(microseconds=int(cell[2:]))
    if cell.startswith(LONG_NUMBER):
        return int(cell[2:])
    if cell.startswith(MONTHS):
        years, months = divmod(int(cell[2:]), 12)
        return f"+{years:02}-{months:02}"
    return datetime.fromisoformat(cell[1:])


def date_cell(moment: datetime) -> str:
    return MARK + moment.isoformat(" ", "microseconds")


def interval_cell(length: timedelta) -> str:
    return f"{INTERVAL}{length // timedelta(microseconds=1)}"


def is_date(cell: Cell) -> bool:
    return isinstance(cell, str) and cell[:1] == MARK and cell[1:2].isdigit()


def date_of(cell: Cell) -> datetime:
    """Return the date in a cell, or complain as Oracle does of text it cannot read as one."""
    if is_date(cell):
        return datetime.fromisoformat(str(cell)[1:])
    raise OraError(1861)


def number_of(cell: Cell) -> int | float:
    """Return the number in a cell, from text if need be."""
    if isinstance(cell, int | float):
        return cell
    if isinstance(cell, str):
        text = cell.removeprefix(LONG_NUMBER).strip()
        if re.fullmatch(r"[+-]?\d+", text):
            return int(text)
        if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
            return float(text)
    raise OraError(1722)


def text_of(cell: Cell) -> str:
    """Return a cell as Oracle turns it into text by itself."""
    value = from_cell(cell)
    match value:
        case None:
            return ""
        case datetime():
            return value.strftime("%d-%b-%y").upper()
        case bytes():
            return value.hex().upper()
        case float():
            return number_text(value)
    return str(value)


def number_text(number: float) -> str:
    """Return a number as Oracle writes it: no zero before the point, none after the last digit."""
    if number == int(number) and abs(number) < 1e38:
        return str(int(number))
    text = format(Decimal(repr(number)), "f")
    return re.sub(r"^(-?)0\.", r"\1.", text)


def type_of_cells(cells: Sequence[Cell]) -> tuple[OracleType, int]:
    """Guess the type of a result column from what is in it."""
    for cell in cells:
        match from_cell(cell):
            case None:
                continue
            case datetime(microsecond=0, tzinfo=None):
                return OracleType.DATE, 7
            case datetime(tzinfo=None):
                return OracleType.TIMESTAMP, 11
            case datetime():
                return OracleType.TIMESTAMP_TZ, 13
            case timedelta():
                return OracleType.INTERVAL, 11
            case bytes():
                return OracleType.RAW, 2000
            case str():
                return OracleType.VARCHAR2, 4000
            case _:
                return OracleType.NUMBER, 22
    return OracleType.VARCHAR2, 4000
