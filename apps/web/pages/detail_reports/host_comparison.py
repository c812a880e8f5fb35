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
from apps.web.pages.detail_reports.day_figures import DayFigures, Statistic, read_figures, shown, statistics
from apps.web.pages.detail_reports.report_tables import (
    Cells,
    Group,
    Table,
    day_heads,
    sentence_of,
    statistic_row,
    statistics_sheet,
)
from apps.web.sentences import Part, capital


@dataclass(frozen=True)
class Beside:
    """The figures of a host and of one instance on it, of the same days, newest first."""

    host: DayFigures
    instance: DayFigures
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
        mine = [one for one in self.of_instance if one.unit[:1] == sign == "%"][:2]
        named = [(one.metric.label, one) for one in mine]
        return [(f"{self.host.target.name}: {first.metric.label}", first), *named]

    @property
    def drawn(self) -> str:
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
            ChartLine(name, [None if np.isnan(value) else float(value) for value in one.values[::-1]])
            for name, one in self._together
        ]
        return lines(days, series, self.drawn, unit="%", is_from_zero=True) if series else ""

    def table(self) -> Table:
        groups = [
            Group(f"Host {self.host.target.name}", [statistic_row(one, self.host) for one in self.of_host]),
            Group(
                f"Instance {self.instance.target.name}",
                [statistic_row(one, self.instance) for one in self.of_instance],
            ),
        ]
        heads, notes = day_heads(self.instance, {one.metric.category for one in self.of_instance})
        aside = "" if self.host.target.time_zone == self.instance.target.time_zone else (
            f"days of {self.instance.target.time_zone}, those of the host of {self.host.target.time_zone}"
        )  # fmt: skip
        kept = [one for one in groups if one.rows]
        return Table("statistics", "Host and instance by day", aside, heads, kept, "of", notes=notes)

    def sheet(self) -> tuple[list[str], Iterator[Cells]]:
        heads, first = statistics_sheet(self.of_host, self.host)
        _, second = statistics_sheet(self.of_instance, self.instance)

        def rows() -> Iterator[Cells]:
            yield from first
            yield from second

        return heads, rows()


def beside_host(instance: Target, host: Target, detail: Detail, day: date, span: int) -> Beside:
    """Two reads, one of each target, over the same calendar days."""
    wanted = [metric for metric in metrics_of(host.platform) if metric.display.is_shown_with_guests]
    mine = [get_metric(key) for key in detail.beside_host]
    of_host = read_figures(host, day, span, {metric.category for metric in wanted})
    of_instance = read_figures(instance, day, span, {metric.category for metric in mine})
    found = [one for metric in wanted for one in _of_host(metric, of_host)]
    return Beside(of_host, of_instance, found, statistics(mine, of_instance, {}))


def _of_host(metric: Metric, figures: DayFigures) -> list[Statistic]:
    """The metric as the profile reduces it; of devices, the one that is worst on average."""
    key = metric.shown_key
    reduced = get_metric(key)
    if not metric.component_kind:
        return statistics([reduced], figures, {})
    values = shown(reduced, figures.of(key).to_numpy(dtype=float))
    if not values.size or np.isnan(values).all():
        return []
    worst = int(np.nanargmax(np.nansum(values, axis=1)))
    return [Statistic(reduced, reduced.display_unit, values[worst])]
