"""The way from readings to figures as the core goes it, for tests that assert a figure."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from apps.catalog.registry import find_metric, get_metric
from apps.collection.collector import Reading
from apps.platforms.linux.metrics import METRICS
from apps.platforms.tests.samples import sample_path
from apps.snapshots.engine.days import day_of
from apps.snapshots.engine.figures import day_figures
from apps.snapshots.engine.readings import Shot

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BOOTED = datetime(2026, 11, 1, tzinfo=UTC)
STEP = 300.0


def sample(name: str) -> str:
    """The text of a file of real data."""
    return sample_path(name).read_text()


def figures(*shots: Sequence[Reading], seconds: float = STEP) -> dict[tuple[str, str], float]:
    """The day's figures by (key, component) from successive readings, the last at noon."""
    categories: dict[int, dict[datetime, Shot]] = {}
    for back, readings in enumerate(reversed(shots)):
        at = NOON - timedelta(seconds=back * seconds)
        for category in {get_metric(reading.metric).category for reading in readings}:
            mine = [reading for reading in readings if get_metric(reading.metric).category == category]
            keys = [(reading.metric, reading.component) for reading in mine]
            shot = Shot(at, BOOTED, keys, np.array([reading.value for reading in mine]))
            categories.setdefault(category, {})[at] = shot
    day = day_of(date(2026, 11, 20), ZoneInfo("UTC"))
    computed = day_figures(categories, day, METRICS, find_metric, slot_seconds=seconds)
    return {
        key: value
        for part in computed.parts.values()
        for key, value in zip(part.keys, part.values.tolist(), strict=True)
        if not np.isnan(value)
    }


def figure(key: str, *shots: Sequence[Reading], component: str = "", seconds: float = STEP) -> float | None:
    """One figure, None where it is not known."""
    return figures(*shots, seconds=seconds).get((key, component))


def value(readings: Iterable[Reading], metric: str, component: str = "") -> float | None:
    """What was read under a key."""
    return next((r.value for r in readings if (r.metric, r.component) == (metric, component)), None)


def counted(component: str = "", **values: float) -> list[Reading]:
    return [Reading(metric, number, component) for metric, number in values.items()]
