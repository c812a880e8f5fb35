"""
How much of days was measured, years of them read at once.

A model for each day would take longer than all else that a chart over years, or a forecast, has to read.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.snapshots.coverage_facts import CoverageFacts
from apps.snapshots.vectors import vector_cursor

MOST_MEMBERS = 100  # that PostgreSQL's function takes


@dataclass(slots=True)
class DayCoverage(CoverageFacts):
    """A day as it was covered, of all categories or of those that were asked for."""

    day: date
    hours: float
    day_hours: float
    restarts: int
    is_so_far: bool
    categories: Mapping[str, Mapping[str, Any]]
    marks: Mapping[str, str]


def read_coverage(
    target_ids: Sequence[int], days: Sequence[date], categories: Collection[int] | None = None
) -> dict[int, dict[date, DayCoverage]]:
    """How days of targets were covered, by target id and day; of chosen categories where some are named. One query."""
    chosen = sorted(categories or ())
    is_part = categories is not None and 0 < len(chosen) <= MOST_MEMBERS
    members = ", ".join(f"categories->'{number:d}'" for number in chosen)
    column = f"jsonb_build_array({members})" if is_part else "categories"
    first, last = min(days), max(days)
    is_stretch = (last - first).days + 1 == len(set(days))
    with vector_cursor() as cursor:
        cursor.execute(
            "SELECT target_id, day, hours, day_hours, restarts, is_so_far,"
            f" ({column})::text, NULLIF(marks, '{{}}')::text FROM coverage"
            f" WHERE target_id = ANY(%s) AND day {'BETWEEN %s AND %s' if is_stretch else '= ANY(%s)'}",
            [list(target_ids), *([first, last] if is_stretch else [list(days)])],
        )
        rows = cursor.fetchall()
    about: list[Any] = json.loads(f"[{','.join(row[6] for row in rows)}]")  # once for all is faster
    names = [str(number) for number in chosen]
    coverage: dict[int, dict[date, DayCoverage]] = {pk: {} for pk in target_ids}
    for (pk, day, hours, day_hours, restarts, is_so_far, _, marks), entries in zip(rows, about, strict=True):
        by_name = entries
        if is_part:
            by_name = {name: entry for name, entry in zip(names, entries, strict=True) if entry is not None}
        coverage[pk][day] = DayCoverage(
            day, hours, day_hours, restarts, is_so_far, by_name, json.loads(marks) if marks else {}
        )
    return coverage
