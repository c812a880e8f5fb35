"""Scenarios, and the planned changes of one, as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.forecasting.models import PlannedChange, Scenario
from apps.web.cells import link
from apps.web.tables import Column, DrawingColumn, RowHead, Table


def scenarios_table(chosen: Sequence[Scenario]) -> Table[Scenario]:
    """All scenarios, with boxes to compare them; those that are compared are ticked."""

    def box(row: Scenario) -> SafeString:
        return format_html(
            '<input class="form-check-input" type="checkbox" name="with" value="{}" aria-label="Compare {}"{}>',
            row.pk, row.name, SafeString(" checked" if row in chosen else ""),
        )  # fmt: skip

    return Table(
        "all-scenarios",
        "Scenarios",
        (
            DrawingColumn("compare", show=box),
            RowHead("scenario", lambda row: row.name, lambda row: link(row.get_absolute_url(), row.name, "")),
            Column("changes", _changes),
            Column("made by", lambda row: str(row.created_by or ""), css="quiet-text"),
        ),
        scrolls=False,
    )


def _changes(row: Scenario) -> str:
    return "; ".join(_change(change) for change in row.changes.all()) or "none yet"


def _change(change: PlannedChange) -> str:
    decided = " (decided)" if change.decided_at else ""
    return f"{change.change} from {figures.short_day(change.on)}{decided}"


def changes_table(*, can_change: bool) -> Table[Mapping[str, Any]]:
    """The planned changes of a scenario, with their steps for those who may take them."""
    steps: Column[Mapping[str, Any]] = DrawingColumn(
        "steps", template="pages/what_if/change_steps.html", is_head_unseen=True
    )
    columns: list[Column[Mapping[str, Any]]] = [
        Column("from", lambda row: row["change"].on, _from, css="nowrap"),
        RowHead("change", lambda row: row["change"].change, css="first nowrap"),
        Column("of", lambda row: row["names"]),
        Column("where", lambda row: row["change"].scope),
        Column("why", lambda row: f"{row['change'].why} {row['note']}".strip(), css="quiet-text"),
        Column("decided", _decided),
    ]
    return Table("planned-changes", "Planned changes", [*columns, *([steps] if can_change else [])])


def _from(row: Mapping[str, Any]) -> str:
    on = row["change"].on
    return f"{figures.short_day(on)} {on.year}"


def _decided(row: Mapping[str, Any]) -> str:
    change = row["change"]
    if not change.decided_at:
        return "no"
    return f"by {change.decided_by or 'somebody'}, {figures.moment(change.decided_at)}"
