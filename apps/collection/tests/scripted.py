"""
A target whose readings a test dictates: its metrics, its collector, and its days.

Its instance has a counter, a gauge of tablespaces, wait events and CPU; its host has a busy share.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from pytest_django import DjangoDbBlocker

from apps.catalog.metric import Display, Judging, Kind, Metric, Origin, Ranking, Worse
from apps.catalog.registry import add_metrics
from apps.catalog.section import Section
from apps.catalog.splits import add_splits
from apps.collection.collect import timetable_of
from apps.collection.collector import Collected, Reading, SourceRun, add_collector
from apps.inventory.models import Target
from apps.snapshots import dictionary
from apps.snapshots.engine.days import day_of
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import roll_up_day

PLATFORM, HOSTS = "scripted", "scripted-host"
WORK, SPACE, WAITS, MODEL, LOAD = 921, 922, 923, 924, 925
BOOT = datetime(2026, 1, 1, tzinfo=UTC)
TODAY = date(2026, 6, 30)
GB, MB = 1024**3, 1024**2

# for tests that several connections take part in: what they write is committed, and emptied with what hangs on it
committed = pytest.mark.django_db(transaction=True, available_apps=settings.INSTALLED_APPS)

METRICS = [
    Metric(
        key="x_redo", label="redo", unit="GB/day", reading_unit="bytes", kind=Kind.COUNTER, source="work",
        category=WORK, worse=Worse.HIGHER, display=Display(rows=1), role="work", section=Section("Work"),
    ),
    Metric(
        key="x_calls", label="calls", unit="calls/s", reading_unit="calls", kind=Kind.COUNTER, source="work",
        category=WORK, section=Section("Work"),
    ),
    Metric(
        key="x_bytes_per_call", label="redo per call", unit="bytes", kind=Kind.RATIO, source="derived", category=WORK,
        formula=lambda w: w.delta("x_redo") / w.delta("x_calls"), section=Section("Work"),
    ),
    Metric(
        key="x_used", label="used", unit="MB", reading_unit="bytes", kind=Kind.GAUGE, source="space", category=SPACE,
        component_kind="tablespace", worse=Worse.HIGHER, display=Display(rows=3, called="{}"), section=Section("Space", subtitle="used"),
        judging=Judging(companions=(("free", "x_free"),)),
    ),
    Metric(
        key="x_free", label="free", unit="MB", display=Display(unit="GB"), reading_unit="bytes", kind=Kind.GAUGE, source="space",
        category=SPACE, component_kind="tablespace", worse=Worse.LOWER, section=Section("Space", subtitle="used"),
    ),
    Metric(
        key="x_hit_pct", label="hits", unit="%", kind=Kind.GAUGE, source="space", category=SPACE, worse=Worse.LOWER,
        display=Display(rows=1), section=Section("Space", subtitle="used"),
    ),
    Metric(
        key="x_waits", label="waits", unit="waits/day", reading_unit="waits", kind=Kind.COUNTER, source="waits",
        category=WAITS, component_kind="event", origin=Origin(is_sparse=True),
    ),
    Metric(
        key="x_wait_time", label="time waited", unit="s/day", reading_unit="us", kind=Kind.COUNTER, source="waits",
        category=WAITS, component_kind="event", origin=Origin(is_sparse=True),
    ),
    Metric(
        key="x_read_ms", label="average wait", unit="ms", display=Display(unit="cs", rows=10, noun="wait event"), kind=Kind.RATIO, source="derived",
        category=WAITS, component_kind="event", origin=Origin(is_sparse=True), worse=Worse.HIGHER, judging=Judging(weight="x_waits", enough=100),
        ranking=Ranking(by="x_wait_time", rivals=("x_cpu",), hides=lambda event, event_class: event_class == "Idle" or event.startswith("PX")), section=Section("Waits"),
        formula=lambda w: w.delta("x_wait_time") / 1000 / w.delta("x_waits"),
    ),
    Metric(
        key="x_write_ms", label="average of writes", unit="ms", display=Display(unit="cs"), kind=Kind.RATIO, source="derived",
        category=WAITS, component_kind="event", origin=Origin(is_sparse=True), worse=Worse.HIGHER,
        formula=lambda w: w.delta("x_wait_time") / 1000 / w.delta("x_waits"),
    ),
    Metric(
        key="x_cpu", label="CPU time", unit="s/day", reading_unit="us", kind=Kind.COUNTER, source="model",
        category=MODEL,
    ),
]  # fmt: skip
HOST_METRICS = [
    Metric(
        key="x_busy_pct", label="CPU busy", unit="%", kind=Kind.GAUGE, source="load", category=LOAD,
        worse=Worse.HIGHER, reductions=("p95", "max", "busy"), display=Display(rows=1, reduction="p95"),
        role="strain", judging=Judging(strain=80), section=Section("CPU"),
    ),
]  # fmt: skip


@dataclass
class Script:
    """A collector that answers what it was told to, or raises it; it counts how often it was asked."""

    answers: dict[str, Any] = field(default_factory=dict)
    calls: list[tuple[str, datetime]] = field(default_factory=list)

    def collect(self, target: Target, slot: datetime) -> Collected:
        self.calls.append((target.name, slot))
        answer = self.answers.get(target.name, reading(slot))
        if callable(answer):
            answer = answer(target, slot)
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Collected)
        return answer


class Patient:
    """A collector that tells when it began, and goes on once a file says so: for a worker in another process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self, target: Target, slot: datetime) -> Collected:
        number = len(list(self.folder.glob("began-*"))) + 1
        (self.folder / f"began-{number}").touch()
        while not (self.folder / "go-on").exists():
            time.sleep(0.05)
        return reading(datetime.now(UTC))


SCRIPT = Script()


def register() -> None:
    """Make the platforms and the collector known."""
    add_metrics(PLATFORM, METRICS)
    add_metrics(HOSTS, HOST_METRICS)
    add_splits(PLATFORM, [{"read": "x_read_ms", "write": "x_write_ms"}])
    add_collector("scripted", SCRIPT)


@pytest.fixture(autouse=True)
def scripted_platform() -> Iterator[None]:
    """For the conftest of an app whose tests all use the script: nothing is left of the test before."""
    register()
    SCRIPT.answers.clear()
    SCRIPT.calls.clear()
    dictionary.forget()
    yield
    dictionary.forget()


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """
    The database for a scene that the tests of a module share: what a test writes is taken back after it, and the scene
    after the last of them.
    """
    register()
    dictionary.forget()
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
    dictionary.forget()


def instance(name: str = "SCRIPT", **fields: Any) -> Target:
    """A registered instance that is read by the script."""
    return _registered(name, kind="instance", platform=PLATFORM, **fields)


def host(name: str = "scripthost", **fields: Any) -> Target:
    """A registered host that is read by the script."""
    return _registered(name, kind="host", platform=HOSTS, **fields)


def _registered(name: str, **fields: Any) -> Target:
    return Target.objects.create(
        name=name, **{"collector": "scripted", "registered_at": BOOT, **fields}
    )  # fmt: skip


def reading(at: datetime, used: float = 5 * MB, *, failed: Mapping[str, str] | None = None) -> Collected:
    """One tablespace and one counter, read at a moment; `failed` names further sources with their sentences."""
    sources = [
        SourceRun(name="space", category=SPACE, seconds=0.25, readings=[Reading("x_used", used, "DATA")]),
        SourceRun(name="work", category=WORK, seconds=0.5, readings=[Reading("x_redo", at.timestamp())]),
    ]
    sources += [
        SourceRun(name=name, category=WAITS, error=sentence) for name, sentence in (failed or {}).items()
    ]
    return Collected(captured_at=at, started_at=BOOT, sources=sources, facts={"version": "19.22"})


def prepare(*days: date) -> None:
    """The partitions that a test's days need: without any, half a year up to TODAY."""
    if days:
        ensure_partitions([day + timedelta(days=offset) for day in days for offset in (-8, 0, 8)])
    else:
        ensure_partitions([TODAY - timedelta(days=offset) for offset in range(-31, 190, 28)])


class Story:
    """
    Days of a target as readings, told by what happened on each: growth of its counters, and how things stood at its end.

    Days must be told in order. Every told day is read at the slot that ends it, and rolled up.
    """

    def __init__(self, target: Target, classes: Mapping[str, str] | None = None) -> None:
        self.target = target
        self.classes = classes or {}
        self.counters: dict[int, dict[tuple[str, str], float]] = {WORK: {}, WAITS: {}, MODEL: {}}
        self.started_at = BOOT
        self.read: set[datetime] = set()

    def day(
        self,
        on: date,
        *,
        redo: float | None = None,
        calls: float | None = None,
        cpu: float | None = None,
        waits: Mapping[str, tuple[float, float]] | None = None,
        used: Mapping[str, float] | None = None,
        free: Mapping[str, float] | None = None,
        hits: float | None = None,
        restarted_at: datetime | None = None,
    ) -> None:
        """
        Tell one day: GB of redo, calls, seconds of CPU, for each event its waits and their average in ms, MB used, GB free.

        After a restart counters begin anew, and what is told happened since.
        """
        begins, ends = self.slots(on)
        is_read_of = {WORK: redo is not None, WAITS: waits is not None, MODEL: cpu is not None}
        if begins not in self.read and any(is_read_of.values()):
            self._record(begins, {category: {} for category, is_read in is_read_of.items() if is_read}, {})
        if restarted_at is not None:
            self.started_at = restarted_at
            self.counters = {category: {} for category in self.counters}
        growth: dict[int, dict[tuple[str, str], float]] = {
            category: {} for category, is_read in is_read_of.items() if is_read
        }
        if redo is not None:
            growth[WORK] = {("x_redo", ""): redo * GB, ("x_calls", ""): calls or 0.0}
        if cpu is not None:
            growth[MODEL] = {("x_cpu", ""): cpu * 1e6}
        for event, (count, average) in (waits or {}).items():
            growth[WAITS][("x_waits", event)] = count
            growth[WAITS][("x_wait_time", event)] = count * average * 1000
        levels = {("x_used", name): value * MB for name, value in (used or {}).items()}
        levels |= {("x_free", name): value * GB for name, value in (free or {}).items()}
        if hits is not None:
            levels[("x_hit_pct", "")] = hits
        self._record(ends, growth, levels)
        roll_up_day(self.target, on, ends)

    def skip_beginning(self, on: date) -> None:
        """Leave out the reading that would begin a day: its difference then starts earlier."""
        self.read.add(self.slots(on)[0])

    def slots(self, on: date) -> tuple[datetime, datetime]:
        """The slots whose readings begin and end a day."""
        timetable = timetable_of(self.target)
        return tuple(
            timetable.ending_slot(day_of(day, self.target.zone)) for day in (on - timedelta(days=1), on)
        )  # type: ignore[return-value]

    def _record(
        self,
        slot: datetime,
        growth: Mapping[int, Mapping[tuple[str, str], float]],
        levels: Mapping[tuple[str, str], float],
    ) -> None:
        sources = []
        for category, grown in growth.items():
            totals = self.counters[category]
            for key, value in grown.items():
                totals[key] = totals.get(key, 0.0) + value
            base = {("x_redo", ""): 0.0, ("x_calls", ""): 0.0} if category == WORK else {}
            base |= {("x_cpu", ""): 0.0} if category == MODEL else {}
            base |= {("x_waits", "nothing"): 0.0} if category == WAITS else {}
            sources.append(ReadSource(category=category, values=base | totals, classes=self.classes))
        if levels:
            sources.append(ReadSource(category=SPACE, values=levels))
        record_snapshot(self.target, sources, slot=slot, captured_at=slot, started_at=self.started_at)
        self.read.add(slot)


def days_before(last: date, count: int) -> list[date]:
    """So many days in a row up to the last, oldest first."""
    return [last - timedelta(days=back) for back in range(count - 1, -1, -1)]


def levels(target: Target, values: Iterable[float | None], *, last: date = TODAY) -> list[date]:
    """A tablespace's MB used on days in a row up to the last; None is a day that was not read."""
    values = list(values)
    story, days = Story(target), days_before(last, len(values))
    for on, value in zip(days, values, strict=True):
        if value is not None:
            story.day(on, used={"DATA": value})
    return days
