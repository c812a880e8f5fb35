"""
What Prometheus answers to query_range about a host: the pages of its node_exporter, step by step.

Each step is read as its page was at that moment, so that a day has the figures that fetching it would have given.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import ceil
from typing import Any, TextIO
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from apps.collection.collector import CollectionError
from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import LATEST, MOST_VALUES
from apps.collection.host_files import HOST_NAME, HostFile
from apps.collection.json_stream import JsonStream
from apps.platforms.linux.files.records import LONGEST_NAME
from apps.platforms.linux.node_exporter.collector import PARTS, collected_of
from apps.platforms.linux.node_exporter.metrics_page import Labels, MetricsPage
from apps.snapshots.engine.day_readings import GAP
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.engine.readings import Shot
from apps.snapshots.imported_days import INTERVAL, DayOfFile

FORMAT = "query_range of Prometheus"
MOST_STEPS = 40_000
LOOK_BACK = timedelta(minutes=10)  # how much older than its step a sample may be, and a little more
_BEGINS = re.compile(r'\{\s*"status"\s*:\s*"(?:success|error)"')
_REFUSED = re.compile(r'"status"\s*:\s*"error".*?"error"\s*:\s*"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NOTHING = (
    "Prometheus has no series of this host in this time: look at its name ({instance=…}) and at how long it keeps them,"
    " which is 15 days unless somebody set it otherwise."
)
Floats = NDArray[np.float64]


@dataclass
class _Series:
    """One series: its labels, and its samples as several answers have them."""

    name: str
    labels: Labels
    moments: list[Floats] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)


def is_prometheus(head: str) -> bool:
    """Whether a text begins as the answers of Prometheus do."""
    return bool(_BEGINS.match(head.lstrip()))


def read_prometheus(text: TextIO, head: str, zone: ZoneInfo, now: datetime) -> HostFile:
    """What one or several answers say of a host. Raises UnreadableFile."""
    ignored: Counter[str] = Counter()
    series = _read_series(text, head, ignored)
    moments, table = _table_of(series)
    shots, facts = _shots_of(series, moments, table)
    host = facts.get(HOST_NAME, "")
    system = " ".join(filter(None, (facts.get("distribution"), facts.get("kernel"))))
    lacking = [parts for category, parts in PARTS.items() if category not in shots]
    return HostFile(
        format=FORMAT,
        host_name=host,
        host_label=system,
        days=_days_of(shots, moments, zone, now),
        understood={", ".join(PARTS[category]): len(by_slot) for category, by_slot in shots.items()},
        ignored=[name[:LONGEST_NAME] for name in ignored],
        notes=[f"The answer has nothing of {', '.join(parts)}." for parts in lacking],
        facts=facts,
    )


def _read_series(text: TextIO, head: str, ignored: Counter[str]) -> Sequence[_Series]:
    """The series of node_exporter; those of one name and labels are put together. Raises UnreadableFile."""
    if refused := _REFUSED.search(head[:2000]):
        raise UnreadableFile(f"Prometheus refused the question: {refused[1][:200]}.")
    stream = JsonStream(text, '"result"', "what Prometheus answers to query_range")
    series: dict[tuple[tuple[str, str], ...], _Series] = {}
    hosts: set[str] = set()
    count = 0
    stream.before()
    while True:
        for element in stream.elements():
            labels, moments, values = _samples_of(element)
            name = labels.get("__name__", "")
            if not name.startswith("node_"):
                ignored[name or "series without a name"] += 1
                continue
            hosts.add(labels.get("instance", ""))
            count += len(moments)
            if len(hosts) > 1:
                names = " and ".join(sorted(hosts))
                raise UnreadableFile(
                    f"These are series of several hosts, {names[:120]}: ask for one, {{instance=…}}."
                )
            if count > MOST_VALUES:
                raise UnreadableFile(f"The file holds more than {MOST_VALUES:,} values; give it in parts.")
            own = series.setdefault(tuple(sorted(labels.items())), _Series(name, labels))
            own.moments.append(moments)
            own.values.append(values)
        if not stream.has_list():
            break
        stream.before()
    if not series:
        what = "What is there is of no node_exporter: none of its series begins with node_."
        raise UnreadableFile(what if ignored else _NOTHING)
    return list(series.values())


def _samples_of(element: dict[str, Any]) -> tuple[dict[str, str], Floats, Floats]:
    if "value" in element and "values" not in element:
        raise UnreadableFile("This is one moment (query): ask for a stretch of time, with query_range.")
    try:
        labels = {str(name): str(value) for name, value in element["metric"].items()}
        samples = np.array([(float(at), float(value)) for at, value in element["values"]], dtype=np.float64)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UnreadableFile("These are not what Prometheus answers to query_range.") from None
    samples = samples.reshape(-1, 2)
    return labels, samples[:, 0], samples[:, 1]


def _table_of(series: Sequence[_Series]) -> tuple[list[datetime], Floats]:
    """The moments of all samples, and the samples by series and moment; NaN where there is none. Raises UnreadableFile."""
    steps = np.unique(np.concatenate([part for own in series for part in own.moments]))
    if not ((steps >= 0) & (steps < LATEST)).all():
        raise UnreadableFile("A sample has a moment that is none.")
    if len(steps) > MOST_STEPS or len(steps) * len(series) > 2 * MOST_VALUES:
        raise UnreadableFile(
            f"The answer has {len(steps):,} steps of {len(series):,} series; ask for fewer days, or with step=3600."
        )
    table = np.full((len(series), len(steps)), np.nan)
    for row, own in enumerate(series):
        for moments, values in zip(own.moments, own.values, strict=True):
            table[row, np.searchsorted(steps, moments)] = values
    return [datetime.fromtimestamp(step, UTC) for step in steps.tolist()], table


def _pages_of(
    series: Sequence[_Series], moments: Sequence[datetime], table: Floats
) -> Iterator[tuple[datetime, MetricsPage]]:
    """The page of each moment."""
    for column, moment in enumerate(moments):
        page: dict[str, list[tuple[Labels, float]]] = {}
        for row in np.flatnonzero(np.isfinite(table[:, column])).tolist():
            page.setdefault(series[row].name, []).append((series[row].labels, float(table[row, column])))
        yield moment, MetricsPage(page)


def _shots_of(
    series: Sequence[_Series], moments: Sequence[datetime], table: Floats
) -> tuple[dict[int, dict[datetime, Shot]], dict[str, str]]:
    """What a collector would have read at each moment, and what it would have known last. Raises UnreadableFile."""
    host = series[0].labels.get("instance", "the host")
    shots: dict[int, dict[datetime, Shot]] = {}
    lists: dict[tuple[tuple[str, str], ...], list[tuple[str, str]]] = {}
    facts: dict[str, str] = {}
    problem = ""
    for moment, page in _pages_of(series, moments, table):
        try:
            collected = collected_of(page, host, moment, 0.0)
        except CollectionError as error:
            problem = str(error)
            continue
        facts = dict(collected.facts)
        is_near = abs(collected.captured_at - moment) <= LOOK_BACK
        captured_at = (
            collected.captured_at if is_near else moment
        )  # by the host's clock, unless that is wrong
        for run in collected.sources:
            if not run.readings:
                continue
            keys = tuple((reading.metric, reading.component) for reading in run.readings)
            values = np.array([reading.value for reading in run.readings], dtype=np.float64)
            shots.setdefault(run.category, {})[moment] = Shot(
                captured_at, collected.started_at, lists.setdefault(keys, list(keys)), values
            )
    if not shots:
        raise UnreadableFile(problem)
    return shots, facts


def _days_of(
    shots: dict[int, dict[datetime, Shot]], moments: Sequence[datetime], zone: ZoneInfo, now: datetime
) -> list[DayOfFile]:
    """The days of these readings, oldest first. Raises UnreadableFile where there are no two of one day."""
    steps = np.diff([moment.timestamp() for moment in moments])
    step = timedelta(seconds=float(np.median(steps))) if len(steps) else timedelta()
    on_days = dict.fromkeys(moment.astimezone(zone).date() for moment in moments)
    read = [_day_of_file(shots, moments, step, day_of(on, zone, now)) for on in on_days]
    days = [own for own in read if own is not None]
    if not days:
        raise UnreadableFile(
            "The answer has no two steps of one day: ask for at least a day, with step=3600 or less."
        )
    return days


def _day_of_file(
    shots: dict[int, dict[datetime, Shot]], moments: Sequence[datetime], step: timedelta, day: Day
) -> DayOfFile | None:
    """A day between the steps nearest to its midnights."""
    near = step / 2
    own = moments[bisect_right(moments, day.began_at - near) : bisect_right(moments, day.ended_at + near)]
    if len(own) < 2:
        return None
    within = {
        category: {moment: by_slot[moment] for moment in own if moment in by_slot}
        for category, by_slot in shots.items()
    }
    interval = INTERVAL * ceil(step.total_seconds() / INTERVAL)
    seconds = [(after - before).total_seconds() for before, after in pairwise(own)]
    hours = min(sum(length for length in seconds if length <= GAP * interval) / 3600, day.hours)
    read = {category: by_slot for category, by_slot in within.items() if by_slot}
    return DayOfFile(day, Day(day.on, own[0], own[-1]), read, hours, interval)
