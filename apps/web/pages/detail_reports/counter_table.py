"""The statistics of a tab, a row each: the day, its changes, 95th percentile, maximum and busiest hour, limit and state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

import numpy as np
from django.utils import timezone
from django.utils.safestring import SafeString

from apps.catalog.details import Detail
from apps.catalog.metric import Metric
from apps.catalog.units import convert, readable_unit
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.profile import ProfileOutlook, read_profile_outlook
from apps.profiles.build import ProfileCell
from apps.thresholds.judge import FigureState, JudgedRow
from apps.thresholds.models import Threshold
from apps.web.cells import drawing, limit_cell, link, state
from apps.web.pages.detail_reports.day_figures import Array, ReportFigures, Statistic
from apps.web.profile_table import change_text
from apps.web.sheet_cells import word
from apps.web.tables import Column, DrawingColumn, FigureColumn, FilledTable, RowGroup, RowHead, Table

CHANGES = (7, 30)  # days ago
PARTS = (("p95", "p95"), ("max", "max"), ("busy", "busiest hour"))  # of a day that is read many times


@dataclass(frozen=True)
class CounterRow:
    """One statistic on its newest day: figures are in `unit`, `reductions` by their names."""

    metric: Metric
    unit: str
    url: str
    value: float | None
    then: Mapping[int, ProfileCell]  # by days ago, as the profile compares
    reductions: Mapping[str, float | None]
    values: Array  # newest first
    judged: JudgedRow | None
    outlook: Outlook | None

    @property
    def is_chosen(self) -> bool:
        """Whether a decision needs it: it has a limit, stands in the profile, or is read within the day."""
        return bool(self.judged or self.metric.display.rows or self.reductions)

    @property
    def state(self) -> FigureState | None:
        return self.judged.state if self.judged is not None else None

    @property
    def notation(self) -> str:
        """Its limit as it was typed."""
        threshold = self.judged.threshold if self.judged is not None else None
        return threshold.notation if threshold is not None else ""

    def change(self, days: int) -> str:
        """As the profile says it; a dash where one of the two days has no figure."""
        return change_text(self.then[days], is_percent=self.metric.is_percent) or figures.MISSING


def read_counter_rows(
    target: Target, detail: Detail, statistics: Sequence[Statistic], by: ReportFigures
) -> list[CounterRow]:
    """A row for each statistic that is not a reduction of another, compared as the profile of its day compares."""
    plain = [statistic for statistic in statistics if not statistic.metric.reduction]
    outlook = read_profile_outlook(
        target,
        by.days[0],
        timezone.now(),
        lambda metric: metric.section in detail.sections,
        [(statistic.metric.key, "") for statistic in plain],
    )
    reduced = {statistic.metric.key: statistic for statistic in statistics if statistic.metric.reduction}
    return [_row(statistic, reduced, outlook, by) for statistic in plain]


def _row(
    statistic: Statistic, reduced: Mapping[str, Statistic], outlook: ProfileOutlook, by: ReportFigures
) -> CounterRow:
    metric = statistic.metric
    keys = [metric.key, *(f"{metric.key}:{reduction}" for reduction in metric.reductions)]
    parts = {key: reduced[key] for key in keys if key in reduced}
    peak = max((float(np.nanmax(np.abs(part.values))) for part in (statistic, *parts.values())), default=0.0)
    unit = readable_unit(statistic.unit, peak)
    factor = convert(1.0, statistic.unit, unit)
    rows = {row.row.key: row for row in outlook.judged.rows}
    key = next((key for key in keys if (key, "") in outlook.outlooks), "")
    query = urlencode({"on": by.days[0].isoformat()})
    return CounterRow(
        metric,
        unit,
        f"{address('statistic', by.target.pk, metric.key)}?{query}",
        _number(statistic.values[0], factor),
        rows[metric.key, ""].row.then,
        {key.partition(":")[2]: _number(part.values[0], factor) for key, part in parts.items()},
        parts.get(key, statistic).values * factor,
        rows.get((key, "")),
        outlook.outlooks.get((key, "")),
    )


def _number(value: float, factor: float) -> float | None:
    return None if np.isnan(value) else float(value) * factor


def counter_tables(
    target: Target, rows: Sequence[CounterRow], day: date, span: int
) -> tuple[FilledTable[CounterRow], FilledTable[CounterRow]]:
    """The statistics that a decision needs, and all others."""
    chosen = [row for row in rows if row.is_chosen] or rows
    others = [row for row in rows if not row.is_chosen] if len(chosen) < len(rows) else []
    has_parts = any(row.reductions for row in rows)
    return (
        _table(target, "counters", day, span, has_parts=has_parts).fill(
            groups=_groups(chosen), file_name=f"{target.name}-statistics-{day}"
        ),
        _table(target, "further", day, span, has_parts=has_parts).fill(
            groups=_groups(others), file_name=f"{target.name}-further-statistics-{day}"
        ),
    )


def _groups(rows: Sequence[CounterRow]) -> list[RowGroup[CounterRow]]:
    by_section: dict[str, list[CounterRow]] = {}
    for row in rows:
        by_section.setdefault(row.metric.section.title, []).append(row)
    return [RowGroup(title, of_section) for title, of_section in by_section.items()]


def _table(target: Target, key: str, day: date, span: int, *, has_parts: bool) -> Table[CounterRow]:
    """Of what is read once a day there is nothing within the day, and no column for it."""
    parts = PARTS if has_parts else ()
    columns: list[Column[CounterRow]] = [
        RowHead(
            "statistic", lambda row: row.metric.key, lambda row: link(row.url, row.metric.label), css="row-name",
            head_css="row-name",
        ),
        Column("unit", lambda row: row.unit, css="sub nowrap"),
        FigureColumn(
            figures.short_day(day), lambda row: row.value, lambda row: _text(row.value), file_head=day.isoformat(),
            css=lambda row: f"strong today is-{row.state or ''}", head_css="today",
        ),
        *(_change_column(days) for days in CHANGES),
        *(_reduction_column(name, head) for name, head in parts),
        DrawingColumn(f"{span} days, limit", show=_spark, css="spark-cell", head_css="spark-cell"),
        FigureColumn("limit", lambda row: row.notation, _limit),
        Column("state", lambda row: word(row.state), _state, css="nowrap"),
        FigureColumn(
            "days left", lambda row: row.outlook.days_left if row.outlook else None,
            lambda row: row.outlook.days_left_words[0] if row.outlook else figures.MISSING, css="nowrap",
        ),
    ]  # fmt: skip
    return Table(
        key, f"Statistics of {target.name} on {figures.full_day(day)}", columns, title="Statistics", css="listing",
        region=f"{key}-title", opens_rows=True, opens_charts=True,
    )  # fmt: skip


def _change_column(days: int) -> Column[CounterRow]:
    return FigureColumn(f"Δ −{days}", lambda row: row.change(days), css="quiet-text")


def _reduction_column(name: str, head: str) -> Column[CounterRow]:
    return FigureColumn(
        head, lambda row: row.reductions.get(name), lambda row: _text(row.reductions.get(name))
    )


def _state(row: CounterRow) -> SafeString:
    return state(row.state, row.judged.reason if row.judged else "")


def _text(value: float | None) -> str:
    return figures.MISSING if value is None else figures.figure(value)


def _spark(row: CounterRow) -> SafeString:
    values = [None if np.isnan(value) else float(value) for value in row.values[::-1]]
    label = f"{row.metric.label}, {len(values)} days"
    judged = row.judged
    limit = judged.limit if judged is not None and is_of_value(judged.threshold) else None
    if judged is None or limit is None or limit.edge is None:
        return drawing(sparkline(values, label=label))
    edge = convert(limit.edge, judged.row.unit, row.unit)
    return drawing(sparkline(values, edge, limit.beyond, label, state=str(judged.state or "")))


def is_of_value(threshold: Threshold | None) -> bool:
    """Whether a limit is one on the figure itself, not on how it changes."""
    return threshold is not None and threshold.figure == Threshold.FigureOf.VALUE


def _limit(row: CounterRow) -> SafeString:
    judged = row.judged
    if judged is None:
        return limit_cell(None, row.unit)
    return limit_cell(judged.threshold, row.unit, judged.row.metric.reduction)
