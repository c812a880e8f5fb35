"""The figures of some days that count: without days that ran on, were measured in part or say too little."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, metrics_of
from apps.inventory.models import Target
from apps.profiles.engine.periods import DailyValues
from apps.snapshots.measured import Measured, take_days, take_rows
from apps.snapshots.models import Series

# ── which rows ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class StatisticRows:
    """Statistics and components that are known, without what the platform calls idle."""

    index: pd.MultiIndex  # (metric, component)
    metrics: list[Metric]
    classes: list[str]


def known_rows(
    index: pd.MultiIndex, *targets: Target, classes: Mapping[str, str] | None = None
) -> StatisticRows:
    """The rows of an index of (metric, component) that pages show of these targets; classes are read unless given."""
    if classes is None:
        classes = classes_of([index])
    catalogue = [metric for target in targets for metric in metrics_of(target.platform)]
    hides: dict[str, Callable[[str, str], bool]] = {
        metric.component_kind: metric.ranking.hides for metric in catalogue if metric.ranking.hides
    }
    rows, metrics, component_classes = [], [], []
    for number, (key, component) in enumerate(index):
        metric = find_metric(str(key))
        if metric is None:
            continue
        component_class = classes.get(component, "") if component else ""
        hidden = hides.get(metric.component_kind)
        if component and hidden and hidden(component, component_class):
            continue
        rows.append(number)
        metrics.append(metric)
        component_classes.append(component_class)
    return StatisticRows(index[np.array(rows, dtype=int)], metrics, component_classes)


def classes_of(indexes: Iterable[pd.MultiIndex]) -> dict[str, str]:
    """The class of each component of some indexes that has one; one query."""
    components = {name for index in indexes for name in index.get_level_values("component")} - {""}
    named = Series.objects.exclude(component_class="").filter(component__in=components)
    return dict(named.values_list("component", "component_class").distinct())


# ── which days ────────────────────────────────────────────────────────────────────────────────────────────────────────


def valid_days(measured: Measured, rows: StatisticRows, days: Sequence[date]) -> DailyValues:
    """
    The figures of these rows that count, day by day.

    Of what did not occur a total is 0 and an average nothing; an average over too few says nothing.
    """
    keys = [(str(key), str(component)) for key, component in rows.index]
    of_days = take_days(take_rows(measured, keys), days)
    is_valid = of_days.counts & ~of_days.is_thin
    values = np.where(is_valid, of_days.totals, np.nan)
    absent = of_days.counts & of_days.is_absent
    return DailyValues(values, absent, np.array([day.weekday() for day in days], dtype=int))


def index_of(measured: Measured) -> pd.MultiIndex:
    """The statistics and components of what was measured, as the index of rows."""
    return pd.MultiIndex.from_tuples(list(measured.keys), names=["metric", "component"])
