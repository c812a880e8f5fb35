"""How well each candidate would have done: weights from past errors, the mixture's own errors, the band they give."""

from dataclasses import dataclass

import numpy as np

from apps.forecasting.candidates import CANDIDATES, HANDICAPS, Start, damped_days
from apps.forecasting.clean import WINDOW, Counts, Flags, Floats, Histories

ORIGINS = (7, 14, 21, 28, 42, 56, 70, 90, 110, 130, 155, 180)  # days before the last one
LEAST_HISTORY = 28
SHARPNESS = 6.0
ROUNDING = 1e-12  # of the largest value: errors below are none
LEAST_TRIALS = 3  # origins from which errors say something about the futures


@dataclass(frozen=True)
class Backtest:
    """
    What the past says; series x origins x days for `errors`, NaN where not measured or beyond the last day.

    `errors` are observed minus forecast of the mixture with today's `weights` (series x candidates), level shifts that nobody explained included.
    """

    weights: Floats
    relative: Floats  # series x candidates: mean error over that of all candidates, without handicap
    errors: Floats


def tried(days: Counts, horizon: int) -> Flags:
    """Return which origins a history of so many days allows: 28 days, and half of what is to be foreseen, must remain."""
    origins = np.array(ORIGINS)
    least = np.maximum(LEAST_HISTORY, np.minimum(origins, horizon) / 2)
    return np.asarray(days[:, None] - origins >= least)


def backtest(histories: Histories, past: list[Start], now: Start, is_flow: Flags, horizon: int) -> Backtest:
    """Run every candidate from each past origin (`past` in the order of ORIGINS) and weigh it by its errors."""
    count = len(histories.values)
    is_tried = tried(histories.days, horizon)
    growth = damped_days(horizon)
    total = np.ones((count, len(CANDIDATES)))  # one pseudo-observation of equality
    seen = np.ones((count, len(CANDIDATES)))
    for place, (origin, start) in enumerate(zip(ORIGINS, past, strict=True)):
        actual, is_known = outcome(histories, origin, horizon)
        length = actual.shape[1]
        error = np.zeros((count, len(CANDIDATES)))
        for row in range(len(CANDIDATES)):
            path = start.level[:, row, None] + start.slope[:, row, None] * growth[row, :length]
            error[:, row] = (np.abs(path - actual) * is_known).sum(axis=1)
        counts = start.usable & is_tried[:, place, None] & is_known.any(axis=1, keepdims=True)
        fellow = np.where(counts, error, 0.0).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
        fellow = np.where(fellow > ROUNDING, fellow, 0.0)[:, None]
        relative = np.where(fellow > 0, error / np.where(fellow > 0, fellow, 1.0), 1.0)
        total += np.where(counts, relative, 0.0)
        seen += counts
    relative = total / seen
    handicap = np.where(is_flow[:, None], HANDICAPS, 1.0)
    weights = np.where(now.usable, np.maximum(relative * handicap, 1e-6) ** -SHARPNESS, 0.0)
    weights = weights / weights.sum(axis=1, keepdims=True)

    errors = np.full((count, len(ORIGINS), horizon), np.nan)
    for place, (origin, start) in enumerate(zip(ORIGINS, past, strict=True)):
        actual, is_known = outcome(histories, origin, horizon)
        length = actual.shape[1]
        shift = histories.unforeseen[:, WINDOW - origin - 1 : WINDOW - origin + length]
        moved = shift[:, :1] - shift[:, 1:]
        kept = is_known & is_tried[:, place, None]
        path = mixture(start, weights, growth[:, :length])
        errors[:, place, :length] = np.where(kept, actual + moved - path, np.nan)
    return Backtest(weights, relative, errors)


def outcome(histories: Histories, origin: int, horizon: int) -> tuple[Floats, Flags]:
    """Return what came in the days after an origin, and which of it was measured."""
    days = slice(WINDOW - origin, min(WINDOW - origin + horizon, WINDOW))
    return histories.values[:, days], histories.observed[:, days]


def mixture(start: Start, weights: Floats, growth: Floats) -> Floats:
    """Return the weighted mean of the candidates' paths; those that lacked history leave their weight to the others."""
    share = np.where(start.usable, weights, 0.0)
    total = share.sum(axis=1, keepdims=True)
    share = np.where(total > 0, share / np.where(total > 0, total, 1.0), 0.0)
    share[:, 0] += np.where(total[:, 0] > 0, 0.0, 1.0)
    path = np.zeros((len(weights), growth.shape[1]))
    for row in range(len(CANDIDATES)):
        path += share[:, row, None] * (start.level[:, row, None] + start.slope[:, row, None] * growth[row])
    return path
