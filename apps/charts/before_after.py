"""A figure, its limit and two forecasts: one in grey, as it is or was, one in blue, and when each reaches the limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts.bars import FanPoint, ticks
from apps.charts.figures import figure, month, short_day
from apps.charts.svg import number, tag, text

WIDTH, HEIGHT = 800.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 10.0, 30.0, 24.0
LETTER = 6.2


@dataclass(frozen=True)
class Course:
    """What is expected, under a name, and the days on which it reaches the limit; without days it does not."""

    name: str
    points: Sequence[FanPoint]
    soonest: date | None = None
    likely: date | None = None
    latest: date | None = None


@dataclass(frozen=True)
class _Sheet:
    first: date
    last: date
    low: float
    high: float

    def x(self, day: date) -> float:
        share = (day - self.first).days / max((self.last - self.first).days, 1)
        return LEFT + min(max(share, 0.0), 1.0) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - min(max(share, 0.0), 1.0) * (HEIGHT - TOP - BOTTOM)


def before_after(
    days: Sequence[date],
    values: Sequence[float | None],
    before: Course,
    after: Course,
    *,
    change_on: date,
    change_text: str,
    limit: float | None = None,
    unit: str = "",
    label: str = "",
) -> str:
    """What was measured, then both courses; nothing where nothing was measured."""
    measured = [(day, value) for day, value in zip(days, values, strict=True) if value is not None]
    if not measured:
        return ""
    sheet = _sheet(measured, before, after, limit)
    parts = [*_grid(sheet), _fan(sheet, before, "course-before-fan"), _fan(sheet, after, "outlook-fan")]
    parts.append(_line(sheet, [point[:2] for point in before.points], "course-before"))
    parts.append(_line(sheet, measured, "outlook-line"))
    parts.append(_line(sheet, [point[:2] for point in after.points], "course-after"))
    parts.append(_mark(sheet, measured[-1][0], "today", "outlook-today"))
    parts.append(_mark(sheet, change_on, f"{short_day(change_on)}, {change_text}", "course-change", 13))
    if limit is not None:
        y = sheet.y(limit)
        parts.append(
            tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", class_="limit-line")
        )
        parts.append(text(f"limit {figure(limit)} {unit}".rstrip(), LEFT + 4, y - 5))
        parts += _breach(sheet, before, y, "before", -18)
        parts += _breach(sheet, after, y, "after", 16)
    return tag(
        "svg",
        parts,
        class_="drawing before-after",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        role="img" if label else None,
        aria_label=label or None,
        aria_hidden=None if label else "true",
    )


def _sheet(
    measured: Sequence[tuple[date, float]], before: Course, after: Course, limit: float | None
) -> _Sheet:
    """All that is measured and expected fits, and the limit; a fan that opens far beyond them is cut at the edge."""
    points = [*before.points, *after.points]
    values = (
        [value for _, value in measured] + [point[1] for point in points] + ([] if limit is None else [limit])
    )
    low, high = min(values), max(values)
    room = (high - low) or abs(high) or 1.0
    last = max([measured[-1][0], *(point[0] for point in points)])
    ground = low - 0.15 * room
    return _Sheet(measured[0][0], last, 0.0 if low >= 0 > ground else ground, high + 0.15 * room)


def _grid(sheet: _Sheet) -> list[str]:
    parts = []
    for value in ticks(sheet.low, sheet.high):
        y = sheet.y(value)
        parts.append(
            tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", class_="grid-line")
        )
        parts.append(text(figure(value), LEFT - 6, y + 4, class_="t-quiet end"))
    first = date.fromordinal(sheet.first.toordinal())
    for day in (date.fromordinal(at) for at in range(first.toordinal(), sheet.last.toordinal() + 1)):
        if day.day == 1:
            parts.append(text(month(day), sheet.x(day), HEIGHT - 6, class_="t-quiet mid"))
    return parts


def _fan(sheet: _Sheet, course: Course, css: str) -> str:
    if not course.points:
        return ""
    upper = [f"{number(sheet.x(point[0]))} {number(sheet.y(point[3]))}" for point in course.points]
    lower = [f"{number(sheet.x(point[0]))} {number(sheet.y(point[2]))}" for point in reversed(course.points)]
    return tag("path", d=f"M{'L'.join([*upper, *lower])}Z", class_=css)


def _line(sheet: _Sheet, points: Sequence[tuple[date, float]], css: str) -> str:
    if not points:
        return ""
    places = [f"{number(sheet.x(day))} {number(sheet.y(value))}" for day, value in points]
    return tag("path", d=f"M{'L'.join(places)}", class_=css)


def _mark(sheet: _Sheet, day: date, words: str, css: str, above: float = 0.0) -> str:
    x, y = sheet.x(day), TOP - 6 - above
    is_late = x + len(words) * LETTER > WIDTH
    line = tag("path", d=f"M{number(x)} {number(y + 2)}V{number(HEIGHT - BOTTOM)}", class_=css)
    return line + text(words, x - 4 if is_late else x + 4, y, class_="t-quiet end" if is_late else "t-quiet")


def _breach(sheet: _Sheet, course: Course, y: float, css: str, offset: float) -> list[str]:
    """The days on which the limit is reached as a bar on it, the likely one a dot with its words."""
    if course.likely is None:
        return []
    left = sheet.x(course.soonest or course.likely)
    right = sheet.x(course.latest or sheet.last)
    x = sheet.x(course.likely)
    sentence = f"{course.name} {short_day(course.likely)}"
    half = len(sentence) * LETTER / 2
    at = min(max(x, LEFT + half), WIDTH - RIGHT - half)
    return [
        tag("path", d=f"M{number(left)} {number(y)}H{number(right)}", class_=f"breach-{css}"),
        tag("circle", cx=x, cy=y, r=4.5, class_=f"breach-dot-{css}"),
        text(sentence, at, y + offset, class_=f"mid t-strong breach-words-{css}"),
    ]
