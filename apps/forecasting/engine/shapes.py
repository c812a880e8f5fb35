"""Candidates that are a path rather than a line: growth that compounds, and what went before come again."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from apps.forecasting.engine.histories import WINDOW, SeriesTable
from apps.forecasting.engine.medians import median_of_known
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


@dataclass(frozen=True)
class Shapes:
    """The shapes of a table of histories, as seen from any of its days."""

    table: SeriesTable

    @cached_property
    def periods(self) -> Counts:
        """The period of each series in days; 0 where nothing repeats itself."""
        return _find_periods(self.table)

    def fill_shapes(self, paths: Floats, usable: Flags, level: Floats, end: int) -> None:
        """
        Set the paths of every shape as seen from one day, series x SHAPES x days, and which had enough history.

        `end` is the number of columns known at that moment, `level` where each series stands then. A path that is not usable is left as it is.
        """
        values, history = self.table.values, end - self.table.began
        _fill_growth(paths, usable, values, history, level, end)
        place = len(GROWN_OVER)
        usable[:, place] = usable[:, place + 1] = (self.periods > 0) & (history >= 2 * self.periods)
        rows = np.flatnonzero(usable[:, place])
        if len(rows):
            paths[rows, place], paths[rows, place + 1] = _repeat_period(
                values[rows], self.periods[rows], end, paths.shape[2]
            )
        rows = np.flatnonzero(history >= YEAR + YEAR_LEVEL)
        if len(rows):
            usable[rows, place + 2] = True
            paths[rows, place + 2] = _repeat_year(values[rows], end, paths.shape[2])


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


def _fill_growth(
    paths: Floats, usable: Flags, values: Floats, history: Counts, level: Floats, end: int
) -> None:
    """Set the paths of growth that compounds."""
    rows = np.flatnonzero((level > 0) & (history >= BENT_OVER))
    rows = rows[_compounds(values[rows, :end])]
    ahead = np.arange(1, paths.shape[2] + 1)
    for place, days in enumerate(GROWN_OVER):
        old_enough = rows[history[rows] >= days]
        recent = values[old_enough, end - days : end]
        is_positive = recent.min(axis=1, initial=np.inf) > 0
        of, recent = old_enough[is_positive], recent[is_positive]
        if len(of):
            usable[of, place] = True
            growth = np.clip(_log_slope(recent)[:, None] * ahead, -MOST_GROWTH, MOST_GROWTH)
            paths[of, place] = level[of, None] * np.exp(growth)


def _compounds(values: Floats) -> Flags:
    """Return which histories bend as growth does: a line through the logarithms misses them by less than a straight one."""
    recent = values[:, -BENT_OVER:]
    is_positive = recent.min(axis=1, initial=np.inf) > LEAST
    curve = np.exp(_fit_line(np.log(np.maximum(recent, LEAST))))
    bent, straight = ((recent - fitted) ** 2 for fitted in (curve, _fit_line(recent)))
    return np.asarray(is_positive & (bent.sum(axis=1) < BENT * straight.sum(axis=1)))


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
    drift = median_of_known(np.where(is_last, change, np.nan))[:, None]
    return last + times * drift, last + times * growth


def _repeat_year(values: Floats, end: int, length: int) -> Floats:
    """Return the same days of last year, moved by what the level has moved since."""
    then = values[:, end - YEAR - YEAR_LEVEL : end - YEAR].mean(axis=1)
    now = values[:, end - YEAR_LEVEL : end].mean(axis=1)
    return np.asarray(values[:, end - YEAR : end - YEAR + length] + (now - then)[:, None])
