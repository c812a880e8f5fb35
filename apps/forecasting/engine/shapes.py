"""Candidates that are a path rather than a line: growth that compounds, and what went before come again."""

from collections.abc import Sequence

import numpy as np

from apps.forecasting.engine.histories import WINDOW, SeriesTable
from apps.forecasting.engine.series import Counts, Flags, Floats

GROWN_OVER = (30, 90, 365)  # days whose growth is carried on
BENT_OVER = 120  # days whose bend says whether growth compounds
BENT = 0.7
LEAST = 1e-12
MOST_GROWTH = 2.0  # logarithm: what grows more within the horizon stays there
SHAPES = {  # with the factor on their errors
    **dict.fromkeys((f"growth {days}" for days in GROWN_OVER), 1.0),
    "last period": 1.2,
    "last period growing": 1.4,
    "last year": 1.0,
}
PERIODS = (8, 100)  # the shortest and the longest, in days
LEAST_LIKENESS = 0.4  # of daily changes to those a period before
FUNDAMENTAL = 0.85  # a shorter period that is nearly as like is the period
YEAR = 365
YEAR_LEVEL = 14  # days whose mean is held against that of a year ago


def find_shapes(
    table: SeriesTable, levels: Sequence[Floats], ends: Sequence[int], lengths: Sequence[int]
) -> list[tuple[Floats, Flags]]:
    """
    Return the paths of every shape as seen from each of `ends`, series x SHAPES x days, and which had enough history.

    An end is the number of columns known at that moment; `levels` are where each series stands then.
    """
    periods = _find_periods(table)
    each = zip(levels, ends, lengths, strict=True)
    return [_find_paths(table, periods, level, end, length) for level, end, length in each]


def _find_periods(table: SeriesTable) -> Counts:
    """Return the period after which each series' daily changes are most like themselves, in days; 0 where there is none."""
    changes = np.diff(table.values, axis=1)
    is_inside = np.arange(1, WINDOW) > table.began[:, None]
    count = np.maximum(is_inside.sum(axis=1, keepdims=True), 1)
    changes = np.where(is_inside, changes - (changes * is_inside).sum(axis=1, keepdims=True) / count, 0.0)
    spectrum = np.fft.rfft(changes, 2 * WINDOW)
    shortest, longest = PERIODS
    lags = np.arange(shortest, longest + 1)
    likeness = np.fft.irfft(np.abs(spectrum) ** 2, 2 * WINDOW)[:, lags]
    power = np.cumsum(changes**2, axis=1)
    later = power[:, -1:] - power[:, lags - 1]
    earlier = power[:, WINDOW - 2 - lags]
    likeness = likeness / np.sqrt(np.maximum(later * earlier, 1e-30))
    likeness = np.where(2 * lags <= count, likeness, 0.0)
    best = likeness.max(axis=1, keepdims=True)
    first = (likeness >= FUNDAMENTAL * best).argmax(axis=1)
    return np.where(best[:, 0] >= LEAST_LIKENESS, lags[first], 0)


def _find_paths(
    table: SeriesTable, periods: Counts, level: Floats, end: int, length: int
) -> tuple[Floats, Flags]:
    """Return the paths of every shape as seen from one day, and which had enough history."""
    paths = np.zeros((len(level), len(SHAPES), length))
    usable = np.zeros((len(level), len(SHAPES)), dtype=np.bool_)
    history = end - table.began
    ahead = np.arange(1, length + 1)
    compounds = _compounds(table.values, end, history)
    for place, days in enumerate(GROWN_OVER):
        if days > end:
            continue
        recent = table.values[:, end - days : end]
        usable[:, place] = (history >= days) & (recent.min(axis=1) > 0) & (level > 0) & compounds
        rate = _log_slope(recent)
        paths[:, place] = level[:, None] * np.exp(np.clip(rate[:, None] * ahead, -MOST_GROWTH, MOST_GROWTH))
    place = len(GROWN_OVER)
    usable[:, place] = usable[:, place + 1] = (periods > 0) & (history >= 2 * periods)
    rows = np.flatnonzero(usable[:, place])
    if len(rows):
        paths[rows, place], paths[rows, place + 1] = _repeat_period(
            table.values[rows], periods[rows], end, length
        )
    if end >= YEAR + YEAR_LEVEL:
        usable[:, place + 2] = history >= YEAR + YEAR_LEVEL
        then = table.values[:, end - YEAR - YEAR_LEVEL : end - YEAR].mean(axis=1)
        now = table.values[:, end - YEAR_LEVEL : end].mean(axis=1)
        paths[:, place + 2] = table.values[:, end - YEAR : end - YEAR + length] + (now - then)[:, None]
    return paths, usable


def _compounds(values: Floats, end: int, history: Counts) -> Flags:
    """Return which histories bend as growth does: a line through the logarithms misses them by less than a straight one."""
    if end < BENT_OVER:
        return np.zeros(len(history), dtype=np.bool_)
    recent = values[:, end - BENT_OVER : end]
    curve = np.exp(_fit_line(np.log(np.maximum(recent, LEAST))))
    bent, straight = ((recent - fitted) ** 2 for fitted in (curve, _fit_line(recent)))
    is_positive = recent.min(axis=1) > LEAST
    is_better = np.asarray(bent.sum(axis=1) < BENT * straight.sum(axis=1))
    return np.asarray((history >= BENT_OVER) & is_positive & is_better)


def _fit_line(values: Floats) -> Floats:
    """Return the least-squares line of each row."""
    at = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    slope = (values * (at / (at**2).sum())).sum(axis=1)
    return np.asarray(values.mean(axis=1)[:, None] + slope[:, None] * at)


def _log_slope(values: Floats) -> Floats:
    days = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    logs = np.log(np.maximum(values, 1e-12))
    return np.asarray((logs * (days / (days**2).sum())).sum(axis=1))


def _repeat_period(values: Floats, periods: Counts, end: int, length: int) -> tuple[Floats, Floats]:
    """Return the last period again, moved by its drift, and once more with what each of its days grew by."""
    rows, period = np.arange(len(values))[:, None], periods[:, None]
    source = end - period + np.arange(length) % period
    times = np.arange(length) // period + 1
    last = values[rows, source]
    growth = last - values[rows, source - period]
    back = np.arange(PERIODS[1])
    is_last = back < period
    column = np.maximum(end - 1 - back, 0)
    change = values[rows, column] - values[rows, np.maximum(column - period, 0)]
    drift = np.nanmedian(np.where(is_last, change, np.nan), axis=1)[:, None]
    return last + times * drift, last + times * growth
