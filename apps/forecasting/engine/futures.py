"""Futures of a series: its mean path plus each past origin's error path, from which the day of a crossing is read."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from apps.forecasting.engine.backtest import LEAST_TRIALS, ORIGINS
from apps.forecasting.engine.forecasts import LARGEST, Forecasts
from apps.forecasting.engine.series import Counts, Flags, Floats

WIDENING = 1.3
STEPS = 1.25  # how much longer than past errors those of a stock are, the way it goes
STEPS_AFTER = 90  # days, after which they are
MIRRORED = 0.5  # weight of an error path turned upside down
BARE = 1.0  # weight of the mean path alone
LENGTH_POWER = 0.25  # a long origin says a little more than a short one
COUNT = 2 * len(ORIGINS) + 1
SHARES = np.arange(1, 20) / 20  # quantiles of the band that stand in for futures
NORMAL = np.array([NormalDist().inv_cdf(share) for share in SHARES])
Z80 = NormalDist().inv_cdf(0.9)


@dataclass(frozen=True)
class Futures:
    """
    Equal in form for every series: `paths` is series x COUNT x horizon, `weights` series x COUNT (0 = not used).

    Those `from_band` are its quantiles, the lowest first, and not what went wrong in the past.
    """

    paths: Floats
    weights: Floats
    from_band: Flags

    def paths_turned(self, is_turned: Flags) -> Floats:
        """Return the paths, those from the band in the opposite order where they are to be turned."""
        paths, which = self.paths.copy(), is_turned & self.from_band
        paths[which, : len(NORMAL)] = paths[which, : len(NORMAL)][:, ::-1]
        return paths


def simulate_futures(forecasts: Forecasts, rows: Counts, partners: Counts | None = None) -> Futures:
    """
    Return about 25 futures of each of the given series; from the band where fewer than three origins were tried.

    With `partners`, a series for each, only origins that both have count: both have the same weights, place by place.
    """
    mean = forecasts.mean[rows]
    errors = _error_paths(forecasts, rows)
    is_tried = np.isfinite(forecasts.errors[rows]).any(axis=2)
    if partners is not None:
        is_tried &= np.isfinite(forecasts.errors[partners]).any(axis=2)
    length = np.minimum(ORIGINS, forecasts.horizon) ** LENGTH_POWER
    weight = np.where(is_tried, length, 0.0)
    total = weight.sum(axis=1, keepdims=True)
    weight = weight * is_tried.sum(axis=1, keepdims=True) / np.where(total > 0, total, 1.0)

    paths = np.empty((len(rows), COUNT, forecasts.horizon))
    paths[:, : len(ORIGINS)] = mean[:, None, :] + _with_steps(forecasts, rows, errors)
    paths[:, len(ORIGINS) : -1] = mean[:, None, :] + _with_steps(forecasts, rows, -errors)
    paths[:, -1] = mean
    weights = np.concatenate([weight, weight * MIRRORED, np.full((len(rows), 1), BARE)], axis=1)

    is_exact = forecasts.is_exact[rows]
    few = (is_tried.sum(axis=1) < LEAST_TRIALS) | is_exact
    noise = np.where(is_exact[:, None], forecasts.least[rows], forecasts.noise[rows])[few]
    paths[few, : len(NORMAL)] = mean[few][:, None, :] + noise[:, None, :] / Z80 * NORMAL[:, None]
    weights[few] = np.arange(COUNT) < len(NORMAL)
    floor, cap = np.maximum(forecasts.floor[rows], -LARGEST), np.minimum(forecasts.cap[rows], LARGEST)
    return Futures(np.clip(paths, floor[:, None, None], cap[:, None, None]), weights, few)


def _error_paths(forecasts: Forecasts, rows: Counts) -> Floats:
    """
    Return each origin's errors over the whole horizon, series x origins x horizon; zeros for an origin not tried.

    A path shorter than the horizon is carried on: of a stock it is repeated, grown by the exponent of its errors (what
    was wrong after a week is more wrong after three months); of a flow it is stretched, so that a burst stays a burst.
    """
    horizon = forecasts.horizon
    errors = forecasts.errors[rows]
    growth = forecasts.growth[rows][:, None]
    is_flow = forecasts.is_flow[rows][:, None]
    paths = np.zeros_like(errors)
    days = np.arange(horizon)
    for place, origin in enumerate(ORIGINS):
        length = min(origin, horizon)
        path = _hold(errors[:, place, :length])
        repeated = path[:, days % length] * ((days + 1) / (days % length + 1)) ** growth
        stretched = path[:, days * length // horizon] * (horizon / length) ** growth
        paths[:, place] = np.where(is_flow, stretched, repeated)
    return paths * WIDENING


def _with_steps(forecasts: Forecasts, rows: Counts, errors: Floats) -> Floats:
    """Return errors that are longer for stocks the way they go, the further ahead the more: steps come that no past day has shown."""
    mean = forecasts.mean[rows]
    ahead = np.minimum(np.arange(1, forecasts.horizon + 1) / STEPS_AFTER, 1.0)
    longer = np.where(forecasts.is_flow[rows][:, None, None], 1.0, 1.0 + (STEPS - 1.0) * ahead)
    way = np.sign(mean[:, -1] - mean[:, 0])[:, None, None]
    return np.where(errors * way > 0, errors * longer, errors)


def _hold(path: Floats) -> Floats:
    """Fill days that were not measured with the error of the day before, 0 at the beginning."""
    days = np.maximum.accumulate(np.where(np.isfinite(path), np.arange(path.shape[1]), 0), axis=1)
    return np.asarray(np.nan_to_num(np.take_along_axis(path, days, axis=1)))
