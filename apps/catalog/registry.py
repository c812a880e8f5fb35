"""The catalogue: every metric by its key. Platforms add theirs at start-up."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from apps.catalog.metric import Kind, Metric, base_of

EVERY_PLATFORM = ""  # the owner of what targets of every platform have
REDUCTIONS = {"p95": "95th percentile", "max": "maximum", "busy": "busiest hour"}

_HOURS = re.compile(r":(\d{1,2})-(\d{1,2})$")
_metrics: dict[str, tuple[str, Metric]] = {}
_categories: dict[int, str] = {}
_labels: dict[tuple[str, str, str], str] = {}  # platform, kind of component, label: the key


class UnknownMetric(LookupError):
    """No metric has this key."""


def add_metrics(platform: str, metrics: Iterable[Metric]) -> None:
    """
    Add the metrics of a platform, or of `EVERY_PLATFORM`.

    A key that another platform or another statistic has taken is a bug, and so is a category of another platform: the
    readings of both would lie in one place. So is a label that another statistic of such components has: nobody could
    tell their rows apart. Raises ValueError.
    """
    for metric in metrics:
        owner, registered = _metrics.get(metric.key, (platform, metric))
        if owner != platform or registered != metric:
            raise ValueError(f"The metric key {metric.key} is taken by {owner}.")
        owner = _categories.setdefault(metric.category, platform)
        if owner != platform:
            raise ValueError(
                f"The category {metric.category}, of {metric.key}, is taken by {owner}; give {platform} numbers of its own."
            )
        label = (platform, metric.component_kind, metric.label.casefold())
        key = _labels.setdefault(label, metric.key)
        if key != metric.key:
            raise ValueError(
                f"{metric.key} is called “{metric.label}” as {key} is; give each a label of its own."
            )
        _metrics[metric.key] = (platform, metric)
    find_metric.cache_clear()
    metrics_of.cache_clear()


@lru_cache(maxsize=4096)  # keys come from addresses too
def find_metric(key: str) -> Metric | None:
    """
    The metric of this key; None where the catalogue has none.

    `host_cpu_busy_pct:p95` is the metric of that reduction, `host_cpu_busy_pct:9-17` that of clock hours.
    """
    base, _, reduction = key.partition(":")
    if base not in _metrics:
        return None
    metric = _metrics[base][1]
    if not reduction:
        return metric
    if (window := hours_of(key)) is not None and metric.is_figure:
        return replace(metric, key=key, label=f"{metric.label}, {window[0]} to {window[1]} h", reductions=())
    if reduction not in metric.reductions:
        return None
    return replace(metric, key=key, label=f"{metric.label}, {reduction}", reductions=())


def get_metric(key: str) -> Metric:
    """The metric of this key, or of its reduction or clock hours. Raises UnknownMetric."""
    metric = find_metric(key)
    if metric is not None:
        return metric
    whole = find_metric(base_of(key))
    if whole is None:
        raise UnknownMetric(f"{key} is not a statistic of the catalogue.")
    reduction = key.partition(":")[2]
    raise UnknownMetric(
        f"{whole.key} has no {reduction}; it has {', '.join(whole.reductions) or 'no reductions'}."
    )


def is_metric(key: str) -> bool:
    """Whether a key is that of a statistic of the catalogue."""
    return find_metric(key) is not None


def remembered_metric(key: str, unit: str) -> Metric:
    """The metric of this key; of one that has left the catalogue a plain one of that unit, which nothing is read for."""
    return find_metric(key) or Metric(key=key, label=key, unit=unit, kind=Kind.GAUGE, source="", category=0)


def hours_of(key: str) -> tuple[int, int] | None:
    """The clock hours of a key such as `host_cpu_busy_pct:9-17`: from the first, up to and without the last."""
    match = _HOURS.search(key)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    return (first, last) if first < last <= 24 else None


def platform_of(key: str) -> str:
    """The platform that a statistic, or one of its reductions, belongs to; `EVERY_PLATFORM` where all have it. Raises UnknownMetric."""
    get_metric(key)
    return _metrics[base_of(key)][0]


def is_of_platform(key: str, platform: str) -> bool:
    """Whether targets of a platform have a statistic of the catalogue."""
    return platform_of(key) in (platform, EVERY_PLATFORM)


@cache
def metrics_of(platform: str) -> Sequence[Metric]:
    """The metrics that targets of a platform have, in the order in which they were declared."""
    return tuple(metric for owner, metric in _metrics.values() if owner in (platform, EVERY_PLATFORM))


def all_metrics() -> list[Metric]:
    """The metrics of every platform."""
    return [metric for _, metric in _metrics.values()]


def search_metrics(words: str) -> list[Metric]:
    """Metrics whose key, label or own name at the source contains the words, any case."""
    words = words.casefold()
    return [m for m in all_metrics() if words in f"{m.key} {m.label} {m.name}".casefold()]
