"""What belongs to a statistic as rows of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from apps.profiles.neighbours import StatisticNeighbours
from apps.profiles.related_statistics import RelatedStatistics
from apps.reports.sheets import Cell
from apps.web.figure_history import History, history_cells
from apps.web.sheet_cells import presence

MOVERS = (
    "statistic", "component", "target", "rho", "follows after, days", "days", "chance", "further figures alike",
)  # fmt: skip
BESIDE = ("what", "statistic", "component", "target", "unit", "30 days ago", "7 days ago", "that day")
RHYTHM = ("when", "lower quarter", "median", "upper quarter", "figures")
PAIR = ("day", "target", "statistic", "component", "value", "unit", "presence", "note")


def movers(found: RelatedStatistics) -> Iterator[Sequence[Cell]]:
    """What moves with a statistic, exact."""
    for one in found.movers:
        yield one.metric.key, one.component, one.target.name, one.rho, one.lag, one.days, one.chance, one.also


def beside(found: StatisticNeighbours) -> Iterator[Sequence[Cell]]:
    """What the method reads beside a statistic."""
    for one in found.neighbours:
        row = one.row
        yield (
            one.subject, row.metric.key, row.component, one.target.name, row.unit,
            presence(row.then[30]), presence(row.then[7]), presence(row.today),
        )  # fmt: skip


def pair(*histories: History) -> Iterator[Sequence[Cell]]:
    """Several series one below the other, a row a day."""
    for one in histories:
        for day, value, unit, there, note in history_cells(one.values, one.metric.display_unit):
            yield day, one.target.name, one.metric.key, one.component, value, unit, there, note


def rhythm(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row["name"], row["low"], row["median"], row["high"], row["count"]
