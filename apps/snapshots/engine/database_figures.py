"""
The figures of a database that several instances share: sums, maxima and ratios of sums (docs/oracle.md; no Django).

They are made of the daily figures of its instances, never of their readings: two instances need not be read, or have
been started, at the same moment.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric, MetricOf
from apps.catalog.units import convert
from apps.snapshots.engine.rates import Floats
from apps.snapshots.engine.reading_window import per_second

Key = tuple[str, str]  # metric, component
Figures = Mapping[Key, float]

DAY_SECONDS = 86400.0
_COMBINE: dict[str, Callable[[list[float]], float]] = {"sum": sum, "max": max, "min": min}


def combine_instances(
    instances: Iterable[Figures], own: Figures, metrics: Iterable[Metric], metric_of: MetricOf
) -> dict[Key, float]:
    """
    The figures that follow from those of the instances; `own` are those read once for the database itself.

    A figure that only some instances have (an event that one of them did not meet) is that of these.
    """
    by_figure = _gather(instances)
    result: dict[Key, float] = {}
    combined_metrics = list(metrics)
    of_metric: dict[str, list[Key]] = {}
    for key in by_figure:
        of_metric.setdefault(key[0], []).append(key)
    for metric in combined_metrics:
        combine = _COMBINE.get(metric.over_instances)
        if combine is not None:
            result |= {key: combine(by_figure[key]) for key in of_metric.get(metric.key, [])}
    settings = {key: values[0] for key, values in by_figure.items() if not _is_combined(metric_of(key[0]))}
    window = _CombinedWindow(settings | dict(own) | result, metric_of)
    for metric in combined_metrics:
        if metric.over_instances == "ratio" and metric.formula is not None:
            result |= window.figures_of(metric)
    return result


def _gather(instances: Iterable[Figures]) -> dict[Key, list[float]]:
    """The known values of each figure over the instances."""
    by_figure: dict[Key, list[float]] = {}
    for figures in instances:
        for key, value in figures.items():
            if not np.isnan(value):
                by_figure.setdefault(key, []).append(value)
    return by_figure


def _is_combined(metric: Metric | None) -> bool:
    return metric is None or bool(metric.over_instances)


class _CombinedWindow:
    """A Window over one day of the whole database, made of figures: what a day of them would have counted."""

    def __init__(self, figures: Figures, metric_of: MetricOf) -> None:
        self._metric_of = metric_of
        self._values: dict[str, dict[str, float]] = {}
        names: dict[str, set[str]] = {}
        for (key, component), value in figures.items():
            metric = metric_of(key)
            if metric is None:
                continue
            self._values.setdefault(key, {})[component] = value
            if metric.component_kind:
                names.setdefault(metric.component_kind, set()).add(component)
        self._components = {kind: sorted(members) for kind, members in names.items()}

    @property
    def seconds(self) -> NDArray[Any]:
        return np.array([[DAY_SECONDS]])

    def delta(self, key: str) -> NDArray[Any]:
        metric = self._metric_of(key)
        if metric is None or metric.kind is not Kind.COUNTER:
            return np.array([[np.nan]])
        return self._row(metric) / per_second(metric) * DAY_SECONDS

    def level(self, key: str) -> NDArray[Any]:
        metric = self._metric_of(key)
        if metric is None:
            return np.array([[np.nan]])
        return self._row(metric) / convert(1.0, metric.native_unit, metric.unit)

    def figures_of(self, metric: Metric) -> dict[Key, float]:
        """A ratio over the whole database, for each component where it has some."""
        assert metric.formula is not None
        names = self._components.get(metric.component_kind, []) if metric.component_kind else [""]
        with np.errstate(all="ignore"):
            values = np.broadcast_to(np.asarray(metric.formula(self), dtype=float), (1, len(names)))[0]
        return {
            (metric.key, name): float(value)
            for name, value in zip(names, values, strict=True)
            if np.isfinite(value)
        }

    def _row(self, metric: Metric) -> Floats:
        names = self._components.get(metric.component_kind, []) if metric.component_kind else [""]
        values = self._values.get(metric.key, {})
        row: Floats = np.array([[values.get(name, np.nan) for name in names]], dtype=np.float64)
        return row
