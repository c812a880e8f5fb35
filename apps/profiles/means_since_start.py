"""Means since start-up: what the counters of one reading say of the time before Headroom, where nothing better is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import find_metric
from apps.inventory.models import Target
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.engine.figures import day_figures
from apps.snapshots.engine.readings import Shot
from apps.snapshots.roll_up import figures_of, read_shots


@dataclass(frozen=True)
class MeanSinceStart:
    """A figure as the mean over the time that an instance is up, in the unit of its metric."""

    value: float
    since: datetime
    until: datetime

    @property
    def days(self) -> int:
        """For how many whole days it was up."""
        return (self.until - self.since) // timedelta(days=1)

    def covers(self, on: date, target: Target) -> bool:
        """Whether the instance was up all through a day, so that the mean is of that day too."""
        day = day_of(on, target.zone)
        return self.since <= day.began_at and day.ended_at <= self.until


Means = Mapping[tuple[str, str], MeanSinceStart]


def read_means(target: Target, on: date) -> Means:
    """
    The means since start-up of a target by metric and component, by its newest reading around a day.

    A counter divided by the time since it began, and what formulas make of such counters; levels have none. Docs:
    docs/first-evening.md, Since start-up.
    """
    means: dict[tuple[str, str], MeanSinceStart] = {}
    for category, by_slot in read_shots(target, day_of(on, target.zone)).items():
        shot = by_slot[max(by_slot)]
        if shot.started_at is None or shot.started_at >= shot.captured_at:
            continue
        metrics = [metric for metric in figures_of(target.platform) if _is_mean_of(metric, category)]
        stretch = Day(on, shot.started_at, shot.captured_at)
        readings = {category: {shot.started_at: _at_start(shot), shot.captured_at: shot}}
        figures = day_figures(readings, stretch, metrics, find_metric, slot_seconds=np.inf)
        for part in figures.parts.values():
            for key, value in zip(part.keys, part.values.tolist(), strict=True):
                if not np.isnan(value):
                    means[key] = MeanSinceStart(value, shot.started_at, shot.captured_at)
    return means


def _is_mean_of(metric: Metric, category: int) -> bool:
    """Whether a metric is made of counters of this category alone."""
    parts = [find_metric(key) for key in metric.ingredients]
    return metric.is_difference and all(
        part is not None and part.category == category and part.kind is Kind.COUNTER for part in parts
    )


def _at_start(shot: Shot) -> Shot:
    """What would have been read when the counters began."""
    assert shot.started_at is not None
    return Shot(shot.started_at, shot.started_at, shot.keys, np.zeros(len(shot.keys)), shot.identity)
