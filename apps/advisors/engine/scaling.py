"""
What an average would be at more work, if it held its line (least squares over days; no Django).

A line is told only where the days carry it: enough of them, work that varied, and more work that comes with another average.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.profiles.engine.student import bound, two_sided

Floats = NDArray[np.float64]

TIMES = 1.5  # the work that is asked about
LEAST_DAYS = 5
LEAST_RANGE = 1.2  # most work of a day, as a multiple of the least
CHANCE = 0.05


@dataclass(frozen=True)
class ScaledFigure:
    """An average at more work, with the range it may be in at 95 %; without a line `reason` says why."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


def scale_figure(work: Floats, figures: Floats) -> ScaledFigure:
    """An average at 1.5 times the mean work of some days; NaN is a day that does not count."""
    is_known = ~(np.isnan(work) | np.isnan(figures))
    x, y = work[is_known], figures[is_known]
    if len(x) < LEAST_DAYS:
        return ScaledFigure(reason=f"{len(x)} days count, {LEAST_DAYS} are needed")
    if x.min() <= 0 or x.max() < LEAST_RANGE * x.min():
        return ScaledFigure(reason="the work of its days was too much alike")
    centred = x - x.mean()
    squares = float((centred**2).sum())
    slope = float((centred * y).sum() / squares)
    freedom = len(x) - 2
    noise = float(np.sqrt(((y - y.mean() - slope * centred) ** 2).sum() / freedom))
    if not _is_sure(slope, noise / np.sqrt(squares), freedom):
        return ScaledFigure(reason="it did not go with the work")
    ahead = (TIMES - 1) * float(x.mean())
    value = float(y.mean()) + slope * ahead
    error = noise * np.sqrt(1 + 1 / len(x) + ahead**2 / squares)
    margin = float(error * bound(np.array([float(freedom)]), CHANCE)[0])
    return ScaledFigure(value, max(0.0, value - margin), value + margin)


def _is_sure(slope: float, error: float, freedom: int) -> bool:
    """Whether a slope is beyond its noise; without any noise every slope is."""
    if error <= 1e-12 * abs(slope):
        return slope != 0
    return bool(two_sided(np.array([slope / error]), np.array([float(freedom)]))[0] < CHANCE)
