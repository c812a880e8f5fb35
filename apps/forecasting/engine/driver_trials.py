"""Whether a driver would have helped: forecasts of past days with what was known before them, with the driver and without."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from apps.forecasting.engine.backtest import ORIGINS
from apps.forecasting.engine.batch import SETTLING_DAYS, SETTLING_FACTOR, forecast_batch
from apps.forecasting.engine.driver_outlook import WEEK, DriverOutlook, Way
from apps.forecasting.engine.forecasts import HORIZON, Forecasts
from apps.forecasting.engine.series import Flags, Floats, SeriesKind, read_series

LEARNED_FROM = 60  # days of figure and driver before those on which it is tried
LEAST_TRIED, MOST_TRIED = 28, 90  # days on which it is tried
LEAST_TOGETHER = LEARNED_FROM + LEAST_TRIED
LEAST_GAIN = 0.15  # of the error that must fall away
STILL = 1e-12  # of the mean square: a driver that moves by less does not move


@dataclass(frozen=True)
class DriverTrial:
    """
    How far forecasts of past days were off with a driver and without, in usual changes over a week.

    `slope` is what one more of the driver does to the figure; `driver` its place among those tried.
    """

    driver: int
    way: Way
    slope: float
    error: float
    error_without: float

    @property
    def is_adopted(self) -> bool:
        return self.error <= (1 - LEAST_GAIN) * self.error_without

    def effect_of(self, more: Floats) -> Floats:
        """What so much more of the driver on each day ahead does to the figure on that day."""
        return self.slope * (np.cumsum(more) if self.way is Way.GROWTH else more)


@dataclass(frozen=True)
class _Try:
    """One driver tried on one figure in one way."""

    row: int
    driver: int
    way: Way
    days: int  # the last ones, on which it is tried


def try_drivers(
    values: Sequence[Floats],
    kinds: Sequence[SeriesKind | None],
    last_on: date,
    drivers: Mapping[int, DriverOutlook],
) -> list[list[DriverTrial]]:
    """
    Return for each figure how each driver would have done; nothing of one that has too few days with it.

    What is learned of a driver is learned before the days on which it is tried.
    """
    tries = [
        _Try(row, place, way, tried)
        for row, days in enumerate(values)
        for place, driver in drivers.items()
        if (tried := _days_to_try(days, driver))
        for way in Way
    ]
    rows = sorted({each.row for each in tries})
    batch = [values[row] for row in rows]
    batch += [_rest_of(values[each.row], drivers[each.driver], each) for each in tries]
    of = [*rows, *(each.row for each in tries)]
    forecasts = forecast_batch(
        batch,
        horizon=HORIZON,
        kinds=[kind_of(values[row], kinds[row]) for row in of],
        last_on=[last_on] * len(of),
    )
    trials: list[list[DriverTrial]] = [[] for _ in values]
    for number, each in enumerate(tries, len(rows)):
        pair = rows.index(each.row), number
        trial = _judge(values[each.row], forecasts, pair, drivers[each.driver], each)
        if trial is not None:
            trials[each.row].append(trial)
    return trials


def kind_of(days: Floats, kind: SeriesKind | None) -> SeriesKind:
    """What a figure is, for it and for what a driver leaves of it."""
    return SeriesKind.FLOW if read_series(days, kind).is_flow else SeriesKind.STOCK


def take_out(values: Floats, driver: DriverOutlook, way: Way, slope: float) -> Floats:
    """What is left of a figure without what the driver brought."""
    return values - slope * (driver.movement(way) - driver.reference(way))


def _days_to_try(values: Floats, driver: DriverOutlook) -> int:
    """How many of the last days a driver is tried on; 0 where too few have figure and driver."""
    together = int((np.isfinite(values) & np.isfinite(driver.days)).sum())
    most = min(MOST_TRIED, together - LEARNED_FROM)
    return max((origin for origin in ORIGINS if LEAST_TRIED <= origin <= most), default=0)


def _rest_of(values: Floats, driver: DriverOutlook, each: _Try) -> Floats:
    return take_out(values, driver, each.way, _find_slope(values, driver, each.way, each.days))


def _find_slope(values: Floats, driver: DriverOutlook, way: Way, left_out: int = 0) -> float:
    """
    What one more of a driver does to a figure: by their changes over a week, so that two that merely grow do not match.

    The newest days are `left_out`.
    """
    end = len(values) - left_out
    movement = driver.movement(way)[:end]
    changes = values[WEEK:end] - values[: end - WEEK]
    moves = movement[WEEK:] - movement[:-WEEK]
    both = np.isfinite(changes) & np.isfinite(moves)
    if not both.any():
        return 0.0
    y, x = changes[both] - changes[both].mean(), moves[both] - moves[both].mean()
    size = float((x**2).sum())
    return float((x * y).sum()) / size if size > STILL * float(np.nansum(movement**2)) else 0.0


def _judge(
    values: Floats, forecasts: Forecasts, rows: tuple[int, int], driver: DriverOutlook, each: _Try
) -> DriverTrial | None:
    """How a driver did on past days; None where it has no steady effect, or no day can be compared."""
    plain, rest = rows
    early, slope = (_find_slope(values, driver, each.way, left_out) for left_out in (each.days, 0))
    if early * slope <= 0 or forecasts.reasons[plain] is not None or forecasts.reasons[rest] is not None:
        return None
    is_tried = np.array(ORIGINS) <= each.days
    without = _errors(forecasts, plain)[is_tried]
    missed = driver.misses(each.way, int(forecasts.age[rest]), HORIZON)[is_tried]
    driven = _errors(forecasts, rest)[is_tried] + early * missed
    both = np.isfinite(without) & np.isfinite(driven)
    usual = float(np.nanmean(np.abs(values[WEEK:] - values[:-WEEK])))
    if not both.any() or not usual > 0:
        return None
    errors = (_mean_error(part, both) / usual for part in (driven, without))
    return DriverTrial(each.driver, each.way, slope, *errors)


def _errors(forecasts: Forecasts, row: int) -> Floats:
    """The errors of the past, without what a recent level shift widens them by."""
    has_shifted = any(shift.days_ago < SETTLING_DAYS for shift in forecasts.level_shifts[row])
    return np.asarray(forecasts.errors[row] / (SETTLING_FACTOR if has_shifted else 1.0))


def _mean_error(errors: Floats, both: Flags) -> float:
    """The mean of the origins' mean errors, each weighing the same."""
    count = both.sum(axis=1)
    total = np.where(both, np.abs(errors), 0.0).sum(axis=1)
    return float((total[count > 0] / count[count > 0]).mean())
