"""Write one snapshot, in one transaction (storage-design: write path)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from apps.inventory.models import Target
from apps.snapshots.dictionary import Name, Row, listed_ids, place
from apps.snapshots.models import Fact
from apps.snapshots.vectors import vector_cursor

_UPSERT_SNAPSHOT = """
    INSERT INTO snapshot (target_id, category, part, bucket, captured_at, started_at, layout_id, "values")
    VALUES {rows}
    ON CONFLICT (target_id, category, part, bucket) DO UPDATE
    SET layout_id = excluded.layout_id, "values" = excluded.values,
        captured_at = excluded.captured_at, started_at = excluded.started_at
    WHERE snapshot.captured_at <= excluded.captured_at
"""
_DROP_OLD_PARTS = """
    DELETE FROM snapshot USING unnest(%s::int[], %s::int[]) AS read(category, parts)
    WHERE target_id = %s AND bucket = %s AND snapshot.category = read.category AND part >= read.parts
      AND captured_at < %s
"""


def lay_out(
    table: str,
    target_id: int,
    category: int,
    names: Iterable[Name],
    values: NDArray[np.float64],
    classes: Mapping[str, str] | None = None,
) -> list[Row]:
    """
    The rows of one category, with NaN where a series of the layout has no value.

    `names` are the (metric, component) of the values. Creates series and layouts that are new, outside of any
    transaction of ours.
    """
    return place(table, target_id, category, listed_ids(category, names, classes)).rows(values)


@dataclass(frozen=True)
class LaidOut:
    """One category as it is written."""

    category: int
    started_at: datetime | None
    rows: Sequence[Row]


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
        LaidOut(source.category, source.started_at or started_at, _rows_of(target, source))
        for source in sorted(sources, key=lambda source: source.category)
        if source.values
    ]
    with transaction.atomic():
        write_snapshot(target.pk, laid_out, slot=slot, captured_at=captured_at)
        if facts:
            note_facts(target, facts, captured_at)
    return sum(len(source.values) for source in sources)


def _rows_of(target: Target, source: ReadSource) -> list[Row]:
    values = np.fromiter(source.values.values(), dtype=np.float64, count=len(source.values))
    return lay_out("snapshot", target.pk, source.category, source.values, values, source.classes)


def write_snapshot(
    target_id: int, laid_out: Sequence[LaidOut], *, slot: datetime, captured_at: datetime
) -> None:
    """Write rows in two statements, whose order of keys cannot deadlock; for the transaction that is open."""
    if not laid_out:
        return
    rows = [
        (target_id, one.category, part, slot, captured_at, one.started_at, layout, vector)
        for one in laid_out
        for part, layout, vector in one.rows
    ]
    with vector_cursor() as cursor:
        cursor.execute(
            _UPSERT_SNAPSHOT.format(rows=", ".join(["(%s, %s, %s, %s, %s, %s, %s, %s)"] * len(rows))),
            [value for row in rows for value in row],
        )
        cursor.execute(
            _DROP_OLD_PARTS,
            [
                [one.category for one in laid_out],
                [len(one.rows) for one in laid_out],
                target_id,
                slot,
                captured_at,
            ],
        )


def note_facts(target: Target, facts: Mapping[str, str], at: datetime) -> None:
    """Keep each fact that differs from what was last known; `name/component` names the fact of a component."""
    newest = Fact.objects.filter(target=target, since__lte=at).order_by("name", "component", "-since")
    known = {
        (name, component): value
        for name, component, value in newest.distinct("name", "component").values_list(
            "name", "component", "value"
        )
    }
    changed = []
    for key, value in facts.items():
        name, _, component = key.partition("/")
        if known.get((name, component)) != value:
            changed.append(Fact(target=target, name=name, component=component, since=at, value=value))
    Fact.objects.bulk_create(changed, ignore_conflicts=True)
