"""Write one snapshot, in one transaction (storage-design: write path)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from apps.inventory.models import Target
from apps.snapshots.dictionary import layout_id, place, series_ids
from apps.snapshots.models import Fact
from apps.snapshots.vectors import vector_cursor

_UPSERT_SNAPSHOT = """
    INSERT INTO snapshot (target_id, category, part, bucket, captured_at, started_at, layout_id, "values")
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (target_id, category, part, bucket) DO UPDATE
    SET layout_id = excluded.layout_id, "values" = excluded.values,
        captured_at = excluded.captured_at, started_at = excluded.started_at
    WHERE snapshot.captured_at <= excluded.captured_at
"""
_DROP_OLD_PARTS = """
    DELETE FROM snapshot
    WHERE target_id = %s AND category = %s AND bucket = %s AND part >= %s AND captured_at < %s
"""


def lay_out(
    table: str,
    target_id: int,
    category: int,
    values: Mapping[tuple[str, str], float],
    classes: Mapping[str, str] | None = None,
) -> list[tuple[int, int, NDArray[np.float64]]]:
    """
    The rows of one category: (part, layout, values) with NaN where a series of the layout has no value.

    `values` are by (metric, component). Creates series and layouts that are new, outside of any transaction of ours.
    """
    ids = series_ids([(category, metric, component) for metric, component in values], classes)
    value_of = dict(zip(ids, values.values(), strict=True))
    rows = []
    for part, members in enumerate(place(table, target_id, category, ids)):
        vector = np.array([value_of.get(pk, np.nan) for pk in members], dtype=np.float64)
        rows.append((part, layout_id(category, part, members), vector))
    return rows


@dataclass(frozen=True, kw_only=True)
class ReadSource:
    """One category as it was read: values by (metric, component), and the class of each component that has one."""

    category: int
    values: Mapping[tuple[str, str], float]
    started_at: datetime | None = None  # where its counters count from another start than the target's
    classes: Mapping[str, str] = field(default_factory=dict)


def record_snapshot(
    target: Target,
    sources: list[ReadSource],
    *,
    slot: datetime,
    captured_at: datetime,
    started_at: datetime | None,
    facts: Mapping[str, str] | None = None,
) -> int:
    """
    Record what was read of a target in a slot, all or nothing, and return the number of series written.

    Recording a slot again leaves one snapshot: the later capture wins, category by category, and a category that this
    capture did not read keeps what an earlier one measured.
    """
    laid_out = [
        (source, lay_out("snapshot", target.pk, source.category, source.values, source.classes))
        for source in sorted(sources, key=lambda source: source.category)
        if source.values
    ]
    rows = [
        (target.pk, source.category, part, slot, captured_at, source.started_at or started_at, layout, vector)
        for source, parts in laid_out
        for part, layout, vector in parts
    ]
    with transaction.atomic(), vector_cursor() as cursor:
        cursor.executemany(_UPSERT_SNAPSHOT, rows)
        for source, parts in laid_out:
            cursor.execute(_DROP_OLD_PARTS, [target.pk, source.category, slot, len(parts), captured_at])
        if facts:
            note_facts(target, facts, captured_at)
    return sum(len(source.values) for source, _ in laid_out)


def note_facts(target: Target, facts: Mapping[str, str], at: datetime) -> None:
    """Keep each fact that differs from what was last known; `name/component` names the fact of a component."""
    known: dict[tuple[str, str], Fact] = {}
    for fact in Fact.objects.filter(target=target, since__lte=at).order_by("since"):
        known[fact.name, fact.component] = fact
    changed = []
    for key, value in facts.items():
        name, _, component = key.partition("/")
        last = known.get((name, component))
        if last is None or last.value != value:
            changed.append(Fact(target=target, name=name, component=component, since=at, value=value))
    Fact.objects.bulk_create(changed, ignore_conflicts=True)
