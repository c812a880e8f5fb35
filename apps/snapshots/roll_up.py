"""Readings → daily figures. A day can be rolled up any number of times from its readings."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max, Min

from apps.catalog.metric import Metric, base_of
from apps.catalog.registry import find_metric, get_metric, hours_of, metrics_of
from apps.inventory.models import Target
from apps.snapshots.dictionary import keys_of, layout_series
from apps.snapshots.engine.database_figures import combine_instances
from apps.snapshots.engine.days import LOOK_BACK, REACH, Day, bounds, day_of, days_bounded_by
from apps.snapshots.engine.figures import CategoryFigures, DayFigures, Hours, day_figures
from apps.snapshots.engine.readings import Shot, Shots
from apps.snapshots.models import IDENTITY, OF_HOURS, Coverage, Fact, FailedSource, Figure, Series, Snapshot
from apps.snapshots.user_figures import lay_in, lay_in_with
from apps.snapshots.vectors import vector_cursor
from apps.snapshots.write_day import measured_hours, prepare_day, write_day


def roll_up_around(target: Target, moment: datetime, now: datetime) -> list[Coverage]:
    """
    Roll up the days whose figures a reading at this moment can change, whatever was read before it.

    One that came late may begin a later day that had to start from a reading further back.
    """
    days, now = _days_around(target, moment, now)
    rolled = [roll_up_day(target, on, now) for on in days]
    if target.database is not None:
        roll_up_around(target.database, moment, now)
    return [coverage for coverage in rolled if coverage is not None]


def _days_around(target: Target, moment: datetime, now: datetime) -> tuple[list[date], datetime]:
    """
    The days that a reading at this moment bounds, and those after them that can begin with it; on time there are none.

    And what time it is: no earlier than the newest reading, whatever moment a drill takes for now.
    """
    bounded = days_bounded_by(moment, target.zone)
    last = bounded[-1]
    furthest = last + LOOK_BACK + timedelta(days=1)
    newest = Coverage.objects.filter(target=target, day__range=(bounded[0], furthest)).aggregate(
        day=Max("day"), captured_at=Max("captured_at")
    )
    now = max(now, newest["captured_at"] or now)
    until = min(furthest, max(newest["day"] or last, now.astimezone(target.zone).date()))
    return [
        *bounded,
        *(last + timedelta(days=offset) for offset in range(1, (until - last).days + 1)),
    ], now


def roll_up_day(target: Target, on: date, now: datetime) -> Coverage | None:
    """
    Compute and write the figures of a target's day; None where no reading ends it.

    A day that is still running gets figures so far, and is marked so. Where a file covers more of it, its figures stay.
    """
    day = day_of(on, target.zone, now)
    shots = read_shots(target, day)
    figures = day_figures(
        shots,
        day,
        figures_of(target.platform),
        find_metric,
        slot_seconds=target.interval_minutes * 60.0,
        hours=clock_hours_of(target),
    )
    if target.kind == Target.Kind.DATABASE:
        figures.parts |= _parts_of_instances(target, day, figures.parts)
    imported = Coverage.objects.filter(target=target, day=on).exclude(origin__in=("", Coverage.USERS)).first()
    if imported is not None and imported.hours >= measured_hours(figures):
        return _close(imported, day)
    if not figures.parts:
        if not day.is_running:
            _forget_so_far(target, on)
        return None
    missing = _missing(target, shots, figures)
    return _write(target, day, figures, missing)


def _write(target: Target, day: Day, figures: DayFigures, missing: Mapping[int, str]) -> Coverage:
    """Write a day with what people gave of it, and what they gave of days before it that nothing else covered."""
    read = list(figures.parts)
    waiting = lay_in_with(target, figures, day.on, max(part.captured_at for part in figures.parts.values()))
    origins = {category: Coverage.USERS for category in figures.parts if category not in read}
    coverage = write_day(
        prepare_day(target, day, figures, missing, is_so_far=day.is_running, origins=origins)
    )
    if waiting:
        lay_in(target, waiting)
    return coverage


def _close(imported: Coverage, day: Day) -> Coverage:
    """A day that a file covered while it was running is no longer so far once it is over."""
    if imported.is_so_far and not day.is_running:
        imported.is_so_far = False
        imported.save(update_fields=["is_so_far"])
    return imported


def _missing(target: Target, shots: Shots, figures: DayFigures) -> dict[int, str]:
    """Why categories have no figures of the day: their sources failed in the slot that ends it."""
    slots = [slot for by_slot in shots.values() for slot in by_slot]
    if not slots:
        return {}
    failed = FailedSource.objects.filter(target=target, slot=max(slots)).exclude(category__in=figures.parts)
    return dict(failed.values_list("category", "reason"))


def _parts_of_instances(
    database: Target, day: Day, own: Mapping[int, CategoryFigures]
) -> dict[int, CategoryFigures]:
    """The parts of a database's day that follow from those of its instances, together with what it has of its own."""
    from apps.snapshots.history import read_anchored  # with pandas, which no other reading needs

    instances = {instance.pk: instance for instance in database.members.in_estate()}
    covers = {cover.target_id: cover for cover in Coverage.objects.filter(target__in=instances, day=day.on)}
    if not covers:
        return {}
    frames = {pk: read_anchored(pk, {day.on: 0}).frame[day.on] for pk in covers}
    own_figures = {
        key: value for part in own.values() for key, value in zip(part.keys, part.values, strict=True)
    }
    figures = [
        {(metric, component): value for (_, metric, component), value in frame.items()}
        for frame in frames.values()
    ]
    metrics = figures_of(database.platform)
    combined = combine_instances(figures, own_figures, metrics, find_metric)
    by_category: dict[int, dict[tuple[str, str], float]] = {}
    for key, value in combined.items():
        by_category.setdefault(get_metric(key[0]).category, {})[key] = value
    return {
        category: _part_of_instances(category, values, own.get(category), instances, covers, day)
        for category, values in by_category.items()
    }


def _part_of_instances(
    category: int,
    values: Mapping[tuple[str, str], float],
    own: CategoryFigures | None,
    instances: Mapping[int, Target],
    covers: Mapping[int, Coverage],
    day: Day,
) -> CategoryFigures:
    """One category of a database's day; an instance that was not read at both ends is named."""
    name = str(category)
    measured = {
        pk: cover.categories[name]
        for pk, cover in covers.items()
        if name in cover.categories and cover.categories[name].get("hours", day.hours) > 0
    }
    values = {**(dict(zip(own.keys, own.values.tolist(), strict=True)) if own else {}), **values}
    return CategoryFigures(
        keys=list(values),
        values=np.array(list(values.values()), dtype=np.float64),
        hours=min((float(cover.get("hours", day.hours)) for cover in measured.values()), default=0.0),
        spans_days=max((int(cover.get("spans", 1)) for cover in measured.values()), default=1),
        since_restart=any(cover.get("since_restart") for cover in measured.values()),
        restarts=max(cover.restarts for cover in covers.values()),
        captured_at=max(cover.captured_at or day.ended_at for cover in covers.values()),
        is_other=any(cover.get("other_instance") for cover in measured.values()),
        without=tuple(sorted(instance.name for pk, instance in instances.items() if pk not in measured)),
    )


def clock_hours_of(target: Target) -> list[Hours]:
    """The clock hours over which metrics are also averaged: those that have a series, of a target read hourly or finer."""
    if target.interval_minutes > 60:
        return []
    keys = Series.objects.filter(metric__regex=OF_HOURS).values_list("metric", flat=True)
    hours = []
    for key in sorted(set(keys)):
        window = hours_of(key)
        if window is not None:
            hours.append(Hours(base_of(key), *window, target.zone))
    return hours


def figures_of(platform: str) -> list[Metric]:
    """The metrics of a platform that have figures; the others are only ingredients."""
    return [metric for metric in metrics_of(platform) if metric.is_figure]


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
    return shots_of(target, rows)


def shots_of(target: Target, rows: Sequence[tuple[Any, ...]]) -> dict[int, dict[datetime, Shot]]:
    """Rows of readings by category and slot; of each its category, slot, moment, start-up, layout and values."""
    identities = identities_of(target)
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
        shots.setdefault(category, {})[bucket] = Shot(
            members[0][2], members[0][3], keys[layouts], values, identity_at(identities, members[0][2])
        )
    return shots


def identities_of(target: Target) -> list[tuple[datetime, str]]:
    """Since when which instance answers as this target, oldest first; empty where it never said."""
    facts = Fact.objects.filter(target=target, name=IDENTITY, component="").order_by("since")
    return list(facts.values_list("since", "value"))


def identity_at(identities: Sequence[tuple[datetime, str]], moment: datetime) -> str:
    """Who answered at a moment; the first that is known for moments before."""
    if not identities:
        return ""
    return next((value for since, value in reversed(identities) if since <= moment), identities[0][1])


def _slots_needed(moments: Sequence[tuple[int, datetime, datetime]], day: Day) -> set[datetime]:
    """The slots from the reading that begins the day to the one that ends it, over all categories."""
    by_category: dict[int, list[tuple[datetime, datetime]]] = {}
    for category, bucket, captured_at in moments:
        by_category.setdefault(category, []).append((captured_at, bucket))
    needed: set[datetime] = set()
    for readings in by_category.values():
        readings.sort()
        limits = bounds([captured for captured, _ in readings], day)
        if limits is not None:
            first = limits.last if limits.first is None else limits.first
            needed.update(bucket for _, bucket in readings[first : limits.last + 1])
    return needed


def _forget_so_far(target: Target, on: date) -> None:
    """A day that is over, and whose end was not read, has no figures: take back those that were so far."""
    with transaction.atomic():
        taken_back, _ = Coverage.objects.filter(target=target, day=on, is_so_far=True).delete()
        if taken_back:
            Figure.objects.filter(target=target, day=on).delete()


def readable_days(target: Target) -> tuple[date, date] | None:
    """The first and the last day that kept readings can tell of; None where none is kept."""
    moments = Snapshot.objects.filter(target=target).aggregate(first=Min("bucket"), last=Max("bucket"))
    if moments["first"] is None:
        return None
    first, last = (moments[name].astimezone(target.zone).date() for name in ("first", "last"))
    return first - timedelta(days=1), last


def rebuild_figures(target: Target, since: date, until: date, now: datetime) -> int:
    """Roll up every day of a stretch again, oldest first; returns how many days have figures."""
    days = (since + timedelta(days=offset) for offset in range((until - since).days + 1))
    return sum(roll_up_day(target, on, now) is not None for on in days)
