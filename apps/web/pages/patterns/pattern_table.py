"""The pattern of statistics over successive periods as a table."""

from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from apps.catalog.metric import Metric
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.inventory.addresses import address
from apps.profiles.engine.pattern import Pattern
from apps.profiles.period_patterns import LEAST_DAYS, PatternRow, PeriodStretch
from apps.reports.sheets import Cell
from apps.web.cells import drawing, hover, link
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table


def pattern_table(names: Sequence[str], on: date, *, has_targets: bool) -> Table[PatternRow]:
    """A column for each period; each row leads to its statistic as of a day. In files the target is always named."""

    def statistic(row: PatternRow) -> SafeString:
        query = {"component": row.component} if row.component else {}
        url = address("statistic", row.target.pk, row.metric.key)
        return link(f"{url}?{urlencode(query | {'on': on.isoformat()})}", row.metric.called(row.component))

    def course(row: PatternRow) -> SafeString:
        means = [_mean(period, row.metric) for period in row.stretches]
        absent = [
            place for place, period in enumerate(row.stretches) if period.is_known and period.mean is None
        ]
        label = f"{row.metric.called(row.component)}, {len(names)} periods"
        return drawing(sparkline(means, label=label, absent=absent, width=84))

    columns: list[Column[PatternRow]] = [
        Column("pattern", lambda row: _pattern(row), _worse, css=lambda row: f"nowrap {'strong' if row.is_worse else 'quiet-text'}"),
        Column(
            "target",
            lambda row: row.target.name,
            lambda row: link(row.target.get_absolute_url(), row.target.name, ""),
            in_file_only=not has_targets,
        ),
        Column("for the worse", lambda row: "yes" if row.is_worse else "", in_file_only=True),
        RowHead("statistic", lambda row: row.metric.label, statistic),
        Column("component", lambda row: row.component, in_file_only=True),
        Column("section", lambda row: row.metric.section.title, css="quiet-text"),
        Column("unit", lambda row: row.metric.display_unit, css="sub nowrap"),
        *(_period_column(at, name) for at, name in enumerate(names)),
        DrawingColumn("course", show=course, css="drawn"),
        FigureColumn(
            "Δ %",
            show=lambda row: _change(row)[0],
            order=lambda row: _change(row)[1],
            css="strong",
            key="change",
        ),
        Column("change, %", lambda row: _exact_change(row)[0], in_file_only=True),
        Column("change, pt", lambda row: _exact_change(row)[1], in_file_only=True),
    ]  # fmt: skip
    return Table(
        "pattern",
        "Statistics by pattern, those for the worse first",
        columns,
        title="The pattern report",
        opens_rows=True,
        file_order=(
            "target", "pattern", "for the worse", "section", "statistic", "component", "unit", *names,
            "change, %", "change, pt",
        ),
    )  # fmt: skip


def _pattern(row: PatternRow) -> str:
    return str(row.pattern or "too few days")


def _worse(row: PatternRow) -> str:
    return f"{_pattern(row)}{', worse' if row.is_worse else ''}"


def _mean(period: PeriodStretch, metric: Metric) -> float | None:
    return None if period.mean is None or not period.is_known else metric.to_display_unit(period.mean)


def _period_column(at: int, name: str) -> Column[PatternRow]:
    def show(row: PatternRow) -> SafeString:
        text, title, number = _cell(row.stretches[at], row.metric)
        css = "" if number is not None else "unread" if text == "No data" else "absent"
        return hover(title, text, css)

    return FigureColumn(name, lambda row: _exact(row.stretches[at], row.metric), show, has_unit=True)


def _cell(stretch: PeriodStretch, metric: Metric) -> tuple[str, str, float | None]:
    days = f"{stretch.days} days"
    if not stretch.is_known:
        return "No data", f"{days} that count, needs {LEAST_DAYS}", None
    if stretch.mean is None:
        return "Not present", days, None
    mean = metric.to_display_unit(stretch.mean)
    spread = "" if stretch.sd is None else f" ± {figures.figure(metric.to_display_unit(stretch.sd))}"
    return figures.figure(mean), f"{figures.exact(mean, metric.display_unit)}{spread}, {days}", mean


def _change(row: PatternRow) -> tuple[str, float | None]:
    means = [
        row.metric.to_display_unit(stretch.mean)
        for stretch in row.stretches
        if stretch.is_known and stretch.mean is not None
    ]
    if row.pattern in (Pattern.APPEARED, Pattern.GONE):
        return ("new", 1e9) if row.pattern is Pattern.APPEARED else ("gone", -1e9)
    if len(means) < 2:
        return "–", None
    if row.metric.is_percent:
        return f"{figures.delta(means[-1] - means[0])}{figures.SPACE}pt", means[-1] - means[0]
    if row.percent is None:
        return ("new", 1e9) if means[-1] else ("0", 0.0)
    return figures.delta(row.percent), row.percent


def _exact_change(row: PatternRow) -> tuple[Cell, Cell]:
    """The change in percent, or in points of what is a percentage itself."""
    if not row.metric.is_percent:
        return row.percent, ""
    means = [
        row.metric.to_display_unit(stretch.mean)
        for stretch in row.stretches
        if stretch.is_known and stretch.mean is not None
    ]
    return "", means[-1] - means[0] if len(means) > 1 else ""


def _exact(stretch: PeriodStretch, metric: Metric) -> Cell:
    if not stretch.is_known:
        return "no data"
    return "not present" if stretch.mean is None else metric.to_display_unit(stretch.mean)
