"""The calendar in a batch of histories: what the first and the last days of months and quarters add."""

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from apps.forecasting.engine.medians import median, median_of_known
from apps.forecasting.engine.series import Counts, Flags, Floats

Dates = NDArray[np.datetime64]

EDGE_DAYS = 3  # at either end of a month
OF_MONTH = 2 * EDGE_DAYS
SLOTS = 2 * OF_MONTH  # those of every month, then those of the months that begin or end a quarter
NO_SLOT = -1
AROUND = 10  # days on either side that a day is held against
LEAST_TIMES = 3
LEAST_SIGNAL = 0.3
STANDS_OUT = 3.0  # spreads of all days, by which a slot is more than noise


def find_month_effects(
    values: Floats, is_usable: Flags, last_on: Sequence[date | None], ages: Counts, length: int
) -> Floats:
    """
    Return what months add on each day of the histories and on so many days after them, series x days.

    `last_on` are the days that the given series end on, `ages` how many days before these the histories do.
    """
    dates = _to_dates(last_on) - ages
    index = _find_index(values, is_usable, dates)
    return _effects_of(index, dates, -values.shape[1], values.shape[1] + length)


def _to_dates(days: Sequence[date | None]) -> Dates:
    """Return days as an array, NaT where there is none."""
    return np.array(
        [np.datetime64("NaT") if day is None else np.datetime64(day) for day in days], "datetime64[D]"
    )


def _group_by_date(last_on: Dates) -> Iterator[tuple[np.datetime64, Counts]]:
    """Yield each day that histories end on, with the rows of those that do; those without a date are left out."""
    for day in np.unique(last_on[~np.isnat(last_on)]):
        yield day, np.flatnonzero(last_on == day)


def _find_slots(days: Dates) -> Counts:
    """Return the slot of each day: 0 to 2 the first days of a month, 3 to 5 its last, so many more at a quarter's edge."""
    month = days.astype("datetime64[M]")
    from_first = (days - month.astype("datetime64[D]")).astype(np.intp)
    to_last = ((month + 1).astype("datetime64[D]") - days).astype(np.intp) - 1
    in_quarter = month.astype(np.intp) % 3
    first = np.where(in_quarter == 0, OF_MONTH, 0) + from_first
    last = np.where(in_quarter == 2, OF_MONTH, 0) + OF_MONTH - 1 - to_last
    slots = np.where(from_first < EDGE_DAYS, first, NO_SLOT)
    return np.asarray(np.where(to_last < EDGE_DAYS, last, slots), dtype=np.intp)


def _find_index(values: Floats, is_usable: Flags, last_on: Dates) -> Floats:
    """
    Return what each slot differs from the days around it, series x SLOTS; 0 where that is no more than noise.

    Median over at least three times; a quarter's edge that came less often is one of every month.
    """
    index = np.zeros((len(values), SLOTS))
    length = values.shape[1]
    for last, rows in _group_by_date(last_on):
        days = last - np.arange(length - 1, -1, -1)
        slots = _find_slots(days)
        columns = np.flatnonzero(slots != NO_SLOT)
        columns = columns[(columns >= AROUND) & (columns < length - 1)]
        around = np.clip(columns[:, None] + np.arange(-AROUND, AROUND + 1), 0, length - 1)
        distance = values[rows][:, columns] - median(values[rows][:, around])
        distance = np.where(is_usable[rows][:, columns], distance, np.nan)
        noise = _spread_of_all(values[rows], is_usable[rows])
        of_month = slots[columns] % OF_MONTH
        every = np.stack([_effect(distance[:, of_month == slot], noise) for slot in range(OF_MONTH)], axis=1)
        edge = [_effect(distance[:, slots[columns] == slot], noise) for slot in range(OF_MONTH, SLOTS)]
        plain = [_effect(distance[:, slots[columns] == slot], noise) for slot in range(OF_MONTH)]
        parts = np.stack([*plain, *edge], axis=1)
        index[rows] = np.where(np.isnan(parts), np.concatenate([every, every], axis=1), parts)
    return np.nan_to_num(index)


def _effects_of(index: Floats, last_on: Dates, first: int, count: int) -> Floats:
    """Return what the month adds on so many days from the `first` after the last one on (0 = the day after it)."""
    effects = np.zeros((len(index), count))
    for last, rows in _group_by_date(last_on):
        slots = _find_slots(last + 1 + first + np.arange(count))
        effects[rows] = np.where(slots == NO_SLOT, 0.0, index[rows][:, slots])
    return effects


def _spread_of_all(values: Floats, is_usable: Flags) -> Floats:
    """Return how far days usually are from the day before, as a standard deviation."""
    changes = np.where(is_usable[:, 1:] & is_usable[:, :-1], np.abs(np.diff(values, axis=1)), np.nan)
    changes[np.isnan(changes).all(axis=1)] = 0.0
    return np.asarray(median_of_known(changes) * 1.4826 / np.sqrt(2))


def _effect(distance: Floats, noise: Floats) -> Floats:
    """Return the median of each row, shrunk by its own noise; 0 where it is noise, NaN where there are too few."""
    count = np.isfinite(distance).sum(axis=1)
    is_enough = count >= LEAST_TIMES
    if not is_enough.any():
        return np.full(len(distance), np.nan)
    distance = np.where(is_enough[:, None], distance, 0.0)
    effect = median_of_known(distance)
    spread = median_of_known(np.abs(distance - effect[:, None])) * 1.4826
    error = (1.2533 * spread) ** 2 / np.maximum(count, 1)
    signal = np.where(effect != 0, 1 - error / np.where(effect != 0, effect**2, 1.0), 0.0)
    is_real = (signal >= LEAST_SIGNAL) & (np.abs(effect) > STANDS_OUT * noise)
    return np.where(is_enough, np.where(is_real, effect * signal, 0.0), np.nan)
