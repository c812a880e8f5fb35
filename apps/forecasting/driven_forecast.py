"""Forecasts with the drivers that people keep: read, tried on each figure, adopted where past days would have been nearer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Any

import numpy as np

from apps.forecasting.change_notation import read_driver_change
from apps.forecasting.daily_figures import DailyFigures, Key
from apps.forecasting.driver import Driver, DriverDay
from apps.forecasting.engine.driver_outlook import DriverHistory, DriverOutlook, prepare_drivers
from apps.forecasting.engine.driver_plan import DriverPlan
from apps.forecasting.engine.driver_trials import DriverTrial, try_drivers
from apps.forecasting.engine.drivers import adopt_drivers, choose_drivers
from apps.forecasting.engine.effects import Effect
from apps.forecasting.engine.forecasts import Forecasts
from apps.inventory.models import Target
from apps.inventory.scope import holding_for


@dataclass(frozen=True)
class DrivenFigures:
    """
    Which drivers reach the figures of a batch, how each did on each, and which are in their forecasts.

    `outlooks` and the trials name a driver by its place among `drivers`, `trials` and `choices` a figure by its row.
    """

    drivers: Sequence[Driver] = ()
    outlooks: Mapping[int, DriverOutlook] = field(default_factory=dict)
    trials: Sequence[Sequence[DriverTrial]] = ()
    choices: Mapping[int, DriverTrial] = field(default_factory=dict)
    keys: Sequence[Key] = ()  # of the rows

    def choice(self, key: Key) -> DriverTrial | None:
        """The driver that a figure goes by."""
        return self.choices.get(self.keys.index(key)) if key in self.keys else None

    def effect(self, key: Key, driver: Driver, change: str, day: int) -> Effect | None:
        """What a change of a driver from a day ahead on makes of a figure; None where that goes by another driver or by none."""
        choice = self.choice(key)
        if choice is None or self.drivers[choice.driver] != driver:
            return None
        moved = read_driver_change(change, driver.name, driver.unit)
        coming = self.outlooks[choice.driver].ahead[day - 1 :]
        brings = choice.effect_of(coming * (moved.factor - 1) + moved.addend)
        return Effect(brings=tuple(map(float, brings)))


UNDRIVEN = DrivenFigures()


class TargetDrivers:
    """The drivers that may drive figures of a target; one query, once something is asked."""

    def __init__(self, target: Target) -> None:
        self.target = target

    @cached_property
    def drivers(self) -> list[Driver]:
        return list(Driver.objects.filter(holding_for([self.target])))


def add_drivers(
    plain: Forecasts,
    daily: DailyFigures,
    keys: Sequence[Key],
    drivers: Sequence[Driver],
    on: date,
    **options: Sequence[Any],
) -> tuple[Forecasts, DrivenFigures]:
    """
    The forecasts with the drivers that help, and what is to be said of each.

    `options` are those of `forecast_batch` that hold for what a driver leaves as well.
    """
    histories = read_driver_histories(drivers, on, max(len(values) for values in daily.values))
    outlooks = prepare_drivers(histories, plain.age, on)
    trials = try_drivers(daily.values, daily.kinds, on, outlooks)
    choices = choose_drivers(trials)
    driven = DrivenFigures(drivers, outlooks, trials, choices, keys)
    if not choices:
        return plain, driven
    return adopt_drivers(plain, daily.values, choices, outlooks, **options), driven


def read_driver_histories(drivers: Sequence[Driver], on: date, length: int) -> list[DriverHistory]:
    """The last so many days of drivers up to a day, and what is planned after it."""
    first = on - timedelta(days=length - 1)
    days = {driver.pk: np.full(length, np.nan) for driver in drivers}
    points: dict[int, dict[int, float]] = {driver.pk: {} for driver in drivers}
    rows = DriverDay.objects.filter(driver__in=drivers, day__gte=first)
    for driver, day, is_planned, value in rows.values_list("driver_id", "day", "is_planned", "value"):
        if is_planned and day > on:
            points[driver][(day - on).days] = value
        elif not is_planned and day <= on:
            days[driver][(day - first).days] = value
    return [DriverHistory(days[driver.pk], _plan(driver, points[driver.pk], on)) for driver in drivers]


def _plan(driver: Driver, points: Mapping[int, float], on: date) -> DriverPlan:
    if driver.growth is None or driver.grows_from is None:
        return DriverPlan(points)
    return DriverPlan(points, driver.growth / 100, (driver.grows_from - on).days)
