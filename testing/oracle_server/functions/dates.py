"""Dates and timestamps: read, written, moved by months, seen from other zones."""

import calendar
import math
import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import OraError
from ..formats import format_date, format_number, parse_date
from ..values import Cell, date_cell, date_of, from_cell, is_date, number_of, text_of, to_cell
from ..wire import OracleType
from .register import Functions

NUMBER = OracleType.NUMBER
TEXT = OracleType.VARCHAR2
DATE = OracleType.DATE
TIMESTAMP = OracleType.TIMESTAMP
TIMESTAMP_TZ = OracleType.TIMESTAMP_TZ

DAY = timedelta(days=1)

functions = Functions()


@functions.add("to_char", TEXT)
def to_char(cell: Cell, pattern: Cell = "", language: Cell = "") -> Cell:
    value = from_cell(cell)
    if isinstance(value, datetime):
        return format_date(value, text_of(pattern) or "DD-MON-RR")
    if not pattern:
        return text_of(cell)
    return format_number(number_of(cell), text_of(pattern))


@functions.add("to_date", DATE)
def to_date(cell: Cell, pattern: Cell = "DD-MON-RR", language: Cell = "") -> Cell:
    moment = date_of(cell) if is_date(cell) else parse_date(text_of(cell), text_of(pattern))
    return date_cell(moment.replace(microsecond=0, tzinfo=None))


@functions.add("to_timestamp", TIMESTAMP)
def to_timestamp(cell: Cell, pattern: Cell = "DD-MON-RR HH.MI.SSXFF AM", language: Cell = "") -> Cell:
    moment = date_of(cell) if is_date(cell) else parse_date(text_of(cell), text_of(pattern))
    return date_cell(moment.replace(tzinfo=None))


@functions.add("to_timestamp_tz", TIMESTAMP_TZ)
def to_timestamp_tz(cell: Cell, pattern: Cell = "", language: Cell = "") -> Cell:
    moment = date_of(cell) if is_date(cell) else parse_date(text_of(cell), text_of(pattern))
    return date_cell(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


@functions.add("date_literal", DATE)
def date_literal(cell: Cell) -> Cell:
    return literal(cell)


@functions.add("timestamp_literal", TIMESTAMP)
def timestamp_literal(cell: Cell) -> Cell:
    return literal(cell)


def literal(cell: Cell) -> Cell:
    try:
        return date_cell(datetime.fromisoformat(text_of(cell).strip()))
    except ValueError:
        raise OraError(1861) from None


def truncate_date(moment: datetime, unit: str) -> str:
    """Return the start of the year, quarter, month, week, day, hour or minute."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    match unit.upper():
        case "DD" | "DDD" | "J":
            start = day
        case "YYYY" | "YEAR" | "YY" | "Y":
            start = day.replace(month=1, day=1)
        case "Q":
            start = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "MM" | "MON" | "MONTH" | "RM":
            start = day.replace(day=1)
        case "IW":
            start = day - timedelta(days=day.weekday())
        case "DAY" | "DY" | "D":
            start = day - timedelta(days=(day.weekday() + 1) % 7)
        case "HH" | "HH24" | "HH12":
            start = day.replace(hour=moment.hour)
        case "MI":
            start = day.replace(hour=moment.hour, minute=moment.minute)
        case _:
            raise OraError(1898, text="too many precision specifiers")
    return date_cell(start)


@functions.add("add_months", DATE)
def add_months(cell: Cell, months: Cell) -> Cell:
    return date_cell(months_later(date_of(cell), int(number_of(months))))


def months_later(moment: datetime, months: int) -> datetime:
    """Return the same day some months later; the last day of a month stays the last day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    is_last = moment.day == calendar.monthrange(moment.year, moment.month)[1]
    return moment.replace(year=year, month=month + 1, day=last if is_last else min(moment.day, last))


@functions.add("last_day", DATE)
def last_day(cell: Cell) -> Cell:
    moment = date_of(cell)
    return date_cell(moment.replace(day=calendar.monthrange(moment.year, moment.month)[1]))


@functions.add("months_between", NUMBER)
def months_between(cell: Cell, other: Cell) -> Cell:
    later, earlier = date_of(cell), date_of(other)
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    if later.day == earlier.day:
        return months
    rest = later.replace(year=2000, month=1) - earlier.replace(year=2000, month=1)
    return months + rest / DAY / 31


@functions.add("sys_extract_utc", TIMESTAMP)
def sys_extract_utc(cell: Cell) -> Cell:
    moment = date_of(cell)
    if moment.tzinfo is None:
        raise OraError(932, expected="TIMESTAMP WITH TIME ZONE", got="DATE")
    return date_cell(moment.astimezone(UTC).replace(tzinfo=None))


@functions.add("at_time_zone", TIMESTAMP_TZ)
def at_time_zone(cell: Cell, zone: Cell) -> Cell:
    moment = date_of(cell)
    return date_cell((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone_of(zone)))


@functions.add("from_tz", TIMESTAMP_TZ)
def from_tz(cell: Cell, zone: Cell) -> Cell:
    return date_cell(date_of(cell).replace(tzinfo=zone_of(zone)))


def zone_of(zone: Cell) -> timezone | ZoneInfo:
    if match := re.fullmatch(r"([+-])(\d{1,2}):(\d\d)", text_of(zone)):
        minutes = int(match[2]) * 60 + int(match[3])
        return timezone(timedelta(minutes=-minutes if match[1] == "-" else minutes))
    try:
        return ZoneInfo(text_of(zone))
    except (ZoneInfoNotFoundError, ValueError):
        raise OraError(1882, text="timezone region not found") from None


@functions.add("extract", NUMBER)
def extract(field: Cell, cell: Cell) -> Cell:
    value = from_cell(cell)
    unit = text_of(field).upper()
    if isinstance(value, timedelta):
        sign = -1 if value < timedelta() else 1
        seconds = abs(value)
        parts = {
            "DAY": seconds.days,
            "HOUR": seconds.seconds // 3600,
            "MINUTE": seconds.seconds // 60 % 60,
            "SECOND": seconds.seconds % 60 + seconds.microseconds / 1e6,
        }
        return to_cell(sign * parts[unit])
    moment = date_of(cell)
    offset = int((moment.utcoffset() or timedelta()).total_seconds())
    if unit == "TIMEZONE_HOUR":
        return int(offset / 3600)
    if unit == "TIMEZONE_MINUTE":
        return int(math.fmod(offset, 3600)) // 60
    return moment.second + moment.microsecond / 1e6 if unit == "SECOND" else getattr(moment, unit.lower())
