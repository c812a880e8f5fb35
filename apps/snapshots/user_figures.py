"""
Figures of days that people give beside what is read, such as how long users waited: stored by themselves, and laid among the figures of their day.

A day that something else covers has them at once, or with its roll-up; one that nothing covers has them alone, as soon as a
later day is covered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter

import numpy as np
from django.db import transaction

from apps.catalog.registry import find_metric
from apps.inventory.models import Target
from apps.snapshots.dictionary import Name
from apps.snapshots.engine.days import day_of
from apps.snapshots.engine.figures import CategoryFigures, DayFigures
from apps.snapshots.models import Coverage, UserFigure
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.write_day import PreparedDay, prepare_day, write_categories, write_day

WAITS = 14  # days that a value waits at most for a day that nothing covers

Parts = Mapping[int, CategoryFigures]


def store_user_figures(target: Target, days: Mapping[date, Mapping[Name, float]]) -> None:
    """
    Store what people give of some days of a target; of a figure that is there already the new value counts.

    One that is no number takes back what was given.
    """
    rows = [
        UserFigure(target=target, day=on, metric=metric, component=component, value=value)
        for on, values in days.items()
        for (metric, component), value in values.items()
    ]
    ensure_partitions(days)
    with transaction.atomic():
        Target.objects.select_for_update().get(pk=target.pk)
        UserFigure.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["target", "day", "metric", "component"],
            update_fields=["value"],
            batch_size=1000,
        )
        lay_in(target, sorted(days))
        UserFigure.objects.filter(target=target, day__in=days, value=np.nan).delete()


def lay_in(target: Target, days: Sequence[date]) -> None:
    """Lay what people gave of some days among their figures: of days that are covered, and of those before the newest of them."""
    newest = Coverage.objects.filter(target=target).order_by("-day").values_list("day", flat=True).first()
    if newest is None or not days:
        return
    parts_by_day = _read_parts(target, [on for on in days if on <= newest])
    covers = {cover.day: cover for cover in Coverage.objects.filter(target=target, day__in=parts_by_day)}
    for on, parts in parts_by_day.items():
        ready = _lay_out(target, on, parts)
        if on in covers:
            write_categories(ready, covers[on])
        else:
            write_day(ready)


def lay_in_with(target: Target, figures: DayFigures, on: date, captured_at: datetime) -> Sequence[date]:
    """
    Put what people gave of a day among its figures that were just made; returns earlier days that wait to be laid in.

    They are said to be as old as the readings of the day.
    """
    parts_by_day = _read_parts(target, [on - timedelta(days=back) for back in range(WAITS, -1, -1)])
    for category, part in parts_by_day.pop(on, {}).items():
        figures.parts[category] = replace(part, captured_at=captured_at)
    if not parts_by_day:
        return []
    covered = Coverage.objects.filter(target=target, day__in=parts_by_day).values_list("day", flat=True)
    return sorted(parts_by_day.keys() - set(covered))


def _read_parts(target: Target, days: Sequence[date]) -> dict[date, Parts]:
    """What people gave of some days, by day and category."""
    rows = UserFigure.objects.filter(target=target, day__in=days).order_by("day")
    return {on: _parts(target, on, list(of_day)) for on, of_day in groupby(rows, key=attrgetter("day"))}


def _parts(target: Target, on: date, rows: Sequence[UserFigure]) -> Parts:
    by_category: dict[int, dict[Name, float]] = {}
    for row in rows:
        if (metric := find_metric(row.metric)) is not None:
            by_category.setdefault(metric.category, {})[row.metric, row.component] = row.value
    ended_at = day_of(on, target.zone).ended_at
    return {
        category: CategoryFigures(
            keys=list(values),
            values=np.array(list(values.values()), dtype=np.float64),
            hours=None,
            spans_days=1,
            since_restart=False,
            restarts=0,
            captured_at=ended_at,
        )
        for category, values in by_category.items()
    }


def _lay_out(target: Target, on: date, parts: Parts) -> PreparedDay:
    """A day that has nothing else counts as not covered, so that whatever is measured later takes its place."""
    figures = DayFigures(dict(parts))
    ready = prepare_day(target, day_of(on, target.zone), figures, {}, is_so_far=False, origin=Coverage.USERS)
    ready.coverage.hours = 0.0
    return ready
