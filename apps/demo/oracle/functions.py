"""
Oracle's functions, for SQLite to call by the names Oracle gives them.

Each has the type of its result, or says from which argument it takes it. Null in, null out, unless marked otherwise.
"""

import calendar
import math
import re
import statistics
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .errors import OraError
from .formats import format_date, format_number, parse_date
from .values import (
    INTERVAL,
    MONTHS,
    Cell,
    date_cell,
    date_of,
    from_cell,
    interval_cell,
    is_date,
    number_of,
    text_of,
    to_cell,
)
from .wire import OracleType

NUMBER = OracleType.NUMBER
TEXT = OracleType.VARCHAR2
DATE = OracleType.DATE
TIMESTAMP = OracleType.TIMESTAMP
TIMESTAMP_TZ = OracleType.TIMESTAMP_TZ

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Function:
    """A function with its result: a type, or the number of the argument whose type it has."""

    call: Callable[..., Cell]
    returns: OracleType | int


FUNCTIONS: dict[str, Function] = {}


def function(
    name: str, returns: OracleType | int, *, takes_null: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function under Oracle's name; it is not called with a null unless `takes_null`."""

    def enter(call: Callable[..., Any]) -> Callable[..., Any]:
        def call_without_null(*arguments: Cell) -> Cell:
            return None if None in arguments else call(*arguments)

        FUNCTIONS[name] = Function(call if takes_null else call_without_null, returns)
        return call

    return enter


# Null and choice


@function("nvl", 0, takes_null=True)
@function("coalesce", 0, takes_null=True)
def coalesce(*cells: Cell) -> Cell:
    return next((cell for cell in cells if cell is not None), None)


@function("nvl2", 1, takes_null=True)
def nvl2(cell: Cell, present: Cell, absent: Cell) -> Cell:
    return absent if cell is None else present


@function("nullif", 0, takes_null=True)
def nullif(cell: Cell, other: Cell) -> Cell:
    return None if cell == other else cell


@function("decode", 2, takes_null=True)
def decode(cell: Cell, *cases: Cell) -> Cell:
    """Return the result beside the first match; null matches null."""
    for position in range(0, len(cases) - 1, 2):
        if cases[position] == cell:
            return cases[position + 1]
    return cases[-1] if len(cases) % 2 else None


@function("greatest", 0)
def greatest(*cells: Cell) -> Cell:
    return max(cells)  # type: ignore[type-var]


@function("least", 0)
def least(*cells: Cell) -> Cell:
    return min(cells)  # type: ignore[type-var]


# Numbers


def rounded(number: int | float, places: int, rounding: str) -> int | float:
    if isinstance(number, int) and places >= 0:
        return number
    exact = Decimal(repr(number)).quantize(Decimal(1).scaleb(-places), rounding)
    return int(exact) if exact == exact.to_integral_value() else float(exact)


@function("round", 0)
def round_off(cell: Cell, places: Cell = 0) -> Cell:
    if is_date(cell):
        return truncate_date(date_of(cell) + DAY / 2, "DD")
    return rounded(number_of(cell), int(number_of(places)), ROUND_HALF_UP)


@function("trunc", 0)
def trunc(cell: Cell, places: Cell = 0) -> Cell:
    if is_date(cell):
        return truncate_date(date_of(cell), str(places or "DD"))
    return rounded(number_of(cell), int(number_of(places)), ROUND_DOWN)


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


@function("mod", NUMBER)
def mod(cell: Cell, divisor: Cell) -> Cell:
    number, by = number_of(cell), number_of(divisor)
    if not by:
        return number
    return (
        number - by * int(number / by)
        if isinstance(number + by, float)
        else int(math.copysign(1, number)) * (abs(number) % abs(by))
    )


@function("divide", NUMBER)
def divide(cell: Cell, divisor: Cell) -> Cell:
    number, by = number_of(cell), number_of(divisor)
    if not by:
        raise OraError(1476)
    if isinstance(number, int) and isinstance(by, int) and number % by == 0:
        return to_cell(number // by)
    return number / by


@function("power", NUMBER)
def power(cell: Cell, exponent: Cell) -> Cell:
    return to_cell(number_of(cell) ** number_of(exponent))


@function("log", NUMBER)
def log(base: Cell, cell: Cell) -> Cell:
    return math.log(number_of(cell)) / math.log(number_of(base))


@function("to_number", NUMBER)
def to_number(cell: Cell, pattern: Cell = "") -> Cell:
    if isinstance(cell, str) and pattern and set(str(pattern).upper()) <= {"X"}:
        return int(cell, 16)
    text = cell.replace(",", "") if isinstance(cell, str) and pattern else cell
    return to_cell(number_of(text))


for name, plain in {
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "ln": math.log,
    "sign": lambda number: (number > 0) - (number < 0),
}.items():
    function(name, NUMBER)(lambda cell, plain=plain: to_cell(plain(number_of(cell))))


@function("bitand", NUMBER)
def bitand(cell: Cell, other: Cell) -> Cell:
    return int(number_of(cell)) & int(number_of(other))


# Text


for name, change in {"upper": str.upper, "lower": str.lower, "initcap": str.title}.items():
    function(name, TEXT)(lambda cell, change=change: change(text_of(cell)))


@function("concat", TEXT, takes_null=True)
def concat(*cells: Cell) -> Cell:
    return "".join(text_of(cell) for cell in cells) or None


@function("length", NUMBER)
def length(cell: Cell) -> Cell:
    return len(text_of(cell))


@function("lengthb", NUMBER)
def lengthb(cell: Cell) -> Cell:
    return len(text_of(cell).encode())


@function("substr", TEXT)
def substr(cell: Cell, start: Cell, count: Cell = 2**31) -> Cell:
    """Return a part of a text; the first character is 1, and a negative start counts from the end."""
    text, first, length = text_of(cell), int(number_of(start)), int(number_of(count))
    begin = first - 1 if first > 0 else (len(text) + first if first else 0)
    if begin < 0 or length < 1:
        return None
    return text[begin : begin + length] or None


@function("instr", NUMBER)
def instr(cell: Cell, part: Cell, start: Cell = 1, occurrence: Cell = 1) -> Cell:
    text, wanted, first = text_of(cell), text_of(part), int(number_of(start))
    found = [position + 1 for position in range(len(text)) if text.startswith(wanted, position)]
    if first < 0:
        found = [position for position in reversed(found) if position <= len(text) + first + 1]
    else:
        found = [position for position in found if position >= first]
    wanted_one = int(number_of(occurrence)) - 1
    return found[wanted_one] if len(found) > wanted_one else 0


@function("replace", TEXT, takes_null=True)
def replace(cell: Cell, old: Cell, new: Cell = None) -> Cell:
    return text_of(cell).replace(text_of(old), text_of(new)) or None if old is not None else cell


@function("translate", TEXT)
def translate(cell: Cell, old: Cell, new: Cell) -> Cell:
    replacements: dict[int, str | None] = {}
    for position, character in enumerate(text_of(old)):
        replacements.setdefault(ord(character), text_of(new)[position : position + 1] or None)
    return text_of(cell).translate(replacements) or None


@function("lpad", TEXT)
def lpad(cell: Cell, size: Cell, filling: Cell = " ") -> Cell:
    text, width = text_of(cell), int(number_of(size))
    missing = max(width - len(text), 0)
    return ((text_of(filling) * missing)[:missing] + text)[:width] or None


@function("rpad", TEXT)
def rpad(cell: Cell, size: Cell, filling: Cell = " ") -> Cell:
    text, width = text_of(cell), int(number_of(size))
    return (text + text_of(filling) * max(width - len(text), 0))[:width] or None


@function("trim", TEXT)
def trim(cell: Cell, characters: Cell = " ") -> Cell:
    return text_of(cell).strip(text_of(characters)) or None


@function("ltrim", TEXT)
def ltrim(cell: Cell, characters: Cell = " ") -> Cell:
    return text_of(cell).lstrip(text_of(characters)) or None


@function("rtrim", TEXT)
def rtrim(cell: Cell, characters: Cell = " ") -> Cell:
    return text_of(cell).rstrip(text_of(characters)) or None


@function("chr", TEXT)
def chr_(cell: Cell) -> Cell:
    return chr(int(number_of(cell)))


@function("ascii", NUMBER)
def ascii_(cell: Cell) -> Cell:
    return ord(text_of(cell)[0])


@function("regexp_like", NUMBER)
def regexp_like(cell: Cell, pattern: Cell, flags: Cell = "c") -> Cell:
    return int(bool(re.search(text_of(pattern), text_of(cell), regexp_flags(flags))))


@function("regexp_replace", TEXT, takes_null=True)
def regexp_replace(cell: Cell, pattern: Cell, new: Cell = None) -> Cell:
    return None if cell is None else re.sub(text_of(pattern), text_of(new), text_of(cell)) or None


@function("regexp_substr", TEXT)
def regexp_substr(cell: Cell, pattern: Cell, start: Cell = 1, occurrence: Cell = 1) -> Cell:
    text = text_of(cell)[int(number_of(start)) - 1 :]
    found = [match[0] for match in re.finditer(text_of(pattern), text)]
    wanted = int(number_of(occurrence))
    return found[wanted - 1] if len(found) >= wanted else None


def regexp_flags(flags: Cell) -> re.RegexFlag:
    return re.IGNORECASE if "i" in text_of(flags) else re.NOFLAG


@function("rawtohex", TEXT)
def rawtohex(cell: Cell) -> Cell:
    return (cell if isinstance(cell, bytes) else text_of(cell).encode()).hex().upper()


@function("hextoraw", OracleType.RAW)
def hextoraw(cell: Cell) -> Cell:
    return bytes.fromhex(text_of(cell))


@function("ora_hash", NUMBER)
def ora_hash(cell: Cell, buckets: Cell = 2**32 - 1) -> Cell:
    return zlib.crc32(text_of(cell).encode()) % (int(number_of(buckets)) + 1)


# Dates


@function("to_char", TEXT)
def to_char(cell: Cell, pattern: Cell = "", language: Cell = "") -> Cell:
    value = from_cell(cell)
    if isinstance(value, datetime):
        return format_date(value, text_of(pattern) or "DD-MON-RR")
    if not pattern:
        return text_of(cell)
    return format_number(number_of(cell), text_of(pattern))


@function("to_date", DATE)
def to_date(cell: Cell, pattern: Cell = "DD-MON-RR", language: Cell = "") -> Cell:
    moment = date_of(cell) if is_date(cell) else parse_date(text_of(cell), text_of(pattern))
    return date_cell(moment.replace(microsecond=0, tzinfo=None))


@function("to_timestamp", TIMESTAMP)
def to_timestamp(cell: Cell, pattern: Cell = "DD-MON-RR HH.MI.SSXFF AM", language: Cell = "") -> Cell:
    moment = date_of(cell) if is_date(cell) else parse_date(text_of(cell), text_of(pattern))
    return date_cell(moment.replace(tzinfo=None))


@function("to_timestamp_tz", TIMESTAMP_TZ)
def to_timestamp_tz(cell: Cell, pattern: Cell = "", language: Cell = "") -> Cell:
    moment = date_of(cell) if is_date(cell) else parse_date(text_of(cell), text_of(pattern))
    return date_cell(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


@function("date_literal", DATE)
def date_literal(cell: Cell) -> Cell:
    return literal(cell)


@function("timestamp_literal", TIMESTAMP)
def timestamp_literal(cell: Cell) -> Cell:
    return literal(cell)


def literal(cell: Cell) -> Cell:
    try:
        return date_cell(datetime.fromisoformat(text_of(cell).strip()))
    except ValueError:
        raise OraError(1861) from None


@function("add_months", DATE)
def add_months(cell: Cell, months: Cell) -> Cell:
    return date_cell(months_later(date_of(cell), int(number_of(months))))


def months_later(moment: datetime, months: int) -> datetime:
    """Return the same day some months later; the last day of a month stays the last day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    is_last = moment.day == calendar.monthrange(moment.year, moment.month)[1]
    return moment.replace(year=year, month=month + 1, day=last if is_last else min(moment.day, last))


@function("last_day", DATE)
def last_day(cell: Cell) -> Cell:
    moment = date_of(cell)
    return date_cell(moment.replace(day=calendar.monthrange(moment.year, moment.month)[1]))


@function("months_between", NUMBER)
def months_between(cell: Cell, other: Cell) -> Cell:
    later, earlier = date_of(cell), date_of(other)
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    if later.day == earlier.day:
        return months
    rest = later.replace(year=2000, month=1) - earlier.replace(year=2000, month=1)
    return months + rest / DAY / 31


@function("sys_extract_utc", TIMESTAMP)
def sys_extract_utc(cell: Cell) -> Cell:
    moment = date_of(cell)
    if moment.tzinfo is None:
        raise OraError(932, expected="TIMESTAMP WITH TIME ZONE", got="DATE")
    return date_cell(moment.astimezone(UTC).replace(tzinfo=None))


@function("at_time_zone", TIMESTAMP_TZ)
def at_time_zone(cell: Cell, zone: Cell) -> Cell:
    moment = date_of(cell)
    return date_cell((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone_of(zone)))


@function("from_tz", TIMESTAMP_TZ)
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


@function("extract", NUMBER)
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


UNITS = {"DAY": DAY, "HOUR": DAY / 24, "MINUTE": DAY / 1440, "SECOND": timedelta(seconds=1)}


@function("numtodsinterval", OracleType.INTERVAL)
def numtodsinterval(cell: Cell, unit: Cell) -> Cell:
    return interval_cell(number_of(cell) * UNITS[text_of(unit).upper()])


@function("numtoyminterval", OracleType.VARCHAR2)
def numtoyminterval(cell: Cell, unit: Cell) -> Cell:
    return f"{MONTHS}{int(number_of(cell) * (12 if text_of(unit).upper() == 'YEAR' else 1))}"


@function("interval_literal", OracleType.INTERVAL)
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


@function("plus", 0)
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


@function("minus", 0)
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


@function("minus_timestamps", OracleType.INTERVAL)
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


@function("cast_text", TEXT)
def cast_text(cell: Cell, size: Cell) -> Cell:
    return text_of(cell)[: int(number_of(size))]


@function("row_limit", NUMBER)
def row_limit(cell: Cell) -> Cell:
    """Return a limit that SQLite understands: to it a negative one is none at all."""
    return max(int(number_of(cell)), 0)


@function("cast_number", NUMBER)
def cast_number(cell: Cell, scale: Cell) -> Cell:
    return to_cell(rounded(number_of(cell), int(number_of(scale)), ROUND_HALF_UP))


# Answered by the engine, which knows who asks and when


@function("sysdate", DATE)
@function("systimestamp", TIMESTAMP_TZ)
@function("current_timestamp_tz", TIMESTAMP_TZ)
@function("user", TEXT)
@function("uid", NUMBER)
@function("sessiontimezone", TEXT)
@function("dbtimezone", TEXT)
@function("current_schema", TEXT)
@function("sys_context", TEXT)
@function("userenv", TEXT)
def of_session(*_: Cell) -> Cell:
    raise NotImplementedError


# Aggregates


class Sample:
    """The numbers of a group."""

    def __init__(self) -> None:
        self.numbers: list[int | float] = []

    def step(self, cell: Cell) -> None:
        if cell is not None:
            self.numbers.append(number_of(cell))


class StandardDeviation(Sample):
    def finalize(self) -> Cell:
        return statistics.stdev(self.numbers) if len(self.numbers) > 1 else 0 if self.numbers else None


class Variance(Sample):
    def finalize(self) -> Cell:
        return statistics.variance(self.numbers) if len(self.numbers) > 1 else 0 if self.numbers else None


class Median(Sample):
    def finalize(self) -> Cell:
        return statistics.median(self.numbers) if self.numbers else None


class ListAggregate:
    """The texts of a group, put together in order."""

    def __init__(self) -> None:
        self.texts: list[tuple[Cell, str]] = []
        self.separator = ""
        self.is_descending = False

    def step(self, cell: Cell, separator: Cell, key: Cell, is_descending: Cell) -> None:
        if cell is not None:
            self.texts.append((key, text_of(cell)))
        self.separator = text_of(separator)
        self.is_descending = bool(is_descending)

    def finalize(self) -> Cell:
        known = [pair for pair in self.texts if pair[0] is not None]
        known.sort(key=lambda pair: pair[0], reverse=self.is_descending)  # type: ignore[arg-type, return-value]
        rest = [pair for pair in self.texts if pair[0] is None]
        return self.separator.join(text for _, text in known + rest) or None


AGGREGATES: dict[str, tuple[type, OracleType]] = {
    "stddev": (StandardDeviation, NUMBER),
    "variance": (Variance, NUMBER),
    "median": (Median, NUMBER),
    "listagg": (ListAggregate, TEXT),
    "ratio_to_report": (Sample, NUMBER),
}

# Names that only rewritten statements use.
INTERNAL = frozenset(
    {"divide", "plus", "minus", "minus_timestamps", "date_literal", "timestamp_literal", "interval_literal"}
    | {"at_time_zone", "extract", "cast_text", "cast_number", "row_limit", "current_timestamp_tz"}
)
