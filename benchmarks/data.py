"""
What targets are measured with: the same readings for the same seed and target, on every machine.

Whole-number counters with a third of them standing at zero and some restarts, sizes in steps of 64 KiB, percentages with
two decimals, 0.2 % of the values missing. Constants or random doubles would falsify every size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import metrics_of

Floats = NDArray[np.float64]
Key = tuple[str, str]  # metric, component

SEED = 20
SERIES = 2500
SYSSTAT, TIME_MODEL, WAITS, PGA, TABLESPACES, SPACE, FILES = 1, 2, 3, 5, 7, 15, 16
SYSSTAT_SERIES = 1200
COMPONENTS = {WAITS: 60, TABLESPACES: 50, SPACE: 25}
STEP = 64 * 1024


@dataclass(frozen=True)
class Shape:
    """The series of one category, in order, with the metric of each."""

    category: int
    keys: list[Key]
    metrics: list[Metric]


@cache
def shapes() -> tuple[Shape, ...]:
    """The 2,500 series of an Oracle instance by category: 1,200 statistics, events, time model, memory, space, files."""
    found = [
        _shape(SYSSTAT, SYSSTAT_SERIES),
        _shape(TIME_MODEL),
        _shape(WAITS),
        _shape(PGA),
        _shape(TABLESPACES),
        _shape(SPACE),
    ]
    rest = SERIES - sum(len(shape.keys) for shape in found)
    return (*found, _shape(FILES, rest))


def _shape(category: int, count: int | None = None) -> Shape:
    metrics = [metric for metric in metrics_of("oracle") if metric.category == category]
    plain = [metric for metric in metrics if not metric.component_kind]
    by_component = [metric for metric in metrics if metric.component_kind]
    described = [(metric, "") for metric in plain]
    wanted = COMPONENTS.get(category, 0)
    number = 0
    while by_component and (number < wanted or (count is not None and len(described) < count)):
        number += 1
        described += [(metric, f"{metric.component_kind} {number:04d}") for metric in by_component]
    described = described[:count]
    return Shape(
        category,
        [(metric.key, component) for metric, component in described],
        [metric for metric, _ in described],
    )


def readings(target: int, days: int, shape: Shape) -> Floats:
    """What is read of one category of a target, shape (days, series)."""
    random = np.random.default_rng([SEED, target, shape.category])
    count = len(shape.metrics)
    is_counter = np.array([metric.kind is Kind.COUNTER for metric in shape.metrics])
    is_share = np.array([metric.is_percent for metric in shape.metrics])
    values = _sizes(random, days, count)
    values = np.where(is_counter, _counters(random, days, count), values)
    values = np.where(is_share, np.round(random.uniform(0, 100, (days, count)), 2), values)
    values[random.random((days, count)) < 0.002] = np.nan
    return values


def _counters(random: np.random.Generator, days: int, count: int) -> Floats:
    """Counters that grow by their own daily amount, half of them by less than a thousand; restarts empty them."""
    amount = 10 ** random.normal(3, 2, count)
    amount[random.random(count) < 1 / 3] = 0
    rhythm = 1 + 0.3 * np.sin(2 * np.pi * (np.arange(days)[:, None] % 7) / 7)
    growth = np.floor(amount * rhythm * random.lognormal(0, 0.2, (days, count)))
    values = growth.cumsum(axis=0)
    for restart in np.flatnonzero(random.random(days) < 1 / 60):
        values[restart:] -= values[restart] - np.floor(growth[restart] / 2)
    return values


def _sizes(random: np.random.Generator, days: int, count: int) -> Floats:
    steps = np.floor(10 ** random.uniform(1, 6, count))
    growth = random.poisson(random.uniform(0, 3, count), (days, count)).cumsum(axis=0)
    sizes: Floats = STEP * (steps + growth)
    return sizes


def by_key(shape: Shape, values: Floats) -> dict[Key, float]:
    """One day's values as a collector hands them over."""
    return dict(zip(shape.keys, values.tolist(), strict=True))


def positions(keys: Sequence[Key], wanted: Sequence[Key]) -> NDArray[np.intp]:
    """Where each wanted key is among the keys; -1 where it is not."""
    place = {key: index for index, key in enumerate(keys)}
    return np.array([place.get(key, -1) for key in wanted], dtype=np.intp)
