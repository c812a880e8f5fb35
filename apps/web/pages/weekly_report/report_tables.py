"""The tables of a weekly report: its violations in groups, what moved most, and what was not collected."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.reports.drawings import draw_mover
from apps.reports.facts import Item, WeekMover
from apps.reports.lines import ReportLine
from apps.web.cells import after, drawing, link, state
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

Reported = tuple[Item, ReportLine]  # a violation, and what is said of it


def _figure(row: Reported) -> SafeString:
    return after(row[1].figure, "sub", row[0].note)


def _value(row: Reported) -> float | None:
    """The figure that broke the limit, else that of the week's end."""
    return row[0].value if row[0].broke_at is None else row[0].broke_at


def _owner(row: Reported) -> str:
    return f"{row[1].who}{f', due {row[1].due}' if row[1].due else ''}"


def _change_css(row: WeekMover) -> str:
    """Red only where it is worse, and beyond its limit."""
    return "strong c-over" if row.is_worse and row.is_over else "strong"


VIOLATIONS: Table[Reported] = Table(
    "week-violations",
    "Violations of the week",
    (
        Column(
            "state",
            lambda row: row[1].state,
            lambda row: state(row[1].mark, row[0].standing, row[1].state),
            css="nowrap",
        ),
        RowHead(
            "what",
            lambda row: row[0].what,
            lambda row: link(reverse("violation", args=[row[0].violation]), row[0].what, ""),
        ),
        Column("target", lambda row: row[0].target, css="nowrap"),
        FigureColumn("value", _value, _figure, css="strong", has_unit=True),
        Column("day", lambda row: row[1].day, css="sub nowrap"),
        FigureColumn("limit", lambda row: figures.threshold(row[0].limit)),
        Column("unit", lambda row: row[0].unit, css="sub"),
        FigureColumn("since", lambda row: row[1].when, css="nowrap", label=""),
        FigureColumn("slack", lambda row: row[0].slack, lambda row: row[1].slack, css="nowrap"),
        Column("owner, due", _owner, css="quiet-text"),
        Column("next step", lambda row: row[1].step or "no plan", css="quiet-text"),
    ),
)
MOVERS: Table[WeekMover] = Table(
    "week-movers",
    "Biggest movers",
    (
        RowHead("target", lambda row: row.target, css=""),
        Column("statistic", lambda row: row.what),
        FigureColumn("change", lambda row: row.change, css=_change_css),
        FigureColumn("week before", lambda row: row.before, has_unit=True),
        FigureColumn("week", lambda row: row.now, has_unit=True),
        Column("unit", lambda row: row.unit, css="sub"),
        DrawingColumn("30 days", show=lambda row: drawing(draw_mover(row))),
    ),
)
NOT_COLLECTED: Table[Mapping[str, Any]] = Table(
    "not-collected",
    "What was not collected",
    (
        RowHead("target", lambda row: row["target"], css=""),
        Column("nights", lambda row: int(row["nights"])),
        Column("why", lambda row: row["reason"], css="quiet-text"),
    ),
    css="",
    scrolls=False,
)
