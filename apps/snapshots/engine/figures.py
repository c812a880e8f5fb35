"""The figures of one day, from the readings of one target (docs/method.md, From a reading to a figure; no Django)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric, MetricOf, Worse
from apps.snapshots.engine.day_readings import GAP, readings_of_day
from apps.snapshots.engine.days import Day
from apps.snapshots.engine.rates import Floats
from apps.snapshots.engine.reading_window import ReadingWindow, figure_of
from apps.snapshots.engine.readings import Shots

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
class CategoryFigures:
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

    parts: dict[int, CategoryFigures] = field(default_factory=dict)
    marks: dict[tuple[int, str, str], str] = field(default_factory=dict)


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
        inputs = [ingredient for ingredient in map(metric_of, metric.ingredients) if ingredient is not None]
        present = frozenset({ingredient.category for ingredient in inputs} & shots.keys())
        if present:
            groups.setdefault(
                (present, any(ingredient.origin.is_seldom for ingredient in inputs)), []
            ).append(metric)
    collected: dict[int, list[_Group]] = {}
    for (categories, is_seldom), members in groups.items():
        seconds = np.inf if is_seldom else slot_seconds
        by_category = _figures_of_group(
            shots, categories, members, day, metric_of, seconds, result.marks, hours
        )
        for category, group in by_category.items():
            collected.setdefault(category, []).append(group)
    for category, parts in collected.items():
        result.parts[category] = _join(parts)
    return result


@dataclass
class _Group:
    stretch: ReadingWindow
    spans_days: int
    captured_at: datetime
    is_seldom_read: bool
    is_over_time: bool  # whether anything in it is measured over time, rather than read at a moment
    keys: list[tuple[str, str]] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)


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
    readings = readings_of_day(shots, categories, day, metric_of, slot_seconds)
    if readings is None:
        return {}
    used, tables, components, limits, captured = readings
    is_sampled = slot_seconds <= 3600
    longest = GAP * slot_seconds if is_sampled else np.inf
    whole = ReadingWindow(used, tables, metric_of, components, longest)
    samples = ReadingWindow(used, tables, metric_of, components, longest, is_whole=False)
    groups: dict[int, _Group] = {}
    for metric in metrics:
        if is_sampled and len(used) == 1 and metric.is_difference:
            continue
        names = components.get(metric.component_kind, []) if metric.component_kind else [""]
        if not names:
            continue
        group = groups.setdefault(
            metric.category,
            _Group(whole, limits.spans_days, captured[limits.last], np.isinf(slot_seconds), is_sampled),
        )
        group.is_over_time |= metric.is_difference
        group.keys += [(metric.key, name) for name in names]
        group.values.append(
            _highest(metric, samples, len(names))
            if metric.origin.is_maximum and is_sampled and len(used) > 1
            else _row(figure_of(metric, whole), len(names))
        )
        _mark_falls(metric, whole, names, marks)
        if is_sampled and len(used) > 1:
            _reduce(metric, samples, names, group)
            for window in hours:
                if window.metric == metric.key:
                    _add_hours(metric, window, samples, names, group)
    return groups


def _row(values: NDArray[Any], width: int) -> Floats:
    row: Floats = np.broadcast_to(values, (1, width))[0].astype(np.float64)
    return row


def _highest(metric: Metric, samples: ReadingWindow, width: int) -> Floats:
    """The highest figure of a day's samples; NaN where none is known."""
    values = np.broadcast_to(figure_of(metric, samples), (len(samples.slots) - 1, width))
    highest: Floats = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    return np.where(np.isneginf(highest), np.nan, highest)


def _mark_falls(
    metric: Metric, window: ReadingWindow, names: Sequence[str], marks: dict[tuple[int, str, str], str]
) -> None:
    if not metric.is_difference:
        return
    for key in metric.ingredients:
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


def _reduce(metric: Metric, samples: ReadingWindow, names: Sequence[str], group: _Group) -> None:
    """Add 95th percentile, maximum and busiest hour of a day's samples."""
    if not metric.reductions:
        return
    values = figure_of(metric, samples)
    values = np.broadcast_to(values, (len(samples.slots) - 1, len(names))).copy()
    values[np.isnan(samples.interval_seconds)] = np.nan
    is_known = ~np.isnan(values).all(axis=0)
    for reduction in metric.reductions:
        row = np.full(len(names), np.nan)
        if is_known.any():
            row[is_known] = (
                _busiest_hour(values[:, is_known], samples, is_least=metric.worse is Worse.LOWER)
                if reduction == "busy"
                else _REDUCE[reduction](values[:, is_known])
            )
        group.keys += [(f"{metric.key}:{reduction}", name) for name in names]
        group.values.append(row)


def _add_hours(
    metric: Metric, window: Hours, samples: ReadingWindow, names: Sequence[str], group: _Group
) -> None:
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


def _busiest_hour(values: Floats, samples: ReadingWindow, *, is_least: bool) -> Floats:
    """
    Mean of the hour whose mean is highest; an hour counts in which everything was sampled.

    Of what is used up by work, such as idle time (`is_least`), it is that of the hour whose mean is lowest.
    """
    is_known = ~np.isnan(values)
    counts = np.add.reduceat(is_known.astype(int), samples.hours, axis=0)
    sums = np.add.reduceat(np.where(is_known, values, 0.0), samples.hours, axis=0)
    is_whole = counts.all(axis=1)
    if not is_whole.any():
        return np.full(values.shape[1], np.nan)
    means = sums[is_whole] / counts[is_whole]
    busiest: Floats = means.min(axis=0) if is_least else means.max(axis=0)
    return busiest


_REDUCE: dict[str, Callable[[Floats], Floats]] = {
    "p95": lambda values: np.nanpercentile(values, 95, axis=0),
    "max": lambda values: np.nanmax(values, axis=0),
}


def _join(groups: list[_Group]) -> CategoryFigures:
    """The groups of one category as one part; its hours are the least of what was measured over time."""
    measured = [
        float(np.nansum(group.stretch.interval_seconds)) / 3600 for group in groups if group.is_over_time
    ]
    restarts = max(int(group.stretch.since_restart.sum()) for group in groups)
    return CategoryFigures(
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
