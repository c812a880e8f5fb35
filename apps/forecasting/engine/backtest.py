"""How well each candidate would have done: weights from past errors, the weighted mean, and its own errors on past days."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.forecasting.engine.candidates import CANDIDATES, DAMPED_DAYS, HANDICAPS, Start
from apps.forecasting.engine.histories import WINDOW, SeriesTable
from apps.forecasting.engine.series import STALE_AFTER, Counts, Flags, Floats

ORIGINS = (7, 14, 21, 28, 42, 56, 70, 90, 110, 130, 155, 180)  # days before the last one
LEAST_HISTORY = 28
SHARPNESS = 6.0
ROUNDING = 1e-12  # of the largest value: errors below are none
LEAST_TRIALS = 3  # origins from which errors say something about the futures

USUAL_GROWTH = 0.6
MOST_GROWTH = 1.1
PULL = 1.0  # how strongly the exponent is drawn to the usual one
BINS = ((0, 3), (3, 7), (7, 14), (14, 28), (28, 56), (56, 90), (90, 180))
LEAST_GROWTH_OF_A_WALK = 0.3  # below it is noise round a level, no wandering


@dataclass(frozen=True)
class Backtest:
    """
    What the past says of each series; `errors` is series x origins x days, NaN where not measured or beyond the last day.

    `mean` is the mixture of the candidates from today on, by `weights`; a brief history carries on its level alone.
    `errors` are observed minus forecast of the mixture, level shifts that nobody explained included.
    """

    weights: Floats  # series x candidates
    mean: Floats  # series x days ahead, counted from the last observed day
    errors: Floats
    growth: Floats  # exponent with which the errors grow with the days ahead
    trials: Counts  # origins that count
    wanders: Flags  # no candidate did better than "stays as it is", and the errors grow


def run_backtest(
    table: SeriesTable, past: Sequence[Start], now: Start, is_flow: Flags, is_brief: Flags, horizon: int
) -> Backtest:
    """Run every candidate from each past origin (`past` in the order of ORIGINS), and weigh it by its errors."""
    origins = np.array(ORIGINS)
    least = np.maximum(LEAST_HISTORY, np.minimum(origins, horizon) / 2)
    is_tried = table.days[:, None] - origins >= least  # half of what is to be forecast must remain
    relative = _relative_errors(table, past, is_tried, horizon)
    handicap = np.where(is_flow[:, None], HANDICAPS, 1.0)
    weights = np.where(now.usable, np.maximum(relative * handicap, 1e-6) ** -SHARPNESS, 0.0)
    weights = weights / weights.sum(axis=1, keepdims=True)

    errors = np.full((len(table.values), len(ORIGINS), horizon), np.nan)
    for place, (origin, start) in enumerate(zip(ORIGINS, past, strict=True)):
        actual, is_measured = _outcome(table, origin, horizon)
        length = actual.shape[1]
        shift = table.unforeseen[:, WINDOW - origin - 1 : WINDOW - origin + length]
        moved = shift[:, :1] - shift[:, 1:]
        counts = is_measured & is_tried[:, place, None]
        errors[:, place, :length] = np.where(counts, actual + moved - _mix(start, weights, length), np.nan)
    growth, trials = _growth_exponent(errors), np.isfinite(errors).any(axis=2).sum(axis=1)
    others = np.where(now.usable, relative, np.inf)[:, 1:].min(axis=1)
    is_walk = ~is_flow & (trials >= LEAST_TRIALS) & (growth > LEAST_GROWTH_OF_A_WALK)
    weights = np.where(is_brief[:, None], np.arange(len(CANDIDATES)) == 0, weights)
    return Backtest(
        weights=weights,
        mean=_mix(now, weights, horizon + STALE_AFTER - 1),
        errors=errors,
        growth=growth,
        trials=trials,
        wanders=np.asarray(is_walk & (relative[:, 0] <= others)),
    )


def _relative_errors(table: SeriesTable, past: Sequence[Start], is_tried: Flags, horizon: int) -> Floats:
    """Return each candidate's mean error over that of all candidates, without handicap; series x candidates."""
    count = len(table.values)
    total = np.ones((count, len(CANDIDATES)))  # one pseudo-observation of equality
    trials = np.ones((count, len(CANDIDATES)))
    for place, (origin, start) in enumerate(zip(ORIGINS, past, strict=True)):
        actual, is_measured = _outcome(table, origin, horizon)
        length = actual.shape[1]
        error = np.zeros((count, len(CANDIDATES)))
        for row in range(len(CANDIDATES)):
            path = start.level[:, row, None] + start.slope[:, row, None] * DAMPED_DAYS[row, :length]
            error[:, row] = (np.abs(path - actual) * is_measured).sum(axis=1)
        counts = start.usable & is_tried[:, place, None] & is_measured.any(axis=1, keepdims=True)
        fellow = np.where(counts, error, 0.0).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
        fellow = np.where(fellow > ROUNDING, fellow, 0.0)[:, None]
        relative = np.where(fellow > 0, error / np.where(fellow > 0, fellow, 1.0), 1.0)
        total += np.where(counts, relative, 0.0)
        trials += counts
    return np.asarray(total / trials)


def _outcome(table: SeriesTable, origin: int, horizon: int) -> tuple[Floats, Flags]:
    """Return what came in the days after an origin, and which of it was measured."""
    days = slice(WINDOW - origin, min(WINDOW - origin + horizon, WINDOW))
    return table.values[:, days], table.observed[:, days]


def _mix(start: Start, weights: Floats, length: int) -> Floats:
    """Return the weighted mean of the candidates' paths; those that lacked history leave their weight to the others."""
    share = np.where(start.usable, weights, 0.0)
    total = share.sum(axis=1, keepdims=True)
    share = np.where(total > 0, share / np.where(total > 0, total, 1.0), 0.0)
    share[:, 0] += np.where(total[:, 0] > 0, 0.0, 1.0)
    path = np.zeros((len(weights), length))
    for row in range(len(CANDIDATES)):
        slope = start.slope[:, row, None] * DAMPED_DAYS[row, :length]
        path += share[:, row, None] * (start.level[:, row, None] + slope)
    return path


def _growth_exponent(errors: Floats) -> Floats:
    """Return b of error ~ days^b for each series, by least squares on logarithms, drawn to 0.6 and kept in 0..1.1."""
    size = np.abs(errors)
    xs, ys = [], []
    for first, last in BINS:
        part = size[:, :, first:last]
        if part.shape[2] == 0:
            continue
        is_measured = np.isfinite(part)
        count = is_measured.sum(axis=(1, 2))
        mean = np.where(is_measured, part, 0.0).sum(axis=(1, 2)) / np.maximum(count, 1)
        is_usable = (count > 0) & (mean > ROUNDING)
        xs.append(np.where(is_usable, np.log((first + last + 1) / 2), np.nan))
        ys.append(np.where(is_usable, np.log(np.where(is_usable, mean, 1.0)), np.nan))
    x, y = np.stack(xs, axis=1), np.stack(ys, axis=1)
    is_usable = np.isfinite(x)
    count = np.maximum(is_usable.sum(axis=1, keepdims=True), 1)
    dx = np.where(is_usable, x - np.where(is_usable, x, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    dy = np.where(is_usable, y - np.where(is_usable, y, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    exponent = ((dx * dy).sum(axis=1) + PULL * USUAL_GROWTH) / ((dx**2).sum(axis=1) + PULL)
    return np.asarray(np.clip(exponent, 0.0, MOST_GROWTH))
