"""The intervals of a file as readings of days, as the core reduces those of a collector."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from statistics import fmean
from zoneinfo import ZoneInfo

import numpy as np

from apps.platforms.linux.files.records import HostRecords, Interval
from apps.platforms.linux.sadf import Key
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.engine.readings import Shot
from apps.snapshots.imported_days import DayOfFile

SAME = timedelta(seconds=2)  # an interval that begins so shortly after the one before follows it


def days_in(records: HostRecords, zone: ZoneInfo, now: datetime) -> list[DayOfFile]:
    """The days of a file, oldest first; an interval is of the day in which its middle lies."""
    by_day: dict[date, list[tuple[datetime, Interval]]] = {}
    for ended_at, interval in records.intervals.items():
        middle = interval.began_at + (ended_at - interval.began_at) / 2
        by_day.setdefault(middle.astimezone(zone).date(), []).append((ended_at, interval))
    boots = sorted(records.restarts)
    if records.is_coarse:
        return [
            replace(_day_of_file(day_of(on, zone, now), [_whole(intervals)], boots), interval=float("inf"))
            for on, intervals in by_day.items()
        ]
    return [_day_of_file(day_of(on, zone, now), intervals, boots) for on, intervals in by_day.items()]


def _day_of_file(
    day: Day, intervals: Sequence[tuple[datetime, Interval]], boots: Sequence[datetime]
) -> DayOfFile:
    categories = sorted({key[0] for _, interval in intervals for key in interval.values})
    shots: dict[int, dict[datetime, Shot]] = {category: {} for category in categories}
    layouts: dict[tuple[Key, ...], dict[int, tuple[list[tuple[str, str]], list[int]]]] = {}
    last, seconds = None, 0.0
    for ended_at, interval in intervals:
        if last is None or interval.began_at - last > SAME:
            last = interval.began_at
            for category in categories:
                shots[category][last.astimezone(UTC)] = _shot(last, boots, [], [])
        seconds += (ended_at - last).total_seconds()
        keys = tuple(interval.values)
        if keys not in layouts:
            layouts[keys] = _places(keys)
        values = list(interval.values.values())
        for category, (names, places) in layouts[keys].items():
            shots[category][ended_at.astimezone(UTC)] = _shot(
                ended_at, boots, names, [values[place] for place in places]
            )
        last = ended_at
    stretch = Day(day.on, intervals[0][1].began_at.astimezone(UTC), intervals[-1][0].astimezone(UTC))
    return DayOfFile(day, stretch, shots, seconds / 3600)


def _whole(intervals: Sequence[tuple[datetime, Interval]]) -> tuple[datetime, Interval]:
    """The mean of intervals of one length, as one."""
    keys = dict.fromkeys(key for _, interval in intervals for key in interval.values)
    values = {
        key: fmean(interval.values[key] for _, interval in intervals if key in interval.values)
        for key in keys
    }
    return intervals[-1][0], Interval(intervals[0][1].began_at, values)


def _places(keys: Sequence[Key]) -> dict[int, tuple[list[tuple[str, str]], list[int]]]:
    """The names of each category and where their values stand; one list for all intervals that have the same."""
    places: dict[int, tuple[list[tuple[str, str]], list[int]]] = {}
    for place, (category, metric, component) in enumerate(keys):
        names, where = places.setdefault(category, ([], []))
        names.append((metric, component))
        where.append(place)
    return places


def _shot(
    moment: datetime, boots: Sequence[datetime], names: list[tuple[str, str]], values: Sequence[float]
) -> Shot:
    """A reading; since when the host runs is known once it was started within the file."""
    began = max(
        (boot for boot in boots if boot <= moment), default=boots[0] - timedelta(days=7) if boots else None
    )
    return Shot(moment.astimezone(UTC), began, names, np.array(values, dtype=np.float64))
