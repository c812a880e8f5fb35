"""The daily figures that forecasts are made from: days measured too briefly or left out by calendars are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from apps.catalog.registry import get_metric
from apps.forecasting.methods import LEAST_DAYS_FOR_TREND
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.snapshots.measured import read_series, take_rows
from apps.thresholds.calendars import LeftOut

Key = tuple[int, str, str]  # category, metric, component
Series = tuple[Key, bool]  # and whether known peaks are left out
HISTORY = 400  # days of history that a forecast uses


@dataclass(frozen=True)
class Daily:
    """
    Figures of a target in the stored unit: `values` is (days, series), the last row being the day asked for.

    `moved` are for each series the accepted trend changes too young for the history to begin there, in days before the
    last one.
    """

    values: NDArray[np.float64]
    moved: Sequence[Sequence[int]]


def daily_figures(target: Target, series: Sequence[Series], on: date, days: int, out: LeftOut) -> Daily:
    """
    Return the figures of so many days up to `on`.

    NaN where there is no figure, or one measured over less than 80 % of its day, on days that `out` leaves out, and
    before the newest accepted trend change that 30 days of figures have followed. A constant number of queries.
    """
    first = on - timedelta(days=days - 1)
    keys = [key for key, _ in series]
    measured = take_rows(
        read_series([target], [key[1:] for key in keys], first, on)[target.pk], [key[1:] for key in keys]
    )
    found = np.where(measured.counts, measured.totals, np.nan).T
    for column, (_, leaves_out_peaks) in enumerate(series):
        for day in out.days(with_peaks=leaves_out_peaks):
            if first <= day <= on:
                found[(day - first).days, column] = np.nan
    accepted = TrendChange.objects.accepted(target, on)
    moved: list[list[int]] = [[] for _ in keys]
    for column, key in enumerate(keys):
        for day in accepted.get(key[1:], []):
            since = max((day - first).days, 0)
            if np.isfinite(found[since:, column]).sum() >= LEAST_DAYS_FOR_TREND:
                found[:since, column] = np.nan
                break
            moved[column].append((on - day).days)
    return Daily(found, moved)


def cap_of(metric: str, values: NDArray[np.float64]) -> float | None:
    """The most a figure can be: a share is 100 % at most, unless it was more already (memory can be promised twice)."""
    is_share = get_metric(metric).unit == "%" and not (values > 100).any()
    return 100.0 if is_share else None
