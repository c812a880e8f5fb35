"""The tables of studies: their list, the figures before and after, and the thresholds that come next."""

from collections.abc import Callable, Sequence
from datetime import date

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.advisors.models import ChangeStudy
from apps.advisors.study_deeds import NextLimit
from apps.advisors.study_result import ComparedFigure, StudyResult, StudyThing
from apps.charts import figures
from apps.profiles.things import StatisticThing
from apps.reports.study_text import write_change, write_interval
from apps.web.cells import after, hover, icon, link, marked
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowGroup, RowHead, Table

OF_AIM = "With a target"


def study_groups(study: ChangeStudy, result: StudyResult) -> list[RowGroup[StudyThing]]:
    """The things of a study: those with an aim, then the others by section; those of the machine under its name."""
    groups: dict[str, list[StudyThing]] = {}
    if result.aimed_things:
        groups[OF_AIM] = list(result.aimed_things)
    for thing in result.other_things:
        figure = thing.lead
        owner = "" if figure.target == study.target else f"{figure.target.name}: "
        groups.setdefault(f"{owner}{figure.metric.section.title}", []).append(thing)
    return [
        RowGroup(
            name, things, file_rows=[StatisticThing(figure) for thing in things for figure in thing.rows]
        )
        for name, things in groups.items()
    ]


def _parts(thing: StudyThing) -> SafeString:
    """What else changed of a thing, folded."""
    if not thing.parts:
        return SafeString("")
    worse = sum(part.outcome is Outcome.WORSE for part in thing.parts)
    rows = [
        (
            row.verdict,
            link(_address(row), row.metric.label, ""),
            f"{figures.figure(row.before)} → {figures.figure(row.after, row.before)} {row.metric.display_unit}",
            write_change(row),
        )
        for row in thing.parts
    ]
    context = {"rows": rows, "aside": f"{figures.whole(worse)} worse" if worse else ""}
    return SafeString(render_to_string("components/parts.html", context))


def _address(row: ComparedFigure) -> str:
    query = {"component": row.component} if row.component else {}
    return reverse("statistic", args=[row.target.pk, row.metric.key], query=query)


def _name(row: ComparedFigure) -> SafeString:
    about = row.metric.label if row.component and row.component != row.metric.label else ""
    return after(link(_address(row), row.name, ""), "sub", about)


def _verdict(row: ComparedFigure) -> SafeString:
    is_good = row.outcome in GOOD
    css = "mark-ok" if is_good else "mark-part" if row.is_accepted else ""
    if row.outcome is Outcome.WORSE and not row.is_accepted:
        css = "mark-bad"
    sign = icon("tick") if is_good else icon("flag") if row.is_accepted else ""
    words = format_html("{}{}", sign, row.verdict)
    why = row.acceptance.reason if row.acceptance and row.is_accepted else row.reason
    return hover(why, words, f"said {css}".strip()) if why else marked(f"said {css}".strip(), words)


def figure_table(before: str, after_it: str) -> Table[StudyThing]:
    """Each thing before and after by the figure that leads it, with the days of both in the heads."""
    columns: Sequence[Column[StudyThing]] = (
        RowHead("figure", lambda thing: thing.lead.name, lambda thing: _name(thing.lead)),
        Column("of", lambda thing: thing.lead.target.name, in_file_only=True),
        Column("unit", lambda thing: thing.lead.metric.display_unit, css="sub nowrap"),
        Column("unit of rate", lambda thing: thing.lead.rate_unit, in_file_only=True),
        _rate_column("rate before", lambda row: row.rate_before),
        _rate_column("rate after", lambda row: row.rate_after),
        FigureColumn(
            format_html("before<br>{}", before),
            lambda thing: thing.lead.before,
            lambda thing: figures.figure(thing.lead.before),
            label="before",
        ),
        FigureColumn(
            format_html("after<br>{}", after_it),
            lambda thing: thing.lead.after,
            lambda thing: figures.figure(thing.lead.after, thing.lead.before),
            css="strong",
            label="after",
        ),
        FigureColumn(
            "effect",
            lambda thing: thing.lead.effect.percent if thing.lead.effect else None,
            lambda thing: write_change(thing.lead),
            label="effect",
            file_head="effect, %",
        ),
        FigureColumn(
            "interval",
            lambda thing: thing.lead.effect.margin if thing.lead.effect else None,
            lambda thing: write_interval(thing.lead),
            css="quiet-text nowrap",
            label="interval",
            file_head="interval, ± % at 95 %",
        ),
        Column("target", lambda thing: figures.threshold(thing.lead.aim) if thing.lead.aim else ""),
        Column("verdict", lambda thing: thing.lead.verdict, lambda thing: _verdict(thing.lead), css="nowrap"),
        DrawingColumn("also", show=_parts, css="parts-cell", head_css="parts-cell"),
    )
    return Table(
        "study",
        "Figures before and after the change",
        columns,
        title="Before and after",
        css="folds study compared",
    )


def _rate_column(head: str, value: Callable[[ComparedFigure], float | None]) -> Column[StudyThing]:
    return FigureColumn(
        head,
        lambda thing: value(thing.lead),
        lambda thing: _rate(thing.lead, value(thing.lead)),
        label=head,
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
