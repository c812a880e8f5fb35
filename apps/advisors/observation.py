"""A statistic as rules look at it: its place in the profile, and what is read beside it."""

from dataclasses import dataclass
from datetime import date

from apps.advisors.engine.rules import Advice, advise
from apps.inventory.models import Target
from apps.profiles.build import build_profile
from apps.profiles.neighbours import StatisticNeighbours, is_rising


def advise_on(
    target: Target, metric: str, component: str, on: date, neighbours: StatisticNeighbours
) -> list[Advice]:
    """What rules say of a statistic on a day, `neighbours` being what was read beside it."""
    return advise(target.platform, metric, _StatisticOfDay(target, (metric, component), on, neighbours))


@dataclass(frozen=True)
class _StatisticOfDay:
    target: Target
    key: tuple[str, str]
    on: date
    neighbours: StatisticNeighbours

    @property
    def is_largest(self) -> bool:
        sections = build_profile(self.target, self.on).sections
        return any(section.rows and section.rows[0].key == self.key for section in sections)

    def is_rising(self, subject: str) -> bool:
        return any(
            is_rising(neighbour.row)
            for neighbour in self.neighbours.neighbours
            if neighbour.subject == subject
        )
