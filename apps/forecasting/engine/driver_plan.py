"""The days to come of a driver: as people plan them, else as it goes on by itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from apps.forecasting.engine.series import Floats

MONTH = 365.25 / 12  # days
LEVEL_OVER = 29  # days whose middle is the level of a day, whatever its week and its month end
IS_DAILY = (
    0.5  # of the days between the first and the last that are planned: then each has a figure of its own
)


@dataclass(frozen=True)
class DriverPlan:
    """
    What people plan of a driver: figures of days (days ahead of today, 1 = tomorrow), or a growth from a day on.

    `growth` is a share a month. Neither: nothing is planned.
    """

    points: Mapping[int, float] = field(default_factory=dict)
    growth: float | None = None
    grows_from: int = 1

    @property
    def is_empty(self) -> bool:
        return self.growth is None and not any(day >= 1 for day in self.points)


def lay_out(plan: DriverPlan, own: Floats, week: Floats) -> Floats:
    """
    Return the days ahead of a driver: `own` is how it goes on by itself, `week` what each of the next seven days adds to its week.

    From the first planned day on, planned figures are joined by straight lines; the last one stays. Where fewer than every
    other day is planned, they are those of a usual day, to which weekdays add what they do. A growth takes the place of the driver's
    own: its weeks and month ends stay, and grow as well.
    """
    ahead, days = own.copy(), np.arange(1, len(own) + 1)
    coming = {day: value for day, value in sorted(plan.points.items()) if day >= 1}
    if coming:
        planned, first = np.array(list(coming)), min(coming)
        is_daily = len(planned) > 1 and len(planned) >= IS_DAILY * (planned[-1] - planned[0] + 1)
        level = np.interp(days, planned, list(coming.values()))
        adds = np.resize(week, len(own))
        is_own = is_daily & (days <= planned[-1])
        ahead[first - 1 :] = (level + np.where(is_own, 0.0, adds))[first - 1 :]
    elif plan.growth is not None:
        before = max(plan.grows_from, 1) - 1
        level = _level(own)
        months = np.maximum(days - before, 0) / MONTH
        usual = own - level + level[max(before - 1, 0) : before + 1][0]
        ahead[before:] = (usual * (1 + plan.growth) ** months)[before:]
    return np.maximum(ahead, 0.0)


def _level(own: Floats) -> Floats:
    padded = np.pad(own, LEVEL_OVER // 2, mode="edge")
    return np.asarray(np.median(sliding_window_view(padded, LEVEL_OVER), axis=1))
