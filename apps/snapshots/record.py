"""Write one snapshot, in one transaction (docs/architecture.md, A category is one source)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import accumulate

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from apps.inventory.models import Target
from apps.snapshots.dictionary import Name, place
from apps.snapshots.models import Fact, FailedSource
from apps.snapshots.vectors import vector_cursor

_WRITE = """
    WITH row AS (
        SELECT * FROM unnest(%(categories)s::smallint[], %(parts)s::smallint[], %(started)s::timestamptz[],
                             %(layouts)s::bigint[], %(firsts)s::int[], %(lasts)s::int[])
                   AS row(category, part, started_at, layout_id, first, last)),
    dropped AS (
        DELETE FROM snapshot USING (SELECT category, max(part) AS last FROM row GROUP BY category) AS read
         WHERE target_id = %(target)s AND bucket = %(slot)s AND snapshot.category = read.category
           AND part > read.last AND captured_at < %(captured)s)
    INSERT INTO snapshot (target_id, category, part, bucket, captured_at, started_at, layout_id, "values")
    SELECT target.held, category, part, %(slot)s, %(captured)s, started_at, layout_id,
           (%(values)s::float8[])[first:last]
      FROM row, hold_target(%(target)s) AS target(held)
    ON CONFLICT (target_id, category, part, bucket) DO UPDATE
    SET layout_id = excluded.layout_id, "values" = excluded.values,
        captured_at = excluded.captured_at, started_at = excluded.started_at
    WHERE snapshot.captured_at <= excluded.captured_at
"""


@dataclass(frozen=True)
class CategoryValues:
    """Values of one category by their (metric, component)."""

    category: int
    names: Iterable[Name]
    values: NDArray[np.float64]
    classes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class VectorRows:
    """The rows of several categories as columns, in the order of their keys; their vectors are one, cut by the server."""

    categories: list[int]
    parts: list[int]
    layouts: list[int]
    lengths: list[int]
    values: NDArray[np.float64]

    @property
    def columns(self) -> dict[str, object]:
        """What a statement takes."""
        lasts = list(accumulate(self.lengths))
        return {
            "categories": self.categories,
            "parts": self.parts,
            "layouts": self.layouts,
            "firsts": [last - length + 1 for last, length in zip(lasts, self.lengths, strict=True)],
            "lasts": lasts,
            "values": self.values,
        }


def lay_out(table: str, target_id: int, groups: Iterable[CategoryValues]) -> VectorRows:
    """
    The rows of a target's categories, with NaN where a series of a layout has no value.

    Creates series and layouts that are new, outside of any transaction of ours.
    """
    rows = VectorRows([], [], [], [], np.empty(0))
    vectors = [rows.values]
    for group in sorted(groups, key=lambda group: group.category):
        placement = place(table, target_id, group.category, group.names, group.classes)
        for part, (layout, length) in enumerate(placement.parts):
            rows.categories.append(group.category)
            rows.parts.append(part)
            rows.layouts.append(layout)
            rows.lengths.append(length)
        vectors.append(placement.whole(group.values))
    return replace(rows, values=np.concatenate(vectors))


@dataclass(frozen=True, kw_only=True)
class ReadSource:
    """One category as it was read: values by (metric, component), and the class of each component that has one."""

    category: int
    values: Mapping[tuple[str, str], float]
    started_at: datetime | None = None  # where its counters count from another start than the target's
    classes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FailedRead:
    """One category that could not be read: its source, and why, in a sentence."""

    category: int
    name: str
    reason: str


def record_snapshot(
    target: Target,
    sources: list[ReadSource],
    *,
    slot: datetime,
    captured_at: datetime,
    started_at: datetime | None,
    facts: Mapping[str, str] | None = None,
    failed: Iterable[FailedRead] = (),
    together_with: Callable[[], object] = lambda: None,
) -> int:
    """
    Record what was read of a target in a slot, all or nothing, and return the number of series written.

    Recording a slot again leaves one snapshot: the later capture wins, category by category, and a category that this
    capture did not read keeps what an earlier one measured. `failed` says why the others are missing; `together_with`
    is done in the same transaction.
    """
    read = {source.category: source for source in sources if source.values}
    rows = lay_out(
        "snapshot",
        target.pk,
        [
            CategoryValues(category, source.values, np.array(list(source.values.values())), source.classes)
            for category, source in read.items()
        ],
    )
    began = [read[category].started_at or started_at for category in rows.categories]
    with transaction.atomic():
        write_snapshot(target.pk, rows, began, slot=slot, captured_at=captured_at)
        if facts:
            note_facts(target, facts, captured_at)
        note_failed(target, slot, read, failed)
        together_with()
    return sum(len(source.values) for source in read.values())


def write_snapshot(
    target_id: int,
    rows: VectorRows,
    started: Sequence[datetime | None],
    *,
    slot: datetime,
    captured_at: datetime,
) -> None:
    """
    Write rows that are laid out, by one statement; `started` says for each since when its counters count.

    A connection prepares the statement once: planning it takes as long as writing does.
    """
    parameters = {"target": target_id, "slot": slot, "captured": captured_at, "started": list(started)}
    with vector_cursor() as cursor:
        cursor.execute(_WRITE, rows.columns | parameters, prepare=True)


def note_failed(target: Target, slot: datetime, read: Iterable[int], failed: Iterable[FailedRead]) -> None:
    """Keep why categories of a slot are missing; what was read, by this try or by one before, is not."""
    FailedSource.objects.filter(target=target, slot=slot, category__in=list(read)).delete()
    rows = [
        FailedSource(
            target=target, slot=slot, category=failure.category, name=failure.name, reason=failure.reason
        )
        for failure in failed
    ]
    FailedSource.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["target", "slot", "category"],
        update_fields=["name", "reason"],
    )


def note_facts(target: Target, facts: Mapping[str, str], at: datetime) -> None:
    """Keep each fact that differs from what was last known; `name/component` names the fact of a component."""
    newest = Fact.objects.filter(target=target, since__lte=at).order_by("name", "component", "-since")
    newest_values = {
        (name, component): value
        for name, component, value in newest.distinct("name", "component").values_list(
            "name", "component", "value"
        )
    }
    changed = []
    for key, value in facts.items():
        name, _, component = key.partition("/")
        if newest_values.get((name, component)) != value:
            changed.append(Fact(target=target, name=name, component=component, since=at, value=value))
    Fact.objects.bulk_create(changed, ignore_conflicts=True)
