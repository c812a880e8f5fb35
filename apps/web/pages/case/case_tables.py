"""The tables of a case file: the steps of the plan, the files kept with it, and the figures before and after."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.advisors.models import Attachment
from apps.charts import figures
from apps.thresholds.models import Violation
from apps.web.cells import drawing, icon, link, marked
from apps.web.finding_rows import CLASS, EVIDENCE, FINDING, MEANING, RULE, SINCE, TARGET, WEIGHT, FindingRow
from apps.web.pages.case.study_table import StudyRow
from apps.web.study_columns import figure_columns
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

Row = Mapping[str, Any]


def _step_words(row: Row) -> str:
    share = f"{row['share']} % of the gain" if row["share"] else ""
    return " ".join(filter(None, (row["text"], share, row["worth"], row["notes"])))


def _due(row: Row) -> SafeString:
    day = figures.short_day(row["due_on"]) if row["due_on"] else "–"
    return format_html("{}{}", day, marked("unseen", ", late" if row["is_late"] else ""))


PLAN_STEPS: Table[Row] = Table(
    "plan-steps",
    "Steps of the plan",
    (
        RowHead("step", _step_words, template="pages/case/plan_step.html"),
        Column("owner", lambda row: row["owner"] or "nobody yet", css="quiet-text"),
        FigureColumn(
            "due",
            lambda row: row["due_on"],
            _due,
            css=lambda row: "nowrap c-over" if row["is_late"] else "nowrap",
        ),
        Column("state", lambda row: row["state_label"], template="pages/case/step_state.html"),
        Column("cost", lambda row: row["cost"], in_file_only=True),
        Column("days won", lambda row: row["days_won"], in_file_only=True),
    ),
    css="folds plan-steps",
    scrolls=False,
)

CASE_FINDINGS: Table[FindingRow] = Table(
    "case-findings",
    "Findings that bear on this figure, worst first",
    (FINDING, WEIGHT, RULE, TARGET, CLASS, EVIDENCE, MEANING, SINCE),
    title="What rules notice",
)


def files_table(violation: Violation, *, can_change: bool) -> Table[Attachment]:
    """The files kept with a violation; who may change it may remove them."""

    def name(row: Attachment) -> SafeString:
        url = reverse("attachment", args=[violation.pk, row.pk])
        return format_html(
            '<a href="{}" download>{}<span class="file-name">{}</span></a>', url, icon("download"), row.name
        )

    def remove(row: Attachment) -> SafeString:
        url = reverse("attachment_remove", args=[violation.pk, row.pk])
        return link(url, format_html("Remove{}", marked("unseen", f" {row.name}")), "")

    removal: Column[Attachment] = Column("remove", show=remove, css="no-print", is_head_unseen=True)
    columns: list[Column[Attachment]] = [
        RowHead("file", lambda row: row.name, name),
        FigureColumn("size", lambda row: row.size, lambda row: figures.bytes_text(row.size)),
        Column("kept by", _kept_by, css="quiet-text"),
        *((removal,) if can_change else ()),
    ]
    return Table("files-kept", "Files kept with this violation", columns, scrolls=False)


def _kept_by(row: Attachment) -> str:
    return f"{row.by or 'somebody who has left'}, {figures.moment(row.at)}"


def study_table(before: str, after_it: str, *, can_change: bool) -> Table[StudyRow]:
    """Each figure before and after the plan, with the days of both in the heads."""
    removal: Column[StudyRow] = DrawingColumn(
        "remove",
        template="pages/case/remove_figure.html",
        css="no-print",
        head_css="no-print",
        is_head_unseen=True,
    )
    columns: list[Column[StudyRow]] = [
        *figure_columns(lambda row: row.figure, before, after_it, is_narrow=True),
        DrawingColumn("30 days", show=lambda row: drawing(row.spark), css="drawn"),
        *((removal,) if can_change else ()),
    ]
    return Table(
        "before-and-after",
        "Each figure before and after the plan",
        columns,
        title="Before and after",
        css="folds study",
    )
