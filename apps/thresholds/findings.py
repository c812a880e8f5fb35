"""Figures as limits meet them: values of days or their changes, in the unit of the limit, and what keeps them from being judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.snapshots.history import HORIZONS
from apps.snapshots.measured import Measured, take_rows
from apps.thresholds.calendars import ExcludedDays
from apps.thresholds.models import HORIZON_OF

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Findings:
    """
    One figure of a metric's components, arrays (components, days), in the unit of its limit.

    `values` is NaN where there is none; `weights`, the counts that averages rest on, where they are not known.
    """

    metric: Metric
    values: Floats
    is_absent: Flags  # the target was read, and it did not occur
    is_over: Flags  # the day is
    is_whole: Flags  # enough of the day was measured
    is_complete: Flags  # with all instances of a database
    weights: Floats

    @property
    def is_present(self) -> Flags:
        return ~np.isnan(self.values)

    @property
    def is_sound(self) -> Flags:
        """Where nothing about the day keeps it from being judged."""
        return self.is_over & self.is_whole & self.is_complete


def take_findings(measured: Measured, metric: Metric, components: Sequence[str], figure: str) -> Findings:
    """What a limit on this figure meets on each day measured; the days of a change must follow one another."""
    of = take_rows(measured, [(metric.key, component) for component in components])
    covered = of.covered(metric)
    shape = of.values.shape
    horizon = HORIZON_OF.get(figure)
    return Findings(
        metric,
        of.values * metric.to_display_unit(1.0) if horizon is None else compute_changes(of, metric, horizon),
        of.is_absent if horizon is None else np.zeros(shape, dtype=bool),
        np.broadcast_to(covered.is_over, shape),
        np.broadcast_to(covered.is_whole, shape),
        np.broadcast_to(covered.is_complete, shape),
        of.weight,
    )


def compute_changes(measured: Measured, metric: Metric, horizon: int) -> Floats:
    """
    The change of one metric's series against the day so far back, as the profile tells it (series, days).

    In percent, of a share in points; NaN where nothing can be told, as of what is new.
    """
    levels = np.where(measured.is_absent, 0.0, measured.values)
    result = np.full(levels.shape, np.nan)
    for column, day in enumerate(measured.days):
        then = None if day is None else find_column_before(measured, day, horizon)
        if then is None:
            continue
        was, now = levels[:, then], levels[:, column]
        with np.errstate(all="ignore"):
            grown = (
                (now - was) * metric.to_display_unit(1.0)
                if metric.is_percent
                else 100 * (now - was) / np.abs(was)
            )
        from_nothing = np.where(now == 0, 0.0, np.nan)
        result[:, column] = np.where(
            was == 0, from_nothing, np.where(measured.is_present[:, column], grown, np.nan)
        )
        result[np.isnan(was) | np.isnan(now), column] = np.nan
    return result


def find_column_before(measured: Measured, day: date, horizon: int) -> int | None:
    """The column of the day so far back, or of the nearest earlier one in reach that was read; also of a day to come."""
    first = measured.days[0]
    if first is None:
        return None
    anchor = (day - first).days - horizon
    for column in range(anchor, anchor - HORIZONS[horizon] - 1, -1):
        if 0 <= column < len(measured.days) and measured.days[column] in measured.coverage:
            return column
    return None


def flag_excluded_days(left_out: ExcludedDays, days: Sequence[date | None], *, with_peaks: bool) -> Flags:
    """Which of these days calendars leave out, (days,)."""
    out = left_out.days(with_peaks=with_peaks)
    return np.array([day in out for day in days], dtype=bool)
