"""The band round the forecast: quantiles of the futures day by day, as the chance is a share of them."""

from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.futures import simulate_futures
from apps.forecasting.engine.series import Counts, Floats

SHARES = (0.025, 0.1, 0.9, 0.975)  # of the futures of a day: what 95 % and 80 % lie between
SMOOTHED_OVER = 7  # days: some 25 futures are few to read a quantile of one day from
CHUNK = 64  # series at a time: what stays in the processor's cache is twice as fast


def draw_band(forecasts: Forecasts) -> Forecasts:
    """Return forecasts with the bounds that hold 80 % and 95 % of their futures, about the expected line."""
    parts = [
        _find_bounds(forecasts, np.arange(first, min(first + CHUNK, len(forecasts))))
        for first in range(0, len(forecasts), CHUNK)
    ]
    if not parts:
        return forecasts
    low95, low80, high80, high95 = np.concatenate(parts, axis=1)
    return replace(forecasts, low95=low95, low80=low80, high80=high80, high95=high95)


def _find_bounds(forecasts: Forecasts, rows: Counts) -> Floats:
    """Return the four bounds, the lowest first: bounds x series x days."""
    mean, least = forecasts.mean[rows], forecasts.least[rows]
    floor, cap = forecasts.floor[rows][:, None], forecasts.cap[rows][:, None]
    futures = simulate_futures(forecasts, rows)
    by_day = np.ascontiguousarray(
        futures.paths.swapaxes(1, 2)
    )  # series x days x paths: a day's futures lie together
    order = np.argsort(by_day, axis=2)
    paths = np.take_along_axis(by_day, order, axis=2)
    weights = futures.weights[np.arange(len(rows))[:, None, None], order]
    reached = np.cumsum(weights, axis=2) - weights / 2
    total = futures.weights.sum(axis=1)
    bounds = []
    for share, sign in zip(SHARES, (-1, -1, 1, 1), strict=True):
        away = _smooth(_quantile(paths, reached, share * total) - mean) * sign
        bounds.append(np.clip(mean + sign * np.maximum(away, least), floor, cap))
    return np.stack(bounds)


def _quantile(paths: Floats, reached: Floats, share: Floats) -> Floats:
    """Return where ordered paths (series x days x paths) reach a share of their weight: linear between two of them."""
    is_reached = reached >= share[:, None, None]
    last = paths.shape[2] - 1
    above = np.where(is_reached[:, :, last], np.maximum(is_reached.argmax(axis=2), 1), last)[:, :, None]
    low, high = (np.take_along_axis(paths, place, axis=2)[:, :, 0] for place in (above - 1, above))
    left, right = (np.take_along_axis(reached, place, axis=2)[:, :, 0] for place in (above - 1, above))
    part = (share[:, None] - left) / np.where(right > left, right - left, 1.0)
    return np.asarray(low + (high - low) * np.clip(part, 0.0, 1.0))


def _smooth(values: Floats) -> Floats:
    """Return the mean of each day and those about it."""
    reach = SMOOTHED_OVER // 2
    padded = np.pad(values, ((0, 0), (reach, reach)), mode="edge")
    return np.asarray(sliding_window_view(padded, SMOOTHED_OVER, axis=1).mean(axis=2))
