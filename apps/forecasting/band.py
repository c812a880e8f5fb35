"""The band round the forecast, from the size of the mixture's own past errors (conformal), growing with the days ahead."""

from dataclasses import dataclass

import numpy as np

from apps.forecasting.backtest import ORIGINS, ROUNDING
from apps.forecasting.clean import Counts, Floats, Histories

USUAL_GROWTH = 0.6
MOST_GROWTH = 1.1
LEAST_GROWTH_BEYOND = 0.9  # beyond the longest backtest
Z80, Z95 = 1.2816, 1.96
WIDER80, WIDER95 = 1.0, 1.3  # what measured coverage asks for
PULL = 1.0  # how strongly the exponent is drawn to the usual one
BINS = ((0, 3), (3, 7), (7, 14), (14, 28), (28, 56), (56, 90), (90, 180))


@dataclass(frozen=True)
class Band:
    """Half-widths at 80 % and 95 %, series x days; the exponent of growth of each series; origins that count."""

    half80: Floats
    half95: Floats
    growth: Floats
    trials: Counts


def growth_exponent(errors: Floats) -> Floats:
    """Return b of error ~ days^b for each series, by least squares on logarithms, drawn to 0.6 and kept in 0..1.1."""
    size = np.abs(errors)
    xs, ys = [], []
    for first, last in BINS:
        part = size[:, :, first:last]
        if part.shape[2] == 0:
            continue
        known = np.isfinite(part)
        count = known.sum(axis=(1, 2))
        mean = np.where(known, part, 0.0).sum(axis=(1, 2)) / np.maximum(count, 1)
        usable = (count > 0) & (mean > ROUNDING)
        xs.append(np.where(usable, np.log((first + last + 1) / 2), np.nan))
        ys.append(np.where(usable, np.log(np.where(usable, mean, 1.0)), np.nan))
    x, y = np.stack(xs, axis=1), np.stack(ys, axis=1)
    known = np.isfinite(x)
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    dx = np.where(known, x - np.where(known, x, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    dy = np.where(known, y - np.where(known, y, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    exponent = ((dx * dy).sum(axis=1) + PULL * USUAL_GROWTH) / ((dx**2).sum(axis=1) + PULL)
    return np.asarray(np.clip(exponent, 0.0, MOST_GROWTH))


def quantiles(values: Floats, shares: tuple[float, ...]) -> list[Floats]:
    """Return quantiles of each row, NaN left out (linear between order statistics); 0 for an empty row."""
    ordered = np.sort(values, axis=1)  # NaN last
    count = np.isfinite(values).sum(axis=1)
    rows = np.arange(len(values))
    result = []
    for share in shares:
        place = share * np.maximum(count - 1, 0)
        below = place.astype(np.intp)
        above = np.minimum(below + 1, np.maximum(count - 1, 0))
        low, high = ordered[rows, below], ordered[rows, above]
        result.append(np.where(count > 0, low + (high - low) * (place - below), 0.0))
    return result


def band(errors: Floats, days: Counts, ahead: int) -> Band:
    """Return the half-widths for `ahead` days of each series from its error paths and its length of history."""
    count, _, horizon = errors.shape
    to_come = np.arange(1, ahead + 1)
    exponent = growth_exponent(errors)
    grown = to_come ** exponent[:, None]
    trials = np.isfinite(errors).any(axis=2)
    longest = np.where(trials, np.minimum(ORIGINS, horizon), 1).max(axis=1)[:, None]
    steeper = np.maximum(exponent, LEAST_GROWTH_BEYOND)[:, None]
    beyond = longest ** exponent[:, None] * (to_come / longest) ** steeper
    scaled = (np.abs(errors) / grown[:, None, :horizon]).reshape(count, len(ORIGINS) * horizon)
    low, high = quantiles(scaled, (0.8, 0.95))
    width = np.where(to_come > longest, beyond, grown) * widening(days, ahead)
    return Band(
        half80=WIDER80 * low[:, None] * width,
        half95=WIDER95 * high[:, None] * width,
        growth=exponent,
        trials=trials.sum(axis=1),
    )


def rough_band(histories: Histories, ahead: int) -> Band:
    """Return the half-widths where nothing can be tried on the past: a walk with the day-to-day changes as its steps."""
    original = histories.values - histories.unforeseen
    count = np.maximum(histories.days - 1, 1)
    step = np.sqrt((np.diff(original, axis=1) ** 2).sum(axis=1) / count)
    width = step[:, None] * np.sqrt(np.arange(1, ahead + 1)) * widening(histories.days, ahead)
    return Band(
        half80=WIDER80 * Z80 * width,
        half95=WIDER95 * Z95 * width,
        growth=np.full(len(original), 0.5),
        trials=np.zeros(len(original), dtype=np.intp),
    )


def widening(days: Counts, ahead: int) -> Floats:
    """Return how much wider than its quantiles the band is drawn: for a short history, and for days far ahead."""
    return np.asarray((1 + 22 / days[:, None]) * (1 + 0.15 * np.arange(1, ahead + 1) / 90))
