"""The tables of studies: their list, the figures before and after, and the thresholds that come next."""

from collections.abc import Sequence
from datetime import date

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.advisors.models import ChangeStudy
from apps.advisors.study_comparison import ComparedFigure, StudyResult
from apps.advisors.study_deeds import NextLimit
from apps.charts import figures
from apps.reports.study_text import write_change, write_interval
from apps.web.cells import after, hover, icon, link, marked
from apps.web.tables import Column, FigureColumn, RowGroup, RowHead, Table

OF_AIM = "With a target"


def study_groups(study: ChangeStudy, result: StudyResult) -> list[RowGroup[ComparedFigure]]:
    """The figures of a study: those with an aim, then the others by section; those of the machine under its name."""
    groups: dict[str, list[ComparedFigure]] = {}
    if result.aimed:
        groups[OF_AIM] = list(result.aimed)
    for figure in result.others:
        owner = "" if figure.target == study.target else f"{figure.target.name}: "
        groups.setdefault(f"{owner}{figure.metric.section.title}", []).append(figure)
    return [RowGroup(name, rows) for name, rows in groups.items()]


def _name(row: ComparedFigure) -> SafeString:
    about = row.metric.label if row.component and row.component != row.metric.label else ""
    query = {"component": row.component} if row.component else {}
    url = reverse("statistic", args=[row.target.pk, row.metric.key], query=query)
    return after(link(url, row.name, ""), "sub", about)


def _verdict(row: ComparedFigure) -> SafeString:
    is_good = row.outcome in GOOD
    css = "mark-ok" if is_good else "mark-part" if row.is_accepted else ""
    if row.outcome is Outcome.WORSE and not row.is_accepted:
        css = "mark-bad"
    sign = icon("tick") if is_good else icon("flag") if row.is_accepted else ""
    words = format_html("{}{}", sign, row.verdict)
    why = row.acceptance.reason if row.acceptance and row.is_accepted else row.reason
    return hover(why, words, f"said {css}".strip()) if why else marked(f"said {css}".strip(), words)


def figure_table(before: str, after_it: str) -> Table[ComparedFigure]:
    """Each figure before and after, with the days of both in the heads."""
    columns: Sequence[Column[ComparedFigure]] = (
        RowHead("figure", lambda row: row.name, _name),
        Column("of", lambda row: row.target.name, in_file_only=True),
        Column("unit", lambda row: row.metric.display_unit, css="sub nowrap"),
        Column("unit of rate", lambda row: row.rate_unit, in_file_only=True),
        FigureColumn(
            "rate before",
            lambda row: row.rate_before,
            lambda row: _rate(row, row.rate_before),
            label="rate before",
        ),
        FigureColumn(
            "rate after",
            lambda row: row.rate_after,
            lambda row: _rate(row, row.rate_after),
            label="rate after",
        ),
        FigureColumn(
            format_html("before<br>{}", before),
            lambda row: row.before,
            lambda row: figures.figure(row.before),
            label="before",
        ),
        FigureColumn(
            format_html("after<br>{}", after_it),
            lambda row: row.after,
            lambda row: figures.figure(row.after, row.before),
            css="strong",
            label="after",
        ),
        FigureColumn(
            "effect",
            lambda row: row.effect.percent if row.effect else None,
            write_change,
            label="effect",
            file_head="effect, %",
        ),
        FigureColumn(
            "interval",
            lambda row: row.effect.margin if row.effect else None,
            write_interval,
            css="quiet-text nowrap",
            label="interval",
            file_head="interval, ± % at 95 %",
        ),
        Column("target", lambda row: figures.threshold(row.aim) if row.aim else ""),
        Column("verdict", lambda row: row.verdict, _verdict, css="nowrap"),
    )
    return Table(
        "study", "Figures before and after the change", columns, title="Before and after", css="folds study"
    )


def _rate(row: ComparedFigure, value: float | None) -> object:
    return "" if value is None else hover(row.rate_unit, figures.figure(value))


def _state(row: ChangeStudy) -> str:
    return f"closed {figures.short_day(row.closed_at.date())}" if row.closed_at else "open"


def _window(first: date, last: date) -> str:
    return figures.day_span(first, last)


STUDIES: Table[ChangeStudy] = Table(
    "studies",
    "Studies, newest first",
    (
        RowHead("question", lambda row: row.question, lambda row: link(row.get_absolute_url(), row.question)),
        Column("target", lambda row: row.target.name),
        Column("before", lambda row: _window(row.before_from, row.before_to), css="quiet-text nowrap"),
        Column("after", lambda row: _window(row.after_from, row.after_to), css="quiet-text nowrap"),
        Column("by", lambda row: str(row.made_by or "somebody who has left"), css="quiet-text"),
        Column("state", _state),
        Column("conclusion", lambda row: row.conclusion, css="wrap"),
        FigureColumn("look again", lambda row: row.revisit_on, lambda row: figures.short_day(row.revisit_on)),
    ),
    title="Studies",
)


def next_limits_table(study: ChangeStudy) -> Table[NextLimit]:
    """The thresholds that the days after suggest, each as the way to the form that sets it."""

    def proposed(row: NextLimit) -> SafeString:
        notation = row.proposal.notation
        if not notation:
            return marked("quiet-text", f"none: {row.proposal.why}")
        query = {
            "target": study.target_id,
            "metric": row.metric.key,
            "component": row.component,
            "notation": notation,
        }
        url = reverse("threshold_add", query={key: value for key, value in query.items() if value})
        return link(url, f"{figures.threshold(notation)} {row.metric.display_unit}".strip(), "")

    return Table(
        "next-limits",
        "Thresholds that the days after suggest",
        (
            RowHead("figure", lambda row: row.metric.called(row.component)),
            Column(
                "now",
                lambda row: row.existing.notation if row.existing else "none",
                lambda row: (
                    link(row.existing.get_absolute_url(), figures.threshold(row.existing.notation), "")
                    if row.existing
                    else "none"
                ),
            ),
            Column("next", lambda row: row.proposal.notation, proposed),
            Column("why", lambda row: row.proposal.why, css="wrap quiet-text"),
        ),
        title="Next thresholds",
    )
