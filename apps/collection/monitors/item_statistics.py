"""Items of a monitoring server as statistics: in our units, and added up where several items make one."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.collection.monitors.item_mapping import ItemMapping, ItemStatistic
from apps.collection.monitors.items import ItemName, KeptItem

Takes = Callable[[ItemStatistic, str], bool]


@dataclass(frozen=True)
class StatisticValues:
    """A statistic of a component over intervals of `seconds`, by when these began."""

    statistic: ItemStatistic
    component: str
    seconds: int
    values: Mapping[int, float]


@dataclass
class ItemReport:
    """What was made of items: figures by the name of an item, and items of which nothing is read."""

    understood: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)


def statistics_of(
    items: Sequence[KeptItem], mapping: ItemMapping, takes: Takes, report: ItemReport
) -> Iterator[StatisticValues]:
    """The statistics that items make, where all that one needs is there; `takes` says which of them are wanted."""
    made: dict[tuple[ItemStatistic, str, int], dict[ItemName, dict[int, float]]] = {}
    for item in items:
        belonging = mapping.find(item.name)
        if belonging is None:
            report.ignored[mapping.without_component(item.name)] += 1
            continue
        statistic, general, component = belonging
        if not takes(statistic, component):
            continue
        figures = [figure for mean in item.means if (figure := statistic.figure(mean, item.unit)) is not None]
        if not figures:
            report.ignored[f"{item.name} in {item.unit or 'no unit'}"] += 1
            continue
        report.understood[general[0]] += len(figures)
        by_moment = made.setdefault((statistic, component, item.seconds), {}).setdefault(general, {})
        by_moment.update(zip(item.began, figures, strict=True))
    for (statistic, component, seconds), by_item in made.items():
        if set(statistic.items) <= by_item.keys():
            yield StatisticValues(statistic, component, seconds, _sums(statistic, by_item))


def _sums(statistic: ItemStatistic, by_item: Mapping[ItemName, Mapping[int, float]]) -> dict[int, float]:
    """The sums of the moments of which all that is needed is there, in order."""
    moments = set.intersection(*(set(by_item[name]) for name in statistic.items))
    return {
        moment: sum(by_moment.get(moment, 0.0) for by_moment in by_item.values())
        for moment in sorted(moments)
    }
