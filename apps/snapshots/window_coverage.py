"""How much of a window targets were measured over, so that figures of two of them are set beside each other knowingly."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.inventory.models import Target
from apps.snapshots.day_coverage import read_coverage
from apps.snapshots.engine.days import day_of


@dataclass(frozen=True)
class WindowCoverage:
    """The days of a window with the hours of each that a target was measured over: 0 of a day that was not read."""

    target: Target
    hours: Sequence[float]
    day_hours: Sequence[float]

    @property
    def measured(self) -> float:
        """Hours."""
        return sum(self.hours)

    @property
    def whole(self) -> float:
        """Hours of the window."""
        return sum(self.day_hours)

    @property
    def share(self) -> float:
        return self.measured / self.whole

    def common_hours(self, other: "WindowCoverage") -> float:
        """The hours that both can have been measured over, at most: which hours of a day they were is not kept."""
        return sum(min(own, theirs) for own, theirs in zip(self.hours, other.hours, strict=True))


def read_window_coverage(targets: Sequence[Target], days: Sequence[date]) -> list[WindowCoverage]:
    """How much of the days each target was measured over: one query."""
    coverage = read_coverage([target.pk for target in targets], days)
    return [
        WindowCoverage(
            target,
            [min(cover.hours, cover.day_hours) if (cover := read.get(day)) else 0.0 for day in days],
            [cover.day_hours if (cover := read.get(day)) else day_of(day, target.zone).hours for day in days],
        )
        for target in targets
        for read in (coverage[target.pk],)
    ]
