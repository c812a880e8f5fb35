"""A driver as forecasts go by it: without gaps, with its days ahead, and with what was to be expected of it on past days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

import numpy as np

from apps.forecasting.engine.backtest import ORIGINS
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.driver_plan import DriverPlan, lay_out
from apps.forecasting.engine.forecasts import LONGEST_HORIZON
from apps.forecasting.engine.series import STALE_AFTER, Counts, Floats

WEEK = 7
USUAL_OVER = 28  # days whose mean is the usual level of a driver
AHEAD = LONGEST_HORIZON + STALE_AFTER  # days that a figure may be forecast from its own last one


class Way(StrEnum):
    """How a driver takes a figure along."""

    LEVEL = "level"  # it rises and falls with the driver
    GROWTH = "growth"  # what it gains in a day goes by the driver


@dataclass(frozen=True)
class DriverHistory:
    """A driver up to today, one figure a day, NaN where there is none; and what people plan of it."""

    days: Floats
    plan: DriverPlan


@dataclass(frozen=True)
class DriverOutlook:
    """
    A driver without gaps, NaN before it began, and its days ahead.

    `expected` are by days before today the days that were to be expected then; of a driver that people plan it is what came.
    """

    days: Floats
    ahead: Floats
    expected: Mapping[int, Floats]
    is_planned: bool

    def movement(self, way: Way) -> Floats:
        """What a figure goes by: the driver itself, or all of it up to each day."""
        if way is Way.LEVEL:
            return self.days
        return np.where(np.isfinite(self.days), np.cumsum(np.nan_to_num(self.days)), np.nan)

    def reference(self, way: Way) -> float:
        """The movement at which a figure is as it would be without a driver."""
        movement = self.movement(way)
        return float(movement[-1] if way is Way.GROWTH else np.nanmean(movement[-USUAL_OVER:]))

    def movement_ahead(self, way: Way, horizon: int) -> Floats:
        """The movement of the days ahead, from the reference on."""
        ahead = self.ahead[:horizon]
        return np.cumsum(ahead) if way is Way.GROWTH else ahead - self.reference(way)

    def misses(self, way: Way, age: int, horizon: int) -> Floats:
        """
        What came minus what was expected of the movement, origins x days.

        Of a figure last measured `age` days ago. NaN on days that are not over, and where nothing could be expected.
        """
        misses = np.full((len(ORIGINS), horizon), np.nan)
        for place, origin in enumerate(ORIGINS):
            cut, length = origin + age, min(origin, horizon)
            missed = _came(self.days, cut)[:length] - self.expected[cut][:length]
            misses[place, :length] = np.cumsum(missed) if way is Way.GROWTH else missed
        return misses


def prepare_drivers(
    drivers: Sequence[DriverHistory], ages: Counts, last_on: date
) -> dict[int, DriverOutlook]:
    """
    Return drivers that can be forecast, by their place: without gaps, with what was to be expected of them today and on past days.

    `ages` are the days since the figures that they may drive were last measured, `last_on` is the last day of the drivers.
    """
    young = {int(age) for age in ages if age < STALE_AFTER}
    cuts = sorted({0} | {origin + age for age in young for origin in ORIGINS})
    shortened = [driver.days[: max(len(driver.days) - cut, 0)] for driver in drivers for cut in cuts]
    ends = [last_on - timedelta(days=cut) for cut in cuts]
    own = forecast_batch(shortened, horizon=LONGEST_HORIZON, last_on=ends * len(drivers))
    outlooks = {}
    for place, driver in enumerate(drivers):
        today = place * len(cuts)
        if own.reasons[today] is not None:
            continue
        means = np.pad(
            own.mean[today : today + len(cuts)], ((0, 0), (0, AHEAD - LONGEST_HORIZON)), mode="edge"
        )
        days, is_planned = _fill(driver.days), not driver.plan.is_empty
        outlooks[place] = DriverOutlook(
            days=days,
            ahead=lay_out(driver.plan, means[0], own.weekly[today]),
            expected={
                cut: _came(days, cut) if is_planned else mean for cut, mean in zip(cuts, means, strict=True)
            },
            is_planned=is_planned,
        )
    return outlooks


def _came(days: Floats, cut: int) -> Floats:
    """The days that came after a past one, NaN once they are not over."""
    came = np.full(AHEAD, np.nan)
    past = days[max(len(days) - cut, 0) :][:AHEAD] if len(days) >= cut else np.empty(0)
    came[: len(past)] = past
    return came


def _fill(days: Floats) -> Floats:
    """Fill gaps by straight lines, and days up to today by those a week before; nothing before the first day."""
    measured = np.flatnonzero(np.isfinite(days))
    filled = np.interp(np.arange(len(days)), measured, days[measured])
    filled[: measured[0]] = np.nan
    for day in range(measured[-1] + 1, len(days)):
        filled[day] = filled[max(day - WEEK, measured[0])]
    return filled
