"""What a statistic did over the months: rising, falling, flat, appeared, gone (no Django)."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

NOTICED = 0.10  # of where it began: less is flat, where the spread of a period is not known
NOTICED_BEYOND_SPREAD = 0.01  # the same where it is
ALIKE = 0.75  # share of steps that go the same way; fewer is no trend


class Pattern(StrEnum):
    """The pattern of a statistic over successive profiles."""

    RISING = "rising"
    FALLING = "falling"
    FLAT = "flat"
    APPEARED = "appeared"
    GONE = "gone"


def pattern_of(figures: Sequence[float], spreads: Sequence[float] | None = None) -> Pattern | None:
    """
    The pattern of successive figures, oldest first; NaN where it did not occur. None where nothing is known.

    Rising and falling need a change of a tenth from the first to the last, and most steps in that direction. Where
    `spreads` has the standard deviation of the days behind each figure, the change must instead be beyond the spread
    of the first, and only steps beyond the spread of the figure before them can go against it.
    """
    values = np.asarray(figures, dtype=float)
    is_present = ~np.isnan(values)
    if len(values) < 2 or not is_present.any():
        return None
    if not is_present[-1]:
        return Pattern.GONE
    if not is_present[0]:
        return Pattern.APPEARED
    present = values[is_present]
    if present[0] == 0 and present[-1] != 0:
        return Pattern.APPEARED
    change = (present[-1] - present[0]) / abs(present[0]) if present[0] else 0.0
    steps = np.sign(np.diff(present))
    least = NOTICED
    if spreads is not None:
        spread = np.nan_to_num(np.asarray(spreads, dtype=float)[is_present])
        if abs(present[-1] - present[0]) <= spread[0]:
            return Pattern.FLAT
        steps = np.where(np.abs(np.diff(present)) <= spread[:-1], np.sign(change), steps)
        least = NOTICED_BEYOND_SPREAD
    if abs(change) < least or np.mean(steps == np.sign(change)) < ALIKE:
        return Pattern.FLAT
    return Pattern.RISING if change > 0 else Pattern.FALLING
