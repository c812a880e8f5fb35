"""Write the figures of a day, with how much of it was measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.engine.days import Day
from apps.snapshots.engine.figures import CategoryFigures, DayFigures
from apps.snapshots.models import Coverage, Figure
from apps.snapshots.vector_rows import CategoryValues, VectorRows, VectorTable, lay_out
from apps.snapshots.vectors import vector_cursor

FIGURES = VectorTable(name="figure", moment="day", stamps=("captured_at",))
FIGURES_BESIDE = VectorTable(name="figure", moment="day", stamps=("captured_at",), is_merged=True)
_UPDATED_FIELDS = [
    "hours",
    "day_hours",
    "restarts",
    "spans_days",
    "captured_at",
    "categories",
    "is_so_far",
    "marks",
    "origin",
]


@dataclass(frozen=True)
class PreparedDay:
    """A day's figures laid out, to be written in any transaction."""

    rows: VectorRows
    captured: list[datetime]
    coverage: Coverage


def prepare_day(
    target: Target,
    day: Day,
    figures: DayFigures,
    missing: Mapping[int, str],
    *,
    is_so_far: bool,
    origin: str = "",
    origins: Mapping[int, str] | None = None,
) -> PreparedDay:
    """
    Lay out the figures of a day; series and layouts that are new are made at once, outside of any transaction of ours.

    `missing` says why categories have none, `origin` where they come from, if not from readings, and `origins` the same
    by category, where several sources gave the day.
    """
    rows = lay_out(
        "figure",
        target.pk,
        [CategoryValues(category, part.keys, part.values) for category, part in figures.parts.items()],
    )
    captured = [figures.parts[category].captured_at for category in rows.categories]
    marked = dict(zip(series_ids(list(figures.marks)), figures.marks.values(), strict=True))
    coverage = Coverage(
        target=target,
        day=day.on,
        **_coverage(figures.parts, missing, day, dict.fromkeys(figures.parts, origin) | dict(origins or {})),
        is_so_far=is_so_far,
        marks={str(pk): reason for pk, reason in marked.items()},
        origin=origin,
    )
    return PreparedDay(rows, captured, coverage)


def write_day(prepared: PreparedDay, others: Mapping[str, Any] | None = None) -> Coverage:
    """
    Write a day that is laid out, in the place of what was there.

    Categories of `others` stay beside it, where the day has none of its own: what is said of them, by their numbers.
    """
    coverage = prepared.coverage
    staying = {name: about for name, about in (others or {}).items() if name not in coverage.categories}
    table = FIGURES_BESIDE if staying else FIGURES
    with transaction.atomic(), vector_cursor() as cursor:
        if staying:
            coverage.categories |= staying
            day = Figure.objects.filter(target=coverage.target_id, day=coverage.day)
            day.exclude(category__in=map(int, staying)).delete()
        table.write(cursor, coverage.target_id, coverage.day, prepared.rows, captured_at=prepared.captured)
        Coverage.objects.bulk_create(
            [coverage], update_conflicts=True, unique_fields=["target", "day"], update_fields=_UPDATED_FIELDS
        )
    return coverage


def write_categories(prepared: PreparedDay, cover: Coverage) -> None:
    """Write some categories of a day that is covered already, in the place of their own figures; others stay."""
    cover.categories |= prepared.coverage.categories
    with transaction.atomic(), vector_cursor() as cursor:
        day = Figure.objects.filter(target=cover.target_id, day=cover.day)
        day.filter(category__in=prepared.rows.categories).delete()
        FIGURES_BESIDE.write(cursor, cover.target_id, cover.day, prepared.rows, captured_at=prepared.captured)
        cover.save(update_fields=["categories"])


def _coverage(
    parts: Mapping[int, CategoryFigures],
    missing: Mapping[int, str],
    day: Day,
    origins: Mapping[int, str],
) -> dict[str, Any]:
    return {
        "hours": _least_hours(parts, day.hours),
        "day_hours": day.hours,
        "restarts": max(part.restarts for part in parts.values()),
        "spans_days": max((part.spans_days for part in parts.values() if not part.is_seldom_read), default=1),
        "captured_at": max(part.captured_at for part in parts.values()),
        "categories": {
            str(category): {
                "hours": day.hours if part.hours is None else round(part.hours, 4),
                "spans": part.spans_days,
                "since_restart": part.since_restart,
                **({"from": origins[category]} if origins[category] else {}),
                **({"other_instance": True} if part.is_other else {}),
                **({"without": list(part.without)} if part.without else {}),
            }
            for category, part in parts.items()
        }
        | {str(category): {"missing": reason} for category, reason in missing.items()},
    }


def measured_hours(figures: DayFigures, otherwise: float = 0.0) -> float:
    """How many hours of a day its figures were measured over, by the category that has least; `otherwise` without any."""
    return _least_hours(figures.parts, otherwise)


def _least_hours(parts: Mapping[int, CategoryFigures], otherwise: float) -> float:
    return min((part.hours for part in parts.values() if part.hours is not None), default=otherwise)
