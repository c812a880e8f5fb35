"""How a number, a change, a day and a chance are written, in the style of whoever reads it."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from apps.charts.reader import style

SPACE = "\u00a0"  # no-break: a figure never leaves its unit
MINUS = "\u2212"
MISSING = "\u2013"
LARGEST_WRITTEN = 1e15  # larger figures are written with a power of ten

_BYTES = {"bytes": 0, "B": 0, "kB": 1, "MB": 2, "GB": 3, "TB": 4, "PB": 5}
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FIGURE_IN_TEXT = re.compile(
    r"(?<![Bb]efore )(?<![Ff]rom )(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w.]*\.\d)(?![^{]*\})"
)  # none of several points, and no name of a parameter


def _round(value: float, places: int) -> Decimal:
    """Half away from zero, of the digits a person would see, so that 0.285 is 0.29."""
    return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _write(value: Decimal) -> str:
    return style().marked(_unmark(value))


def _unmark(value: Decimal) -> str:
    text = f"{abs(value):,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{MINUS}{text}" if value < 0 and text != "0" else text


@lru_cache(maxsize=1 << 14)
def _digits(value: float, places: int) -> str:
    """Kept, because a page writes a figure in its table, its chart and its cells."""
    return _unmark(_round(value, places))


def whole(count: float) -> str:
    """A number without decimals: `1,234`."""
    return style().marked(f"{count:,.0f}")


def fixed(value: float, places: int) -> str:
    """Always so many decimals: `17.0` hours."""
    return style().marked(f"{abs(value):,.{places}f}") if value >= 0 else f"{MINUS}{fixed(-value, places)}"


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
        return style().marked(f"{value:.3g}").replace("-", MINUS)
    text = style().marked(_digits(value, _places(value)))
    if value and text == "0":
        least = style().marked("0.01")
        return f"< {least}" if value > 0 else f"> {MINUS}{least}"
    if apart_from is not None and value != apart_from and text == figure(apart_from):
        for places in range(_places(value) + 1, 10):
            longer = _write(_round(value, places))
            if longer != _write(_round(apart_from, places)):
                return longer
    return text


def exact(value: float | None, unit: str = "") -> str:
    """All digits worth having, with the unit, and the bytes of a size: what the tooltip says."""
    if value is None or value != value:
        return "no data"
    size, _, per = unit.partition("/")
    if _BYTES.get(size) and abs(value) < LARGEST_WRITTEN:
        count = int(_round(value * 1024 ** _BYTES[size], 0))
        amount = _write(_round(value, _places(value)))
        return f"{amount}{SPACE}{unit} ({whole(count)} bytes{' per ' + per if per else ''})"
    digits = f"{value:.9g}"
    text = _write(Decimal(digits))
    return f"{text}{SPACE}{unit}" if unit else text


def delta(percent: float | None) -> str:
    """A change in percent without the sign of percent: `+20.0`, `−4.8`, `+100`, `0`."""
    if percent is None or percent != percent:
        return MISSING
    value = _round(percent, 1)
    if abs(value) >= 100:
        value = _round(percent, 0)
    if not value:
        return "0"
    return f"{'+' if value > 0 else MINUS}{style().marked(f'{abs(value):,f}')}"


def is_big(percent: float | None) -> bool:
    """Worth ink: a change of 10 % or more."""
    return percent is not None and abs(percent) >= 10


def decimals(text: str) -> int:
    """How many places stand behind the point; only the last figure of the text counts."""
    point = style().decimal
    places = text.rpartition(point)[2] if point in text else ""
    return len(places) if places.isdigit() else 0


def pad(text: str, places: int) -> str:
    """The invisible text that puts this figure's point under the others': `.00` behind `2`, `0` behind `2.1`."""
    own = decimals(text)
    if not places or not text[-1:].isdigit():
        return ""
    return style().decimal + "0" * places if not own else "0" * (places - own)


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
        return f"over {whole(over)}{'+' if is_over_all_kept else ''}{SPACE}d"
    if days is None:
        return MISSING
    if days > horizon:
        return f">{SPACE}{horizon}{SPACE}d"
    return f"{int(days)}{SPACE}d"


def slack(days: float | None) -> str:
    """Days to breach less days needed to act, with its sign."""
    if days is None:
        return MISSING
    left = int(days)
    return f"{'+' if left > 0 else MINUS if left < 0 else ''}{whole(abs(left))}{SPACE}d"


def chance(share: float | None, least: float = 0.07, most: float = 0.95) -> str:
    """`71 %`; never 0 or 100, because no forecast knows that."""
    if share is None or share != share:
        return MISSING
    if share < least:
        return f"<{SPACE}{round(least * 100)}{SPACE}%"
    if share > most:
        return f">{SPACE}{round(most * 100)}{SPACE}%"
    return f"{int(_round(share * 100, 0))}{SPACE}%"


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
        return f"<{SPACE}{fixed(0.1, 1)}{SPACE}s" if seconds else f"0{SPACE}s"
    if seconds < 120:
        places = 1 if seconds < 10 else 0
        return f"{_write(_round(seconds, places))}{SPACE}s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    pairs = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    first = next(index for index, (count, _) in enumerate(pairs) if count)
    return " ".join(f"{count}{SPACE}{unit}" for count, unit in pairs[first : first + 2] if count)


def _write_day(day: date, name: str, today: date | None) -> str:
    """Day and month in the reader's order, with the year when that is not the one of `today`."""
    order = style().order
    if order == "year":
        return day.isoformat()
    has_year = today is not None and day.year != today.year
    if order == "month":
        return f"{name}{SPACE}{day.day}{f',{SPACE}{day.year}' if has_year else ''}"
    return f"{day.day}{style().names.ordinal}{SPACE}{name}{f'{SPACE}{day.year}' if has_year else ''}"


def short_day(day: date | None, today: date | None = None) -> str:
    """`14 Mar`, with its year when that is not the one of `today`."""
    return MISSING if day is None else _write_day(day, style().names.short_months[day.month - 1], today)


def long_day(day: date | None, today: date | None = None) -> str:
    """`14 March`, as in a sentence."""
    return MISSING if day is None else _write_day(day, style().names.months[day.month - 1], today)


def day_span(first: date, last: date) -> str:
    """`29–31 Aug` of days in a row, `29 Aug – 2 Sep` over the end of a month, `29 Aug` of a single one."""
    if first == last:
        return short_day(first)
    if style().order == "day" and (first.year, first.month) == (last.year, last.month):
        return f"{first.day}{style().names.ordinal}–{short_day(last)}"
    return f"{short_day(first)} – {short_day(last)}"


def full_day(day: date) -> str:
    """`Tue 17 Feb 2026`, as in a day picker."""
    names, order = style().names, style().order
    weekday, name = names.short_weekdays[day.weekday()], names.short_months[day.month - 1]
    if order == "year":
        return f"{weekday} {day.isoformat()}"
    return (
        f"{weekday} {name} {day.day}, {day.year}"
        if order == "month"
        else f"{weekday} {day.day}{names.ordinal} {name} {day.year}"
    )


def moment(at: datetime) -> str:
    """`17 Feb 02:03`, in the reader's zone where they chose one, else in that of the moment."""
    zone = style().zone
    local = at.astimezone(zone) if zone is not None and at.tzinfo is not None else at
    return f"{short_day(local.date())} {local:%H:%M}"


def ticks_of_days() -> tuple[str, str]:
    """How Plotly writes a day on the axis, the year below where it changes, and a day that is pointed at."""
    ordinal = style().names.ordinal
    return {
        "day": (f"%-d{ordinal} %b\n%Y", f"%a %-d{ordinal} %b %Y"),
        "month": ("%b %-d\n%Y", "%a %b %-d, %Y"),
        "year": ("%m-%d\n%Y", "%a %Y-%m-%d"),
    }[style().order]


def month(day: date, *, has_year: bool = False) -> str:
    """`Jan 2026` for a January or where the year is wanted, else `Feb`."""
    name = style().names.short_months[day.month - 1]
    return f"{name} {day.year}" if has_year or day.month == 1 else name


def day_and_year(day: date) -> str:
    """`17 Feb 2026`."""
    return _write_day(day, style().names.short_months[day.month - 1], date(day.year - 1, 1, 1))


def threshold(notation: str) -> str:
    """A limit as it was typed, with the signs of print, thousands separated, in the reader's marks."""
    printed = notation.replace("<=", "≤").replace(">=", "≥").replace("-", MINUS)
    return _NUMBER.sub(lambda number: style().marked(_separated(number[0])), printed)


def mark_figures(text: str) -> str:
    """A text of ours with its figures in the reader's marks; versions, after *from* and *before*, stay as they are."""
    return _FIGURE_IN_TEXT.sub(lambda number: style().marked(number[0]), text)


def _separated(number: str) -> str:
    whole, point, rest = number.replace(",", "").partition(".")
    return f"{int(whole):,}{point}{rest}"
