"""The host beside the instance: what the machine did on the days on which the instance did what it did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from apps.catalog.details import Detail
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.charts.lines import ChartLine, lines
from apps.inventory.models import Target
from apps.web.common_window import window_sentence
from apps.web.pages.detail_reports.day_figures import (
    ReportFigures,
    Statistic,
    convert_values,
    read_figures,
    select_statistics,
)
from apps.web.pages.detail_reports.report_sheets import Cells, statistics_sheet
from apps.web.pages.detail_reports.report_tables import (
    DayGroup,
    ReportTable,
    day_heads,
    sentence_of,
    statistic_row,
)
from apps.web.sentences import Part, capital


@dataclass(frozen=True)
class HostComparison:
    """The figures of a host and of one instance on it, of the same days, newest first."""

    host: ReportFigures
    instance: ReportFigures
    of_host: Sequence[Statistic]
    of_instance: Sequence[Statistic]

    def sentence(self) -> list[Part]:
        """How busy the host was, and how much of it this instance took."""
        if not self.of_host:
            return sentence_of(None, None, self.host, "The host")
        parts = sentence_of(self.of_host[0], None, self.host, "")
        return [Part(f"{self.host.target.name}: ", True), *parts]

    @property
    def _together(self) -> list[tuple[str, Statistic]]:
        """The host's first figure, and those of the instance that are in the same unit."""
        if not self.of_host:
            return []
        first = self.of_host[0]
        sign = first.unit[:1]
        mine = [statistic for statistic in self.of_instance if statistic.unit[:1] == sign == "%"][:2]
        named = [(statistic.metric.label, statistic) for statistic in mine]
        return [(f"{self.host.target.name}: {first.metric.label}", first), *named]

    @property
    def drawing_title(self) -> str:
        together = self._together
        return (
            f"{capital(together[0][1].metric.label)} of the host and CPU of the instance, %"
            if together
            else ""
        )

    @property
    def drawing(self) -> str:
        days = list(reversed(self.host.days))
        series = [
            ChartLine(name, [None if np.isnan(value) else float(value) for value in statistic.values[::-1]])
            for name, statistic in self._together
        ]
        return lines(days, series, self.drawing_title, unit="%", is_from_zero=True) if series else ""

    def table(self) -> ReportTable:
        groups = [
            DayGroup(
                f"Host {self.host.target.name}",
                [statistic_row(statistic, self.host) for statistic in self.of_host],
            ),
            DayGroup(
                f"Instance {self.instance.target.name}",
                [statistic_row(statistic, self.instance) for statistic in self.of_instance],
            ),
        ]
        heads, notes = day_heads(self.instance, {statistic.metric.category for statistic in self.of_instance})
        aside = "" if self.host.target.time_zone == self.instance.target.time_zone else (
            f"days of {self.instance.target.time_zone}, those of the host of {self.host.target.time_zone}"
        )  # fmt: skip
        filled = [group for group in groups if group.rows]
        notes = [window_sentence(self.instance.target, self.host.target, self.instance.days), *notes]
        return ReportTable("statistics", "Host and instance by day", aside, heads, filled, "of", notes=notes)

    def sheet(self) -> tuple[list[str], Iterator[Cells]]:
        heads, first = statistics_sheet(self.of_host, self.host)
        _, second = statistics_sheet(self.of_instance, self.instance)

        def rows() -> Iterator[Cells]:
            yield from first
            yield from second

        return heads, rows()


def compare_with_host(instance: Target, host: Target, detail: Detail, day: date, span: int) -> HostComparison:
    """Two reads, one of each target, over the same calendar days."""
    host_metrics = [metric for metric in metrics_of(host.platform) if metric.display.is_shown_with_guests]
    mine = [get_metric(key) for key in detail.beside_host]
    of_host = read_figures(host, day, span, {metric.category for metric in host_metrics})
    of_instance = read_figures(instance, day, span, {metric.category for metric in mine})
    statistics = [statistic for metric in host_metrics for statistic in _of_host(metric, of_host)]
    return HostComparison(of_host, of_instance, statistics, select_statistics(mine, of_instance, {}))


def _of_host(metric: Metric, figures: ReportFigures) -> list[Statistic]:
    """The metric as the profile reduces it; of devices, the one that is worst on average."""
    key = metric.shown_key
    reduced = get_metric(key)
    if not metric.component_kind:
        return select_statistics([reduced], figures, {})
    values = convert_values(reduced, figures.of(key).to_numpy(dtype=float))
    if not values.size or np.isnan(values).all():
        return []
    worst = int(np.nanargmax(np.nansum(values, axis=1)))
    return [Statistic(reduced, reduced.display_unit, values[worst])]
