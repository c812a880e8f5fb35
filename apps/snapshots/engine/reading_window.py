"""
A stretch of readings as the window that formulas ask (arithmetic, no Django).

Each figure is computed over the readings that have all its ingredients, so that numerator, denominator and elapsed
time of a ratio always belong to the same intervals. Where one category was read some minutes after another, its growth
is that of its own interval, carried over to the common one at the same rate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric, MetricOf
from apps.catalog.units import convert
from apps.snapshots.engine.rates import Flags, Floats, Intervals, intervals
from apps.snapshots.engine.readings import ReadingTable


@dataclass
class ReadingWindow:
    """
    A Window over the tables of several categories; `is_whole` adds its intervals up to one.

    Levels of a whole are those of the last reading, or their mean by time where the day was sampled.
    """

    slots: Sequence[datetime]
    tables: Mapping[int, ReadingTable]
    metric_of: MetricOf
    components: Mapping[str, list[str]]
    longest: float  # seconds; a longer interval is a gap. Infinite for targets read daily
    is_whole: bool = True
    _differences: dict[str, Intervals] = field(default_factory=dict)

    @cached_property
    def _elapsed(self) -> Intervals:
        """Lengths of the intervals, by the first category that was read in each slot."""
        captured, started = (
            np.select([~np.isnan(table.captured) for table in self.tables.values()], list(columns), np.nan)
            for columns in zip(
                *((table.captured, table.started) for table in self.tables.values()), strict=True
            )
        )
        return intervals(captured, started, np.zeros((len(self.slots), 1)), moved=self._moved)

    @cached_property
    def _moved(self) -> Flags:
        """Between which readings the target became another instance."""
        moved: Flags = np.any([table.moved for table in self.tables.values()], axis=0)
        return moved

    @property
    def is_other(self) -> bool:
        """Whether another instance answered than at the reading before."""
        return bool(np.isnan(self._elapsed.seconds).any())

    @cached_property
    def interval_seconds(self) -> Floats:
        """Seconds of each interval, NaN for gaps and other instances, shape (n,)."""
        seconds = self._elapsed.seconds
        unknown = np.any([table.unknown for table in self.tables.values()], axis=0)
        return np.where((seconds <= self.longest) & ~unknown, seconds, np.nan)

    @cached_property
    def hours(self) -> NDArray[np.intp]:
        """The first interval of each hour; an interval belongs to the hour it began in."""
        of_slot = np.array([slot.timestamp() // 3600 for slot in self.slots[:-1]])
        return np.flatnonzero(np.diff(of_slot, prepend=-1))

    @property
    def since_restart(self) -> Flags:
        return self._elapsed.since_restart

    @property
    def seconds(self) -> NDArray[Any]:
        if not self.is_whole:
            return self.interval_seconds[:, None]
        total = np.nansum(self.interval_seconds)
        return np.array([[total if total > 0 else np.nan]])

    def _read(self, key: str) -> tuple[Metric | None, ReadingTable | None, Floats]:
        """The values (n + 1, c) of a reading, in the order of the components of its kind."""
        metric = self.metric_of(key)
        table = self.tables.get(metric.category) if metric else None
        order = self.components.get(metric.component_kind, [""]) if metric and metric.component_kind else [""]
        values = np.full((len(self.slots), len(order)), np.nan)
        if table is not None and key in table.columns:
            names, where = table.columns[key]
            position = {name: index for index, name in enumerate(order)}
            values[:, [position[name] for name in names]] = table.values[:, where]
        return metric, table, values

    def differences(self, key: str) -> Intervals:
        """Growth of a counter over each interval; several figures are made of the same."""
        if key not in self._differences:
            self._differences[key] = self._differences_of(key)
        return self._differences[key]

    def _differences_of(self, key: str) -> Intervals:
        metric, table, values = self._read(key)
        nothing = np.full(len(self.slots), np.nan)
        captured, started = (table.captured, table.started) if table else (nothing, nothing)
        sparse = np.full(values.shape[1], bool(metric and metric.origin.is_sparse))
        growth = intervals(captured, started, values, sparse, self._moved)
        if (
            metric is not None and metric.kind is Kind.GAUGE
        ):  # it may fall, and does not begin anew at a restart
            difference = np.where(np.isnan(growth.seconds)[:, None], np.nan, np.diff(values, axis=0))
            return replace(growth, delta=difference, fell=np.zeros_like(growth.fell))
        return growth

    def delta(self, key: str) -> NDArray[Any]:
        growth = self.differences(key)
        delta = np.where(np.isnan(self.interval_seconds)[:, None], np.nan, self._over_common_time(growth))
        if not self.is_whole:
            return delta
        metric = self.metric_of(key)
        counted = ~np.isnan(self.interval_seconds)
        if metric is not None and metric.origin.is_sparse:
            total = np.where(np.isnan(delta).all(axis=0), np.nan, np.nansum(delta, axis=0))
        elif counted.any():
            total = delta[counted].sum(axis=0)
        else:
            total = np.full(delta.shape[1], np.nan)
        return np.where(growth.fell.any(axis=0), np.nan, total)[None, :]

    def _over_common_time(self, growth: Intervals) -> Floats:
        """Growth as it was over the common intervals, where that of a category was read over longer or shorter ones."""
        common, own = self._elapsed.seconds[:, None], growth.seconds[:, None]
        with np.errstate(all="ignore"):
            return np.where(common == own, growth.delta, growth.delta * (common / own))

    def carried_over(self, key: str) -> tuple[float, float] | None:
        """Over how many seconds a counter was read and over how many its growth is told; None where these are the same."""
        own, common = self.differences(key).seconds, self.interval_seconds
        counted = ~np.isnan(own) & ~np.isnan(common)
        if np.array_equal(own[counted], common[counted]):
            return None
        return float(own[counted].sum()), float(common[counted].sum())

    def level(self, key: str) -> NDArray[Any]:
        _, _, values = self._read(key)
        if not self.is_whole:
            return values[1:]
        if np.isinf(self.longest) or len(values) == 1:
            return values[-1:]
        weights = np.where(np.isnan(self.interval_seconds), 0.0, self.interval_seconds)[:, None]
        is_known = ~np.isnan(values[1:]) & (weights > 0)
        total = np.where(is_known, values[1:] * weights, 0.0).sum(axis=0)
        time = np.where(is_known, weights, 0.0).sum(axis=0)
        with np.errstate(all="ignore"):
            mean: Floats = (total / time)[None, :]
        return mean


def figure_of(metric: Metric, window: ReadingWindow) -> NDArray[Any]:
    """The figure of a metric over a window, in its unit, shape (n, c); NaN where it cannot be told."""
    with np.errstate(all="ignore"):
        if metric.formula is not None:
            value = np.asarray(metric.formula(window), dtype=float)
        elif metric.kind is Kind.COUNTER:
            value = window.delta(metric.key) / window.seconds * per_second(metric)
        else:
            value = window.level(metric.key) * convert(1.0, metric.native_unit, metric.unit)
    return np.where(np.isfinite(value), value, np.nan)


@cache
def per_second(metric: Metric) -> float:
    """What one reading unit per second is in the unit of a counter's figure."""
    return convert(1.0, f"{metric.reading_unit or 'count'}/s", metric.unit)
