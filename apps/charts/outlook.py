"""A figure's last weeks, its limit and what is foreseen, as a still drawing for reports and mail."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from apps.charts.bars import ticks
from apps.charts.beyond import Point, find_beyond
from apps.charts.figures import figure, short_day
from apps.charts.svg import drawing, number, tag, text

LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 14.0, 18.0
FanPoint = Sequence[Any]  # day, expected, low and high at 80 %, and where known low and high at 95 %
CLOSE = 0.01  # of a limit: a ceiling nearer to it is the same line


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


@dataclass(frozen=True, kw_only=True)
class OutlookMarks:
    """What is drawn over a line: its limit, what it may grow to at most, what is foreseen, and when the limit is reached."""

    limit: float | None = None
    limit_text: str = ""
    ceiling: float | None = None
    beyond: Literal["above", "below"] = "above"
    fan: Sequence[FanPoint] = ()
    soonest: date | None = None
    likely: date | None = None
    latest: date | None = None

    @property
    def levels(self) -> list[tuple[float, str, str]]:
        """The lines across, each with its text and its class; a ceiling takes the place of a limit that it equals."""
        levels = []
        is_one = (
            self.limit is not None
            and self.ceiling is not None
            and abs(self.ceiling - self.limit) <= CLOSE * abs(self.ceiling)
        )
        if self.ceiling is not None:
            css = "outlook-limit" if is_one or self.limit is None else "outlook-ceiling"
            levels.append((self.ceiling, f"ceiling {figure(self.ceiling)}", css))
        if self.limit is not None and not is_one:
            levels.append((self.limit, self.limit_text or f"limit {figure(self.limit)}", "outlook-limit"))
        return levels


def outlook(
    days: Sequence[date],
    values: Sequence[float | None],
    marks: OutlookMarks,
    *,
    label: str = "",
    width: float = 380,
    height: float = 150,
) -> str:
    """The line of `values`, a gap where there is none, then the fan; a limit is dashed, its likely day a dot on it."""
    points = [(day, value) for day, value in zip(days, values, strict=True) if value is not None]
    if not points:
        nothing = [text("no figures", width / 2, height / 2, class_="outlook-text")]
        return drawing(nothing, width, height, label, "outlook")
    scale = _scale(points, marks, width, height)
    parts = [*_grid(scale), *_fan(scale, points[-1], marks.fan), *_levels(scale, marks)]
    runs = _runs(scale, days, values)
    parts.append(tag("path", d=_line(runs), class_="outlook-line"))
    if marks.limit is not None:
        sign = 1 if marks.beyond == "above" else -1
        over = [part for run in runs for part in find_beyond(run, scale.y(marks.limit), sign)]
        parts += [tag("path", d=_line(over), class_="outlook-over")] if over else []
    if marks.fan:
        parts += _today(scale, points[-1][0])
    return drawing([*parts, *_crossing(scale, marks)], width, height, label, "outlook")


def _levels(scale: _Scale, marks: OutlookMarks) -> list[str]:
    parts = []
    for level, words, css in marks.levels:
        y = scale.y(level)
        parts.append(tag("path", d=f"M{number(LEFT)} {number(y)}H{number(scale.width - RIGHT)}", class_=css))
        parts.append(text(words, LEFT + 4, y - 4 if y > TOP + 8 else y + 12, class_="outlook-text"))
    return parts


def _crossing(scale: _Scale, marks: OutlookMarks) -> list[str]:
    """From the soonest day to the latest on the limit, the likely one a dot with its day."""
    likely, limit = marks.likely, marks.limit
    if limit is None or likely is None or likely > scale.last:
        return []
    x, y = scale.x(likely), scale.y(limit)
    parts = []
    if marks.soonest is not None:
        end = scale.x(marks.latest) if marks.latest is not None else scale.width - RIGHT
        parts.append(
            tag(
                "path",
                d=f"M{number(scale.x(marks.soonest))} {number(y)}H{number(end)}",
                class_="outlook-span",
            )
        )
    parts.append(tag("circle", cx=x, cy=y, r=3.5, class_="outlook-breach"))
    below = y + 14 if marks.beyond == "above" else y - 6
    parts.append(
        text(short_day(likely), min(x + 5, scale.width - 42), below, class_="outlook-text outlook-when")
    )
    return parts


def _scale(points: Sequence[tuple[date, float]], marks: OutlookMarks, width: float, height: float) -> _Scale:
    """What was measured, its limit and what is expected fit; a fan that opens far beyond them is cut at the edge."""
    fan = marks.fan
    values = [
        *(value for _, value in points),
        *(point[1] for point in fan),
        *(level for level, *_ in marks.levels),
    ]
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
    """The 95 % of futures where they are known, the 80 % on them, then the expected line."""
    if not fan:
        return []
    parts = []
    for low, css in ((4, "outlook-fan95"), (2, "outlook-fan")):
        if all(len(point) > low + 1 for point in fan):
            edges = [(last[0], last[1], last[1]), *((point[0], point[low], point[low + 1]) for point in fan)]
            upper = [f"{number(scale.x(day))} {number(scale.y(high))}" for day, _, high in edges]
            lower = [f"{number(scale.x(day))} {number(scale.y(least))}" for day, least, _ in reversed(edges)]
            parts.append(tag("path", d=f"M{'L'.join([*upper, *lower])}Z", class_=css))
    middle = [last, *((point[0], point[1]) for point in fan)]
    path = "L".join(f"{number(scale.x(day))} {number(scale.y(mean))}" for day, mean in middle)
    return [*parts, tag("path", d=f"M{path}", class_="outlook-expected")]


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
