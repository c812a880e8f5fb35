"""Statspack's snapshots as readings: counters since start-up, as a collector would have read them at that moment."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from operator import attrgetter
from statistics import median
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from apps.collection.collector import Reading
from apps.platforms.oracle import categories
from apps.platforms.oracle import history_queries as statements
from apps.platforms.oracle.history.shots import shot_of
from apps.platforms.oracle.queries import Query
from apps.platforms.oracle.read import FILE_COUNTERS, Reader, limits, named, readings, statistics, waits
from apps.snapshots.engine.days import REACH, Day, day_of, nearest
from apps.snapshots.engine.readings import Shot
from apps.snapshots.measured import days_between

NAME = "Statspack"
taken_at = attrgetter("taken_at")


@dataclass(frozen=True)
class StatspackSnapshot:
    """When a snapshot was taken, and since when its counters count; moments in UTC."""

    number: int
    taken_at: datetime
    started_at: datetime
    level: int


def sysstat(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    return statistics(categories.SYSSTAT, rows, "sysstat")


def time_model(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    return statistics(categories.TIME_MODEL, rows, "time_model")


def osstat(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    """The statistics of the catalogue: of others these tables do not say whether they count or measure."""
    metrics = named(categories.OSSTAT)
    return statistics(categories.OSSTAT, [row for row in rows if row[0].strip() in metrics], "osstat")


def pgastat(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    return statistics(categories.PGASTAT, rows, "pgastat")


def files(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    return [
        reading
        for name, *values in rows
        for reading in readings(zip(FILE_COUNTERS, values, strict=True), name)
    ]


class StatspackSource(NamedTuple):
    """What is read of a snapshot: a category, by which statements, and how rows become readings."""

    category: int
    queries: Sequence[Query]
    read: Callable[[Iterable[Sequence[Any]]], list[Reading]]


SOURCES = [
    StatspackSource(categories.SYSSTAT, [statements.SYSSTAT], sysstat),
    StatspackSource(categories.TIME_MODEL, [statements.TIME_MODEL], time_model),
    StatspackSource(categories.SYSTEM_EVENT, [statements.SYSTEM_EVENT], waits),
    StatspackSource(categories.OSSTAT, [statements.OSSTAT], osstat),
    StatspackSource(categories.PGASTAT, [statements.PGASTAT], pgastat),
    StatspackSource(categories.RESOURCE_LIMIT, [statements.LIMITS], limits),
    StatspackSource(categories.FILES, [statements.DATA_FILES, statements.TEMP_FILES], files),
]


def read_snapshots(reader: Reader, in_utc: Callable[[datetime], datetime]) -> list[StatspackSnapshot]:
    """The snapshots of this database and instance, oldest first. Raises the driver's errors."""
    own = reader.facts.get("dbid", "")
    return [
        StatspackSnapshot(int(number), in_utc(at), in_utc(started), int(level))
        for number, at, started, level, dbid in reader.rows(statements.SNAPSHOTS)
        if str(dbid) == own
    ]


def bounding(snapshots: Sequence[StatspackSnapshot], day: Day) -> Sequence[StatspackSnapshot]:
    """The snapshots from the one that begins a day to the one that ends it; none where either is missing."""
    begin = bisect_left(snapshots, day.began_at - REACH, key=taken_at)
    end = bisect_right(snapshots, day.ended_at + REACH, key=taken_at)
    snapshots = snapshots[begin:end]
    moments = [snapshot.taken_at for snapshot in snapshots]
    first, last = nearest(moments, day.began_at), nearest(moments, day.ended_at)
    if first is None or last is None or first >= last:
        return []
    return snapshots[first : last + 1]


def interval_of(snapshots: Sequence[StatspackSnapshot]) -> float:
    """How far snapshots are apart, in seconds; a full hour where they are nearly so."""
    seconds = median(
        (after.taken_at - before.taken_at).total_seconds() for before, after in pairwise(snapshots)
    )
    return 3600.0 if seconds <= 3900 else seconds


def read_shots(reader: Reader, snapshots: Sequence[StatspackSnapshot]) -> dict[int, dict[datetime, Shot]]:
    """What was counted at each of these snapshots, by category. Raises the driver's errors."""
    span = (snapshots[0].number, snapshots[-1].number)
    shots: dict[int, dict[datetime, Shot]] = {}
    for source in SOURCES:
        by_number: dict[int, list[Sequence[Any]]] = {}
        for query in source.queries:
            names = sorted(named(source.category)) if ":names" in query.text else ()
            for number, *row in reader.rows(query, names, span):
                by_number.setdefault(int(number), []).append(row)
        by_slot = {
            snapshot.taken_at: shot_of(
                source.read(by_number[snapshot.number]), snapshot.taken_at, snapshot.started_at
            )
            for snapshot in snapshots
            if snapshot.number in by_number
        }
        if by_slot:
            shots[source.category] = by_slot
    return shots


def days_of(snapshots: Sequence[StatspackSnapshot], zone: ZoneInfo, last: date) -> list[date]:
    """The days up to `last` that snapshots begin and end."""
    if not snapshots:
        return []
    first = snapshots[0].taken_at.astimezone(zone).date()
    return [on for on in days_between(first, last) if bounding(snapshots, day_of(on, zone))]


def restarts_in(snapshots: Sequence[StatspackSnapshot]) -> int:
    """How often the instance was started between two snapshots."""
    return sum(before.started_at != after.started_at for before, after in pairwise(snapshots))
