"""From daily series with gaps to tables that can be fitted: right-aligned, filled, without weekly index and level shifts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from apps.forecasting.engine.level_shifts import LevelShifts, find_level_shifts
from apps.forecasting.engine.medians import median_of_known
from apps.forecasting.engine.months import find_month_effects
from apps.forecasting.engine.series import Counts, Flags, Floats

# Days of history used. Tables always have the full width, so that a series sums up alike alone and in any batch.
WINDOW = 400
AHEAD = 190  # days after the last observed one that a forecast may reach
WEEKS = 16
LEAST_SIGNAL = 0.3


@dataclass(frozen=True)
class SeriesTable:
    """
    A batch ready for fitting: tables of series x WINDOW days, the last column being the last observed day.

    Values are divided by `scale`, a power of two near the largest of the series, so that no size overflows.
    `values` is filled, without its weekly index and moved to the level after the last shift; columns before the history
    began repeat its first value. `moved` is what was added to a day's value by moving it; `unforeseen` the part of it that
    no person has explained, which may happen again.
    """

    values: Floats
    moved: Floats
    unforeseen: Floats
    observed: Flags
    began: Counts  # first column that belongs to the history
    days: Counts  # length of the history used
    spans: Counts  # length of the whole history, from the first observed day to the last
    weekly: Floats  # series x 7: index of the last observed day + 1, + 2, ... + 7
    monthly: Floats  # series x AHEAD: what months add on the days after the last observed one
    shifts: LevelShifts
    scale: Floats
    age: Counts  # days between the last observed day and the end of the given series


def prepare_histories(
    batch: Sequence[Floats],
    is_flow: Flags,
    shift_days: Sequence[Sequence[int]],
    last_on: Sequence[date | None] | None = None,
) -> SeriesTable:
    """
    Return series (each with at least one value) as one table: filled, without weekly index, level shifts taken out.

    `shift_days` are days on which people say that the level moved, for each series, in days before its end.
    """
    figures, age, spans = _align(batch)
    observed = np.isfinite(figures)
    began = observed.argmax(axis=1)
    largest = np.abs(np.where(observed, figures, 0.0)).max(axis=1)
    scale = np.ldexp(1.0, np.minimum(np.frexp(largest)[1], 1023))
    values = _fill(figures / scale[:, None], observed)
    is_inside = np.arange(WINDOW) >= began[:, None]

    weekly = _weekly_index(values, observed, is_inside)
    values = values - weekly[:, (np.arange(WINDOW) - WINDOW) % 7]
    is_usable = observed & is_inside & is_flow[:, None]
    monthly = find_month_effects(values, is_usable, last_on or [None] * len(batch), age, AHEAD)
    values = values - monthly[:, :WINDOW]
    values = np.where(is_inside, values, values[np.arange(len(values)), began][:, None])
    named = [[day - int(late) for day in days] for days, late in zip(shift_days, age, strict=True)]
    shifts = find_level_shifts(values, began, is_flow, named)
    moved, unforeseen = np.zeros_like(values), np.zeros_like(values)
    for days, sizes, is_explained in zip(shifts.days.T, shifts.sizes.T, shifts.is_explained.T, strict=True):
        is_before = (np.arange(WINDOW) < WINDOW - 1 - days[:, None]) & (days[:, None] >= 0)
        moved += np.where(is_before, sizes[:, None], 0.0)
        unforeseen += np.where(is_before & ~is_explained[:, None], sizes[:, None], 0.0)
    return SeriesTable(
        values=values + moved,
        moved=moved,
        unforeseen=unforeseen,
        observed=observed,
        began=began,
        days=WINDOW - began,
        spans=spans,
        weekly=weekly,
        monthly=monthly[:, WINDOW:],
        shifts=shifts,
        scale=scale,
        age=age,
    )


def _align(batch: Sequence[Floats]) -> tuple[Floats, Counts, Counts]:
    """Return the series as one table that ends with their last observed days, their ages, and the lengths of their histories."""
    table = np.full((len(batch), WINDOW), np.nan)
    age = np.zeros(len(batch), dtype=np.intp)
    spans = np.zeros(len(batch), dtype=np.intp)
    for row, days in enumerate(batch):
        measured = np.flatnonzero(np.isfinite(days))
        age[row] = len(days) - 1 - measured[-1]
        spans[row] = measured[-1] + 1 - measured[0]
        used = days[measured[0] : measured[-1] + 1][-WINDOW:]
        table[row, WINDOW - len(used) :] = used
    return table, age, spans


def _fill(values: Floats, observed: Flags) -> Floats:
    """Fill missing days by the straight line between their neighbours, and the time before the first by its value."""
    columns = np.arange(values.shape[1])
    before = np.maximum.accumulate(np.where(observed, columns, -1), axis=1)
    after = np.minimum.accumulate(np.where(observed, columns, columns[-1])[:, ::-1], axis=1)[:, ::-1]
    before = np.where(before < 0, after, before)
    rows = np.arange(len(values))[:, None]
    low, high = values[rows, before], values[rows, after]
    share = (columns - before) / np.maximum(after - before, 1)
    return np.where(observed, values, low + (high - low) * share)


def _weekly_index(values: Floats, observed: Flags, is_inside: Flags) -> Floats:
    """
    Return the additive weekly index, series x 7: what day 1, 2, ... 7 after the last one differ from their week.

    Median over the last 16 weeks of the distance from the centred 7-day mean, shrunk by the share of it that is noise of
    the medians (a median's error is 1.25 times a mean's); zero where under 30 % is signal or a weekday has under three values.
    """
    span = WEEKS * 7
    weeks = sliding_window_view(values[:, -span - 6 :], 7, axis=1)
    mean = weeks.mean(axis=2)  # centred on the days up to the third last
    distance = values[:, -span - 3 : -3] - mean
    is_usable = observed[:, -span - 3 : -3] & is_inside[:, -span - 6 : -6]
    distance = np.where(is_usable, distance, np.nan).reshape(len(values), WEEKS, 7)
    count = np.isfinite(distance).sum(axis=1)
    is_enough = (count >= 3).all(axis=1)
    distance = np.where(is_enough[:, None, None], distance, 0.0)
    index = usual = _median_of_weeks(distance)
    index = index - index.mean(axis=1, keepdims=True)
    spread = _median_of_weeks(np.abs(distance - usual[:, None, :])) * 1.4826
    noise = ((1.2533 * spread) ** 2 / np.maximum(count, 1)).mean(axis=1)
    power = (index**2).mean(axis=1)
    signal = np.where(power > 0, 1 - noise / np.where(power > 0, power, 1.0), 0.0)
    signal = np.where(is_enough & (signal >= LEAST_SIGNAL), signal, 0.0)
    return np.roll(index * signal[:, None], -3, axis=1)  # the last slot lies 3 days back, a week before day 4


def _median_of_weeks(values: Floats) -> Floats:
    """Return the median of each weekday, series x 7, of series x weeks x 7."""
    return median_of_known(values.swapaxes(1, 2))
