"""What lies in a space, and what of it grew most."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.advisors.case_figures import THINGS_READ, cause_behind, read_things
from apps.catalog.causes import Stored
from apps.catalog.registry import get_metric
from apps.catalog.units import convert
from apps.inventory.models import Target
from apps.snapshots.measured import Measured, read_series
from apps.snapshots.newest_facts import read_newest_facts
from apps.thresholds.models import Violation


@dataclass(frozen=True)
class Grower:
    """Something with a size, between the first and the last time it was read; `sizes` has each of these days."""

    name: str
    unit: str
    sizes: Sequence[tuple[date, float]]

    @property
    def before(self) -> float:
        return self.sizes[0][1]

    @property
    def now(self) -> float:
        return self.sizes[-1][1]

    @property
    def growth(self) -> float:
        return self.now - self.before


@dataclass(frozen=True)
class SpaceGrowth:
    """How a space grew over some weeks, and what lies in it, what grew most first; all in one unit."""

    used: Grower
    things: Sequence[Grower]


def find_growers(target: Target, things: Measured, cause: Stored, component: str) -> list[Grower]:
    """What lies in a component and was read at least twice, what grew most first."""
    inside = _stored_in(target, cause.stored_in, component) if cause.stored_in else None
    metric, growers = get_metric(cause.things), []
    for (key, name), row in things.row_of.items():
        if key != cause.things or (inside is not None and name not in inside):
            continue
        days = zip(things.days, things.is_present[row], things.values[row], strict=True)
        sizes = [
            (day, metric.to_display_unit(float(size)))
            for day, is_there, size in days
            if day is not None and is_there
        ]
        if len(sizes) > 1:
            growers.append(Grower(name, metric.display_unit, sizes))
    return sorted(growers, key=lambda grower: -grower.growth)


def read_growth(violation: Violation, on: date) -> SpaceGrowth | None:
    """What grew in the space that a case is about, in the weeks up to a day; None where nothing is read of it."""
    target, cause = violation.target, cause_behind(violation)
    if not isinstance(cause, Stored) or not cause.things:
        return None
    growers = find_growers(target, read_things(target, cause.things, on), cause, violation.component)
    if not growers:
        return None
    used, unit = (cause.used, violation.component), growers[0].unit
    metric = get_metric(cause.used)
    measured = read_series([target], [used], on - THINGS_READ, on)[target.pk]
    first, last = (
        min(grower.sizes[0][0] for grower in growers),
        max(grower.sizes[-1][0] for grower in growers),
    )
    row = measured.row_of[used]
    sizes = [
        (day, convert(metric.to_display_unit(float(size)), metric.display_unit, unit))
        for day, size in zip(measured.days, measured.values[row], strict=True)
        if day is not None and first <= day <= last and size == size
    ]
    return SpaceGrowth(Grower(violation.what, unit, sizes), growers) if len(sizes) > 1 else None


def _stored_in(target: Target, fact: str, component: str) -> set[str]:
    """The things that lie in a component, by the newest that is known."""
    newest = read_newest_facts([target], [fact])
    return {thing for (*_, thing), where in newest.items() if component in where.split("\n")}
