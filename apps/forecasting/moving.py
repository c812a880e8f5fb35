"""Limits on a change as limits that move: what a figure may be on a day follows from what it was so many days before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from apps.catalog.metric import Metric
from apps.forecasting.clean import STALE_AFTER, Floats
from apps.forecasting.wanted import Wanted
from apps.inventory.models import Target
from apps.snapshots.history import HORIZONS
from apps.snapshots.measured import read_series
from apps.thresholds.findings import then_column
from apps.thresholds.models import HORIZON_OF


@dataclass(frozen=True)
class Then:
    """
    What the change of a figure is told against, in the stored unit: on the last measured day, and on each day ahead.

    NaN where there is nothing to compare with, and from the day on that would be compared with one still to come.
    """

    metric: Metric
    now: float
    ahead: Floats

    def limit(self, change: float) -> Floats:
        """What the figure is on each day ahead when it has changed by so much (percent, points of a share)."""
        return moved(self.metric, self.ahead, change)

    def limit_now(self, change: float) -> float:
        return float(moved(self.metric, np.array(self.now), change))

    def change(self, value: float, ahead: int = 0) -> float:
        """The change that a stored figure is on a day ahead, or on the last measured one; NaN where none can be told."""
        then = float(self.ahead[ahead - 1]) if ahead else self.now
        if then == 0 or np.isnan(then):
            return np.nan
        return self.metric.shown(value - then) if self.metric.is_percent else 100 * (value - then) / abs(then)


def moved(metric: Metric, then: Floats, change: float) -> Floats:
    """A figure after a change; NaN where it was 0, of which there is no percentage."""
    known = np.where(then == 0, np.nan, then)
    if metric.is_percent:
        return np.asarray(known + metric.stored(change))
    return np.asarray(known + np.abs(known) * change / 100)


def read_thens(
    target: Target, wanted: Sequence[Wanted], on: date, measured: Mapping[Wanted, date], horizon: int
) -> dict[Wanted, Then]:
    """Read what the limits on a change among those wanted are told against; `measured` is the last day of each figure."""
    changes = [one for one in wanted if one.threshold.figure in HORIZON_OF]
    if not changes:
        return {}
    back = max(HORIZON_OF[one.threshold.figure] for one in changes)
    pairs = [(one.threshold.metric, one.component) for one in changes]
    first = on - timedelta(days=back + HORIZONS[back] + STALE_AFTER)
    levels = read_series([target], pairs, first, on)[target.pk]
    found = {}
    for one in changes:
        metric, days = one.threshold.about, HORIZON_OF[one.threshold.figure]

        def then(
            day: date, metric: Metric = metric, days: int = days, component: str = one.component
        ) -> float:
            column = then_column(levels, day, days)
            row = levels.row_of[metric.key, component]
            if column is None:
                return np.nan
            return 0.0 if levels.is_absent[row, column] else float(levels.values[row, column])

        ahead = np.full(horizon, np.nan)
        ahead[:days] = [then(on + timedelta(days=day)) for day in range(1, min(days, horizon) + 1)]
        found[one] = Then(metric, then(measured[one]), ahead)
    return found
