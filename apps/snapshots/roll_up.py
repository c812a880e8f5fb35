"""Readings → daily figures. A day can be rolled up any number of times from its readings."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction

from apps.catalog.metric import Metric
from apps.catalog.registry import UnknownMetric, get_metric, metrics_of
from apps.inventory.models import Target
from apps.snapshots.days import LOOK_BACK, REACH, Day, bounds, day_of, days_bounded_by
from apps.snapshots.dictionary import keys_of, layout_series, series_ids
from apps.snapshots.figures import DayFigures, Part, Shot, day_figures
from apps.snapshots.models import Coverage
from apps.snapshots.record import lay_out
from apps.snapshots.vectors import vector_cursor

_UPSERT_FIGURE = """
    INSERT INTO figure (target_id, category, part, day, captured_at, layout_id, "values")
    VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (target_id, category, part, day) DO UPDATE
    SET layout_id = excluded.layout_id, "values" = excluded.values, captured_at = excluded.captured_at
"""
_DROP_OLD_PARTS = "DELETE FROM figure WHERE target_id = %s AND category = %s AND day = %s AND part >= %s"


def roll_up_around(target: Target, moment: datetime, now: datetime) -> list[Coverage]:
    """Roll up the days whose figures a reading at this moment can change."""
    rolled = (roll_up_day(target, on, now) for on in days_bounded_by(moment, target.zone))
    return [coverage for coverage in rolled if coverage is not None]


def roll_up_day(target: Target, on: date, now: datetime) -> Coverage | None:
    """
    Compute and write the figures of a target's day; None where no reading ends it.

    A day that is still running gets figures so far, and is marked so.
    """
    day = day_of(on, target.zone)
    shots = read_shots(target, day)
    figures = day_figures(
        shots, day, figures_of(target.platform), known_metric, slot_seconds=target.interval_minutes * 60.0
    )
    if not figures.parts:
        return None
    return _write(target, day, figures, is_so_far=now < day.ended_at)


def figures_of(platform: str) -> list[Metric]:
    """The metrics of a platform that have figures; the others are only ingredients."""
    return [metric for metric in metrics_of(platform) if metric.is_figure]


def known_metric(key: str) -> Metric | None:
    """The metric of a key, or None for a reading whose metric has left the catalogue."""
    try:
        return get_metric(key)
    except UnknownMetric:
        return None


def read_shots(target: Target, day: Day) -> dict[int, dict[datetime, Shot]]:
    """What was read around a day, by category and slot: from the reading that begins it to the one that ends it."""
    since, until = day.began_at - LOOK_BACK - REACH, day.ended_at + REACH
    with vector_cursor() as cursor:
        cursor.execute(
            "SELECT category, bucket, captured_at FROM snapshot"
            " WHERE target_id = %s AND part = 0 AND bucket BETWEEN %s AND %s ORDER BY category, bucket",
            [target.pk, since, until],
        )
        needed = _slots_needed(cursor.fetchall(), day)
        if not needed:
            return {}
        cursor.execute(
            'SELECT category, bucket, captured_at, started_at, layout_id, "values" FROM snapshot'
            " WHERE target_id = %s AND bucket BETWEEN %s AND %s AND bucket = ANY(%s) ORDER BY category, bucket, part",
            [target.pk, min(needed), max(needed), sorted(needed)],
        )
        rows = cursor.fetchall()
    series = layout_series({row[4] for row in rows})
    keys: dict[tuple[int, ...], list[tuple[str, str]]] = {}
    parts: dict[tuple[int, datetime], list[tuple[Any, ...]]] = {}
    for row in rows:
        parts.setdefault((row[0], row[1]), []).append(row)
    shots: dict[int, dict[datetime, Shot]] = {}
    for (category, bucket), members in parts.items():
        layouts = tuple(row[4] for row in members)
        if layouts not in keys:
            ids = np.concatenate([series[layout] for layout in layouts])
            keys[layouts] = [(metric, component) for _, metric, component in keys_of(ids.tolist())]
        values = members[0][5] if len(members) == 1 else np.concatenate([row[5] for row in members])
        shots.setdefault(category, {})[bucket] = Shot(members[0][2], members[0][3], keys[layouts], values)
    return shots


def _slots_needed(moments: Sequence[tuple[int, datetime, datetime]], day: Day) -> set[datetime]:
    """The slots from the reading that begins the day to the one that ends it, over all categories."""
    by_category: dict[int, list[tuple[datetime, datetime]]] = {}
    for category, bucket, captured_at in moments:
        by_category.setdefault(category, []).append((captured_at, bucket))
    needed: set[datetime] = set()
    for found in by_category.values():
        found.sort()
        limits = bounds([captured for captured, _ in found], day)
        if limits is not None:
            first = limits.last if limits.first is None else limits.first
            needed.update(bucket for _, bucket in found[first : limits.last + 1])
    return needed


def _write(target: Target, day: Day, figures: DayFigures, *, is_so_far: bool) -> Coverage:
    rows = []
    for category, part in sorted(figures.parts.items()):
        values = dict(zip(part.keys, part.values.tolist(), strict=True))
        laid_out = lay_out("figure", target.pk, category, values)
        rows += [
            (target.pk, category, number, day.on, part.captured_at, layout, v)
            for number, layout, v in laid_out
        ]
    marked = dict(zip(series_ids(list(figures.marks)), figures.marks.values(), strict=True))
    with transaction.atomic(), vector_cursor() as cursor:
        cursor.executemany(_UPSERT_FIGURE, rows)
        for category in figures.parts:
            count = sum(1 for row in rows if row[1] == category)
            cursor.execute(_DROP_OLD_PARTS, [target.pk, category, day.on, count])
        coverage, _ = Coverage.objects.update_or_create(
            target=target,
            day=day.on,
            defaults={
                **_coverage(figures.parts, day),
                "is_so_far": is_so_far,
                "marks": {str(pk): reason for pk, reason in marked.items()},
            },
        )
    return coverage


def _coverage(parts: Mapping[int, Part], day: Day) -> dict[str, object]:
    hours = [part.hours for part in parts.values() if part.hours is not None]
    return {
        "hours": min(hours, default=day.hours),
        "day_hours": day.hours,
        "restarts": max(part.restarts for part in parts.values()),
        "spans_days": max(part.spans_days for part in parts.values()),
        "captured_at": max(part.captured_at for part in parts.values()),
        "categories": {
            str(category): {
                "hours": day.hours if part.hours is None else round(part.hours, 4),
                "spans": part.spans_days,
                "since_restart": part.since_restart,
            }
            for category, part in parts.items()
        },
    }


def rebuild_figures(target: Target, since: date, until: date, now: datetime) -> int:
    """Roll up every day of a stretch again, oldest first; returns how many days have figures."""
    days = (since + timedelta(days=offset) for offset in range((until - since).days + 1))
    return sum(roll_up_day(target, on, now) is not None for on in days)
