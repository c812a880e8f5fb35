"""A series of one value a day: its gaps, whether it is a stock or a flow, and why it cannot be forecast."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.intp]

LEAST_DAYS = 14
LEAST_DAYS_FOR_TREND = 30
STALE_AFTER = 7  # days without a figure
RECENT = 60
MOST_MISSING = 0.4  # of the recent days
JUDGED_DAYS = 90  # the newest, by which a stock is told from a flow
LEAST_LIKENESS = 0.75  # measured: all but a few in a hundred stocks are above it, flows below


class SeriesKind(StrEnum):
    """What a series is, by the catalogue; a series of none is told from its days."""

    STOCK = "stock"  # an amount that is there: used bytes
    FLOW = "flow"  # an amount or a mean per day: redo, wait time
    HIGH_WATER = "high-water"  # only rises until a restart


@dataclass(frozen=True)
class DailySeries:
    """
    One value a day, oldest first, NaN for a missing day; `reason` says why it cannot be forecast.

    `kind` says what it is, where that is known.
    """

    days: Floats
    reason: str | None
    kind: SeriesKind | None = None

    @cached_property
    def measured(self) -> Floats:
        """The values without the gaps."""
        return self.days[np.isfinite(self.days)]

    @property
    def age(self) -> int:
        """The days since the last measured one; the whole length where there is none."""
        measured = np.flatnonzero(np.isfinite(self.days))
        return len(self.days) - 1 - int(measured[-1]) if len(measured) else len(self.days)

    @property
    def floor(self) -> float:
        """The least that the figure can be: 0 for what was never negative, the last value of a mark that never fell."""
        if self.kind is SeriesKind.HIGH_WATER and len(self.measured) and (np.diff(self.measured) >= 0).all():
            return float(self.measured[-1])
        return -np.inf if (self.measured < 0).any() else 0.0

    @property
    def is_flow(self) -> bool:
        """Whether it is an amount or a mean per day (redo, wait time), not an amount that is there (used bytes)."""
        if self.kind is not None:
            return self.kind is SeriesKind.FLOW
        return likeness(self.measured) < LEAST_LIKENESS


def read_series(values: ArrayLike, kind: SeriesKind | None = None) -> DailySeries:
    """Return values as a series; what is not one number a day is an empty series with a reason."""
    try:
        days = days_of(values)
    except (TypeError, ValueError):
        return DailySeries(np.empty(0), "is not one number a day", kind)
    return DailySeries(days, reason_against(days), kind)


def days_of(values: object) -> Floats:
    """Return values as floats, with everything that is not a finite number as a gap; a string or a table is an error."""
    days = np.array(values, dtype=np.float64)
    if days.ndim != 1:
        raise ValueError("expected one value a day")
    days[~np.isfinite(days)] = np.nan
    return days


def reason_against(days: Floats) -> str | None:
    """Say why a series cannot be forecast: too short, or not measured of late; None when it can."""
    observed = np.isfinite(days)
    count = int(observed.sum())
    if count < LEAST_DAYS:
        return f"needs {LEAST_DAYS} days, has {count}"
    age = int(observed[::-1].argmax())
    if age >= STALE_AFTER:
        return f"nothing measured for {age} days"
    recent = observed[int(observed.argmax()) :][-RECENT:]
    missing = int((~recent).sum())
    if missing > MOST_MISSING * len(recent):
        return f"{missing} of the last {len(recent)} days are missing"
    return None


def likeness(measured: Floats) -> float:
    """
    Return how like each other neighbouring days are, from 1 (a stock) to 0 and below (noise).

    One minus half of von Neumann's ratio: mean square of the day-to-day changes over the variance.
    """
    days = measured[-JUDGED_DAYS:]
    size = np.abs(days).max(initial=0.0)
    if size == 0 or len(days) < 2:
        return 1.0
    days = days / size
    spread = float(((days - days.mean()) ** 2).sum())
    return 1.0 if spread < 1e-18 else 1.0 - float((np.diff(days) ** 2).sum()) / (2 * spread)
