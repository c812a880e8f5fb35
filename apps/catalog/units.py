"""
Units, their dimensions and conversions.

A unit is a numerator with an optional denominator: `bytes`, `GB/day`, `ms`, `per second`, `hours/day`, `%`. Bytes go by
1024, as disks of databases are sized; k, M and G before a count go by 1000. A unit converts within its dimension only.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_KIB = 1024.0

# name -> (dimension, how many of the dimension's base unit it is)
_SIMPLE: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("bytes", "byte", "b"), ("information", 1.0)),
    **dict.fromkeys(("kb", "kib"), ("information", _KIB)),
    **dict.fromkeys(("mb", "mib"), ("information", _KIB**2)),
    **dict.fromkeys(("gb", "gib"), ("information", _KIB**3)),
    **dict.fromkeys(("tb", "tib"), ("information", _KIB**4)),
    **dict.fromkeys(("pb", "pib"), ("information", _KIB**5)),
    **dict.fromkeys(("us", "µs", "microsecond", "microseconds"), ("time", 1e-6)),
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("time", 1e-3)),
    **dict.fromkeys(("cs", "centisecond", "centiseconds"), ("time", 1e-2)),
    **dict.fromkeys(("s", "sec", "second", "seconds"), ("time", 1.0)),
    **dict.fromkeys(("min", "minute", "minutes"), ("time", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("time", 3600.0)),
    **dict.fromkeys(("d", "day", "days"), ("time", 86400.0)),
    **dict.fromkeys(("%", "percent"), ("share", 1.0)),
    "": ("count", 1.0),
    "k": ("count", 1e3),
    "m": ("count", 1e6),
    "g": ("count", 1e9),
}

# what is counted: any of these is a plain number, and only the denominator matters for a conversion
COUNTED = frozenset(
    [
        "blocks",
        "calls",
        "changes",
        "checkpoints",
        "chunks",
        "cores",
        "count",
        "cpus",
        "cursors",
        "enqueues",
        "entries",
        "errors",
        "events",
        "executions",
        "faults",
        "fetches",
        "files",
        "frames",
        "interrupts",
        "ios",
        "iops",
        "logons",
        "lookups",
        "nodes",
        "objects",
        "operations",
        "packets",
        "pages",
        "parses",
        "processes",
        "reads",
        "records",
        "requests",
        "retries",
        "rollbacks",
        "rows",
        "scans",
        "segments",
        "servers",
        "sessions",
        "sockets",
        "sorts",
        "statements",
        "switches",
        "tables",
        "threads",
        "transactions",
        "trips",
        "users",
        "waits",
        "writes",
    ]
)


LONGEST = 80  # characters of a unit


class UnknownUnit(ValueError):
    """This is not a unit, or not one of the dimension that is wanted."""


@dataclass(frozen=True)
class Unit:
    """A parsed unit: `dimension` such as "information/time" and the factor to the base units of that dimension."""

    dimension: str
    factor: float


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    """Read a unit as people and the catalogue write it. Raises UnknownUnit."""
    if len(text) > LONGEST:
        raise UnknownUnit(f"“{text[:20]}…” is not a unit.")
    words = text.strip().lower()
    words = re.sub(r"^(?:(\S.*?)\s+)?per\s+", lambda match: f"{match[1] or ''}/", words)
    numerator, slash, denominator = words.partition("/")
    dimension, factor = _simple(numerator.strip(), text)
    if not slash:
        return Unit(dimension, factor)
    if not denominator.strip():
        raise UnknownUnit(f"“{text}” is not a unit.")
    below, divisor = _simple(denominator.strip(), text)
    return Unit(f"{dimension}/{below}", factor / divisor)


def _simple(word: str, whole: str) -> tuple[str, float]:
    if word in _SIMPLE:
        return _SIMPLE[word]
    if word.startswith("% "):  # "% of cores" is a share whatever it is a share of
        return _SIMPLE["%"]
    multiple, _, counted = word.rpartition(" ")
    if multiple in ("", "k", "m", "g") and (counted in COUNTED or f"{counted}s" in COUNTED):
        return "count", _SIMPLE[multiple][1]
    raise UnknownUnit(f"“{whole}” is not a unit.")


def dimension_of(unit: str) -> str:
    """The dimension of a unit; empty where a technology counts in words of its own."""
    try:
        return parse_unit(unit).dimension
    except UnknownUnit:
        return ""


def convert(value: float, unit: str, target_unit: str) -> float:
    """The value in another unit of the same dimension. Raises UnknownUnit where the dimensions differ."""
    if unit == target_unit:
        return value
    have, want = parse_unit(unit), parse_unit(target_unit)
    if have.dimension != want.dimension:
        raise UnknownUnit(f"“{unit}” cannot be turned into “{target_unit}”.")
    return value * (have.factor / want.factor)


DIGITS = 10_000.0  # a figure from there on is written in the next larger unit
_SIZES = ("bytes", "kB", "MB", "GB", "TB", "PB")
_PREFIXES = ("", "k", "M", "G")


def readable_unit(unit: str, peak: float) -> str:
    """The unit in which figures up to `peak` have at most four digits: "GB/day" for MB, "M blocks/day" for blocks."""
    numerator, per, rest = re.sub(r"^(\S*) ?per ", r"\1/", unit.strip()).partition("/")
    ladder = _ladder(numerator) if dimension_of(unit) else []
    at = 0
    while peak >= DIGITS and at + 1 < len(ladder):
        larger = f"{ladder[at + 1]}{per}{rest}"
        peak = convert(peak, unit, larger)
        unit, at = larger, at + 1
    return unit


def _ladder(numerator: str) -> list[str]:
    """A unit before its denominator and the larger ones of its kind; itself alone where there are none."""
    size = next((at for at, name in enumerate(_SIZES) if name.lower() == numerator.lower()), None)
    if size is not None:
        return [numerator, *_SIZES[size + 1 :]]
    prefix, _, counted = numerator.rpartition(" ")
    if numerator in _PREFIXES:
        prefix, counted = numerator, ""
    elif prefix not in _PREFIXES or counted not in COUNTED:
        return [numerator]
    larger = _PREFIXES[_PREFIXES.index(prefix) + 1 :]
    return [numerator, *(f"{name} {'' if counted == 'count' else counted}".strip() for name in larger)]
