"""The instances on one machine side by side on a day, with their sums against what the machine has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from apps.catalog.guests import GuestColumn, Guests, GuestSum, guests_of
from apps.catalog.registry import get_metric
from apps.catalog.subjects import statistics_on
from apps.catalog.units import convert
from apps.charts import figures
from apps.inventory.addresses import address
from apps.inventory.models import Target
from apps.snapshots.measured import Measured, read_series
from apps.snapshots.presence import Presence
from apps.snapshots.window_coverage import WindowCoverage, read_window_coverage
from apps.web.cells import link, no_figure
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

Key = tuple[str, str]  # metric, component


@dataclass(frozen=True)
class GuestFigure:
    """A figure in the unit of its column; None with the reason why there is none."""

    value: float | None
    why: str = ""
    url: str = ""
    is_least: bool = False  # a sum that lacks some of its parts

    @property
    def cell(self) -> SafeString | str:
        if self.value is None:
            return no_figure(self.why) if self.why else ""
        text = f"{'≥' + figures.SPACE if self.is_least else ''}{figures.figure(self.value)}"
        return link(self.url, text, "") if self.url else text


NOTHING = GuestFigure(None)


@dataclass(frozen=True)
class GuestRow:
    """An instance on a day, or all of them together."""

    name: str
    url: str
    figure_of: Mapping[str, GuestFigure]  # by metric
    coverage: WindowCoverage | None = None

    def figure(self, column: GuestColumn) -> GuestFigure:
        return self.figure_of.get(column.metric, NOTHING)


@dataclass(frozen=True)
class GuestSumRow:
    """What all instances take of one thing, and what the machine has of it."""

    title: str
    unit: str
    total: GuestFigure
    counted: str
    of_host: str
    host: GuestFigure

    @property
    def share(self) -> float | None:
        """Percent."""
        if self.total.value is None or not self.host.value:
            return None
        return 100 * self.total.value / self.host.value


def guest_tables(
    host: Target, instances: Sequence[Target], day: date
) -> list[FilledTable[GuestRow] | FilledTable[GuestSumRow]]:
    """Of each platform with instances on a host: the instances side by side, and their sums against the host."""
    tables: list[FilledTable[GuestRow] | FilledTable[GuestSumRow]] = []
    for platform in dict.fromkeys(instance.platform for instance in instances):
        guests = guests_of(platform)
        if guests is not None:
            mine = [instance for instance in instances if instance.platform == platform]
            tables += _tables_of(host, mine, guests, day)
    return tables


def _tables_of(
    host: Target, instances: Sequence[Target], guests: Guests, day: date
) -> list[FilledTable[GuestRow] | FilledTable[GuestSumRow]]:
    measured = read_series(instances, [_key(column) for column in guests.columns], day, day)
    coverages = read_window_coverage(instances, [day])
    rows = [_row(measured[coverage.target.pk], guests.columns, coverage, day) for coverage in coverages]
    sums = _sum_rows(host, rows, guests, day)
    together = [_together(rows, guests.columns)] if len(rows) > 1 else []
    key = instances[0].platform
    name = f"{host.name}-instances-{day}"
    return [
        _guest_table(key, host, guests.columns).fill([*rows, *together], file_name=name),
        _sum_table(key, host).fill(sums, file_name=f"{name}-sums"),
    ]


def _key(column: GuestColumn) -> Key:
    return column.metric, column.component


def _row(measured: Measured, columns: Sequence[GuestColumn], coverage: WindowCoverage, day: date) -> GuestRow:
    target = measured.target
    figure_of = {column.metric: _figure(measured, _key(column), column.unit, day) for column in columns}
    return GuestRow(target.name, target.get_absolute_url(), figure_of, coverage)


def _figure(measured: Measured, key: Key, unit: str, day: date) -> GuestFigure:
    """A figure of the one day that was read."""
    row, metric = measured.row_of[key], get_metric(key[0])
    query = urlencode({"on": day.isoformat()} | ({"component": key[1]} if key[1] else {}))
    url = f"{address('statistic', measured.target.pk, metric.key)}?{query}"
    value = measured.value(row, 0)
    if value is not None:
        return GuestFigure(convert(value, metric.display_unit, unit) if unit else value, url=url)
    if measured.presence(row, 0) is Presence.NOT_PRESENT:
        return GuestFigure(None, "read, and it did not occur")
    return GuestFigure(None, measured.reason(row, 0))


def _together(rows: Sequence[GuestRow], columns: Sequence[GuestColumn]) -> GuestRow:
    """All instances as one row; what does not add up stays empty."""
    sums = {column.metric: _sum([row.figure(column) for row in rows]) for column in columns if column.adds_up}
    return GuestRow(f"all {figures.whole(len(rows))} instances", "", sums)


def _sum(parts: Sequence[GuestFigure]) -> GuestFigure:
    values = [part.value for part in parts if part.value is not None]
    if not values:
        return GuestFigure(None, parts[0].why if parts else "")
    return GuestFigure(sum(values), is_least=len(values) < len(parts))


def _sum_rows(host: Target, rows: Sequence[GuestRow], guests: Guests, day: date) -> list[GuestSumRow]:
    """The sums for which the platform of the host has something on the subject."""
    of_host = {}
    for part in guests.sums:
        source = statistics_on(host.platform, part.subject)
        if source is not None and source.statistics:
            of_host[part.subject] = source.statistics[0]
    measured = read_series([host], of_host.values(), day, day)[host.pk]
    return [
        _sum_row(part, rows, get_metric(of_host[part.subject][0]).label, _figure(measured, of_host[part.subject], part.unit, day))
        for part in guests.sums
        if part.subject in of_host
    ]  # fmt: skip


def _sum_row(part: GuestSum, rows: Sequence[GuestRow], label: str, host: GuestFigure) -> GuestSumRow:
    own = [[row.figure_of[metric] for metric in part.metrics] for row in rows]
    total = _sum([figure for parts in own for figure in parts])
    whole = sum(all(figure.value is not None for figure in parts) for parts in own)
    counted = f"{figures.whole(whole)} of {figures.whole(len(rows))}"
    return GuestSumRow(part.title, part.unit, total, counted, label, host)


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _guest_table(key: str, host: Target, columns: Sequence[GuestColumn]) -> Table[GuestRow]:
    return Table(
        f"guests-{key}",
        f"Instances on {host.name}",
        (
            RowHead("instance", lambda row: row.name, lambda row: link(row.url, row.name)),
            *(_guest_column(column) for column in columns),
            FigureColumn(
                "measured, %",
                lambda row: None if row.coverage is None else round(100 * row.coverage.share, 1),
            ),
        ),
        title="Instances on this host",
    )


def _guest_column(column: GuestColumn) -> Column[GuestRow]:
    head = f"{column.head}, {column.unit}" if column.unit else column.head
    return FigureColumn(
        head,
        lambda row: row.figure(column).value,
        lambda row: row.figure(column).cell,
    )


def _sum_table(key: str, host: Target) -> Table[GuestSumRow]:
    return Table(
        f"guest-sums-{key}",
        f"All instances against {host.name}",
        (
            RowHead("all instances", lambda row: row.title),
            FigureColumn("together", lambda row: row.total.value, lambda row: row.total.cell),
            Column("unit", lambda row: row.unit, css="sub"),
            Column("instances", lambda row: row.counted, css="sub"),
            Column("the host", lambda row: row.of_host),
            FigureColumn("has", lambda row: row.host.value, lambda row: row.host.cell, label="the host has"),
            FigureColumn("share, %", lambda row: row.share),
        ),
        title="Their sums against the host",
    )  # fmt: skip
