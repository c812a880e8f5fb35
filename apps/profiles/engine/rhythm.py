"""Patterns by day of the week and by hour of the day: medians with their spread (no Django)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

LEAST = 3  # figures; fewer have no spread


@dataclass(frozen=True)
class SlotSpread:
    """Figures of one weekday or hour: their median, and the quarters below and above which the rest lies."""

    slot: int  # 0 is Monday, or the hour that begins at midnight
    count: int
    median: float | None = None
    low: float | None = None  # 25th percentile
    high: float | None = None  # 75th percentile


@dataclass(frozen=True)
class Rhythm:
    """The pattern of a week or of a day, a spread for every slot."""

    spreads: Sequence[SlotSpread]

    @property
    def known_spreads(self) -> list[SlotSpread]:
        return [spread for spread in self.spreads if spread.median is not None]

    @property
    def highest(self) -> SlotSpread | None:
        return max(self.known_spreads, key=lambda spread: spread.median or 0.0, default=None)

    @property
    def lowest(self) -> SlotSpread | None:
        return min(self.known_spreads, key=lambda spread: spread.median or 0.0, default=None)

    @property
    def stands_out(self) -> bool:
        """Whether three quarters of the highest slot lie above three quarters of the lowest one."""
        high, low = self.highest, self.lowest
        return (
            high is not None
            and low is not None
            and high.low is not None
            and low.high is not None
            and high.low > low.high
        )


def by_weekday(days: Sequence[date], values: Sequence[float | None]) -> Rhythm:
    """The pattern of the week of daily figures; None is a day without one."""
    slots = np.array([day.weekday() for day in days], dtype=int)
    return _rhythm(slots, np.array([np.nan if value is None else value for value in values], dtype=float), 7)


def by_hour(hours: Sequence[int], values: NDArray[np.float64]) -> Rhythm:
    """The pattern of the day of figures of parts of it, each with the hour it belongs to; NaN is not known."""
    return _rhythm(np.asarray(hours, dtype=int), np.asarray(values, dtype=float), 24)


def _rhythm(slots: NDArray[np.int_], values: NDArray[np.float64], count: int) -> Rhythm:
    return Rhythm([_spread(slot, values[(slots == slot) & ~np.isnan(values)]) for slot in range(count)])


def _spread(slot: int, values: NDArray[np.float64]) -> SlotSpread:
    if len(values) < LEAST:
        return SlotSpread(slot, len(values))
    low, median, high = np.percentile(values, (25, 50, 75))
    return SlotSpread(slot, len(values), float(median), float(low), float(high))
