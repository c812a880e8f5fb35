"""What a chart over days shows of the days ahead: the shades of the forecast, and the days on which a limit is crossed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.charts.figures import figure, short_day
from apps.charts.plot_parts import Json, write_note

CROWDED = 14  # days: the names of days nearer to each other stand on two sides of the limit
ROOMY = 0.06  # of the axis: a shade that holds words
EDGE = 14  # days: a text in the middle of the last ones would be cut off

FanPoint = Sequence[Any]  # day, expected, low and high at 80 %, and where known low and high at 95 %


@dataclass(frozen=True)
class ChartBreach:
    """When a limit is crossed."""

    soonest: date | None
    likely: date
    latest: date | None


def draw_fan(fan: Sequence[FanPoint], last: tuple[date, float] | None, unit: str) -> list[Json]:
    """The 95 % interval, the 80 % one on it, then the expected line; all begin at the last measured day."""
    if not fan:
        return []
    begin: list[tuple[str, list[float]]] = []
    if last is not None and last[0] < fan[0][0]:
        begin = [(last[0].isoformat(), [last[1]] * 5)]
    points = begin + [(point[0].isoformat(), [float(bound) for bound in point[1:]]) for point in fan]
    x = [day for day, _ in points]
    parts: list[Json] = []
    for low, name in ((3, "fan95"), (1, "fan80")):
        if all(len(bounds) > low + 1 for _, bounds in points):
            shared = {"type": "scatter", "mode": "lines", "x": x, "hoverinfo": "skip", "line": {"width": 0}}
            parts.append(shared | {"y": [bounds[low] for _, bounds in points]})
            parts.append(
                shared
                | {
                    "y": [bounds[low + 1] for _, bounds in points],
                    "fill": "tonexty",
                    "fillcolor": f"var(--{name})",
                }
            )
    parts.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": [bounds[0] for _, bounds in points],
            "text": [f"expected {figure(bounds[0])} {unit}".rstrip() for _, bounds in points],
            "hovertemplate": "%{text}<extra></extra>",
            "line": {"color": "var(--measure)", "width": 1.25, "dash": "2px,2px"},
        }
    )
    return parts


def draw_breach(breach: ChartBreach, limit: float, last: date) -> tuple[list[Json], list[Json]]:
    """The stretch from soonest to latest as shapes, which the strip below leaves out, and the names of its days."""
    soonest, latest = breach.soonest or breach.likely, breach.latest or breach.likely
    line = {"color": "var(--riskmark)", "width": 3.5}
    shapes: list[Json] = [
        {"type": "line", "x0": soonest.isoformat(), "x1": latest.isoformat(), "y0": limit, "y1": limit, "line": line},
        *(_end(day, limit) for day in (soonest, latest)),
        _dot(breach.likely, limit),
    ]  # fmt: skip
    is_tight = (breach.likely - soonest).days < CROWDED
    notes = [_day_note("likely", breach.likely, limit, last, is_above=True)]
    if breach.soonest is not None and soonest < breach.likely:
        notes.append(_day_note("soonest", soonest, limit, last, is_above=not is_tight, side="right"))
    if breach.latest is not None and latest > breach.likely:
        notes.append(_day_note("latest", latest, limit, last, is_above=False, side="left"))
    return shapes, notes


def _day_note(
    name: str, day: date, limit: float, last: date, *, is_above: bool, side: str = "center"
) -> Json:
    """The name of a day on the limit, clear of the edge of the chart."""
    is_at_edge = (last - day).days < EDGE
    anchor = "right" if is_at_edge else side
    return write_note(
        f"{name}<br>{short_day(day)}",
        x=day.isoformat(),
        y=limit,
        xanchor=anchor,
        yanchor="bottom" if is_above else "top",
        colour="var(--risk)",
    ) | {"yshift": 6 if is_above else -4, "align": anchor}


def _end(day: date, limit: float) -> Json:
    """A short upright at an end of the stretch."""
    return _marker(day, limit) | {
        "type": "line", "x0": 0, "x1": 0, "y0": -5, "y1": 5, "line": {"color": "var(--riskmark)", "width": 1.5},
    }  # fmt: skip


def _dot(day: date, limit: float) -> Json:
    return _marker(day, limit) | {
        "type": "circle", "x0": -5, "x1": 5, "y0": -5, "y1": 5, "fillcolor": "var(--riskmark)",
        "line": {"color": "var(--bg)", "width": 1.5},
    }  # fmt: skip


def _marker(day: date, limit: float) -> Json:
    """A shape of pixels around a point."""
    return {"xsizemode": "pixel", "ysizemode": "pixel", "xanchor": day.isoformat(), "yanchor": limit}


def name_shades(fan: Sequence[FanPoint], low: float, high: float) -> list[Json]:
    """What each shade holds, inside it at the right edge; a shade too thin for words has none."""
    if not fan:
        return []
    day, mean, *bounds = fan[-1]
    if not bounds:
        return []
    names = [("80 % of futures", mean, bounds[0])]
    if len(bounds) > 2:
        names.append(("95 %", bounds[0], bounds[2]))
    return [
        write_note(
            name,
            x=day.isoformat(),
            y=(top + bottom) / 2,
            xanchor="right",
            yanchor="middle",
            colour="var(--ink2)",
        )
        for name, top, bottom in names
        if top - bottom > ROOMY * (high - low) and low < (top + bottom) / 2 < high
    ]
