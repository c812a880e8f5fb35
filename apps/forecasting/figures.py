"""The daily figures that forecasts are made from: days that were measured too briefly count as missing."""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from apps.catalog.registry import get_metric
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.snapshots.ingredients import ingredients
from apps.snapshots.models import Coverage
from apps.thresholds.calendars import left_out_of

Key = tuple[int, str, str]  # category, metric, component
HISTORY = 400  # days of history that a forecast uses


def daily_figures(
    targets: Sequence[Target], keys: Sequence[Key], on: date, days: int = HISTORY
) -> dict[int, NDArray[np.float64]]:
    """
    The figures of some targets by their number, in the stored unit: (days, keys), the last row being `on`.

    NaN where there is no figure, or one measured over less than 80 % of its day, in maintenance, and before a trend
    change that a person accepted. A constant number of queries.
    """
    first = on - timedelta(days=days - 1)
    pks = [target.pk for target in targets]
    found = read_histories(pks, series_ids(keys), first, on).values
    over_time = [
        (column, category) for column, (category, metric, _) in enumerate(keys) if _is_over_time(metric)
    ]
    if over_time:
        for cover in Coverage.objects.filter(target__in=pks, day__range=(first, on)):
            for column, category in over_time:
                if cover.is_partial_in(category):
                    found[cover.target_id][(cover.day - first).days, column] = np.nan
    for pk, calendar in left_out_of(targets, first, on).items():
        for day in calendar.days(with_peaks=False):
            found[pk][(day - first).days] = np.nan
    for (pk, metric, component), start in TrendChange.objects.starts(targets, on).items():
        for column, key in enumerate(keys):
            if key[1:] == (metric, component) and start > first:
                found[pk][: (start - first).days, column] = np.nan
    return found


def _is_over_time(metric: str) -> bool:
    return ingredients(get_metric(metric.partition(":")[0]))[1] or ":" in metric


def cap_of(metric: str, values: NDArray[np.float64]) -> float | None:
    """The most a figure can be: a share is 100 % at most, unless it was more already (memory can be promised twice)."""
    is_share = get_metric(metric).unit == "%" and not (values > 100).any()
    return 100.0 if is_share else None
