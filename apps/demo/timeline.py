"""
Timeline: everything a target counts, from its first day to the end of the stretch, worked out once.

A counter is kept as its growth since the target's first start-up, so that a reading is a look-up: the total at the last
boundary, plus the share of the running step, minus what had been counted when the target last started.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from apps.collection.collector import Reading
from apps.demo.rhythm import Floats

Totals = NDArray[np.int64]
Key = tuple[str, str]  # metric and component


@dataclass(frozen=True)
class TimelineSource:
    """What one source of a target gives: counters and gauges by boundary, shape (boundaries, series)."""

    name: str
    category: int
    counters: Sequence[Key]
    totals: Totals
    gauges: Sequence[Key]
    levels: Floats
    is_sparse: bool = False  # it lists only the components that occurred since start-up
    classes: dict[str, str] = field(default_factory=dict)
    every: int = 1  # steps between two times that it is read
    even: Floats | None = None  # of the growth of each step, what goes with time rather than with work


@dataclass(frozen=True)
class Timeline:
    """A target's sources over consecutive steps, with the moments between them and the moments it started."""

    boundaries: Floats  # seconds since 1970
    starts: Sequence[float]  # the first lies before the first boundary
    sources: Sequence[TimelineSource]
    done: Callable[[float], float]  # the work done until a moment, on any scale
    seconds: float  # how long a reading takes

    def covers(self, moment: datetime) -> bool:
        return bool(self.boundaries[0] <= moment.timestamp() <= self.boundaries[-1])

    def started_at(self, moment: datetime) -> datetime:
        """The start-up before this moment."""
        return datetime.fromtimestamp(self._start(moment.timestamp()), UTC)

    def _start(self, at: float) -> float:
        return max((start for start in self.starts if start <= at), default=self.starts[0])

    def read(self, source: TimelineSource, moment: datetime) -> list[Reading]:
        """The readings of a source as they stood at a moment."""
        at = moment.timestamp()
        start = self._start(at)
        totals = self._totals(source, at)
        if start > self.boundaries[0]:
            totals = totals - self._totals(source, start)
        step, elapsed = self._step(at)
        readings = _count_steps(source, totals)
        if source.gauges:
            before, after = source.levels[step], source.levels[min(step + 1, len(source.levels) - 1)]
            levels = before + (after - before) * elapsed if elapsed else before
            for (metric, component), level in zip(source.gauges, levels.tolist(), strict=True):
                readings.append(
                    Reading(metric, level if abs(level) < 100 else float(round(level)), component)
                )
        return readings

    def _totals(self, source: TimelineSource, at: float) -> Totals:
        step, elapsed = self._step(at)
        before: Totals = source.totals[step]
        if not elapsed:
            return before
        share = self._share(step, at)
        growth = (source.totals[step + 1] - before) * share
        if source.even is not None:
            growth = growth + source.even[step] * (elapsed - share)
        grown: Totals = before + np.floor(growth).astype(np.int64)
        return grown

    def _share(self, step: int, at: float) -> float:
        """How much of a step's work is done at a moment."""
        first, end = self.done(self.boundaries[step]), self.done(self.boundaries[step + 1])
        return float((self.done(at) - first) / (end - first))

    def _step(self, at: float) -> tuple[int, float]:
        """The step a moment lies in, and how much of the step has gone by."""
        step = int(np.searchsorted(self.boundaries, at, side="right")) - 1
        if step >= len(self.boundaries) - 1:
            return len(self.boundaries) - 1, 0.0
        length = self.boundaries[step + 1] - self.boundaries[step]
        return step, float((at - self.boundaries[step]) / length)


def _count_steps(source: TimelineSource, totals: Totals) -> list[Reading]:
    values = totals.tolist()
    if not source.is_sparse:
        return [
            Reading(metric, float(value), component)
            for (metric, component), value in zip(source.counters, values, strict=True)
        ]
    occurred = {component for (_, component), value in zip(source.counters, values, strict=True) if value}
    return [
        Reading(metric, float(value), component)
        for (metric, component), value in zip(source.counters, values, strict=True)
        if component in occurred
    ]


def accumulate(daily: Sequence[Floats], base_steps: float) -> Totals:
    """Totals at each boundary, shape (boundaries, series), from growth by step; it began so many steps earlier."""
    growth = np.rint(np.array(daily)).astype(np.int64)
    base = np.rint(growth[:, :7].mean(axis=1, keepdims=True) * base_steps).astype(np.int64)
    base = np.where(growth[:, :1] == 0, 0, base)  # what does not occur at first had not occurred before
    return np.concatenate([base, base + np.cumsum(growth, axis=1)], axis=1).T.copy()


def high_water(levels: Floats, boundaries: Floats, starts: Sequence[float]) -> Floats:
    """The highest level since start-up at each boundary."""
    marks = levels.copy()
    begun = [0] + [int(np.searchsorted(boundaries, start)) for start in starts if start > boundaries[0]]
    for first, last in zip(begun, [*begun[1:], len(levels)], strict=True):
        marks[first:last] = np.maximum.accumulate(levels[first:last])
    return marks
