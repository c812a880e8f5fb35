"""A figure's last weeks, its limit and what is foreseen, as a still drawing for reports and mail."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from apps.charts.bars import FanPoint, ticks
from apps.charts.beyond import Point, find_beyond
from apps.charts.figures import figure, short_day
from apps.charts.svg import drawing, number, tag, text

LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 14.0, 18.0


@dataclass(frozen=True)
class _Scale:
    """Days and figures as places on the sheet."""

    first: date
    last: date
    low: float
    high: float
    width: float
    height: float

    def x(self, day: date) -> float:
        share = (day - self.first).days / max((self.last - self.first).days, 1)
        return LEFT + min(max(share, 0.0), 1.0) * (self.width - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.height - BOTTOM - min(max(share, 0.0), 1.0) * (self.height - TOP - BOTTOM)


def outlook(
    days: Sequence[date],
    values: Sequence[float | None],
    *,
    limit: float | None = None,
    limit_text: str = "",
    fan: Sequence[FanPoint] = (),
    likely: date | None = None,
    beyond: Literal["above", "below"] = "above",
    label: str = "",
    width: float = 380,
    height: float = 150,
) -> str:
    """The line of `values`, a gap where there is none, then the fan; `limit` is dashed, the likely day a dot on it."""
    points = [(day, value) for day, value in zip(days, values, strict=True) if value is not None]
    if not points:
        return drawing(
            [text("no figures", width / 2, height / 2, class_="outlook-text")],
            width,
            height,
            label,
            "outlook",
        )
    scale = _scale(points, limit, fan, width, height)
    parts = [*_grid(scale), *_fan(scale, points[-1], fan)]
    if limit is not None:
        y = number(scale.y(limit))
        parts.append(tag("path", d=f"M{number(LEFT)} {y}H{number(width - RIGHT)}", class_="outlook-limit"))
        parts.append(
            text(limit_text or f"limit {figure(limit)}", LEFT + 4, scale.y(limit) - 4, class_="outlook-text")
        )
    runs = _runs(scale, days, values)
    parts.append(tag("path", d=_line(runs), class_="outlook-line"))
    if limit is not None:
        sign = 1 if beyond == "above" else -1
        over = [part for run in runs for part in find_beyond(run, scale.y(limit), sign)]
        parts += [tag("path", d=_line(over), class_="outlook-over")] if over else []
    if fan:
        parts += _today(scale, points[-1][0])
    if limit is not None and likely is not None and likely <= scale.last:
        parts.append(tag("circle", cx=scale.x(likely), cy=scale.y(limit), r=3.5, class_="outlook-breach"))
        parts.append(
            text(
                short_day(likely),
                min(scale.x(likely) + 5, width - 40),
                scale.y(limit) + (12 if beyond == "above" else -6),
                class_="outlook-text outlook-when",
            )
        )
    return drawing(parts, width, height, label, "outlook")


def _scale(
    points: Sequence[tuple[date, float]],
    limit: float | None,
    fan: Sequence[FanPoint],
    width: float,
    height: float,
) -> _Scale:
    """What was measured, its limit and what is expected fit; a fan that opens far beyond them is cut at the edge."""
    values = [value for _, value in points] + [point[1] for point in fan]
    if limit is not None:
        values.append(limit)
    low, high = min(values), max(values)
    room = (high - low) or abs(high) or 1.0
    bounds = [bound for point in fan for bound in point[2:]]
    low = max(min([low, *bounds]), low - 0.3 * room)
    high = min(max([high, *bounds]), high + 0.3 * room)
    edge = 0.08 * ((high - low) or room)
    floor = 0.0 if low >= 0 > low - edge else low - edge
    return _Scale(points[0][0], fan[-1][0] if fan else points[-1][0], floor, high + edge, width, height)


def _grid(scale: _Scale) -> list[str]:
    parts = []
    for value in ticks(scale.low, scale.high, 3):
        y = scale.y(value)
        parts.append(
            tag("path", d=f"M{number(LEFT)} {number(y)}H{number(scale.width - RIGHT)}", class_="outlook-grid")
        )
        parts.append(text(figure(value), LEFT - 4, y + 3, class_="outlook-text", text_anchor="end"))
    span = (scale.last - scale.first).days
    for position in range(4 if span > 3 else 1):
        day = scale.first + timedelta(days=round((position + 0.5) * span / 4))
        parts.append(
            text(short_day(day), scale.x(day), scale.height - 5, class_="outlook-text", text_anchor="middle")
        )
    return parts


def _fan(scale: _Scale, last: tuple[date, float], fan: Sequence[FanPoint]) -> list[str]:
    points = [(last[0], last[1], last[1], last[1]), *fan]
    if not fan:
        return []
    upper = [f"{number(scale.x(day))} {number(scale.y(high))}" for day, _, _, high in points]
    lower = [f"{number(scale.x(day))} {number(scale.y(low))}" for day, _, low, _ in reversed(points)]
    middle = [f"{number(scale.x(day))} {number(scale.y(mean))}" for day, mean, _, _ in points]
    return [
        tag("path", d=f"M{'L'.join([*upper, *lower])}Z", class_="outlook-fan"),
        tag("path", d=f"M{'L'.join(middle)}", class_="outlook-expected"),
    ]


def _today(scale: _Scale, day: date) -> list[str]:
    x = scale.x(day)
    line = f"M{number(x)} {number(TOP)}V{number(scale.height - BOTTOM)}"
    return [
        tag("path", d=line, class_="outlook-today"),
        text(short_day(day), x + 3, scale.height - BOTTOM - 4, class_="outlook-text"),
    ]


def _runs(scale: _Scale, days: Sequence[date], values: Sequence[float | None]) -> list[list[Point]]:
    """The line in stretches without a gap."""
    runs: list[list[Point]] = [[]]
    for day, value in zip(days, values, strict=True):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((scale.x(day), scale.y(value)))
    return [run for run in runs if run]


def _line(runs: Sequence[Sequence[Point]]) -> str:
    """Each stretch as a line; one of a single point is the shortest of lines."""
    return "".join(f"M{'L'.join(f'{number(x)} {number(y)}' for x, y in run)}h0.01" for run in runs)
