"""What a figure is made of, found by asking its formula (arithmetic, no Django)."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric

MetricOf = Callable[[str], Metric | None]


@cache
def ingredients(metric: Metric) -> tuple[frozenset[str], bool]:
    """The readings a figure is made of, and whether it is measured over time (not just read at a moment)."""
    if metric.formula is None:
        return frozenset({metric.key}), metric.kind is Kind.COUNTER
    probe = _Probe()
    with np.errstate(all="ignore"):
        metric.formula(probe)
    return frozenset(probe.keys), probe.has_differences


def is_over_time(metric: Metric) -> bool:
    """Whether a figure is measured over the hours of a day: a difference, or a reduction of many readings."""
    return ":" in metric.key or ingredients(metric)[1]


@cache
def is_total(metric: Metric) -> bool:
    """Whether a figure adds up over time (waits a day, share of the day), so that what did not occur is 0 of it."""
    if metric.formula is None:
        return metric.kind is Kind.COUNTER
    probe = _Probe()
    with np.errstate(all="ignore"):
        metric.formula(probe)
    return probe.is_over_seconds


class _Probe:
    """A window that answers anything and remembers what it was asked for."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.has_differences = False
        self.is_over_seconds = False

    @property
    def seconds(self) -> NDArray[Any]:
        self.has_differences = self.is_over_seconds = True
        return np.ones((1, 1))

    def delta(self, key: str) -> NDArray[Any]:
        self.keys.add(key)
        self.has_differences = True
        return np.ones((1, 1))

    def level(self, key: str) -> NDArray[Any]:
        self.keys.add(key)
        return np.ones((1, 1))
