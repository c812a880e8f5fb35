"""Up to five series on one axis, each named at its end: which of them grows, at a glance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts.bars import ticks
from apps.charts.figures import figure, month, short_day
from apps.charts.svg import number, tag, text, title

WIDTH, HEIGHT = 1120.0, 210.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 190.0, 10.0, 24.0
MOST = 5
PITCH = 14.0  # between names at the ends of lines
LONGEST = 28  # letters of such a name


@dataclass(frozen=True)
class ChartLine:
    """A named series, oldest day first; None is a day without a figure."""

    name: str
    values: Sequence[float | None]


def lines(
    days: Sequence[date],
    series: Sequence[ChartLine],
    label: str,
    *,
    unit: str = "",
    is_from_zero: bool = False,
) -> str:
    """The series as SVG, a gap where a day has no figure; empty where nothing is known."""
    series = [line for line in series[:MOST] if any(value is not None for value in line.values)]
    figures = [value for line in series for value in line.values if value is not None]
    if not figures:
        return ""
    low, high = (min(0.0, *figures), max(figures)) if is_from_zero else (min(figures), max(figures))
    room = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    low, high = (low if is_from_zero else max(low - room, 0.0) if low >= 0 else low - room), high + room
    step = (WIDTH - LEFT - RIGHT) / max(len(days) - 1, 1)

    def x_of(at: int) -> float:
        return LEFT + at * step

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for tick in ticks(low, high):
        y = y_of(tick)
        parts.append(
            tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", class_="grid-line")
        )
        parts.append(text(figure(tick), LEFT - 6, y + 4, class_="t-quiet end"))
    parts += _axis(days, x_of)
    ends = []
    for at, line in enumerate(series):
        css = f"series-{at + 1}"
        parts += _strokes(line, days, x_of, y_of, css, unit)
        last = next(value for value in reversed(line.values) if value is not None)
        ends.append((y_of(last), line.name, css))
    parts += _names(ends)
    return tag(
        "svg", parts, class_="drawing lines", viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}", role="img", aria_label=label
    )  # fmt: skip


def _axis(days: Sequence[date], x_of: Callable[[int], float]) -> list[str]:
    """Months, or where there are none the days."""
    y = HEIGHT - BOTTOM
    parts = [tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", class_="axis-line")]
    every = max(1, len(days) // 6)
    for at, day in enumerate(days):
        if len(days) > 45 and day.day == 1:
            label = month(day)
        elif len(days) <= 45 and (len(days) - 1 - at) % every == 0:
            label = short_day(day)
        else:
            continue
        parts.append(tag("path", d=f"M{number(x_of(at))} {number(y)}v4", class_="axis-line"))
        parts.append(text(label, x_of(at), HEIGHT - 6, class_="t-quiet mid"))
    return parts


def _strokes(
    line: ChartLine,
    days: Sequence[date],
    x_of: Callable[[int], float],
    y_of: Callable[[float], float],
    css: str,
    unit: str,
) -> list[str]:
    """The line in as many pieces as gaps ask for; a day that stands alone is a dot."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for at, value in enumerate(line.values):
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append((x_of(at), y_of(value)))
    parts = []
    labels = [
        f"{short_day(day)}: {figure(value)} {unit}".rstrip()
        for day, value in zip(days, line.values, strict=True)
        if value is not None
    ]
    for piece in pieces:
        if len(piece) == 1:
            parts.append(tag("circle", cx=piece[0][0], cy=piece[0][1], r=2.2, class_=f"{css} is-dot"))
        elif piece:
            path = "L".join(f"{number(x)} {number(y)}" for x, y in piece)
            parts.append(
                tag(
                    "path",
                    title(f"{line.name}, {labels[0]} to {labels[-1]}"),
                    d=f"M{path}",
                    class_=f"series {css}",
                )
            )
    return parts


def _names(ends: Sequence[tuple[float, str, str]]) -> list[str]:
    """The names beside the last points, moved apart where they would lie on each other."""
    parts = []
    lowest = TOP
    room = HEIGHT - BOTTOM + 4
    placed = sorted(ends)
    for at, (y, name, css) in enumerate(placed):
        y = max(y, lowest)
        y = min(y, room - PITCH * (len(placed) - 1 - at))
        lowest = y + PITCH
        x = WIDTH - RIGHT + 10
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        parts.append(tag("path", d=f"M{number(x)} {number(y)}h12", class_=f"series {css}"))
        parts.append(text(short, x + 18, y + 4))
    return parts
