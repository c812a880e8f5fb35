"""
What people type for a limit, in the notation of the method (docs/method.md, Thresholds and violations; no Django).

`2` or `<=2` at most · `<1.5` below · `>=95` at least · `>90` above · `0` or `eliminate` must not occur · `10..20` within ·
`no change` inside the baseline's 5th to 95th percentile · `?` not decided · `10ms (Reads) 2ms (Write)` makes two ·
`<=95 % unless >=50 GB free`, or `over 95 % and less than 50 GB free`: it fires only where both are broken.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from apps.catalog.units import UnknownUnit, convert, parse_unit

LONGEST = 80  # characters
LARGEST = 1e20  # nothing that is counted comes near it
SIGNIFICANT = 9  # digits to which both sides are rounded before they are compared


class Form(StrEnum):
    AT_MOST = "at_most"
    BELOW = "below"
    AT_LEAST = "at_least"
    ABOVE = "above"
    ELIMINATE = "eliminate"
    WITHIN = "within"
    NO_CHANGE = "no_change"
    UNDECIDED = "undecided"

    @property
    def is_upper(self) -> bool:
        """Whether more is worse, where a limit has one edge."""
        return self in UPPER

    @property
    def allows_limit(self) -> bool:
        """Whether the limit itself is still comfortable."""
        return self not in (Form.BELOW, Form.ABOVE)


UPPER = frozenset({Form.AT_MOST, Form.BELOW, Form.ELIMINATE})
LOWER = frozenset({Form.AT_LEAST, Form.ABOVE})


class LimitSide(StrEnum):
    """On which side of what is limited comfort ends."""

    UPPER = "upper"
    LOWER = "lower"
    BOTH = "both"
    NONE = ""  # of a limit that never fires


class BadNotation(ValueError):
    """This is not a limit; the message names what was given and what is expected."""


@dataclass(frozen=True)
class Limit:
    """A limit in a unit: `high` bounds from above, `low` from below; `qualifier` is the word in brackets."""

    form: Form
    low: float | None = None
    high: float | None = None
    qualifier: str = ""
    second: "Second | None" = None  # must be broken too

    @property
    def side(self) -> LimitSide:
        if self.form in UPPER:
            return LimitSide.UPPER
        if self.form in LOWER:
            return LimitSide.LOWER
        return LimitSide.NONE if self.form is Form.UNDECIDED else LimitSide.BOTH

    @property
    def edge(self) -> float | None:
        """The bound that is drawn and counted to: that from above where there is one; None for a limit without a number."""
        return self.high if self.high is not None else self.low

    @property
    def is_upper(self) -> bool:
        """Whether comfort lies below that bound."""
        return self.high is not None or self.low is None

    @property
    def beyond(self) -> Literal["above", "below"]:
        """Where that bound is passed, in the word of the charts."""
        return "above" if self.is_upper else "below"

    def is_beyond(self, value: float | None, gap: float = 0.0, second: float | None = None) -> bool:
        """
        Whether a value breaks the limit; None stands for "did not occur".

        `gap` is a share by which the value must be inside to count as recovered: 0.05 asks for 95 of a limit of 100.
        `second` is the value of the second statistic: while it is inside its own limit nothing is broken.
        """
        if not self.breaks(value, gap):
            return False
        return self.second is None or second is None or self.second.limit.is_beyond(second, gap)

    def breaks(self, value: float | None, gap: float = 0.0) -> bool:
        """Whether a value breaks this limit, whatever a second condition says."""
        if self.form in (Form.UNDECIDED, Form.NO_CHANGE) and self.low is None and self.high is None:
            return False
        if value is None:
            return False
        number = significant(value)
        if self.form is Form.ELIMINATE:
            return number > 0
        high = None if self.high is None else significant(self.high - gap * abs(self.high))
        low = None if self.low is None else significant(self.low + gap * abs(self.low))
        if high is not None and (number >= high if self.form is Form.BELOW else number > high):
            return True
        return low is not None and (number <= low if self.form is Form.ABOVE else number < low)


@dataclass(frozen=True)
class Second:
    """A second condition: the limit of another statistic of the same component, in its unit; `word` is its name here."""

    metric: str
    limit: Limit
    unit: str
    word: str


@dataclass(frozen=True)
class Companion:
    """A statistic that a second condition may name."""

    metric: str
    unit: str


def significant(value: float) -> float:
    """The value rounded to the digits that are compared."""
    return float(f"{value:.{SIGNIFICANT}g}")


_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?"
_SINGLE = re.compile(rf"^(?P<sign><=|≤|<|>=|≥|>|)\s*(?P<number>{_NUMBER})\s*(?P<unit>[^()\d]*)$")
_RANGE = re.compile(
    rf"^(?P<low>{_NUMBER})\s*(?P<unit_low>[^()\d.]*?)\s*(?:\.\.|…)\s*(?P<high>{_NUMBER})\s*(?P<unit>[^()\d]*)$"
)
_SPLIT = re.compile(r"([^()]+)\(([^()]+)\)\s*")

_FORMS = {
    "": Form.AT_MOST,
    "<=": Form.AT_MOST,
    "≤": Form.AT_MOST,
    "<": Form.BELOW,
    ">=": Form.AT_LEAST,
    "≥": Form.AT_LEAST,
    ">": Form.ABOVE,
}
_EXAMPLES = "for example 2, <1.5, >=95, 0, 10..20, no change or ?"


_BOTH = re.compile(
    r"^(?:over|above|more than)\s+(?P<first>.+?)\s+and\s+(?:less than|under|below)\s+(?P<second>.+)$",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"\s+(?:unless|or)\s+", re.IGNORECASE)
_NAMED_LIMIT = re.compile(
    rf"^(?P<limit>(?:<=|≤|<|>=|≥|>|)\s*{_NUMBER}.*?)\s*\b(?P<word>[a-z][a-z0-9_]*)$", re.IGNORECASE
)


def parse_notation(
    text: str, unit: str, of: str = "this statistic", companions: Mapping[str, Companion] | None = None
) -> list[Limit]:
    """
    The limits that a text stands for, in `unit` (the one the profile shows). Raises BadNotation.

    A text has one limit, or several with a word in brackets behind each, or one with a second condition on one of the
    `companions`, which are statistics by the word that names them.
    """
    words = text.strip()
    if len(words) > LONGEST:
        raise BadNotation(
            f"“{words[:20]}…” has {len(words):,} characters; give a limit in at most {LONGEST}, {_EXAMPLES}."
        )
    both = _BOTH.match(words)
    if both is not None:
        words = f"<={both['first']} unless >={both['second']}"
    elif re.search(r"\d.*\sand\s", words):
        raise BadNotation(
            f"“{words}” can be read in two ways; for a limit that fires only where both are broken write it as"
            f" <=95 % unless >=50 GB free."
        )
    parts = _UNLESS.split(words)
    if len(parts) > 1:
        return [_with_second(parts, words, unit, of, companions or {})]
    if not words:
        raise BadNotation(f"Give a limit in {_named(unit)}, {_EXAMPLES}.")
    if "(" in words:
        return _split(words, unit, of)
    return [_parse_single(words, unit, of)]


def _with_second(
    parts: list[str], words: str, unit: str, of: str, companions: Mapping[str, Companion]
) -> Limit:
    if len(parts) > 2:
        raise BadNotation(f"“{words}” has more than two conditions; give at most two.")
    if not companions:
        raise BadNotation(
            f"{of} has no other statistic to go with it; give one limit, without a second condition."
        )
    first = _parse_single(parts[0].strip(), unit, of)
    names = " or ".join(companions)
    match = _NAMED_LIMIT.match(parts[1].strip())
    companion = companions.get(match["word"].casefold()) if match else None
    if match is None or companion is None:
        raise BadNotation(
            f"“{parts[1].strip()}” does not say what it is a limit of; end it with {names},"
            f" for example <=95 % unless >=50 GB {next(iter(companions))}."
        )
    second = _parse_single(match["limit"].strip(), companion.unit, f"“{match['word']}”")
    for limit, written in ((first, parts[0]), (second, parts[1])):
        if limit.form not in UPPER | LOWER or limit.form is Form.ELIMINATE:
            raise BadNotation(
                f"“{written.strip()}” cannot be one of two conditions; each is a number with <, <=, > or >= before it."
            )
    return replace(first, second=Second(companion.metric, second, companion.unit, match["word"].casefold()))


def _split(words: str, unit: str, of: str) -> list[Limit]:
    parts = _SPLIT.findall(words)
    if not parts or _SPLIT.sub("", words).strip():
        raise BadNotation(f"“{words}” is not a limit; a split one is written 10ms (Reads) 2ms (Write).")
    limits = []
    for part, qualifier in parts:
        limit = _parse_single(part.strip(), unit, of)
        limits.append(Limit(limit.form, limit.low, limit.high, qualifier.strip()))
    return limits


def _parse_single(words: str, unit: str, of: str) -> Limit:
    plain = " ".join(words.casefold().split())
    if plain == "?":
        return Limit(Form.UNDECIDED)
    if plain == "eliminate":
        return Limit(Form.ELIMINATE, high=0.0)
    if plain == "no change":
        return Limit(Form.NO_CHANGE)
    span = _RANGE.match(words)
    if span:
        shared = span["unit"].strip()
        low = _in_unit(span["low"], span["unit_low"].strip() or shared, unit, of)
        high = _in_unit(span["high"], shared or span["unit_low"].strip(), unit, of)
        if low > high:
            raise BadNotation(
                f"“{words}” begins above its end; give the smaller number first, for example 10..20."
            )
        return Limit(Form.WITHIN, low, high)
    match = _SINGLE.match(words)
    if ".." in words or "…" in words:
        raise BadNotation(f"“{words}” is not a range; give both of its ends, for example 10..20.")
    if match is None:
        if re.search(r"\d,\d", words):
            raise BadNotation(f"“{words}” has a comma; write decimals with a point, for example <1.5.")
        raise BadNotation(f"“{words}” is not a limit. Give a number in {_named(unit)}, {_EXAMPLES}.")
    value = _in_unit(match["number"], match["unit"].strip(), unit, of)
    form = _FORMS[match["sign"]]
    if not match["sign"] and value == 0:
        return Limit(Form.ELIMINATE, high=0.0)
    if form in UPPER:
        return Limit(form, high=value)
    return Limit(form, low=value)


def _in_unit(number: str, typed: str, unit: str, of: str) -> float:
    value = float(number.replace(",", ""))
    if abs(value) > LARGEST:
        raise BadNotation(f"“{number}” is too large a number. Give a limit in {_named(unit)}, {_EXAMPLES}.")
    if not typed:
        return value
    try:
        typed_dimension, own = parse_unit(typed).dimension, parse_unit(unit).dimension
        if typed_dimension == "count" and own.startswith("count/"):  # 19 M of a statistic counted per day
            return convert(value, typed, "count") / (parse_unit(unit).factor / parse_unit(_per(unit)).factor)
        return convert(value, typed, unit)
    except UnknownUnit:
        raise BadNotation(
            f"“{number} {typed}” is not a unit of {of}. Give it in {_named(unit)}, for example <{number} {unit}."
        ) from None


def _per(unit: str) -> str:
    """The plain rate behind a unit such as k executions/s: what is counted, per the same stretch of time."""
    _, _, stretch = unit.replace("per ", "/").partition("/")
    return f"count/{stretch.strip()}"


def _named(unit: str) -> str:
    return unit or "plain numbers"


def says_unit(notation: str) -> bool:
    """Whether a limit names the unit of its numbers, as `<5 ms` does."""
    return any(letter.isalpha() or letter == "%" for letter in notation)
