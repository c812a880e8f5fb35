"""What counts: every figure of some days of a target, without days that ran on, were measured in part or say too little."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import UnknownMetric, get_metric, metrics_of
from apps.inventory.models import Target
from apps.profiles.compare import follow_renames
from apps.profiles.periods import Days
from apps.profiles.renames import renamed_rows
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import Anchored, read_exactly
from apps.snapshots.ingredients import ingredients
from apps.snapshots.models import Coverage, Series

# ── which rows ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Rows:
    """Statistics and components that are known, without what the platform calls idle."""

    index: pd.MultiIndex  # (metric, component)
    metrics: list[Metric]
    classes: list[str]


def known_rows(index: pd.MultiIndex, *targets: Target, classes: Mapping[str, str] | None = None) -> Rows:
    """The rows of an index of (metric, component) that pages show of these targets; classes are read unless given."""
    if classes is None:
        classes = classes_of([index])
    catalogue = [metric for target in targets for metric in metrics_of(target.platform)]
    hides: dict[str, Callable[[str, str], bool]] = {
        metric.component_kind: metric.hides for metric in catalogue if metric.hides
    }
    rows, metrics, kept = [], [], []
    for number, (key, component) in enumerate(index):
        try:
            metric = get_metric(str(key))
        except UnknownMetric:
            continue
        component_class = classes.get(component, "") if component else ""
        hidden = hides.get(metric.component_kind)
        if component and hidden and hidden(component, component_class):
            continue
        rows.append(number)
        metrics.append(metric)
        kept.append(component_class)
    return Rows(index[np.array(rows, dtype=int)], metrics, kept)


def classes_of(indexes: Iterable[pd.MultiIndex]) -> dict[str, str]:
    """The class of each component of some indexes that has one; one query."""
    components = {name for index in indexes for name in index.get_level_values("component")} - {""}
    named = Series.objects.exclude(component_class="").filter(component__in=components)
    return dict(named.values_list("component", "component_class").distinct())


# ── which days ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Counted:
    """The figures of some days of a target, with how much of each day was measured."""

    target: Target
    found: Anchored
    frame: pd.DataFrame  # indexed by (metric, component), a column a day
    coverage: dict[date, Coverage]

    @classmethod
    def of(cls, target: Target, days: Sequence[date], categories: Collection[int] | None = None) -> "Counted":
        """Of these days, and of chosen categories where some are named; two queries."""
        return cls.of_all([target], days, categories)[0]

    @classmethod
    def of_all(
        cls, targets: Sequence[Target], days: Sequence[date], categories: Collection[int] | None = None
    ) -> list["Counted"]:
        """Of several targets; two queries, however many there are."""
        by_target = read_exactly([target.pk for target in targets], days, categories)
        coverage: dict[int, dict[date, Coverage]] = {target.pk: {} for target in targets}
        for row in Coverage.objects.filter(target__in=targets, day__in=days):
            coverage[row.target_id][row.day] = row
        made = []
        for target in targets:
            found = by_target[target.pk]
            frame = found.frame.droplevel("category")
            made.append(
                cls(target, found, follow_renames(frame, renamed_rows(frame.index)), coverage[target.pk])
            )
        return made

    def was_read(self, day: date) -> bool:
        return self.found.days.get(day) is not None

    def is_partial(self, day: date) -> bool:
        cover = self.coverage.get(day)
        return cover is not None and (cover.is_so_far or cover.is_partial)

    def days(self, rows: Rows, days: Sequence[date]) -> Days:
        """The figures of these rows that count, day by day."""
        index, metrics = rows.index, rows.metrics
        values = self.frame.reindex(index=index, columns=days).to_numpy(dtype=float, copy=True)
        sparse = np.array([metric.is_sparse for metric in metrics], dtype=bool)[:, None]
        values[sparse & (values == 0)] = np.nan
        whole, was_read = self._counts(metrics, days)
        values[~whole] = np.nan
        absent = np.isnan(values) & sparse & whole & was_read & ~self._marked(index, metrics, days)
        values[self._is_thin(index, metrics, days)] = np.nan
        return Days(values, absent, np.array([day.weekday() for day in days], dtype=int))

    def _counts(
        self, metrics: Sequence[Metric], days: Sequence[date]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether a day counts for a row, and whether what did not occur would have been seen."""
        known: dict[tuple[int, bool], tuple[list[bool], list[bool]]] = {}
        whole, was_read = [], []
        for metric in metrics:
            base = get_metric(metric.key.partition(":")[0])
            key = metric.category, bool(ingredients(base)[1]) or metric.key != base.key
            if key not in known:
                pairs = [self._counts_on(day, *key) for day in days]
                known[key] = [one for one, _ in pairs], [other for _, other in pairs]
            whole.append(known[key][0])
            was_read.append(known[key][1])
        shape = (len(metrics), len(days))
        return np.array(whole, dtype=bool).reshape(shape), np.array(was_read, dtype=bool).reshape(shape)

    def _counts_on(self, day: date, category: int, is_measured: bool) -> tuple[bool, bool]:
        cover = self.coverage.get(day)
        if cover is None:
            return True, False
        about = cover.categories.get(str(category), {})
        is_whole = not (
            cover.is_so_far
            or (is_measured and cover.is_partial_in(category))
            or bool(cover.without(category))
        )
        is_other = is_measured and bool(about.get("other_instance"))
        return is_whole, category in self.found.categories.get(day, frozenset()) and not is_other

    def _marked(
        self, index: pd.MultiIndex, metrics: Sequence[Metric], days: Sequence[date]
    ) -> NDArray[np.bool_]:
        """Where a series has no figure for a reason of its own."""
        marked = np.zeros((len(metrics), len(days)), dtype=bool)
        if not any(day in self.coverage and self.coverage[day].marks for day in days):
            return marked
        keys = [
            (metric.category, metric.key, component)
            for metric, (_, component) in zip(metrics, index, strict=True)
        ]
        row_of = {str(pk): row for row, pk in enumerate(series_ids(keys))}
        for column, day in enumerate(days):
            for pk in self.coverage[day].marks if day in self.coverage else ():
                if pk in row_of:
                    marked[row_of[pk], column] = True
        return marked

    def _is_thin(
        self, index: pd.MultiIndex, metrics: Sequence[Metric], days: Sequence[date]
    ) -> NDArray[np.bool_]:
        """Where an average rests on too few to say anything."""
        thin = np.zeros((len(metrics), len(days)), dtype=bool)
        weighted = [row for row, metric in enumerate(metrics) if metric.weight]
        if weighted:
            keys = [(metrics[row].weight, index[row][1]) for row in weighted]
            weights = self.frame.reindex(
                index=pd.MultiIndex.from_tuples(keys, names=["metric", "component"]), columns=days
            )
            enough = np.array([metrics[row].enough for row in weighted])[:, None]
            thin[weighted] = weights.to_numpy(dtype=float) < enough
        return thin
