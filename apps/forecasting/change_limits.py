"""Limits on a change as limits that move: what a figure may be on a day follows from what it was so many days before."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from apps.catalog.metric import Metric
from apps.forecasting.engine.series import STALE_AFTER, Floats
from apps.forecasting.limited_figures import LimitedFigure
from apps.inventory.models import Target
from apps.snapshots.history import HORIZONS
from apps.snapshots.measured import Measured, read_series
from apps.thresholds.findings import find_column_before
from apps.thresholds.models import HORIZON_OF


@dataclass(frozen=True)
class EarlierFigures:
    """
    What the change of a figure is held against, in the stored unit: on the last measured day, and on each day ahead.

    NaN where there is nothing to compare with, and from the day on that would be compared with one still to come.
    """

    metric: Metric
    now: float
    ahead: Floats

    def limit(self, change: float) -> Floats:
        """What the figure is on each day ahead when it has changed by so much (percent, points of a share)."""
        return _after_change(self.metric, self.ahead, change)

    def limit_now(self, change: float) -> float:
        return float(_after_change(self.metric, np.array(self.now), change))

    def change(self, value: float, ahead: int = 0) -> float:
        """The change that a stored figure is on a day ahead, or on the last measured one; NaN where none can be told."""
        before = float(self.ahead[ahead - 1]) if ahead else self.now
        if before == 0 or np.isnan(before):
            return np.nan
        return (
            self.metric.to_display_unit(value - before)
            if self.metric.is_percent
            else 100 * (value - before) / abs(before)
        )


def _after_change(metric: Metric, before: Floats, change: float) -> Floats:
    """A figure after a change; NaN where it was 0, of which there is no percentage."""
    divisor = np.where(before == 0, np.nan, before)
    if metric.is_percent:
        return np.asarray(divisor + metric.to_stored_unit(change))
    return np.asarray(divisor + np.abs(divisor) * change / 100)


def read_earlier_figures(
    target: Target, measured_on: Mapping[LimitedFigure, date], on: date, horizon: int
) -> dict[LimitedFigure, EarlierFigures]:
    """Read what limits on a change are held against; `measured_on` has the last measured day of each figure."""
    if not measured_on:
        return {}
    back = max(HORIZON_OF[figure.threshold.figure] for figure in measured_on)
    names = [(figure.threshold.metric, figure.component) for figure in measured_on]
    first = on - timedelta(days=back + HORIZONS[back] + STALE_AFTER)
    levels = read_series([target], names, first, on)[target.pk]
    return {figure: _earlier(figure, levels, day, on, horizon) for figure, day in measured_on.items()}


def _earlier(
    figure: LimitedFigure, levels: Measured, measured_on: date, on: date, horizon: int
) -> EarlierFigures:
    metric, back = figure.threshold.about, HORIZON_OF[figure.threshold.figure]
    row = levels.row_of[metric.key, figure.component]

    def before(day: date) -> float:
        column = find_column_before(levels, day, back)
        if column is None:
            return np.nan
        return 0.0 if levels.is_absent[row, column] else float(levels.values[row, column])

    ahead = np.full(horizon, np.nan)
    ahead[:back] = [before(on + timedelta(days=day)) for day in range(1, min(back, horizon) + 1)]
    return EarlierFigures(metric, before(measured_on), ahead)
