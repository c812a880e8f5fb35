"""What other tools forecast with, for the benchmark: each takes tasks and gives mean, low and high at 80 % by day."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bands = tuple[Floats, Floats, Floats]  # mean, low, high: tasks x days

Z80 = 1.2816
USED = 400
WEEK = 7
SMOOTHINGS = [
    (level, trend, season)
    for level in (0.1, 0.3, 0.6, 0.9)
    for trend in (0.02, 0.1, 0.3)
    for season in (0.05, 0.2)
]


def fill_gaps(days: Floats) -> Floats:
    """Fill gaps by a straight line, as these tools are fed."""
    positions = np.flatnonzero(np.isfinite(days))
    return np.interp(np.arange(len(days)), positions, days[positions])


def no_change(histories: Sequence[Floats], horizon: int) -> Bands:
    """The last value; its band is that of a random walk."""
    last = np.array([fill_gaps(days)[-1] for days in histories])
    step = np.array([np.sqrt((np.diff(fill_gaps(days)) ** 2).mean()) for days in histories])
    mean = np.repeat(last[:, None], horizon, axis=1)
    half = Z80 * step[:, None] * np.sqrt(np.arange(1, horizon + 1))
    return mean, mean - half, mean + half


def line(window: int) -> Callable[[Sequence[Floats], int], Bands]:
    """Least squares over the last days, carried on (Prometheus' predict_linear, Zabbix' forecast)."""

    def bands(histories: Sequence[Floats], horizon: int) -> Bands:
        lines = [fitted(fill_gaps(days)[-window:], horizon) for days in histories]
        mean, half = (np.array(each) for each in zip(*lines, strict=True))
        return mean, mean - half, mean + half

    return bands


def fitted(values: Floats, horizon: int) -> tuple[Floats, Floats]:
    """Return a least-squares line carried on, and half of its 80 % prediction interval (textbook formula)."""
    count = len(values)
    at = np.arange(count) - (count - 1) / 2
    slope = (at * values).sum() / (at**2).sum()
    spread = np.sqrt(((values - values.mean() - slope * at) ** 2).sum() / max(count - 2, 1))
    ahead = at[-1] + np.arange(1, horizon + 1)
    half = Z80 * spread * np.sqrt(1 + 1 / count + ahead**2 / (at**2).sum())
    return values.mean() + slope * ahead, half


def exponential(histories: Sequence[Floats], horizon: int) -> Bands:
    """A line through the logarithms of the last 90 days (Zabbix' forecast with fit "exponential")."""
    lines = []
    for days in histories:
        values = fill_gaps(days)[-90:]
        above = values[values > 0]
        least = above.min() if len(above) else 1.0
        lines.append(fitted(np.log(np.maximum(values, least)), horizon))
    mean, half = (np.array(each) for each in zip(*lines, strict=True))
    return (
        np.exp(np.minimum(mean, 700)),
        np.exp(np.minimum(mean - half, 700)),
        np.exp(np.minimum(mean + half, 700)),
    )


def holt_winters(histories: Sequence[Floats], horizon: int) -> Bands:
    """Additive Holt-Winters with a weekly season; smoothing by the least one-day error on a grid."""
    level_by, trend_by, season_by = np.array(SMOOTHINGS).T
    values = np.zeros((len(histories), USED))
    began = np.zeros(len(histories), dtype=np.intp)
    for row, days in enumerate(histories):
        used = fill_gaps(days)[-USED:]
        began[row] = USED - len(used)
        values[row, began[row] :] = used
    shape = (len(histories), len(SMOOTHINGS))
    first = np.array([row[start : start + WEEK].mean() for row, start in zip(values, began, strict=True)])
    level, trend, errors, count = (
        np.repeat(first[:, None], shape[1], 1),
        np.zeros(shape),
        np.zeros(shape),
        0 * began,
    )
    season = np.zeros((WEEK, *shape))
    for day in range(USED):
        begins = (day >= began) & (day < began + WEEK)
        season[day % WEEK, begins] = (values[begins, day] - first[begins])[:, None]
        runs = (day >= began + WEEK)[:, None]
        expected = level + trend + season[day % WEEK]
        error = values[:, day, None] - expected
        errors += np.where(runs, error**2, 0.0)
        count += runs[:, 0]
        risen = level + trend + level_by * error
        trend = np.where(runs, trend + level_by * trend_by * error, trend)
        level = np.where(runs, risen, level)
        season[day % WEEK] += np.where(runs, season_by * (1 - level_by) * error, 0.0)
    rows, best = np.arange(shape[0]), errors.argmin(axis=1)
    ahead = np.arange(1, horizon + 1)
    weekly = season[(USED + ahead - 1) % WEEK][:, rows, best].T
    mean = level[rows, best][:, None] + trend[rows, best][:, None] * ahead + weekly
    spread = np.sqrt(errors[rows, best] / np.maximum(count, 1))[:, None]
    by, slope_by = level_by[best][:, None], (level_by * trend_by)[best][:, None]
    growth = np.sqrt(1 + np.cumsum((by + slope_by * (ahead - 1)) ** 2, axis=1) - by**2)
    return mean, mean - Z80 * spread * growth, mean + Z80 * spread * growth


def auto_theta(histories: Sequence[Floats], horizon: int) -> Bands:
    """AutoTheta of statsforecast with a weekly season, each series with the Theta model of least error."""
    from statsforecast.models import AutoTheta  # no part of the locked packages

    answers = [
        AutoTheta(season_length=WEEK).forecast(fill_gaps(days)[-USED:], h=horizon, level=[80])
        for days in histories
    ]
    mean, low, high = (np.array([answer[name] for answer in answers]) for name in ("mean", "lo-80", "hi-80"))
    return mean, low, high


PEERS: dict[str, Callable[[Sequence[Floats], int], Bands]] = {
    "line 30 d": line(30),
    "line 90 d": line(90),
    "line over twice the horizon": line(180),
    "Zabbix exponential 90 d": exponential,
    "Holt-Winters weekly": holt_winters,
    "no change": no_change,
}
if find_spec("statsforecast"):
    PEERS["AutoTheta (statsforecast)"] = auto_theta
