"""The statistics that moved most: the mean of the week against that of the week before."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from apps.catalog.metric import Kind, Metric, Worse
from apps.catalog.registry import get_metric, metrics_of
from apps.charts.figures import delta
from apps.inventory.models import Target
from apps.reports.daily_figures import Name, find_series, read_daily_figures
from apps.reports.engine.week import Week
from apps.reports.facts import WeekMover
from apps.snapshots.history import read_histories

MOST = 5
LEAST_PERCENT = 10.0
LEAST_DAYS = 4  # of a week that have a figure
SWINGS = 2.0  # a change must exceed so many times the day-to-day swing of the week before
CHUNK = 100  # targets read at once


@dataclass(frozen=True)
class _Move:
    target: Target
    name: Name
    now: float
    before: float
    percent: float


def find_movers(
    targets: QuerySet[Target], week: Week, also: Iterable[Name], over: Collection[tuple[int, Name]] = ()
) -> list[WeekMover]:
    """Headline statistics, and those of `also`, whose weekly mean changed most in percent; `over` are beyond their limit."""
    listed = list(targets)
    names = {name for platform in {target.platform for target in listed} for name in _headlines(platform)}
    series = find_series(sorted(names | set(also)))
    if not series:
        return []
    moves: list[_Move] = []
    for start in range(0, len(listed), CHUNK):
        moves += _moves(listed[start : start + CHUNK], series, week)
    moves.sort(key=lambda move: (-abs(move.percent), move.target.name, move.name))
    chosen: list[_Move] = []
    for move in moves:  # a target that changed as a whole is told once
        if sum(move.target == other.target for other in chosen) < 2:
            chosen.append(move)
        if len(chosen) == MOST:
            break
    return [_as_mover(move, week, is_over=(move.target.pk, move.name) in over) for move in chosen]


def _headlines(platform: str) -> list[Name]:
    return [
        (metric.shown_key, "")
        for metric in metrics_of(platform)
        if metric.display.rows and not metric.component_kind and _can_move(metric)
    ]


def _can_move(metric: Metric) -> bool:
    return metric.kind not in (Kind.SETTING, Kind.HIGH_WATER)


def _moves(targets: Sequence[Target], series: dict[Name, int], week: Week) -> list[_Move]:
    histories = read_histories(
        [target.pk for target in targets], list(series.values()), week.previous.first_day, week.last_day
    )
    moves = []
    for target in targets:
        values = histories.values[target.pk]
        before, now = _means(values[:7]), _means(values[7:])
        swing = _means(np.abs(np.diff(values[:7], axis=0)), least=LEAST_DAYS - 1)
        with np.errstate(all="ignore"):
            percent = 100 * (now - before) / np.abs(before)
            is_big = (np.abs(percent) >= LEAST_PERCENT) & (np.abs(now - before) > SWINGS * swing)
        for index in np.flatnonzero(is_big & np.isfinite(percent)):
            name = list(series)[int(index)]
            moves.append(_Move(target, name, float(now[index]), float(before[index]), float(percent[index])))
    return moves


def _means(values: NDArray[np.float64], least: int = LEAST_DAYS) -> NDArray[np.float64]:
    """The mean of each series over the days that have a figure; NaN where they are too few."""
    has_figure = ~np.isnan(values)
    count = has_figure.sum(axis=0)
    total = np.where(has_figure, values, 0.0).sum(axis=0)
    return np.where(count >= least, total / np.maximum(count, 1), np.nan)


def _as_mover(move: _Move, week: Week, *, is_over: bool) -> WeekMover:
    metric = get_metric(move.name[0])
    now, before = metric.to_display_unit(move.now), metric.to_display_unit(move.before)
    change = f"{delta(now - before)} pt" if metric.is_percent else f"{delta(move.percent)} %"
    grew = move.percent > 0
    history = read_daily_figures(
        move.target.pk, [move.name], week.last_day - timedelta(days=29), week.last_day
    )
    return WeekMover(
        target=move.target.name,
        what=metric.called(move.name[1]),
        change=change,
        is_worse=None if metric.worse is Worse.NEITHER else grew == (metric.worse is Worse.HIGHER),
        now=float(f"{now:.6g}"),
        before=float(f"{before:.6g}"),
        unit=metric.display_unit,
        values=history.get(move.name, []),
        is_over=is_over,
    )
