"""How a number, a change, a day and a chance are written."""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

SPACE = "\u00a0"  # no-break: a figure never leaves its unit
MINUS = "\u2212"
MISSING = "\u2013"
LARGEST_WRITTEN = 1e15  # larger figures are written with a power of ten

_BYTES = {"bytes": 0, "B": 0, "kB": 1, "MB": 2, "GB": 3, "TB": 4, "PB": 5}
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def _rounded(value: float, places: int) -> Decimal:
    """Half away from zero, of the digits a person would see, so that 0.285 is 0.29."""
    return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _written(value: Decimal) -> str:
    text = f"{abs(value):,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{MINUS}{text}" if value < 0 and text != "0" else text


def _places(value: float) -> int:
    """The decimals that three significant digits need, at most two."""
    size = abs(value)
    return 2 if size < 10 else 1 if size < 100 else 0


def figure(value: float | None, apart_from: float | None = None) -> str:
    """
    Two or three significant digits, at most two decimals, whole from 100 on; a dash where there is none.

    Where these digits would make the figure look like the limit it differs from, more are shown.
    """
    if value is None or value != value:
        return MISSING
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else f"{MINUS}∞"
    if abs(value) >= LARGEST_WRITTEN:
        return f"{value:.3g}".replace("-", MINUS)
    text = _written(_rounded(value, _places(value)))
    if value and text == "0":
        return "< 0.01" if value > 0 else f"> {MINUS}0.01"
    if apart_from is not None and value != apart_from and text == figure(apart_from):
        for places in range(_places(value) + 1, 10):
            longer = _written(_rounded(value, places))
            if longer != _written(_rounded(apart_from, places)):
                return longer
    return text


def exact(value: float | None, unit: str = "") -> str:
    """All digits worth having, with the unit, and the bytes of a size: what the tooltip says."""
    if value is None or value != value:
        return "no data"
    size, _, per = unit.partition("/")
    if _BYTES.get(size) and abs(value) < LARGEST_WRITTEN:
        count = int(_rounded(value * 1024 ** _BYTES[size], 0))
        shown = _written(_rounded(value, _places(value)))
        return f"{shown}{SPACE}{unit} ({count:,} bytes{' per ' + per if per else ''})"
    digits = f"{value:.9g}"
    text = _written(Decimal(digits))
    return f"{text}{SPACE}{unit}" if unit else text


def delta(percent: float | None) -> str:
    """A change in percent without the sign of percent: `+20.0`, `−4.8`, `+100`, `0`."""
    if percent is None or percent != percent:
        return MISSING
    value = _rounded(percent, 1)
    if abs(value) >= 100:
        value = _rounded(percent, 0)
    if not value:
        return "0"
    return f"{'+' if value > 0 else MINUS}{abs(value):,f}"


def is_big(percent: float | None) -> bool:
    """Worth ink: a change of 10 % or more."""
    return percent is not None and abs(percent) >= 10


def decimals(text: str) -> int:
    """How many places stand behind the point; only the last figure of the text counts."""
    places = text.rpartition(".")[2] if "." in text else ""
    return len(places) if places.isdigit() else 0


def pad(text: str, places: int) -> str:
    """The invisible text that puts this figure's point under the others': `.00` behind `2`, `0` behind `2.1`."""
    own = decimals(text)
    if not places or not text[-1:].isdigit():
        return ""
    return "." + "0" * places if not own else "0" * (places - own)


def pads(texts: Iterable[str]) -> list[str]:
    """The invisible text of each figure of a column."""
    listed = list(texts)
    places = max((decimals(text) for text in listed if text[-1:].isdigit()), default=0)
    return [pad(text, places) for text in listed]


def days_left(
    days: float | None, *, over: int | None = None, is_over_all_kept: bool = False, horizon: int = 90
) -> str:
    """`25 d`, `> 90 d`, `over 8 d`, `over 90+ d`, or a dash where nothing can be said."""
    if over is not None:
        return f"over {over:,}{'+' if is_over_all_kept else ''}{SPACE}d"
    if days is None:
        return MISSING
    if days > horizon:
        return f">{SPACE}{horizon}{SPACE}d"
    return f"{int(days)}{SPACE}d"


def slack(days: float | None) -> str:
    """Days to breach less days needed to act, with its sign."""
    if days is None:
        return MISSING
    whole = int(days)
    return f"{'+' if whole > 0 else MINUS if whole < 0 else ''}{abs(whole):,}{SPACE}d"


def chance(share: float | None, least: float = 0.07, most: float = 0.95) -> str:
    """`71 %`; never 0 or 100, because no forecast knows that."""
    if share is None or share != share:
        return MISSING
    if share < least:
        return f"<{SPACE}{round(least * 100)}{SPACE}%"
    if share > most:
        return f">{SPACE}{round(most * 100)}{SPACE}%"
    return f"{int(_rounded(share * 100, 0))}{SPACE}%"


def percent(value: float | None) -> str:
    """A figure that is in percent already."""
    text = figure(value)
    return text if text == MISSING else f"{text}{SPACE}%"


def bytes_text(count: float | None) -> str:
    """A size in the unit that keeps it short, by 1024: `3.4 TB`."""
    if count is None or count != count:
        return MISSING
    size, unit = float(count), "bytes"
    for name in ("kB", "MB", "GB", "TB", "PB"):
        if abs(size) < 1000:
            break
        size, unit = size / 1024, name
    return f"{figure(size)}{SPACE}{unit}"


def seconds_text(seconds: float | None) -> str:
    """A duration: `0.3 s`, `41 s`, `2 min 5 s`, `17 h 48 min`."""
    if seconds is None or seconds != seconds:
        return MISSING
    if seconds < 0.1:
        return f"<{SPACE}0.1{SPACE}s" if seconds else f"0{SPACE}s"
    if seconds < 120:
        places = 1 if seconds < 10 else 0
        return f"{_written(_rounded(seconds, places))}{SPACE}s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    pairs = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    first = next(index for index, (count, _) in enumerate(pairs) if count)
    return " ".join(f"{count}{SPACE}{unit}" for count, unit in pairs[first : first + 2] if count)


def short_day(day: date | None, today: date | None = None) -> str:
    """`14 Mar`, with its year when that is not the one of `today`."""
    if day is None:
        return MISSING
    year = f"{SPACE}{day.year}" if today is not None and day.year != today.year else ""
    return f"{day.day}{SPACE}{_MONTHS[day.month - 1][:3]}{year}"


def long_day(day: date | None, today: date | None = None) -> str:
    """`14 March`, as in a sentence."""
    if day is None:
        return MISSING
    year = f"{SPACE}{day.year}" if today is not None and day.year != today.year else ""
    return f"{day.day}{SPACE}{_MONTHS[day.month - 1]}{year}"


def full_day(day: date) -> str:
    """`Tue 17 Feb 2026`, as in a day picker."""
    return f"{_DAYS[day.weekday()][:3]} {day.day} {_MONTHS[day.month - 1][:3]} {day.year}"


def month(day: date) -> str:
    """`Jan 2026` for a January, else `Feb`."""
    name = _MONTHS[day.month - 1][:3]
    return f"{name} {day.year}" if day.month == 1 else name


def threshold(notation: str) -> str:
    """A limit as it was typed, with the signs of print."""
    return notation.replace("<=", "≤").replace(">=", "≥").replace("-", MINUS)
