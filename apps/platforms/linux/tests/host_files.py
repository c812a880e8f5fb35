"""The way of a host's file to its records and figures, for tests."""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from apps.catalog.registry import find_metric
from apps.collection.file_text import HostText
from apps.platforms.linux.files.day_shots import days_in
from apps.platforms.linux.files.read_file import read_host_text
from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.metrics import METRICS
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.tests.samples import sample_path
from apps.snapshots.engine.figures import day_figures

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def read(content: str | bytes, zone: str = "UTC") -> HostRecords:
    """What a file of this content says."""
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    return read_host_text(HostText(file), ZoneInfo(zone))


def read_sample(name: str, zone: str = "UTC") -> HostRecords:
    """What a file of real data says."""
    return read(sample_path(name).read_bytes(), zone)


def series(records: HostRecords, metric: str, component: str = "", category: int = KERNEL) -> list[float]:
    """The values of an ingredient, interval by interval."""
    key = (category, metric, component)
    return [interval.values[key] for interval in records.intervals.values() if key in interval.values]


def mean(records: HostRecords, metric: str, component: str = "", category: int = KERNEL) -> float:
    values = series(records, metric, component, category)
    return sum(values) / len(values)


def figures_by_day(records: HostRecords, zone: str = "UTC") -> Iterator[dict[tuple[str, str], float]]:
    """The figures of each day of a file."""
    for day in days_in(records, ZoneInfo(zone), NOW):
        computed = day_figures(
            day.shots,
            day.stretch,
            [metric for metric in METRICS if metric.is_figure],
            find_metric,
            slot_seconds=day.interval,
        )
        yield {
            key: value
            for part in computed.parts.values()
            for key, value in zip(part.keys, part.values.tolist(), strict=True)
            if value == value
        }
