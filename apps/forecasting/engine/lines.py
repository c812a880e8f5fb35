"""
Comparison lines: what other tools would say, shown as lines beside the forecast and never as the forecast.

Three straight lines through the same points, so that their disagreement is seen: least squares, end points, median of
the pairwise slopes. They need two points and promise nothing about chance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from numpy.typing import ArrayLike

from apps.forecasting.engine.edges import Edge, is_beyond_now
from apps.forecasting.engine.series import Counts, Floats, days_of
from apps.thresholds.engine.notation import Form

FURTHEST = 3650  # days: a crossing beyond is no date
MOST_POINTS = 400  # the newest days used, as by the forecast
ROUNDING = 1e-9  # days: two days less the last digit are two
LINE_OVER = 30  # days of the line that promises and replays are held against
FLAT = 1e-9  # of the values' size a day: no slope


@dataclass(frozen=True)
class ComparisonLine:
    """
    A line through the observed days: its slope per day, and `days` from the last observed value to the limit.

    `days` and `on` are None for a line that is flat, leads away, or ends at a limit already passed. `r2` is the share of
    the variance that the line explains, known for least squares only.
    """

    name: str
    slope: float
    days: float | None
    on: date | None
    r2: float | None = None


def comparison_lines(
    values: ArrayLike, last_on: date, limit: float | None = None, side: Form = Form.AT_MOST
) -> list[ComparisonLine]:
    """
    Return the three lines through a series of one value a day that ends on `last_on`; none for fewer than two points.

    Each starts at the last observed value, so that the dates differ by their slopes alone, and the date is that of the
    last observed day plus the whole days it takes.
    """
    days = days_of(values)[-MOST_POINTS:]
    at = np.flatnonzero(np.isfinite(days))
    if len(at) < 2:
        return []
    observed = days[at]
    observed_on = last_on - timedelta(days=len(days) - 1 - int(at[-1]))
    with np.errstate(over="ignore", invalid="ignore"):  # figures near the largest number have no slope
        slope, r2 = least_squares(at, observed)
        slopes: list[tuple[str, float, float | None]] = [
            ("least squares", slope, r2),
            ("end points", float((observed[-1] - observed[0]) / (at[-1] - at[0])), None),
            ("median of pairwise slopes", pairwise_slope(at, observed), None),
        ]
    lines = []
    for name, steepness, explained in slopes:
        count = days_to(limit, float(observed[-1]), steepness, side)
        on = None if count is None else observed_on + timedelta(days=math.floor(count + ROUNDING))
        lines.append(ComparisonLine(name, steepness, count, on, explained))
    return lines


def least_squares(at: Counts, observed: Floats) -> tuple[float, float]:
    """Return slope per day and r2 of the ordinary least-squares line; r2 of a constant is 0."""
    scale = float(np.abs(observed).max()) or 1.0
    x = at - at.mean()
    y = observed / scale - (observed / scale).mean()
    spread = float((y**2).sum())
    slope = float((x * y).sum() / (x**2).sum())
    r2 = slope**2 * float((x**2).sum()) / spread if spread > 0 else 0.0
    return slope * scale, min(r2, 1.0)


def pairwise_slope(at: Counts, observed: Floats) -> float:
    """Return the median of the slopes between all pairs of points (Theil 1950, Sen 1968)."""
    first, second = np.triu_indices(len(at), 1)
    return float(np.median((observed[second] - observed[first]) / (at[second] - at[first])))


def days_to(limit: float | None, last: float, slope: float, side: Form) -> float | None:
    """Return the days until a line from the last value meets the limit; None when it never does, or is past it."""
    if limit is None or is_beyond_now(last, limit, side):
        return None
    toward = slope if side.is_upper else -slope
    if not math.isfinite(slope) or toward <= FLAT * max(abs(last), abs(limit)):
        return None
    count = (limit - last) / slope
    return count if count <= FURTHEST else None


def lines_to_limit(
    series: Sequence[Floats], last_on: date, conditions: Sequence[Sequence[Edge]]
) -> list[ComparisonLine]:
    """
    Return the lines through the first series with the days on which a limit is broken.

    A condition has one edge, or the two of a range; a line goes by the one that it leads to. Of two conditions, each on its
    own series, it goes by the later day.
    """
    sets = [
        [comparison_lines(values, last_on, limit, side) for limit, side in edges]
        for values, edges in zip(series, conditions, strict=True)
    ]
    lines = [
        next((line for line in same if line.on is not None), same[0]) for same in zip(*sets[0], strict=True)
    ]
    if len(sets) == 1:
        return lines
    others = sets[1][0] or [replace(line, on=None) for line in lines]
    is_beyond = [_ends_beyond(values, edges) for values, edges in zip(series, conditions, strict=True)]
    return [_later(line, other, is_beyond) for line, other in zip(lines, others, strict=True)]


def _later(line: ComparisonLine, other: ComparisonLine, is_beyond: Sequence[bool]) -> ComparisonLine:
    """The line with the day on which both have crossed; what is beyond its limit already waits for the other."""
    if is_beyond[0] != is_beyond[1]:
        last = other if is_beyond[0] else line
    elif line.on is None or other.on is None:
        return replace(line, on=None, days=None)
    else:
        last = max(line, other, key=lambda crossing: crossing.on or date.max)
    return replace(line, on=last.on, days=last.days)


def _ends_beyond(values: Floats, edges: Sequence[Edge]) -> bool:
    measured = values[np.isfinite(values)]
    return len(measured) > 0 and any(is_beyond_now(float(measured[-1]), limit, side) for limit, side in edges)


def find_line_day(series: Sequence[Floats], conditions: Sequence[Sequence[Edge]]) -> int | None:
    """
    Return the day ahead on which the least-squares line of the last 30 days breaks a limit, counted from the series' last day.

    It starts at the last observed value; of two conditions the later counts. None where it never does.
    """
    days = [_line_day(values, edges) for values, edges in zip(series, conditions, strict=True)]
    return None if None in days else max(max(day for day in days if day is not None), 1)


def _line_day(values: Floats, edges: Sequence[Edge]) -> int | None:
    """The same of one condition; 0 where it is broken already."""
    recent = values[-LINE_OVER:]
    at = np.flatnonzero(np.isfinite(recent))
    if len(at) < 2:
        return None
    last, age = float(recent[at[-1]]), len(recent) - 1 - int(at[-1])
    if any(is_beyond_now(last, limit, side) for limit, side in edges):
        return 0
    with np.errstate(over="ignore", invalid="ignore"):
        slope, _ = least_squares(at, recent[at])
    counts = [days_to(limit, last, slope, side) for limit, side in edges]
    days = [math.floor(count + ROUNDING) - age for count in counts if count is not None]
    return min(days) if days else None


def days_beyond(series: Sequence[Floats], conditions: Sequence[Sequence[Edge]]) -> int | None:
    """
    Return how many days ago the measured days in a row began that are beyond the limit; None when the last one is not.

    Beyond is what breaks an edge of every condition, each on its own series.
    """
    began = None
    for ago in range(len(series[0])):
        values = [float(days[-1 - ago]) for days in series]
        if any(np.isnan(values)):
            continue
        if not all(
            any(is_beyond_now(value, limit, side) for limit, side in edges)
            for value, edges in zip(values, conditions, strict=True)
        ):
            break
        began = ago
    return began
