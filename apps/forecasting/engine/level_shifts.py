"""Level shifts in a batch of histories: those that stand out, and those of days that people name."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.forecasting.engine.medians import median
from apps.forecasting.engine.series import Counts, Flags, Floats

MOST_SHIFTS = 3
SHIFT_FACTOR = 4.0
HOLD = 7
HOLD_SHARE = 0.5
FLOW_WAIT = 6
YOUNG = range(3, 31)  # days since a young shift of a flow
BEFORE_YOUNG, LEAST_BEFORE = 60, 28  # days that they are held against
GAP_SHARE = 0.3
NEAR_NAMED = 3  # days: a shift so near to a named day is the same
DRIFT_OVER = 28  # days before a named one whose slope says what is growth


@dataclass(frozen=True)
class LevelShift:
    """How many days before the end of the series its level moved, and by how much."""

    days_ago: int
    size: float


@dataclass(frozen=True)
class LevelShifts:
    """Those of a batch, series x shifts: days before the last column (-1 = no shift), sizes, and which a person explained."""

    days: Counts
    sizes: Floats
    is_explained: Flags


def find_level_shifts(
    values: Floats, began: Counts, is_flow: Flags, named: Sequence[Sequence[int]]
) -> LevelShifts:
    """
    Return up to three shifts of each series and, as further columns, those on `named` days with none within three days.

    A shift is one of the three largest day-to-day moves that is at least four times the fourth largest. Where days move by
    turns (teeth, purges each week) the fourth is as large as the third, and nothing is a shift.
    """
    moves = np.diff(values, axis=1)
    order = np.argsort(-np.abs(moves), axis=1, kind="stable")[:, : MOST_SHIFTS + 1]
    sizes = np.take_along_axis(moves, order, axis=1)
    least = np.maximum(SHIFT_FACTOR * np.abs(sizes[:, MOST_SHIFTS:]), 1e-9)
    days = values.shape[1] - 2 - order[:, :MOST_SHIFTS]
    sizes = sizes[:, :MOST_SHIFTS]
    is_shift = (np.abs(sizes) >= least) & _holds(values, days, sizes, is_flow)
    days, sizes = np.where(is_shift, days, -1), np.where(is_shift, sizes, 0.0)
    days, sizes = _with_young(values, began, is_flow, days, sizes)
    shifts = LevelShifts(days, sizes, np.zeros(days.shape, dtype=np.bool_))
    return _with_named(shifts, values, began, named) if any(named) else shifts


def _holds(values: Floats, days: Counts, sizes: Floats, is_flow: Flags) -> Flags:
    """Return which moves lasted: the week after differs from the week before by half the move; for flows a whole week must have passed."""
    week = np.arange(HOLD)
    length = values.shape[1]
    first = length - 1 - days
    rows = np.arange(len(values))[:, None, None]
    after = median(values[rows, np.minimum(first[:, :, None] + week, length - 1)])
    before = median(values[rows, np.maximum(first[:, :, None] - 1 - week, 0)])
    lasted = (after - before) * np.sign(sizes) >= HOLD_SHARE * np.abs(sizes)
    return np.asarray(lasted & ((days >= FLOW_WAIT) | ~is_flow[:, None]))


def _with_young(
    values: Floats, began: Counts, is_flow: Flags, days: Counts, sizes: Floats
) -> tuple[Counts, Floats]:
    """
    Return shifts with the youngest of flows, whose days move too much for one move to stand out.

    All days since lie beyond all of the two months before, by a third of what either of them spans.
    """
    best, young = np.zeros(len(values)), np.full(len(values), -1)
    size = np.zeros(len(values))
    for age in YOUNG:
        after, before = values[:, -age:], values[:, -age - BEFORE_YOUNG : -age]
        low, high = after.min(axis=1), after.max(axis=1)
        least, most = before.min(axis=1), before.max(axis=1)
        gap = np.maximum(low - most, least - high)
        spans = np.maximum(high - low, most - least)
        is_so = is_flow & (gap >= GAP_SHARE * spans) & (gap > best)
        is_so &= values.shape[1] - began >= age + LEAST_BEFORE
        best = np.where(is_so, gap, best)
        young = np.where(is_so, age - 1, young)
        if is_so.any():
            size[is_so] = median(after[is_so]) - median(before[is_so])
    is_near = ((days >= 0) & (np.abs(days - young[:, None]) <= NEAR_NAMED)).any(axis=1)
    young = np.where(is_near | (size == 0), -1, young)
    return (
        np.concatenate([days, young[:, None]], axis=1),
        np.concatenate([sizes, np.where(young < 0, 0.0, size)[:, None]], axis=1),
    )


def _with_named(
    shifts: LevelShifts, values: Floats, began: Counts, named: Sequence[Sequence[int]]
) -> LevelShifts:
    """Return the shifts with those on days that people named, in days before the last column."""
    count = shifts.days.shape[1]
    more = np.full((len(values), max(len(days) for days in named)), -1, dtype=np.intp)
    days = np.concatenate([shifts.days, more], axis=1)
    sizes = np.concatenate([shifts.sizes, np.zeros(more.shape)], axis=1)
    is_explained = np.zeros(days.shape, dtype=np.bool_)
    for row, named_days in enumerate(named):
        for place, day in enumerate(sorted(named_days), count):
            is_near = (days[row] >= 0) & (np.abs(days[row] - day) <= NEAR_NAMED)
            if is_near.any():
                is_explained[row] |= is_near
            elif 0 <= day < values.shape[1] - 1 - began[row]:
                days[row, place], is_explained[row, place] = day, True
                sizes[row, place] = _size_on(values[row, began[row] :], day)
    return LevelShifts(days, sizes, is_explained)


def _size_on(values: Floats, day: int) -> float:
    """Return by how much the level moved on a day: the week after against the week before, less what growth explains."""
    first = len(values) - 1 - day
    before, after = values[max(first - HOLD, 0) : first], values[first : first + HOLD]
    drift = values[max(first - DRIFT_OVER, 0) : first]
    place = np.arange(len(drift)) - (len(drift) - 1) / 2
    slope = float((drift * place).sum() / (place**2).sum()) if len(drift) > HOLD else 0.0
    return float(np.median(after) - np.median(before)) - slope * (len(before) + len(after)) / 2
