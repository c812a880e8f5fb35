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
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories, read_partial
from apps.snapshots.ingredients import ingredients
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
    read = list(dict.fromkeys(keys))
    found = read_histories([target.pk], series_ids(read), first, on).values[target.pk]
    found = found[:, [read.index(key) for key in keys]]
    over_time: dict[int, list[int]] = {}
    for column, (category, metric, _) in enumerate(keys):
        if _is_over_time(metric):
            over_time.setdefault(category, []).append(column)
    for _, day, category in read_partial([target.pk], over_time, first, on) if over_time else ():
        found[(day - first).days, over_time[category]] = np.nan
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


def _is_over_time(metric: str) -> bool:
    return ingredients(get_metric(metric.partition(":")[0]))[1] or ":" in metric


def cap_of(metric: str, values: NDArray[np.float64]) -> float | None:
    """The most a figure can be: a share is 100 % at most, unless it was more already (memory can be promised twice)."""
    is_share = get_metric(metric).unit == "%" and not (values > 100).any()
    return 100.0 if is_share else None
