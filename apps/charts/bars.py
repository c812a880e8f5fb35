"""A day a bar, those beyond the limit in red: what a threshold would have done."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from math import floor, log10

from apps.charts.figures import figure, month, short_day
from apps.charts.svg import number, tag, text, title

WIDTH, HEIGHT = 800.0, 300.0
FanPoint = tuple[date, float, float, float]  # day, expected, low and high
LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 26.0, 24.0


def bars(
    days: Sequence[date],
    values: Sequence[float | None],
    limit: float | None = None,
    over: Sequence[bool] = (),
    label: str = "",
    *,
    other_limit: float | None = None,
    partial: Collection[date] = (),
    shaded: Collection[date] = (),
    unit: str = "",
    ahead: Sequence[FanPoint] = (),
) -> str:
    """
    One bar a day from zero, a gap where there is no value.

    `over` says of each day whether it would have fired; `other_limit` is the far end of a range; `partial` days are paler and `shaded`
    ones lie on a band; `ahead` are the days after the last, each with what is expected and its bounds.
    """
    figures = [value for value in values if value is not None]
    expected = [bound for point in ahead for bound in point[1:]]
    limits = [level for level in (limit, other_limit) if level is not None]
    ceiling = max([*figures, *limits, *expected, 0.0]) * 1.12 or 1.0
    ground = min([*figures, *limits, *expected, 0.0])
    inner = WIDTH - LEFT - RIGHT
    step = inner / max(len(days) + len(ahead), 1)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - ground) / (ceiling - ground) * (HEIGHT - TOP - BOTTOM)

    parts = [_shade(LEFT + at * step, step) for at, day in enumerate(days) if day in shaded]
    for tick in ticks(ground, ceiling):
        parts.append(_across(y_of(tick), "grid-line"))
        parts.append(text(figure(tick), LEFT - 6, y_of(tick) + 4, class_="t-quiet end"))
    zero = y_of(max(ground, 0.0))
    for index, (day, value) in enumerate(zip(days, values, strict=True)):
        x = LEFT + index * step
        if day.day == 1:
            parts.append(tag("path", d=f"M{number(x)} {number(HEIGHT - BOTTOM)}v4", class_="axis-line"))
            parts.append(text(month(day), x, HEIGHT - 6, class_="t-quiet mid"))
        if value is None:
            continue
        kind = "bar-over" if index < len(over) and over[index] else "bar-part" if day in partial else "bar-in"
        words = f"{short_day(day)}: {figure(value)} {unit}".rstrip()
        parts.append(_bar(words, x, step, sorted((y_of(value), zero)), kind))
    if ahead:
        parts += _ahead(ahead, LEFT + len(days) * step, step, y_of)
    parts.append(_across(zero, "axis-line"))
    for level in limits:
        parts.append(_across(y_of(level), "limit-line"))
        parts.append(
            text(f"limit {figure(level)}", WIDTH - RIGHT, max(y_of(level) - 6, TOP), class_="end t-over-bars")
        )
    return tag(
        "svg",
        parts,
        class_="drawing bars",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        role="img" if label else None,
        aria_label=label or None,
        aria_hidden=None if label else "true",
    )


def _ahead(ahead: Sequence[FanPoint], left: float, step: float, y_of: Callable[[float], float]) -> list[str]:
    """What is expected behind the line of today, with its bounds."""
    places = [left + (index + 0.5) * step for index in range(len(ahead))]
    upper = [f"{number(x)} {number(y_of(point[3]))}" for x, point in zip(places, ahead, strict=True)]
    lower = [f"{number(x)} {number(y_of(point[2]))}" for x, point in zip(places, ahead, strict=True)]
    middle = [f"{number(x)} {number(y_of(point[1]))}" for x, point in zip(places, ahead, strict=True)]
    return [
        tag("path", d=f"M{'L'.join([*upper, *reversed(lower)])}Z", class_="outlook-fan"),
        tag("path", d=f"M{'L'.join(middle)}", class_="outlook-expected"),
        tag("path", d=f"M{number(left)} {number(TOP - 8)}V{number(HEIGHT - BOTTOM)}", class_="outlook-today"),
        text("today", left + 4, TOP, class_="t-quiet"),
    ]


def _across(y: float, kind: str) -> str:
    """A line from one side of the drawing to the other."""
    return tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", class_=kind)


def _shade(x: float, width: float) -> str:
    """The band behind one day."""
    return tag("rect", x=x, y=TOP, width=width, height=HEIGHT - TOP - BOTTOM, class_="bar-shade")


def _bar(words: str, x: float, step: float, ends: Sequence[float], kind: str) -> str:
    """One bar between two heights, the upper one first."""
    top, bottom = ends
    height = max(bottom - top, 0.75)
    return tag("rect", title(words), x=x + step * 0.14, y=top, width=step * 0.72, height=height, class_=kind)


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers between low and high, about as many as asked for."""
    if high <= low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.8)
    first = -(-low // step) * step
    marks = []
    while first <= high + step * 1e-9:
        marks.append(round(first, 10))
        first += step
    return marks
