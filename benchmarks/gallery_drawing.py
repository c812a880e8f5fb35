"""A shape of the gallery drawn with its forecast, as a file of its own: on white, with colours that no page gives it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from apps.charts.bars import ticks
from apps.charts.figures import figure, month, short_day
from apps.charts.svg import number, tag, text
from apps.forecasting.engine.chance import Prediction
from apps.forecasting.engine.forecasts import Forecasts
from benchmarks.gallery_shapes import ON, Floats, GalleryShape

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 14.0, 26.0
PAPER, INK, GRID = "#ffffff", "#4a5568", "#e2e8f0"
MEASURE, COMES, LIMIT, WIDE, NARROW = "#1f5fbf", "#8a94a6", "#b42318", "#dbe8fb", "#b5d0f5"
FONT = "system-ui, sans-serif"
HALO = {"stroke": PAPER, "stroke_width": "3", "paint_order": "stroke"}  # keeps words legible over lines
NAME_ROOM = 46.0  # pixels that a day takes beside its dot


@dataclass(frozen=True)
class Scales:
    """Where a day and a value stand on the paper."""

    first: int  # days from today, as all days here
    last: int
    low: float
    high: float

    def x(self, day: float) -> float:
        return round(LEFT + (day - self.first) / (self.last - self.first) * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def draw_shape(shape: GalleryShape, forecasts: Forecasts, row: int, prediction: Prediction) -> str:
    """Draw history, limit, expected line, 80 % and 95 % band, what came, and soonest, likely and latest day on the limit."""
    reach = int(forecasts.reach[row])
    history = shape.history[-shape.days_shown :]
    scales = scales_of(shape, history, forecasts, row)
    bands = [
        draw_band(scales, low[row, :reach], high[row, :reach], colour)
        for low, high, colour in (
            (forecasts.low95, forecasts.high95, WIDE),
            (forecasts.low80, forecasts.high80, NARROW),
        )
    ]
    parts = [
        tag("rect", width=WIDTH, height=HEIGHT, rx=6, fill=PAPER),
        *draw_axes(scales),
        *bands,
        draw_line(scales, 1, shape.future, COMES, 1),
        draw_line(scales, 1 - len(history), history, MEASURE, 1.5),
        draw_line(scales, 1, forecasts.mean[row, :reach], MEASURE, 1.5, "4 3"),
        *draw_limit(scales, shape),
        *draw_days(scales, shape.limit, prediction),
    ]
    return tag(
        "svg",
        parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        aria_label=shape.name,
        font_family=FONT,
        font_size=11,
    )


def scales_of(shape: GalleryShape, history: Floats, forecasts: Forecasts, row: int) -> Scales:
    """Return scales that hold history, limit, what came and the 80 % band; a 95 % band that is wider is cut off."""
    measured = np.flatnonzero(np.isfinite(history))
    values = np.concatenate(
        [history, shape.future, [shape.limit], forecasts.low80[row], forecasts.high80[row]]
    )
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 0.08 * (high - low)
    first = int(measured[0]) + 1 - len(history)
    return Scales(first, forecasts.horizon, low if low == 0 else low - room, high + room)


def draw_axes(scales: Scales) -> Iterator[str]:
    """The values on the left, the first days of months below, and today."""
    for value in ticks(scales.low, scales.high):
        y = scales.y(value)
        yield tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", stroke=GRID)
        yield text(figure(value), LEFT - 6, y + 4, fill=INK, text_anchor="end")
    months = [day for day in range(scales.first, scales.last) if (ON + timedelta(days=day)).day == 1]
    for day in months[:: 1 + len(months) // 11]:
        yield text(month(ON + timedelta(days=day)), scales.x(day), HEIGHT - 9, fill=INK)
        yield tag("path", d=f"M{number(scales.x(day))} {number(HEIGHT - BOTTOM)}v4", stroke=INK)
    yield tag("path", d=f"M{number(scales.x(0))} {number(TOP)}V{number(HEIGHT - BOTTOM)}", stroke=COMES)


def draw_band(scales: Scales, low: Floats, high: Floats, colour: str) -> str:
    upper = [f"{number(scales.x(day))} {number(scales.y(value))}" for day, value in enumerate(high, 1)]
    lower = [f"{number(scales.x(day))} {number(scales.y(value))}" for day, value in enumerate(low, 1)]
    return tag("path", d=f"M{'L'.join([*upper, *reversed(lower)])}Z", fill=colour)


def draw_line(
    scales: Scales, first: int, values: Floats, colour: str, width: float, dash: str | None = None
) -> str:
    """A line from its first day on, broken where a day has no figure."""
    words = []
    is_new = True
    for day, value in enumerate(values, first):
        if np.isfinite(value):
            words.append(f"{'M' if is_new else 'L'}{number(scales.x(day))} {number(scales.y(value))}")
        is_new = not np.isfinite(value)
    return tag(
        "path", d="".join(words), fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dash
    )


def draw_limit(scales: Scales, shape: GalleryShape) -> list[str]:
    y = scales.y(shape.limit)
    return [
        tag("path", d=f"M{number(LEFT)} {number(y)}H{number(WIDTH - RIGHT)}", stroke=LIMIT, stroke_dasharray="5 3"),
        text(f"limit {figure(shape.limit)} {shape.unit}", LEFT + 4, y - 5, fill=LIMIT, **HALO),
    ]  # fmt: skip


def draw_days(scales: Scales, limit: float, prediction: Prediction) -> list[str]:
    """A bar on the limit from the soonest to the latest day, with a dot and its day on the likely one."""
    if prediction.day is None or prediction.soonest is None:
        return []
    first, last = scales.x(prediction.soonest), scales.x(prediction.latest or prediction.within)
    y, x = scales.y(limit), scales.x(prediction.day)
    words = short_day(ON + timedelta(days=prediction.day)).replace("\N{NO-BREAK SPACE}", " ")
    is_right = x > WIDTH - RIGHT - NAME_ROOM / 2
    return [
        tag("path", d=f"M{number(first)} {number(y)}H{number(last)}", stroke=LIMIT, stroke_width=5, stroke_linecap="round", stroke_opacity=0.45),
        tag("circle", cx=x, cy=y, r=4, fill=LIMIT),
        text(words, x, y - 9, fill=LIMIT, text_anchor="end" if is_right else "middle", font_weight="600", **HALO),
    ]  # fmt: skip
