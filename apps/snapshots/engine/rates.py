"""
From counters to differences, aware of restarts (no Django).

Moments are seconds since 1970 as floats, for the arithmetic of vectors.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SAME_START = 2.0  # seconds by which two readings of one start-up may differ
DST_SHIFT = 3600.0  # platforms that compute start-up from uptime move it by an hour when the clocks change
EXACT = 2.0**53  # beyond it a float no longer holds every whole number


@dataclass(frozen=True)
class Intervals:
    """
    What happened between n + 1 successive readings of s counters.

    `seconds` (n,) is NaN where the later reading is of another instance; `since_restart` (n,) says that the interval
    counts from start-up; `delta` (n, s) is NaN where the growth is not known, and `fell` (n, s) where that is because
    the counter went backwards without a restart.
    """

    seconds: Floats
    since_restart: Flags
    delta: Floats
    fell: Flags


def intervals(
    captured: Floats,
    started: Floats,
    values: Floats,
    sparse: Flags | None = None,
    moved: Flags | None = None,
) -> Intervals:
    """
    Differences of successive readings.

    `captured` and `started` (n + 1,) are moments (a start-up may be NaN: it is not known, and taken as unchanged),
    `values` (n + 1, s) counters with NaN where a name was not read. A counter of a `sparse` source (s,) that was
    absent before counted nothing yet. After a restart a counter's growth is its whole value; a start-up that differs
    and is not later than the reading before is another instance, and so is one that says so itself (`moved` (n,)):
    nothing is known then.
    """
    before, after = values[:-1], values[1:]
    shift = started[1:] - started[:-1]
    same = ~(np.abs(shift) > SAME_START)
    moved_by_dst = np.abs(np.abs(shift) - DST_SHIFT) <= SAME_START
    is_later = started[1:] > captured[:-1]
    same |= moved_by_dst & ~is_later & ~np.any(after < before, axis=1)
    restarted = ~same & is_later
    if moved is not None:
        same, restarted = same & ~moved, restarted & ~moved
    is_known = same | restarted
    since = np.where(restarted, started[1:], captured[:-1])
    base = np.where(restarted[:, None], 0.0, before)
    if sparse is not None:
        base = np.where(np.isnan(base) & sparse, 0.0, base)
    delta = after - base
    fell = is_known[:, None] & (delta < 0)
    too_large_to_tell = (np.abs(after) > EXACT) & (np.abs(delta) < 8 * np.spacing(np.abs(after)))
    delta = np.where(fell | too_large_to_tell | ~is_known[:, None], np.nan, delta)
    seconds = captured[1:] - since
    seconds = np.where(is_known & (seconds > 0), seconds, np.nan)
    return Intervals(seconds, restarted, np.where(np.isnan(seconds)[:, None], np.nan, delta), fell)
