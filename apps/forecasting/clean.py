"""From daily values with gaps to tables that can be fitted: right-aligned, filled, without weekly index and jumps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.intp]

# Days of history used. Tables always have the full width, so that a series sums up alike alone and in any batch.
WINDOW = 400
LEAST_DAYS = 14
STALE_AFTER = 7  # days without a figure
RECENT = 60
MOST_MISSING = 0.4  # of the recent days

WEEKS = 16
LEAST_SIGNAL = 0.3
MOST_JUMPS = 3
JUMP_FACTOR = 4.0
HOLD = 7
HOLD_SHARE = 0.5
FLOW_WAIT = 6
NEAR_TOLD = 3  # days: a jump found so near to one that people tell is the same
DRIFT_OVER = 28  # days before a told jump whose slope says what is growth


@dataclass(frozen=True)
class Histories:
    """
    A batch ready for fitting: tables of series x WINDOW days, the last column being the last observed day.

    Values are divided by `scale`, a power of two near the largest of the series, so that no size overflows.
    `values` is filled, without its weekly index and moved to the level after the last jump; columns before the history
    began repeat its first value. `shift` is what was added to a day's value by moving it; `unforeseen` the part of it that no
    person has explained, which may happen again.
    """

    values: Floats
    shift: Floats
    unforeseen: Floats
    observed: Flags
    began: Counts  # first column that belongs to the history
    days: Counts  # length of the history used
    spans: Counts  # length of the whole history, from the first observed day to the last
    weekly: Floats  # series x 7: index of the last observed day + 1, + 2, ... + 7
    jump_days: Counts  # series x 3, and one for each told: days before the last observed day, -1 = no jump
    jump_sizes: Floats
    scale: Floats
    age: Counts  # days between the last observed day and the end of the given series


def days_of(series: object) -> Floats:
    """Return a series as floats, with everything that is not a finite number as a gap; a string or a table is an error."""
    days = np.array(series, dtype=np.float64)
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


def clean(batch: Sequence[Floats], is_flow: Flags, told: Sequence[Sequence[int]] | None = None) -> Histories:
    """
    Return series (each with at least one value) as one table: filled, without weekly index, jumps taken out.

    `told` are days on which people say that the level moved, for each series, in days before its end.
    """
    given = np.full((len(batch), WINDOW), np.nan)
    age = np.zeros(len(batch), dtype=np.intp)
    spans = np.zeros(len(batch), dtype=np.intp)
    for row, days in enumerate(batch):
        known = np.flatnonzero(np.isfinite(days))
        age[row] = len(days) - 1 - known[-1]
        spans[row] = known[-1] + 1 - known[0]
        used = days[known[0] : known[-1] + 1][-WINDOW:]
        given[row, WINDOW - len(used) :] = used
    observed = np.isfinite(given)
    began = observed.argmax(axis=1)
    largest = np.abs(np.where(observed, given, 0.0)).max(axis=1)
    scale = np.ldexp(1.0, np.minimum(np.frexp(largest)[1], 1023))
    values = filled(given / scale[:, None], observed)
    inside = np.arange(WINDOW) >= began[:, None]

    weekly = weekly_index(values, observed, inside)
    values = values - weekly[:, (np.arange(WINDOW) - WINDOW) % 7]
    values = np.where(inside, values, values[np.arange(len(values)), began][:, None])
    jump_days, jump_sizes = find_jumps(values, is_flow)
    is_told = np.zeros(jump_days.shape, dtype=np.bool_)
    if told is not None and any(told):
        jump_days, jump_sizes, is_told = with_told(values, began, jump_days, jump_sizes, told, age)
    shift, unforeseen = np.zeros_like(values), np.zeros_like(values)
    for days, sizes, explained in zip(jump_days.T, jump_sizes.T, is_told.T, strict=True):
        is_before = (np.arange(WINDOW) < WINDOW - 1 - days[:, None]) & (days[:, None] >= 0)
        shift += np.where(is_before, sizes[:, None], 0.0)
        unforeseen += np.where(is_before & ~explained[:, None], sizes[:, None], 0.0)
    return Histories(
        values=values + shift,
        shift=shift,
        unforeseen=unforeseen,
        observed=observed,
        began=began,
        days=WINDOW - began,
        spans=spans,
        weekly=weekly,
        jump_days=jump_days,
        jump_sizes=jump_sizes,
        scale=scale,
        age=age,
    )


def filled(values: Floats, observed: Flags) -> Floats:
    """Fill missing days by the straight line between their neighbours, and the time before the first by its value."""
    columns = np.arange(values.shape[1])
    before = np.maximum.accumulate(np.where(observed, columns, -1), axis=1)
    after = np.minimum.accumulate(np.where(observed, columns, columns[-1])[:, ::-1], axis=1)[:, ::-1]
    before = np.where(before < 0, after, before)
    rows = np.arange(len(values))[:, None]
    low, high = values[rows, before], values[rows, after]
    share = (columns - before) / np.maximum(after - before, 1)
    return np.where(observed, values, low + (high - low) * share)


def weekly_index(values: Floats, observed: Flags, inside: Flags) -> Floats:
    """
    Return the additive weekly index, series x 7: what day 1, 2, ... 7 after the last one differ from their week.

    Median over the last 16 weeks of the distance from the centred 7-day mean, shrunk by the share of it that is noise of
    the medians (a median's error is 1.25 times a mean's); zero where under 30 % is signal or a weekday has under three values.
    """
    span = WEEKS * 7
    weeks = sliding_window_view(values[:, -span - 6 :], 7, axis=1)
    mean = weeks.mean(axis=2)  # centred on the days up to the third last
    distance = values[:, -span - 3 : -3] - mean
    usable = observed[:, -span - 3 : -3] & inside[:, -span - 6 : -6]
    distance = np.where(usable, distance, np.nan).reshape(len(values), WEEKS, 7)
    count = np.isfinite(distance).sum(axis=1)
    enough = (count >= 3).all(axis=1)
    distance = np.where(enough[:, None, None], distance, 0.0)
    index = np.nanmedian(distance, axis=1)
    index = index - index.mean(axis=1, keepdims=True)
    spread = np.nanmedian(np.abs(distance - np.nanmedian(distance, axis=1)[:, None, :]), axis=1) * 1.4826
    noise = ((1.2533 * spread) ** 2 / np.maximum(count, 1)).mean(axis=1)
    power = (index**2).mean(axis=1)
    signal = np.where(power > 0, 1 - noise / np.where(power > 0, power, 1.0), 0.0)
    signal = np.where(enough & (signal >= LEAST_SIGNAL), signal, 0.0)
    return np.roll(index * signal[:, None], -3, axis=1)  # the last slot lies 3 days back, a week before day 4


def find_jumps(values: Floats, is_flow: Flags) -> tuple[Counts, Floats]:
    """
    Return up to three level shifts of each series: their day (days before the last one, -1 = none) and their size.

    A shift is one of the three largest day-to-day moves that is at least four times the fourth largest. Where days move by
    turns (teeth, purges each week) the fourth is as large as the third, and nothing is found.
    """
    moves = np.diff(values, axis=1)
    order = np.argsort(-np.abs(moves), axis=1, kind="stable")[:, : MOST_JUMPS + 1]
    sizes = np.take_along_axis(moves, order, axis=1)
    least = np.maximum(JUMP_FACTOR * np.abs(sizes[:, MOST_JUMPS:]), 1e-9)
    days = WINDOW - 2 - order[:, :MOST_JUMPS]
    sizes = sizes[:, :MOST_JUMPS]
    is_jump = (np.abs(sizes) >= least) & holds(values, days, sizes, is_flow)
    return np.where(is_jump, days, -1), np.where(is_jump, sizes, 0.0)


def with_told(
    values: Floats, began: Counts, days: Counts, sizes: Floats, told: Sequence[Sequence[int]], age: Counts
) -> tuple[Counts, Floats, Flags]:
    """Return the jumps found and, as further columns, those told of which none was found within three days; which are told."""
    found = days.shape[1]
    more = np.full((len(values), max(len(each) for each in told)), -1, dtype=np.intp)
    days = np.concatenate([days, more], axis=1)
    sizes = np.concatenate([sizes, np.zeros(more.shape)], axis=1)
    is_told = np.zeros(days.shape, dtype=np.bool_)
    for row, each in enumerate(told):
        for place, ago in enumerate(sorted(each), found):
            day = ago - int(age[row])
            near = (days[row] >= 0) & (np.abs(days[row] - day) <= NEAR_TOLD)
            if near.any():
                is_told[row] |= near
            elif 0 <= day < WINDOW - 1 - began[row]:
                days[row, place], is_told[row, place] = day, True
                sizes[row, place] = told_size(values[row, began[row] :], day)
    return days, sizes, is_told


def told_size(values: Floats, day: int) -> float:
    """Return by how much the level moved on a day: the week after against the week before, less what growth explains."""
    first = len(values) - 1 - day
    before, after = values[max(first - HOLD, 0) : first], values[first : first + HOLD]
    grown = values[max(first - DRIFT_OVER, 0) : first]
    at = np.arange(len(grown)) - (len(grown) - 1) / 2
    slope = float((grown * at).sum() / (at**2).sum()) if len(grown) > HOLD else 0.0
    return float(np.median(after) - np.median(before)) - slope * (len(before) + len(after)) / 2


def holds(values: Floats, days: Counts, sizes: Floats, is_flow: Flags) -> Flags:
    """Return which moves lasted: the week after differs from the week before by half the move; for flows a whole week must have passed."""
    week = np.arange(HOLD)
    first = WINDOW - 1 - days
    rows = np.arange(len(values))[:, None, None]
    after = np.median(values[rows, np.minimum(first[:, :, None] + week, WINDOW - 1)], axis=2)
    before = np.median(values[rows, np.maximum(first[:, :, None] - 1 - week, 0)], axis=2)
    lasted = (after - before) * np.sign(sizes) >= HOLD_SHARE * np.abs(sizes)
    return np.asarray(lasted & ((days >= FLOW_WAIT) | ~is_flow[:, None]))
