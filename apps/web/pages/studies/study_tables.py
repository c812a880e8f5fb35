"""The tables of studies: their list, the figures before and after, and the thresholds that come next."""

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from apps.advisors.engine.outcome import Outcome
from apps.advisors.models import ChangeStudy
from apps.advisors.study_deeds import NextLimit
from apps.advisors.study_registry import find_kind
from apps.advisors.study_result import StudyResult, StudyThing
from apps.catalog.registry import hours_of
from apps.charts import figures
from apps.profiles.things import StatisticThing
from apps.reports.study_text import write_change
from apps.thresholds.limits import notation_with_unit
from apps.web.cells import link, marked
from apps.web.study_columns import figure_columns, statistic_address
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
            link(statistic_address(row), row.metric.label, ""),
            f"{figures.figure(row.before)} → {figures.figure(row.after, row.before)} {row.metric.display_unit}",
            write_change(row),
        )
        for row in thing.parts
    ]
    context = {"rows": rows, "aside": f"{figures.whole(worse)} worse" if worse else ""}
    return SafeString(render_to_string("components/parts.html", context))


def figure_table(before: str, after_it: str) -> Table[StudyThing]:
    """Each thing before and after by the figure that leads it, with the days of both in the heads."""
    return Table(
        "study",
        "Figures before and after the change",
        (
            *figure_columns(lambda thing: thing.lead, before, after_it),
            DrawingColumn("also", show=_parts, css="parts-cell", head_css="parts-cell"),
        ),
        title="Before and after",
        css="folds study compared",
    )


def _state(row: ChangeStudy) -> str:
    return f"closed {figures.short_day(row.closed_at.date())}" if row.closed_at else "open"


def _window(row: ChangeStudy, at: int) -> str:
    """A window of a study: its days, or what was studied in their place."""
    names = find_kind(row.kind).windows
    if names is not None:
        return names(row.windows)[at]
    first, last = ((row.before_from, row.before_to), (row.after_from, row.after_to))[at]
    return figures.day_span(first, last)


STUDIES: Table[ChangeStudy] = Table(
    "studies",
    "Studies, newest first",
    (
        RowHead("question", lambda row: row.question, lambda row: link(row.get_absolute_url(), row.question)),
        Column("target", lambda row: row.target.name),
        Column("before", lambda row: _window(row, 0), css="quiet-text nowrap"),
        Column("after", lambda row: _window(row, 1), css="quiet-text nowrap"),
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
        is_of_hours = hours_of(row.metric.key) is not None
        query = {
            "target": study.target_id,
            "metric": row.metric.base if is_of_hours else row.metric.key,
            "hours": row.metric.reduction if is_of_hours else "",
            "component": row.component,
            "notation": notation,
        }
        url = reverse("threshold_add", query={key: value for key, value in query.items() if value})
        return link(url, notation_with_unit(notation, row.metric.display_unit), "")

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
