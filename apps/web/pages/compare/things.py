"""What several statistics are of, as one row of a comparison: a tablespace, an event, or a statistic with its extremes."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.catalog.metric import base_of
from apps.profiles.differences import ComparedRow
from apps.profiles.engine.periods import ChangeVerdict

ORDER = (
    ChangeVerdict.WORSE, ChangeVerdict.APPEARED, ChangeVerdict.GONE, ChangeVerdict.HIGHER, ChangeVerdict.LOWER, ChangeVerdict.BETTER, ChangeVerdict.SAME,
    ChangeVerdict.TOO_FEW, ChangeVerdict.NO_DATA,
)  # fmt: skip


@dataclass(frozen=True)
class ComparedThing:
    """A thing by the statistic that says most of it; the others are its parts."""

    lead: ComparedRow
    parts: Sequence[ComparedRow] = ()


def group_things(rows: Sequence[ComparedRow]) -> list[ComparedThing]:
    """One for each thing that has rows, worse first, noise last; within a verdict the largest change first."""
    things: dict[tuple[str, str], list[ComparedRow]] = {}
    for row in sorted(rows, key=_place):
        things.setdefault(_thing_of(row), []).append(row)
    return [ComparedThing(lead, parts) for lead, *parts in things.values()]


def list_statistics(rows: Sequence[ComparedRow]) -> list[ComparedThing]:
    """Each statistic for itself, in the same order."""
    return [ComparedThing(row) for row in sorted(rows, key=_place)]


def _thing_of(row: ComparedRow) -> tuple[str, str]:
    if row.component:
        return row.metric.component_kind, row.component
    return base_of(row.metric.key), ""


def _place(row: ComparedRow) -> tuple[int, float, bool, str, str]:
    percent = row.judged.percent
    size = float("inf") if percent is None else abs(percent)
    return (
        ORDER.index(row.judged.verdict),
        -size,
        not row.metric.display.rows,
        row.metric.label,
        row.component,
    )
