"""Two periods side by side, statistic by statistic, as a table."""

from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify

from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow
from apps.profiles.engine.periods import NOTEWORTHY, Judgement, PeriodStatistics
from apps.reports.sheets import Cell
from apps.web.cells import after, hover, link, marked
from apps.web.tables import Column, FigureColumn, RowHead, Table

FILE_ORDER = (
    "section", "statistic", "component", "class", "unit", "earlier days", "earlier mean", "earlier spread",
    "later days", "later mean", "later spread", "change, %", "change, pt", "t", "verdict", "why",
)  # fmt: skip


def comparison_table(target: Target, on: date) -> Table[ComparedRow]:
    """The statistics of both periods; each leads to its page as of a day."""

    def statistic(row: ComparedRow) -> SafeString:
        query = {"component": row.component} if row.component else {}
        url = reverse("statistic", args=[target.pk, row.metric.key])
        return link(f"{url}?{urlencode(query | {'on': on.isoformat()})}", row.metric.label)

    columns: list[Column[ComparedRow]] = [
        Column("verdict", lambda row: str(row.judged.verdict), _verdict, css=_verdict_css, title=lambda row: row.judged.reason),
        RowHead("statistic", lambda row: row.metric.label, statistic),
        Column("component", lambda row: row.component),
        Column("section", lambda row: row.metric.section.title, css="quiet-text"),
        Column("class", lambda row: row.component_class, in_file_only=True),
        Column("unit", lambda row: row.metric.display_unit, css="sub nowrap"),
        *_side_columns("earlier"),
        *_side_columns("later"),
        FigureColumn(
            "Δ %",
            show=lambda row: _change(row)[0],
            order=lambda row: _change(row)[1],
            css=lambda row: "strong" if row.judged.verdict in NOTEWORTHY else "",
            label="Δ %",
            key="change",
        ),
        Column("change, %", lambda row: _exact_change(row)[0], in_file_only=True),
        Column("change, pt", lambda row: _exact_change(row)[1], in_file_only=True),
        FigureColumn(
            "t", lambda row: _finite(row.judged), _t, order=_t_order, css="sub", label="t",
            head_title="the difference ÷ its standard error",
        ),
        Column("why", lambda row: row.judged.reason, in_file_only=True),
    ]  # fmt: skip
    return Table(
        "compared", "Statistics of both periods, worse first", columns, title="The comparison",
        css="folds compared", opens_rows=True, file_order=FILE_ORDER,
    )  # fmt: skip


def _verdict(row: ComparedRow) -> SafeString:
    is_told = row.judged.verdict in NOTEWORTHY
    return after(row.judged.verdict, "sub", "" if is_told else row.judged.reason)


def _verdict_css(row: ComparedRow) -> str:
    return f"nowrap verdict is-{slugify(str(row.judged.verdict))}"


def _side_columns(when: str) -> Sequence[Column[ComparedRow]]:
    """Mean, spread and days of one period."""

    def side(row: ComparedRow) -> PeriodStatistics:
        return row.judged.before if when == "earlier" else row.judged.after

    def mean(row: ComparedRow) -> SafeString:
        value, metric = side(row).mean, row.metric
        if value is None:
            return marked("absent", "Not present") if side(row).read else marked("unread", "No data")
        mean_in_unit = metric.to_display_unit(value)
        return hover(figures.exact(mean_in_unit, metric.display_unit), figures.figure(mean_in_unit))

    return (
        FigureColumn(
            f"{when}, mean", lambda row: _exact(side(row), row)[0], mean, file_head=f"{when} mean", label=when, key=when, has_unit=True,
        ),
        FigureColumn(
            "± spread",
            lambda row: _exact(side(row), row)[1],
            lambda row: figures.figure(_exact_number(side(row).sd, row)),
            file_head=f"{when} spread",
            css="sub",
            label="±",
            has_unit=True,
            key=f"{when}-spread",
        ),
        FigureColumn(
            "days", lambda row: side(row).read, lambda row: _days(side(row)), file_head=f"{when} days",
            css="sub", label="days", key=f"{when}-days",
        ),
    )  # fmt: skip


def _exact_number(value: float | None, row: ComparedRow) -> float | None:
    return None if value is None else row.metric.to_display_unit(value)


def _days(side: PeriodStatistics) -> str:
    return f"{side.occurred} of {side.read}" if side.occurred != side.read else f"{side.read}"


def _t(row: ComparedRow) -> str:
    t = row.judged.t
    if t is None:
        return "–"
    return "∞" if abs(t) == float("inf") else figures.figure(abs(t))


def _t_order(row: ComparedRow) -> float | None:
    return None if row.judged.t is None else min(abs(row.judged.t), 1e9)


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


def _exact(side: PeriodStatistics, row: ComparedRow) -> tuple[Cell, Cell]:
    if side.mean is None:
        return ("not present" if side.read else "no data"), None
    return row.metric.to_display_unit(side.mean), None if side.sd is None else row.metric.to_display_unit(
        side.sd
    )


def _finite(judged: Judgement) -> float | None:
    return None if judged.t is None or abs(judged.t) == float("inf") else judged.t
