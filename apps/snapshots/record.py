"""Write one snapshot, in one transaction (docs/architecture.md, A category is one source)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db import transaction

from apps.inventory.models import Target
from apps.snapshots.models import Fact, FailedSource
from apps.snapshots.newest_facts import read_newest_facts
from apps.snapshots.vector_rows import CategoryValues, VectorRows, VectorTable, lay_out
from apps.snapshots.vectors import vector_cursor

SNAPSHOTS = VectorTable(
    name="snapshot", moment="bucket", stamps=("captured_at", "started_at"), is_merged=True
)


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
    """
    captured = [captured_at] * len(rows.categories)
    with vector_cursor() as cursor:
        SNAPSHOTS.write(cursor, target_id, slot, rows, captured_at=captured, started_at=list(started))


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
    newest = read_newest_facts([target], until=at)
    changed = []
    for key, value in facts.items():
        name, _, component = key.partition("/")
        if newest.get((target.pk, name, component)) != value:
            changed.append(Fact(target=target, name=name, component=component, since=at, value=value))
    Fact.objects.bulk_create(changed, ignore_conflicts=True)
