"""Two periods side by side, thing by thing, as a table."""

from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify

from apps.charts import figures
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow
from apps.profiles.engine.periods import NOTEWORTHY, Judgement, PeriodStatistics
from apps.reports.sheets import Cell
from apps.snapshots.presence import Presence
from apps.web.cells import after, hover, link, marked, no_figure
from apps.web.pages.compare.things import ComparedThing
from apps.web.sentences import count
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

FILE_ORDER = (
    "section", "statistic", "component", "class", "unit", "earlier days", "earlier mean", "earlier spread",
    "later days", "later mean", "later spread", "change, %", "change, pt", "t", "verdict", "why",
)  # fmt: skip


def comparison_table(target: Target, on: date) -> Table[ComparedThing]:
    """A row for each thing; its statistics lead to their pages as of a day."""

    def leads(row: ComparedRow, name: str) -> SafeString:
        query = {"component": row.component} if row.component else {}
        url = address("statistic", target.pk, row.metric.key)
        return link(f"{url}?{urlencode(query | {'on': on.isoformat()})}", name)

    def parts(thing: ComparedThing) -> SafeString:
        if not thing.parts:
            return SafeString("")
        rows = [
            (row.judged.verdict, leads(row, row.metric.label), _sides(row), _change(row)[0])
            for row in thing.parts
        ]
        return SafeString(render_to_string("components/parts.html", {"rows": rows}))

    columns: list[Column[ComparedThing]] = [
        Column(
            "verdict", lambda thing: str(thing.lead.judged.verdict), lambda thing: _verdict(thing.lead), css=_verdict_css,
            title=lambda thing: thing.lead.judged.reason,
        ),
        RowHead("statistic", lambda thing: thing.lead.metric.label, lambda thing: leads(thing.lead, thing.lead.name)),
        Column("component", lambda thing: thing.lead.component, in_file_only=True),
        Column("section", lambda thing: thing.lead.metric.section.title, css="quiet-text"),
        Column("class", lambda thing: thing.lead.component_class, in_file_only=True),
        Column("unit", lambda thing: thing.lead.metric.display_unit, css="sub nowrap"),
        *_side_columns("earlier"),
        *_side_columns("later"),
        FigureColumn(
            "Δ %",
            show=lambda thing: _change(thing.lead)[0],
            order=lambda thing: _change(thing.lead)[1],
            css=lambda thing: "strong" if thing.lead.judged.verdict in NOTEWORTHY else "",
            key="change",
        ),
        Column("change, %", lambda thing: _exact_change(thing.lead)[0], in_file_only=True),
        Column("change, pt", lambda thing: _exact_change(thing.lead)[1], in_file_only=True),
        Column("t", lambda thing: _finite(thing.lead.judged), in_file_only=True),
        Column("why", lambda thing: thing.lead.judged.reason, in_file_only=True),
        DrawingColumn("also", show=parts, css="parts-cell", head_css="parts-cell"),
    ]  # fmt: skip
    return Table(
        "compared", "What changed between both periods, worse first", columns, title="The comparison",
        css="folds compared", opens_rows=True, file_order=FILE_ORDER,
    )  # fmt: skip


def _verdict(row: ComparedRow) -> SafeString:
    is_noteworthy = row.judged.verdict in NOTEWORTHY
    return after(row.judged.verdict, "sub", "" if is_noteworthy else row.judged.reason)


def _verdict_css(thing: ComparedThing) -> str:
    return f"nowrap verdict is-{slugify(str(thing.lead.judged.verdict))}"


def _side_columns(when: str) -> Sequence[Column[ComparedThing]]:
    """The mean of one period; files have its spread and its days too."""

    def side(thing: ComparedThing) -> PeriodStatistics:
        return thing.lead.judged.before if when == "earlier" else thing.lead.judged.after

    def never(thing: ComparedThing) -> str:
        return thing.lead.never[when == "later"]

    return (
        FigureColumn(
            when, lambda thing: _exact(side(thing), thing.lead, never(thing))[0],
            lambda thing: _mean(side(thing), thing.lead, never(thing)),
            file_head=f"{when} mean", key=when, has_unit=True,
        ),
        Column(f"{when} spread", lambda thing: _exact(side(thing), thing.lead, "")[1], in_file_only=True),
        Column(f"{when} days", lambda thing: side(thing).read, in_file_only=True),
    )  # fmt: skip


def _mean(side: PeriodStatistics, row: ComparedRow, never: str) -> SafeString:
    """The mean of a period; pointed at it says its spread and its days, or why there is none and never can be."""
    if side.mean is None:
        return (
            marked("absent", Presence.NOT_PRESENT.words)
            if side.read
            else no_figure(never or row.judged.reason)
        )
    unit, mean = row.metric.display_unit, row.metric.to_display_unit(side.mean)
    spread = "" if side.sd is None else f" ± {figures.figure(row.metric.to_display_unit(side.sd))}"
    return hover(f"{figures.exact(mean, unit)}{spread}, {_days(side)}", figures.figure(mean))


def _sides(row: ComparedRow) -> SafeString:
    """Both means of a part, with its unit."""
    sides = zip((row.judged.before, row.judged.after), row.never, strict=True)
    earlier, later = (_mean(side, row, never) for side, never in sides)
    return format_html("{} → {} {}", earlier, later, row.metric.display_unit)


def _days(side: PeriodStatistics) -> str:
    days = count(side.read, "day")
    return days if side.occurred == side.read else f"occurred on {side.occurred} of {days}"


def _change(row: ComparedRow) -> tuple[str, float | None]:
    """The change as text, in percent or in points, and what it is sorted by."""
    judged, metric = row.judged, row.metric
    if judged.before.mean is None or judged.after.mean is None:
        new = judged.after.mean is not None and judged.before.read
        gone = judged.before.mean is not None and judged.after.read
        return ("new", 1e9) if new else ("gone", -1e9) if gone else ("–", None)
    if metric.is_percent:
        points = metric.to_display_unit(judged.after.mean) - metric.to_display_unit(judged.before.mean)
        return f"{figures.delta(points)}{figures.SPACE}pt", points
    if judged.percent is None:
        return ("0", 0.0) if not judged.after.mean else ("new", 1e9)
    return figures.delta(judged.percent), judged.percent


def _exact_change(row: ComparedRow) -> tuple[Cell, Cell]:
    """The change in percent, or in points of what is a percentage itself."""
    if not row.metric.is_percent:
        return row.judged.percent, ""
    before, after = row.judged.before.mean, row.judged.after.mean
    return "", "" if before is None or after is None else row.metric.to_display_unit(
        after
    ) - row.metric.to_display_unit(before)


def _exact(side: PeriodStatistics, row: ComparedRow, never: str) -> tuple[Cell, Cell]:
    if side.mean is None:
        missing = Presence.NOT_MEASURABLE if never else Presence.NO_DATA
        return (Presence.NOT_PRESENT if side.read else missing).words.lower(), None
    return row.metric.to_display_unit(side.mean), None if side.sd is None else row.metric.to_display_unit(
        side.sd
    )


def _finite(judged: Judgement) -> float | None:
    return None if judged.t is None or abs(judged.t) == float("inf") else judged.t
