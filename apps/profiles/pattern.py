"""What a statistic did over the months: rising, falling, flat, appeared, gone (no Django)."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

NOTICED = 0.10  # of where it began: less is flat
ALIKE = 0.75  # share of steps that go the same way; fewer is no trend


class Pattern(StrEnum):
    """The pattern of a statistic over successive profiles."""

    RISING = "rising"
    FALLING = "falling"
    FLAT = "flat"
    APPEARED = "appeared"
    GONE = "gone"


def pattern_of(figures: Sequence[float]) -> Pattern | None:
    """
    The pattern of successive figures, oldest first; NaN where it did not occur. None where nothing is known.

    Rising and falling need a change of a tenth from the first to the last, and most steps in that direction.
    """
    values = np.asarray(figures, dtype=float)
    is_there = ~np.isnan(values)
    if len(values) < 2 or not is_there.any():
        return None
    if not is_there[-1]:
        return Pattern.GONE
    if not is_there[0]:
        return Pattern.APPEARED
    known = values[is_there]
    change = (known[-1] - known[0]) / abs(known[0]) if known[0] else np.sign(known[-1])
    steps = np.sign(np.diff(known))
    if abs(change) < NOTICED or np.mean(steps == np.sign(change)) < ALIKE:
        return Pattern.FLAT
    return Pattern.RISING if change > 0 else Pattern.FALLING
