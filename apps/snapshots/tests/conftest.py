"""A small platform to measure with: counters, gauges, sparse events, ratios, samples."""

from collections.abc import Iterator

import pytest

from apps.catalog.metric import Display, Judging, Kind, Metric, Origin, Worse
from apps.catalog.registry import add_metrics
from apps.snapshots import dictionary

METRICS = [
    Metric(key="t_redo", label="redo", unit="GB/day", reading_unit="bytes", kind=Kind.COUNTER, source="s", category=901),
    Metric(key="t_entries", label="entries", unit="entries/s", reading_unit="entries", kind=Kind.COUNTER, source="s", category=901),
    Metric(
        key="t_entry_bytes", label="bytes per entry", unit="bytes", kind=Kind.RATIO, source="derived", category=901,
        formula=lambda w: w.delta("t_redo") / w.delta("t_entries"),
    ),
    Metric(key="t_used", label="used", unit="MB", reading_unit="bytes", kind=Kind.GAUGE, source="d", category=902, component_kind="tablespace"),
    Metric(key="t_size", label="size", unit="MB", reading_unit="bytes", kind=Kind.GAUGE, source="d", category=902, component_kind="tablespace"),
    Metric(
        key="t_used_pct", label="used share", unit="%", kind=Kind.RATIO, source="derived", category=902, component_kind="tablespace",
        formula=lambda w: 100 * w.level("t_used") / w.level("t_size"),
    ),
    Metric(key="t_waits", label="waits", unit="waits/day", reading_unit="waits", kind=Kind.COUNTER, source="e", category=903, component_kind="event", origin=Origin(is_sparse=True)),
    Metric(key="t_micros", label="time", unit="s/day", reading_unit="us", kind=Kind.COUNTER, source="e", category=903, component_kind="event", origin=Origin(is_sparse=True)),
    Metric(
        key="t_wait_ms", label="average wait", unit="ms", display=Display(unit="cs"), kind=Kind.RATIO, source="derived", category=903, component_kind="event",
        origin=Origin(is_sparse=True), judging=Judging(weight="t_waits", enough=100),
        formula=lambda w: w.delta("t_micros") / 1000 / w.delta("t_waits"),
    ),
    Metric(key="t_ticks", label="busy ticks", unit="per second", reading_unit="count", kind=Kind.COUNTER, source="p", category=904, is_figure=False),
    Metric(
        key="t_busy_pct", label="busy", unit="%", kind=Kind.RATIO, source="derived", category=904,
        formula=lambda w: w.delta("t_ticks") / w.seconds, reductions=("p95", "max", "busy"),
    ),
    Metric(
        key="t_idle_pct", label="idle", unit="%", kind=Kind.RATIO, source="derived", category=904, worse=Worse.LOWER,
        formula=lambda w: 100 - w.delta("t_ticks") / w.seconds, reductions=("p95", "max", "busy"),
    ),
    Metric(key="t_free", label="free", unit="MB", reading_unit="bytes", kind=Kind.GAUGE, source="p", category=904, reductions=("p95", "max", "busy")),
]  # fmt: skip


@pytest.fixture(autouse=True, scope="session")
def _small_platform() -> None:
    add_metrics("small", list(METRICS))


@pytest.fixture(autouse=True)
def _fresh_dictionary() -> Iterator[None]:
    dictionary.forget()
    yield
    dictionary.forget()
