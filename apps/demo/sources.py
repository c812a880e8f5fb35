"""Counters and gauges sorted into the sources that the catalogue reads them from."""

from collections.abc import Mapping, Sequence

import numpy as np

from apps.catalog.registry import get_metric
from apps.demo.rhythm import Floats
from apps.demo.timeline import Key, TimelineSource, accumulate
from apps.platforms.oracle.categories import SEGMENTS, SEGSTAT

WEEKLY = {SEGMENTS, SEGSTAT}


def sort_into_sources(
    counters: Mapping[Key, Floats],
    levels: Mapping[Key, Floats],
    steps_before: float,
    classes: Mapping[str, str] | None = None,
    even: Mapping[Key, Floats] | None = None,
) -> list[TimelineSource]:
    """
    One source for each category of the catalogue.

    `counters` are growth by step, `levels` gauges by boundary; the target had been up for `steps_before` steps. `even`
    names the counters that go with time, of which work takes its part: idle processors.
    """
    keys_by_category: dict[int, tuple[list[Key], list[Key]]] = {}
    for index, keys in enumerate((counters, levels)):
        for key in keys:
            keys_by_category.setdefault(get_metric(key[0]).category, ([], []))[index].append(key)
    boundaries = len(next(iter(levels.values())))
    sources = []
    for category, (counted, gauged) in sorted(keys_by_category.items()):
        metric = get_metric((counted or gauged)[0][0])
        growth = [counters[key] for key in counted]
        sources.append(
            TimelineSource(
                name=metric.source,
                category=category,
                counters=counted,
                totals=accumulate(growth, steps_before)
                if growth
                else np.zeros((boundaries, 0), dtype=np.int64),
                gauges=gauged,
                levels=np.array([levels[key] for key in gauged]).reshape(len(gauged), boundaries).T.copy(),
                is_sparse=metric.origin.is_sparse,
                classes=dict(classes or {}) if metric.origin.is_sparse else {},
                every=7 if category in WEEKLY else 1,
                even=_even(counted, even or {}),
            )
        )
    return sources


def _even(counted: Sequence[Key], even: Mapping[Key, Floats]) -> Floats | None:
    """Shape (steps, series); None where no counter goes with time."""
    if not any(key in even for key in counted):
        return None
    nothing = np.zeros(len(next(iter(even.values()))))
    return np.array([even.get(key, nothing) for key in counted]).T
