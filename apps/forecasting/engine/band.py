"""The band round the forecast, from the size of the mixture's own past errors (conformal), growing with the days ahead."""

import numpy as np

from apps.forecasting.engine.backtest import LEAST_TRIALS, ORIGINS, Backtest
from apps.forecasting.engine.histories import SeriesTable
from apps.forecasting.engine.series import Counts, Flags, Floats

LEAST_GROWTH_BEYOND = 0.9  # beyond the longest backtest
Z80, Z95 = 1.2816, 1.96
WIDER80, WIDER95 = 1.0, 1.3  # what measured coverage asks for


def find_band(table: SeriesTable, tests: Backtest, is_brief: Flags) -> tuple[Floats, Floats]:
    """
    Return half of the band at 80 % and at 95 %, series x days ahead.

    Where nothing was tried on the past it is a rough one; where little was, at least half of that.
    """
    share80, share95 = _from_errors(table, tests)
    rough80, rough95 = _rough(table, tests.mean.shape[1])
    is_untried = is_brief | (tests.trials == 0)
    rough = np.where(is_untried, 1.0, np.where(tests.trials < LEAST_TRIALS, 0.5, 0.0))[:, None]
    return np.maximum(share80, rough * rough80), np.maximum(share95, rough * rough95)


def _from_errors(table: SeriesTable, tests: Backtest) -> tuple[Floats, Floats]:
    """Return the half-widths that hold 80 % and 95 % of the past errors, each scaled by its days ahead."""
    count, _, horizon = tests.errors.shape
    days_ahead = np.arange(1, tests.mean.shape[1] + 1)
    grown = days_ahead ** tests.growth[:, None]
    is_tried = np.isfinite(tests.errors).any(axis=2)
    longest = np.where(is_tried, np.minimum(ORIGINS, horizon), 1).max(axis=1)[:, None]
    steeper = np.maximum(tests.growth, LEAST_GROWTH_BEYOND)[:, None]
    beyond = longest ** tests.growth[:, None] * (days_ahead / longest) ** steeper
    scaled = (np.abs(tests.errors) / grown[:, None, :horizon]).reshape(count, len(ORIGINS) * horizon)
    low, high = _quantiles(scaled, (0.8, 0.95))
    width = np.where(days_ahead > longest, beyond, grown) * _widening(table.days, len(days_ahead))
    return WIDER80 * low[:, None] * width, WIDER95 * high[:, None] * width


def _rough(table: SeriesTable, length: int) -> tuple[Floats, Floats]:
    """Return the half-widths where nothing can be tried on the past: a walk with the day-to-day changes as its steps."""
    original = table.values - table.unforeseen
    count = np.maximum(table.days - 1, 1)
    step = np.sqrt((np.diff(original, axis=1) ** 2).sum(axis=1) / count)
    width = step[:, None] * np.sqrt(np.arange(1, length + 1)) * _widening(table.days, length)
    return WIDER80 * Z80 * width, WIDER95 * Z95 * width


def _quantiles(values: Floats, shares: tuple[float, ...]) -> list[Floats]:
    """Return quantiles of each row, NaN left out (linear between order statistics); 0 for an empty row."""
    ordered = np.sort(values, axis=1)  # NaN last
    count = np.isfinite(values).sum(axis=1)
    rows = np.arange(len(values))
    quantiles = []
    for share in shares:
        place = share * np.maximum(count - 1, 0)
        below = place.astype(np.intp)
        above = np.minimum(below + 1, np.maximum(count - 1, 0))
        low, high = ordered[rows, below], ordered[rows, above]
        quantiles.append(np.where(count > 0, low + (high - low) * (place - below), 0.0))
    return quantiles


def _widening(days: Counts, length: int) -> Floats:
    """Return how much wider than its quantiles the band is drawn: for a short history, and for days far ahead."""
    return np.asarray((1 + 22 / days[:, None]) * (1 + 0.15 * np.arange(1, length + 1) / 90))
