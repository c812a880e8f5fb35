"""What several statistics are of, as one thing: a tablespace, an event, or a count with its rate and its extremes."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from apps.catalog.metric import Metric


class StatisticRow(Protocol):
    """A row about a statistic."""

    @property
    def metric(self) -> Metric: ...

    @property
    def component(self) -> str: ...


Row = TypeVar("Row", bound=StatisticRow)


@dataclass(frozen=True)
class StatisticThing(Generic[Row]):
    """A thing by the row that says most of it; the others are its parts."""

    lead: Row
    parts: Sequence[Row] = ()

    @property
    def rows(self) -> Sequence[Row]:
        return [self.lead, *self.parts]


def thing_of(row: StatisticRow) -> tuple[str, str]:
    """What a row is of: its component, else the one count that it is made of, or a finer count of it, else the statistic itself."""
    if row.component:
        return row.metric.component_kind, row.component
    ingredients = row.metric.ingredients
    counted = next(iter(ingredients)) if len(ingredients) == 1 else row.metric.base
    return row.metric.same_as or counted, ""


def group_things(rows: Iterable[Row], key: Callable[[Row], Hashable] = thing_of) -> list[StatisticThing[Row]]:
    """One for each thing that has rows, in their order: the first row of a thing leads it."""
    things: dict[Hashable, list[Row]] = {}
    for row in rows:
        things.setdefault(key(row), []).append(row)
    return [StatisticThing(lead, parts) for lead, *parts in things.values()]
