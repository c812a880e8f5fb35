"""What a steady period suggests: a limit for each statistic, with its reasons and boxes to take it over."""

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.web.cells import after, link, marked
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

Row = Mapping[str, Any]


def proposal_table(span: int) -> Table[Row]:
    """The proposals of the form, dry-run over a span of days."""
    return Table(
        "proposed",
        "Proposed limits with their reasons",
        (
            DrawingColumn("take", show=_box),
            RowHead("statistic", lambda row: row["name"]),
            FigureColumn("typical", lambda row: row["typical"]),
            FigureColumn("5 % … 95 %", _range, label="5 to 95 %", css="nowrap"),
            Column("unit", lambda row: row["unit"], css="sub"),
            Column("limit", lambda row: row["notation"], template="pages/baseline/limit_box.html"),
            Column("why", _why, _why_shown, css="quiet-text"),
            FigureColumn(f"fired in {span} days", _fired, label="fired"),
            Column("limit now", _existing, _existing_shown, label="limit now"),
            DrawingColumn("accept", template="pages/baseline/use_button.html", is_head_unseen=True),
        ),
        title="Proposed limits",
        css="folds two-facts",
    )


def _box(row: Row) -> SafeString | str:
    if not (row["proposed"].proposal.notation or row["notation"]):
        return ""
    return format_html(
        '<input type="checkbox" class="form-check-input" name="take" value="{}" aria-label="Take {}"{}>',
        row["key"], row["name"], SafeString(" checked" if row["taken"] else ""),
    )  # fmt: skip


def _range(row: Row) -> str:
    return f"{figures.figure(row['low'])} … {figures.figure(row['high'])}"


def _why(row: Row) -> str:
    return str(row["error"]) or "; ".join(filter(None, (row["worse"], row["why"])))


def _why_shown(row: Row) -> SafeString | str:
    if not row["error"]:
        return _why(row)
    return format_html('<span class="c-over" id="wrong-{}">{}</span>', row["number"], row["error"])


def _fired(row: Row) -> str:
    proposed = row["proposed"]
    return f"{proposed.fired} of {proposed.judged}" if proposed.proposal.notation else ""


def _existing(row: Row) -> str:
    limit = row["existing"]
    return f"{figures.threshold(limit.notation)} {limit.scope}" if limit else "none"


def _existing_shown(row: Row) -> SafeString:
    limit = row["existing"]
    if not limit:
        return marked("quiet-text", "none")
    return after(link(limit.get_absolute_url(), figures.threshold(limit.notation), ""), "sub", limit.scope)
