"""
What targets are measured with: the same readings for the same seed and target, on every machine.

Whole-number counters with a third of them standing at zero and some restarts, sizes in steps of 64 KiB, percentages and
averages with two decimals, 0.2 % of the values missing. Constants or random doubles would falsify every size; and so would
a catalogue that grows: `series.csv` says which series an instance has and how each behaves.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric

Floats = NDArray[np.float64]
Key = tuple[str, str]  # metric, component

SEED = 20
SERIES = 2500
SYSSTAT, TABLESPACES = 1, 7
STEP = 64 * 1024
_COMPOSITION = Path(__file__).with_name("series.csv")


@dataclass(frozen=True)
class Shape:
    """The series of one category, in order, with the metric of each and what its values are like."""

    category: int
    keys: list[Key]
    metrics: list[Metric]
    behaviours: NDArray[np.str_]  # counter, size, share or average


@cache
def shapes() -> tuple[Shape, ...]:
    """The 2,500 series of an Oracle instance by category: 1,200 statistics, events, time model, memory, space, files."""
    with _COMPOSITION.open(newline="") as file:
        lines = groupby(csv.DictReader(file), key=lambda line: int(line["category"]))
        return tuple(_shape(category, list(members)) for category, members in lines)


def _shape(category: int, lines: list[dict[str, str]]) -> Shape:
    """The metrics without components, then component by component those that each of them has."""
    described = [(get_metric(line["metric"]), "", line["values"]) for line in lines if not line["components"]]
    of_components = [line for line in lines if line["components"]]
    most = max((int(line["components"]) for line in of_components), default=0)
    for number in range(1, most + 1):
        for line in of_components:
            metric = get_metric(line["metric"])
            described.append((metric, f"{metric.component_kind} {number:04d}", line["values"]))
    return Shape(
        category,
        [(metric.key, component) for metric, component, _ in described],
        [metric for metric, _, _ in described],
        np.array([behaviour for *_, behaviour in described]),
    )


def readings(target: int, days: int, shape: Shape) -> Floats:
    """What is read of one category of a target, shape (days, series)."""
    random = np.random.default_rng([SEED, target, shape.category])
    count = len(shape.keys)
    made = {
        "size": _sizes(random, days, count),
        "counter": _counters(random, days, count),
        "share": np.round(random.uniform(0, 100, (days, count)), 2),
        "average": np.round(10 ** random.uniform(-1, 3, count) * random.lognormal(0, 0.2, (days, count)), 2),
    }
    values = np.select([shape.behaviours == name for name in made], list(made.values()))
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


def positions(keys: Sequence[Key], names: Sequence[Key]) -> NDArray[np.intp]:
    """Where each of the names is among the keys; -1 where it is not."""
    place = {key: index for index, key in enumerate(keys)}
    return np.array([place.get(key, -1) for key in names], dtype=np.intp)
