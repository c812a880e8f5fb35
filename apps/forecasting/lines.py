"""
Comparison lines: what other tools would say, shown as lines beside the forecast and never as the forecast.

Three straight lines through the same points, so that their disagreement is seen: least squares, end points, median of
the pairwise slopes. They need two points and promise nothing about chance.
"""

import math
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import ArrayLike

from apps.forecasting.breach import Direction
from apps.forecasting.clean import Counts, Floats, days_of
from apps.forecasting.crossing import is_beyond_now

FURTHEST = 3650  # days: a crossing beyond is no date
MOST_POINTS = 400  # the newest days used, as by the forecast
ROUNDING = 1e-9  # days: two days less the last digit are two
FLAT = 1e-9  # of the values' size a day: no slope


@dataclass(frozen=True)
class Line:
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
    values: ArrayLike, last_on: date, limit: float | None = None, direction: str = Direction.AT_MOST
) -> list[Line]:
    """
    Return the three lines through a series of one value a day that ends on `last_on`; none for fewer than two points.

    Each starts at the last observed value, so that the dates differ by their slopes alone, and the date is that of the
    last observed day plus the whole days it takes.
    """
    days = days_of(values)[-MOST_POINTS:]
    at = np.flatnonzero(np.isfinite(days))
    if len(at) < 2:
        return []
    known = days[at]
    observed_on = last_on - timedelta(days=len(days) - 1 - int(at[-1]))
    with np.errstate(over="ignore", invalid="ignore"):  # figures near the largest number have no slope
        slope, r2 = least_squares(at, known)
        slopes: list[tuple[str, float, float | None]] = [
            ("least squares", slope, r2),
            ("end points", float((known[-1] - known[0]) / (at[-1] - at[0])), None),
            ("median of pairwise slopes", pairwise_slope(at, known), None),
        ]
    lines = []
    for name, steepness, explained in slopes:
        ahead = crossing(float(known[-1]), steepness, limit, Direction(direction))
        on = None if ahead is None else observed_on + timedelta(days=math.floor(ahead + ROUNDING))
        lines.append(Line(name, steepness, ahead, on, explained))
    return lines


def least_squares(at: Counts, known: Floats) -> tuple[float, float]:
    """Return slope per day and r2 of the ordinary least-squares line; r2 of a constant is 0."""
    scale = float(np.abs(known).max()) or 1.0
    x = at - at.mean()
    y = known / scale - (known / scale).mean()
    spread = float((y**2).sum())
    slope = float((x * y).sum() / (x**2).sum())
    r2 = slope**2 * float((x**2).sum()) / spread if spread > 0 else 0.0
    return slope * scale, min(r2, 1.0)


def pairwise_slope(at: Counts, known: Floats) -> float:
    """Return the median of the slopes between all pairs of points (Theil 1950, Sen 1968)."""
    first, second = np.triu_indices(len(at), 1)
    return float(np.median((known[second] - known[first]) / (at[second] - at[first])))


def crossing(last: float, slope: float, limit: float | None, direction: Direction) -> float | None:
    """Return the days until a line from the last value meets the limit; None when it never does, or is past it."""
    if limit is None or is_beyond_now(last, limit, direction):
        return None
    toward = slope if direction.is_upper else -slope
    if not math.isfinite(slope) or toward <= FLAT * max(abs(last), abs(limit)):
        return None
    ahead = (limit - last) / slope
    return ahead if ahead <= FURTHEST else None
