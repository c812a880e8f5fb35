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


class _Probe:
    """A window that answers anything and remembers what it was asked for."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.has_differences = False

    @property
    def seconds(self) -> NDArray[Any]:
        self.has_differences = True
        return np.ones((1, 1))

    def delta(self, key: str) -> NDArray[Any]:
        self.keys.add(key)
        self.has_differences = True
        return np.ones((1, 1))

    def level(self, key: str) -> NDArray[Any]:
        self.keys.add(key)
        return np.ones((1, 1))
