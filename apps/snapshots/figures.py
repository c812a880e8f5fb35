"""
The figures of one day, from the readings of one target (product.md, "Target, snapshot, day"; arithmetic, no Django).

Each figure is computed over the readings that have all its ingredients, so that numerator, denominator and elapsed
time of a ratio always belong to the same intervals.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric
from apps.catalog.units import convert
from apps.snapshots.days import Bounds, Day, bounds
from apps.snapshots.rates import Flags, Floats, Intervals, intervals

MetricOf = Callable[[str], Metric | None]
GAP = 3  # intervals of the schedule; readings further apart leave a gap in a day of samples


ENOUGH_OF_HOURS = 0.8  # of the hours asked for; less has no figure


@dataclass(frozen=True)
class Hours:
    """Clock hours of a zone over which a metric is also averaged, from `first` up to and without `last`."""

    metric: str
    first: int
    last: int
    zone: ZoneInfo

    @property
    def key(self) -> str:
        return f"{self.metric}:{self.first}-{self.last}"


@dataclass(frozen=True)
class Shot:
    """What was read of one category in one slot: `keys` are (metric, component) by position of `values`."""

    captured_at: datetime
    started_at: datetime | None
    keys: Sequence[tuple[str, str]]
    values: Floats
    identity: str = ""  # whose counters these are; where it changes between two readings, nothing is known


Shots = Mapping[int, Mapping[datetime, Shot]]  # category -> slot -> what was read


@dataclass(frozen=True)
class Part:
    """The figures of one category of a day, with how they were measured."""

    keys: list[tuple[str, str]]
    values: Floats
    hours: float | None  # measured; None where it was read at a moment and nothing is measured over time
    spans_days: int
    since_restart: bool
    restarts: int
    captured_at: datetime
    is_other: bool = False  # another instance answered than at the reading before
    is_seldom_read: bool = False
    without: tuple[str, ...] = ()  # instances of the database that were not read at both ends


@dataclass
class DayFigures:
    """All figures of a target's day by category; `marks` says why a figure is missing that should be there."""

    parts: dict[int, Part] = field(default_factory=dict)
    marks: dict[tuple[int, str, str], str] = field(default_factory=dict)


class _Probe:
    """A window that answers anything and remembers what it was asked for."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.has_differences = False

    @property
    def seconds(self) -> NDArray[Any]:
        self.has_differences = True
        return np.ones((1, 1))

    def delta(self, key: str) -> NDArray[Any]:
        self.keys.add(key)
        self.has_differences = True
        return np.ones((1, 1))

    def level(self, key: str) -> NDArray[Any]:
        self.keys.add(key)
        return np.ones((1, 1))


@cache
def ingredients(metric: Metric) -> tuple[frozenset[str], bool]:
    """The readings a figure is made of, and whether it is measured over time (not just read at a moment)."""
    if metric.formula is None:
        return frozenset({metric.key}), metric.kind is Kind.COUNTER
    probe = _Probe()
    with np.errstate(all="ignore"):
        metric.formula(probe)
    return frozenset(probe.keys), probe.has_differences


@dataclass(frozen=True)
class _Table:
    """One category over n + 1 slots: `values` (n + 1, s), and for each metric its components and their columns."""

    captured: Floats
    started: Floats
    moved: Flags  # (n,)
    values: Floats
    columns: Mapping[str, tuple[list[str], list[int]]]


def _table(shots: Mapping[datetime, Shot], slots: Sequence[datetime]) -> _Table:
    rows = [shots.get(slot) for slot in slots]
    lists = {id(shot.keys): shot.keys for shot in rows if shot is not None}
    column = {
        key: index for index, key in enumerate(dict.fromkeys(key for keys in lists.values() for key in keys))
    }
    places = {number: np.array([column[key] for key in keys], dtype=int) for number, keys in lists.items()}
    captured, started = np.full(len(slots), np.nan), np.full(len(slots), np.nan)
    values = np.full((len(slots), len(column)), np.nan)
    owners = [shot.identity if shot is not None else "" for shot in rows]
    moved = np.array([bool(a and b) and a != b for a, b in pairwise(owners)], dtype=bool)
    for index, shot in enumerate(rows):
        if shot is not None:
            captured[index] = shot.captured_at.timestamp()
            started[index] = shot.started_at.timestamp() if shot.started_at else np.nan
            values[index, places[id(shot.keys)]] = shot.values
    columns: dict[str, tuple[list[str], list[int]]] = {}
    for (metric, component), index in column.items():
        names, where = columns.setdefault(metric, ([], []))
        names.append(component)
        where.append(index)
    return _Table(captured, started, moved, values, columns)


@dataclass
class _Stretch:
    """
    A Window over the tables of several categories; `as_whole` adds its intervals up to one.

    Levels of a whole are those of the last reading, or their mean by time where the day was sampled.
    """

    slots: Sequence[datetime]
    tables: Mapping[int, _Table]
    metric_of: MetricOf
    components: Mapping[str, list[str]]
    longest: float  # seconds; a longer interval is a gap. Infinite for targets read daily
    as_whole: bool = True
    _differences: dict[str, Intervals] = field(default_factory=dict)

    @cached_property
    def _elapsed(self) -> Intervals:
        """Lengths of the intervals, by the first category that was read in each slot."""
        captured, started = (
            np.select([~np.isnan(table.captured) for table in self.tables.values()], list(columns), np.nan)
            for columns in zip(
                *((table.captured, table.started) for table in self.tables.values()), strict=True
            )
        )
        return intervals(captured, started, np.zeros((len(self.slots), 1)), moved=self._moved)

    @cached_property
    def _moved(self) -> Flags:
        """Between which readings the target became another instance."""
        moved: Flags = np.any([table.moved for table in self.tables.values()], axis=0)
        return moved

    @property
    def is_other(self) -> bool:
        """Whether another instance answered than at the reading before."""
        return bool(np.isnan(self._elapsed.seconds).any())

    @cached_property
    def interval_seconds(self) -> Floats:
        """Seconds of each interval, NaN for gaps and other instances, shape (n,)."""
        seconds = self._elapsed.seconds
        return np.where(seconds <= self.longest, seconds, np.nan)

    @cached_property
    def hours(self) -> NDArray[np.intp]:
        """The first interval of each hour; an interval belongs to the hour it began in."""
        of_slot = np.array([slot.timestamp() // 3600 for slot in self.slots[:-1]])
        return np.flatnonzero(np.diff(of_slot, prepend=-1))

    @property
    def since_restart(self) -> Flags:
        return self._elapsed.since_restart

    @property
    def seconds(self) -> NDArray[Any]:
        if not self.as_whole:
            return self.interval_seconds[:, None]
        total = np.nansum(self.interval_seconds)
        return np.array([[total if total > 0 else np.nan]])

    def _read(self, key: str) -> tuple[Metric | None, _Table | None, Floats]:
        """The values (n + 1, c) of a reading, in the order of the components of its kind."""
        metric = self.metric_of(key)
        table = self.tables.get(metric.category) if metric else None
        order = self.components.get(metric.component_kind, [""]) if metric and metric.component_kind else [""]
        values = np.full((len(self.slots), len(order)), np.nan)
        if table is not None and key in table.columns:
            names, where = table.columns[key]
            position = {name: index for index, name in enumerate(order)}
            values[:, [position[name] for name in names]] = table.values[:, where]
        return metric, table, values

    def differences(self, key: str) -> Intervals:
        """Growth of a counter over each interval; several figures are made of the same."""
        if key not in self._differences:
            self._differences[key] = self._differences_of(key)
        return self._differences[key]

    def _differences_of(self, key: str) -> Intervals:
        metric, table, values = self._read(key)
        nothing = np.full(len(self.slots), np.nan)
        captured, started = (table.captured, table.started) if table else (nothing, nothing)
        sparse = np.full(values.shape[1], bool(metric and metric.is_sparse))
        return intervals(captured, started, values, sparse, self._moved)

    def delta(self, key: str) -> NDArray[Any]:
        found = self.differences(key)
        known = np.where(np.isnan(self.interval_seconds)[:, None], np.nan, found.delta)
        if not self.as_whole:
            return known
        metric = self.metric_of(key)
        counted = ~np.isnan(self.interval_seconds)
        if metric is not None and metric.is_sparse:
            total = np.where(np.isnan(known).all(axis=0), np.nan, np.nansum(known, axis=0))
        elif counted.any():
            total = known[counted].sum(axis=0)
        else:
            total = np.full(known.shape[1], np.nan)
        return np.where(found.fell.any(axis=0), np.nan, total)[None, :]

    def level(self, key: str) -> NDArray[Any]:
        _, _, values = self._read(key)
        if not self.as_whole:
            return values[1:]
        if np.isinf(self.longest) or len(values) == 1:
            return values[-1:]
        weights = np.where(np.isnan(self.interval_seconds), 0.0, self.interval_seconds)[:, None]
        known = ~np.isnan(values[1:]) & (weights > 0)
        total = np.where(known, values[1:] * weights, 0.0).sum(axis=0)
        time = np.where(known, weights, 0.0).sum(axis=0)
        with np.errstate(all="ignore"):
            mean: Floats = (total / time)[None, :]
        return mean


def day_figures(
    shots: Shots,
    day: Day,
    metrics: Iterable[Metric],
    metric_of: MetricOf,
    *,
    slot_seconds: float,
    hours: Sequence[Hours] = (),
) -> DayFigures:
    """
    All figures of a day from what was read around it: shots from a week before to half a day after.

    A target whose slots are at most an hour apart is sampled: its readings also give 95th percentile, maximum and
    busiest hour, and stretches without readings are gaps. Otherwise the day is one difference between two readings,
    as it is for what is read on a rhythm of its own.
    """
    result = DayFigures()
    groups: dict[tuple[frozenset[int], bool], list[Metric]] = {}
    for metric in metrics:
        keys, _ = ingredients(metric)
        known = [found for found in map(metric_of, keys) if found is not None]
        present = frozenset({found.category for found in known} & shots.keys())
        if present:
            groups.setdefault((present, any(found.is_seldom_read for found in known)), []).append(metric)
    collected: dict[int, list[_Group]] = {}
    for (categories, is_seldom), members in groups.items():
        seconds = np.inf if is_seldom else slot_seconds
        found = _figures_of_group(shots, categories, members, day, metric_of, seconds, result.marks, hours)
        for category, group in found.items():
            collected.setdefault(category, []).append(group)
    for category, parts in collected.items():
        result.parts[category] = _joined(parts)
    return result


@dataclass
class _Group:
    stretch: _Stretch
    spans_days: int
    captured_at: datetime
    is_seldom_read: bool
    is_over_time: bool  # whether anything in it is measured over time, rather than read at a moment
    keys: list[tuple[str, str]] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)


class _Bounded(NamedTuple):
    """The readings between the ends of a day, as tables by category, and all moments they were chosen from."""

    slots: list[datetime]
    tables: dict[int, _Table]
    components: dict[str, list[str]]
    limits: Bounds
    captured: list[datetime]


def stretch_of(
    shots: Shots, categories: frozenset[int], day: Day, metric_of: MetricOf, slot_seconds: float
) -> _Bounded | None:
    """The readings of some categories that bound a day; None where its end was not read."""
    mine = {category: shots[category] for category in sorted(categories)}
    common = set.intersection(*(set(found) for found in mine.values()))
    read_at = {slot: shot.captured_at for found in mine.values() for slot, shot in found.items()}
    # by the clock: a slot may be made up for after the next one was read
    slots = sorted(common or read_at, key=read_at.__getitem__)
    captured = [read_at[slot] for slot in slots]
    limits = bounds(captured, day)
    if limits is None or (slot_seconds <= 3600 and _lies_after(captured, limits, day, slot_seconds)):
        return None
    used = slots[limits.last if limits.first is None else limits.first : limits.last + 1]
    tables = {category: _table(found, used) for category, found in mine.items()}
    return _Bounded(used, tables, _components(tables, metric_of), limits, captured)


def _figures_of_group(
    shots: Shots,
    categories: frozenset[int],
    metrics: list[Metric],
    day: Day,
    metric_of: MetricOf,
    slot_seconds: float,
    marks: dict[tuple[int, str, str], str],
    hours: Sequence[Hours],
) -> dict[int, _Group]:
    bounded = stretch_of(shots, categories, day, metric_of, slot_seconds)
    if bounded is None:
        return {}
    used, tables, components, limits, captured = bounded
    is_sampled = slot_seconds <= 3600
    longest = GAP * slot_seconds if is_sampled else np.inf
    whole = _Stretch(used, tables, metric_of, components, longest)
    samples = _Stretch(used, tables, metric_of, components, longest, as_whole=False)
    found: dict[int, _Group] = {}
    for metric in metrics:
        if is_sampled and len(used) == 1 and ingredients(metric)[1]:
            continue
        names = components.get(metric.component_kind, []) if metric.component_kind else [""]
        if not names:
            continue
        group = found.setdefault(
            metric.category,
            _Group(whole, limits.spans_days, captured[limits.last], np.isinf(slot_seconds), is_sampled),
        )
        group.is_over_time |= ingredients(metric)[1]
        group.keys += [(metric.key, name) for name in names]
        group.values.append(_row(figure_of(metric, whole), len(names)))
        _mark_falls(metric, whole, names, marks)
        if is_sampled and len(used) > 1:
            _reduce(metric, samples, names, group)
            for window in hours:
                if window.metric == metric.key:
                    _add_hours(metric, window, samples, names, group)
    return found


def window_of(
    shots: Shots, metric: Metric, day: Day, metric_of: MetricOf, *, slot_seconds: float
) -> tuple[_Stretch, list[datetime]] | None:
    """
    The window from which the day's figure of a metric is computed, with the slots of its readings.

    None where nothing bounds the day, or where there is only one reading of what is measured over time.
    """
    keys, is_over_time = ingredients(metric)
    known = [found for found in map(metric_of, keys) if found is not None]
    present = frozenset({found.category for found in known} & shots.keys())
    if not present:
        return None
    seconds = np.inf if any(found.is_seldom_read for found in known) else slot_seconds
    bounded = stretch_of(shots, present, day, metric_of, seconds)
    if bounded is None or (len(bounded.slots) == 1 and is_over_time):
        return None
    longest = GAP * seconds if seconds <= 3600 else np.inf
    whole = _Stretch(bounded.slots, bounded.tables, metric_of, bounded.components, longest)
    return whole, bounded.slots


def interval_figures(
    shots: Shots, metric: Metric, component: str, metric_of: MetricOf, *, slot_seconds: float
) -> tuple[list[datetime], Floats]:
    """
    The figure of one component between each two successive readings, with the moment each interval began.

    In the metric's unit, shape (n,); NaN over gaps and wherever it cannot be told. Gauges are those of the reading that
    ends the interval.
    """
    keys, _ = ingredients(metric)
    known = [found for found in map(metric_of, keys) if found is not None]
    mine = {category: shots[category] for category in {found.category for found in known} & shots.keys()}
    if len(mine) < len({found.category for found in known}) or not mine:
        return [], np.empty(0)
    read_at = {slot: shot.captured_at for found in mine.values() for slot, shot in found.items()}
    common = set.intersection(*(set(found) for found in mine.values()))
    slots = sorted(common, key=read_at.__getitem__)
    if len(slots) < 2:
        return [], np.empty(0)
    tables = {category: _table(found, slots) for category, found in mine.items()}
    components = _components(tables, metric_of)
    names = components.get(metric.component_kind, []) if metric.component_kind else [""]
    if component not in names:
        return [], np.empty(0)
    samples = _Stretch(slots, tables, metric_of, components, GAP * slot_seconds, as_whole=False)
    values = np.broadcast_to(figure_of(metric, samples), (len(slots) - 1, len(names)))[
        :, names.index(component)
    ]
    return slots[:-1], np.where(np.isnan(samples.interval_seconds), np.nan, values)


def _lies_after(captured: Sequence[datetime], limits: Bounds, day: Day, patience: float) -> bool:
    """Whether a sampled target began to be read only after the day: that says nothing of the day's samples."""
    if limits.first is not None and captured[limits.first] < day.ended_at:
        return False
    return captured[limits.last] > day.ended_at + timedelta(seconds=patience)


def figure_of(metric: Metric, window: _Stretch) -> NDArray[Any]:
    """The figure of a metric over a window, in its unit, shape (n, c); NaN where it cannot be told."""
    with np.errstate(all="ignore"):
        if metric.formula is not None:
            value = np.asarray(metric.formula(window), dtype=float)
        elif metric.kind is Kind.COUNTER:
            value = window.delta(metric.key) / window.seconds * per_second(metric)
        else:
            value = window.level(metric.key) * convert(1.0, metric.reading_unit or metric.unit, metric.unit)
    return np.where(np.isfinite(value), value, np.nan)


@cache
def per_second(metric: Metric) -> float:
    """What one reading unit per second is in the unit of a counter's figure."""
    return convert(1.0, f"{metric.reading_unit or 'count'}/s", metric.unit)


def _row(values: NDArray[Any], width: int) -> Floats:
    row: Floats = np.broadcast_to(values, (1, width))[0].astype(np.float64)
    return row


def _mark_falls(
    metric: Metric, window: _Stretch, names: Sequence[str], marks: dict[tuple[int, str, str], str]
) -> None:
    keys, over_time = ingredients(metric)
    if not over_time:
        return
    for key in keys:
        source = window.metric_of(key)
        if source is None or source.kind is not Kind.COUNTER:
            continue
        fell = window.differences(key).fell
        if not fell.any():
            continue
        fell = np.atleast_1d(fell.any(axis=0))
        for index in np.flatnonzero(
            np.broadcast_to(fell, len(names)) if len(fell) in (1, len(names)) else []
        ):
            marks[(metric.category, metric.key, names[int(index)])] = (
                "the counter went backwards without a restart"
            )


def _reduce(metric: Metric, samples: _Stretch, names: Sequence[str], group: _Group) -> None:
    """Add 95th percentile, maximum and busiest hour of a day's samples."""
    if not metric.reductions:
        return
    values = figure_of(metric, samples)
    values = np.broadcast_to(values, (len(samples.slots) - 1, len(names))).copy()
    values[np.isnan(samples.interval_seconds)] = np.nan
    known = ~np.isnan(values).all(axis=0)
    for reduction in metric.reductions:
        row = np.full(len(names), np.nan)
        if known.any():
            row[known] = _REDUCE[reduction](values[:, known], samples)
        group.keys += [(f"{metric.key}:{reduction}", name) for name in names]
        group.values.append(row)


def _add_hours(metric: Metric, window: Hours, samples: _Stretch, names: Sequence[str], group: _Group) -> None:
    """Add the mean over some clock hours of a day's samples; none where less than 80 % of them was sampled."""
    values = np.broadcast_to(figure_of(metric, samples), (len(samples.slots) - 1, len(names)))
    seconds = samples.interval_seconds
    clock = np.array([slot.astimezone(window.zone).hour for slot in samples.slots[:-1]])
    within = (clock >= window.first) & (clock < window.last) & ~np.isnan(seconds)
    weights = np.where(within[:, None] & ~np.isnan(values), seconds[:, None], 0.0)
    total = weights.sum(axis=0)
    with np.errstate(all="ignore"):
        mean = np.where(weights > 0, values * weights, 0.0).sum(axis=0) / total
    enough = total >= ENOUGH_OF_HOURS * 3600 * (window.last - window.first)
    group.keys += [(window.key, name) for name in names]
    group.values.append(np.where(enough, mean, np.nan))


def _busiest_hour(values: Floats, samples: _Stretch) -> Floats:
    """Mean of the hour whose mean is highest; an hour counts in which everything was sampled."""
    known = ~np.isnan(values)
    counts = np.add.reduceat(known.astype(int), samples.hours, axis=0)
    sums = np.add.reduceat(np.where(known, values, 0.0), samples.hours, axis=0)
    is_whole = counts.all(axis=1)
    busiest: Floats = (sums[is_whole] / counts[is_whole]).max(axis=0)
    return busiest


_REDUCE: dict[str, Callable[[Floats, _Stretch], Floats]] = {
    "p95": lambda values, samples: np.nanpercentile(values, 95, axis=0),
    "max": lambda values, samples: np.nanmax(values, axis=0),
    "busy": _busiest_hour,
}


def _components(tables: Mapping[int, _Table], metric_of: MetricOf) -> dict[str, list[str]]:
    """The components of each kind that the readings name, sorted, so that arrays of one kind line up."""
    names: dict[str, set[str]] = {}
    for table in tables.values():
        for key, (components, _) in table.columns.items():
            metric = metric_of(key)
            if metric is not None and metric.component_kind:
                names.setdefault(metric.component_kind, set()).update(components)
    return {kind: sorted(found) for kind, found in names.items()}


def _joined(groups: list[_Group]) -> Part:
    """The groups of one category as one part; its hours are the least of what was measured over time."""
    measured = [
        float(np.nansum(group.stretch.interval_seconds)) / 3600 for group in groups if group.is_over_time
    ]
    restarts = max(int(group.stretch.since_restart.sum()) for group in groups)
    return Part(
        keys=[key for group in groups for key in group.keys],
        values=np.concatenate([row for group in groups for row in group.values]),
        hours=min(measured, default=None),
        spans_days=max(group.spans_days for group in groups),
        since_restart=restarts > 0,
        restarts=restarts,
        captured_at=max(group.captured_at for group in groups),
        is_other=any(group.stretch.is_other for group in groups if group.is_over_time),
        is_seldom_read=all(group.is_seldom_read for group in groups),
    )
