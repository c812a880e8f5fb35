"""The catalogue: every metric by its key. Platforms add theirs at start-up."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from apps.catalog.metric import Kind, Metric

REDUCTIONS = {"p95": "95th percentile", "max": "maximum", "busy": "busiest hour"}

_HOURS = re.compile(r":(\d{1,2})-(\d{1,2})$")
_metrics: dict[str, tuple[str, Metric]] = {}


class UnknownMetric(LookupError):
    """No metric has this key."""


def add_metrics(platform: str, metrics: Iterable[Metric]) -> None:
    """Add the metrics of a platform; a key that another platform, or another statistic, has taken is a bug."""
    for metric in metrics:
        owner, known = _metrics.get(metric.key, (platform, metric))
        if owner != platform or known != metric:
            raise ValueError(f"The metric key {metric.key} is taken by {owner}.")
        _metrics[metric.key] = (platform, metric)
    get_metric.cache_clear()


@cache
def get_metric(key: str) -> Metric:
    """
    The metric of this key; `host_cpu_busy_pct:p95` is the metric of that reduction, `host_cpu_busy_pct:9-17` of hours.

    Raises UnknownMetric.
    """
    base, _, reduction = key.partition(":")
    if base not in _metrics:
        raise UnknownMetric(f"{key} is not a statistic of the catalogue.")
    metric = _metrics[base][1]
    if not reduction:
        return metric
    if (window := hours_of(key)) is not None and metric.is_figure:
        return replace(metric, key=key, label=f"{metric.label}, {window[0]} to {window[1]} h", reductions=())
    if reduction not in metric.reductions:
        raise UnknownMetric(
            f"{base} has no {reduction}; it has {', '.join(metric.reductions) or 'no reductions'}."
        )
    return replace(metric, key=key, label=f"{metric.label}, {reduction}", reductions=())


def is_metric(key: str) -> bool:
    """Whether a key is that of a statistic of the catalogue."""
    try:
        get_metric(key)
    except UnknownMetric:
        return False
    return True


def remembered_metric(key: str, unit: str) -> Metric:
    """The metric of this key; of one that has left the catalogue a plain one of that unit, which nothing is read for."""
    if is_metric(key):
        return get_metric(key)
    return Metric(key=key, label=key, unit=unit, kind=Kind.GAUGE, source="", category=0)


def hours_of(key: str) -> tuple[int, int] | None:
    """The clock hours of a key such as `host_cpu_busy_pct:9-17`: from the first, up to and without the last."""
    found = _HOURS.search(key)
    if found is None:
        return None
    first, last = int(found[1]), int(found[2])
    return (first, last) if first < last <= 24 else None


def platform_of(key: str) -> str:
    """The platform that a statistic, or one of its reductions, belongs to. Raises UnknownMetric."""
    get_metric(key)
    return _metrics[key.partition(":")[0]][0]


def metrics_of(platform: str) -> list[Metric]:
    """The metrics of a platform, in the order in which it declared them."""
    return [metric for owner, metric in _metrics.values() if owner == platform]


def find_metrics(words: str) -> list[Metric]:
    """Metrics whose key, label or Oracle name contains the words, any case."""
    wanted = words.casefold()
    return [m for _, m in _metrics.values() if wanted in f"{m.key} {m.label} {m.name}".casefold()]
