"""
Figures of days that somebody gave, finished: they fill what nothing else tells, category by category.

A day that Headroom measured stays as it is, and so does a category that another source gave: measured beats given, and
finer beats a figure a day. Bounds alone give way. Such a day counts as covered no more than is needed to be judged, so that whatever is measured
later takes its place.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import numpy as np
from django.db import transaction

from apps.inventory.models import Target
from apps.snapshots.dictionary import Name
from apps.snapshots.engine.days import day_of
from apps.snapshots.engine.figures import CategoryFigures, DayFigures
from apps.snapshots.imported_days import (
    COLLECTOR,
    DayOfFile,
    DayOutcome,
    figures_of_file,
    keep_categories,
    refuse_unkept_days,
)
from apps.snapshots.models import Coverage
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.write_day import PreparedDay, prepare_day, write_categories, write_day

GivenFigures = Mapping[int, Mapping[Name, float]]  # category: metric and component: figure


@dataclass
class GivenOutcome:
    """What becomes, or became, of given days: how many are stored, and what stays with whom."""

    days: int = 0
    figures: int = 0
    measured_days: int = 0  # left as they are
    stays: dict[str, int] = field(default_factory=dict)  # source: figures that it has already

    def add(self, other: "GivenOutcome") -> None:
        self.days += other.days
        self.figures += other.figures
        self.measured_days += other.measured_days
        for source, count in other.stays.items():
            self.stays[source] = self.stays.get(source, 0) + count


def foresee_given(target: Target, days: Mapping[date, GivenFigures], origin: str) -> GivenOutcome:
    """What storing these days would do."""
    covers, outcome = _covers(target, days), GivenOutcome()
    for on, figures in days.items():
        _accepted(covers.get(on), figures, origin, outcome)
    return outcome


def store_given(target: Target, days: Mapping[date, GivenFigures], origin: str) -> GivenOutcome:
    """Store given days, all or none of these; the same again changes nothing."""
    ensure_partitions(days)
    outcome = GivenOutcome()
    covers = _covers(target, days)
    prepared = {
        on: _lay_out(target, on, accepted, origin)
        for on, figures in days.items()
        if (accepted := _accepted(covers.get(on), figures, origin, outcome))
    }
    with transaction.atomic():
        Target.objects.select_for_update().get(pk=target.pk)
        now_covered = _covers(target, prepared)
        for on, ready in prepared.items():
            cover = now_covered.get(on)
            if cover is None:
                write_day(ready)
            elif cover.origin:
                write_categories(ready, cover)
    return outcome


def foresee_filling(
    target: Target, days: Sequence[DayOfFile], origin: str, now: datetime
) -> list[DayOutcome]:
    """What filling days from a file would do. Raises DayNotKept."""
    return _fill(target, days, origin, now, foresee_given)


def fill_days(target: Target, days: Sequence[DayOfFile], origin: str, now: datetime) -> list[DayOutcome]:
    """Fill days from a file with what nothing else tells, all or none of these. Raises DayNotKept."""
    with transaction.atomic():
        return _fill(target, days, origin, now, store_given)


def _fill(
    target: Target,
    days: Sequence[DayOfFile],
    origin: str,
    now: datetime,
    give: Callable[[Target, Mapping[date, GivenFigures], str], GivenOutcome],
) -> list[DayOutcome]:
    refuse_unkept_days(days, now)
    covered = _covers(target, [day.day.on for day in days])
    outcomes = []
    for day in days:
        if day.share < Coverage.ENOUGH:
            sentence = f"the file has {100 * day.share:.0f} % of the day alone"
            outcomes.append(DayOutcome(day.day.on, day.share, False, sentence))
            continue
        outcome = give(target, {day.day.on: _given_by(target, day)}, origin)
        sentence = _sentence(outcome, is_new=day.day.on not in covered)
        outcomes.append(DayOutcome(day.day.on, day.share, bool(outcome.days), sentence))
    return outcomes


def _given_by(target: Target, day: DayOfFile) -> GivenFigures:
    parts = figures_of_file(target, day).parts
    figures_of = {
        category: {
            name: value for name, value in zip(part.keys, part.values.tolist(), strict=True) if value == value
        }
        for category, part in parts.items()
    }
    return {category: figures for category, figures in figures_of.items() if figures}


def _sentence(outcome: GivenOutcome, *, is_new: bool) -> str:
    if outcome.measured_days:
        return f"stays with {COLLECTOR}"
    others = ", ".join(outcome.stays)
    if not outcome.days:
        return f"stays with {others}" if others else "has no figure"
    if is_new:
        return "a new day"
    return f"beside {others}" if others else "fills what nothing else tells"


def forget_given(
    target: Target, origin: str, first: date, last: date, among: Collection[date] | None = None
) -> list[date]:
    """Take back what a source gave of these days, or of those among them; returns the days that lost figures."""
    covers = Coverage.objects.filter(target=target, day__range=(first, last)).exclude(origin="")
    if among is not None:
        covers = covers.filter(day__in=among)
    gone = [
        cover
        for cover in covers
        if origin in {about.get("from") for about in cover.given_categories.values()}
    ]
    with transaction.atomic():
        for cover in gone:
            others = {name: about for name, about in cover.categories.items() if about.get("from") != origin}
            keep_categories(cover, others)
    return [cover.day for cover in gone]


def _covers(target: Target, days: Collection[date]) -> dict[date, Coverage]:
    return {cover.day: cover for cover in Coverage.objects.filter(target=target, day__in=list(days))}


def _accepted(
    cover: Coverage | None, figures: GivenFigures, origin: str, outcome: GivenOutcome
) -> GivenFigures:
    """The categories of a day that are stored; what becomes of the day and of the others is added to the outcome."""
    if cover is not None and not cover.origin:
        outcome.measured_days += 1
        return {}
    sources = {
        category: cover.source_of(category) if cover and not cover.is_at_most(category) else ""
        for category in figures
    }
    for category, source in sources.items():
        if source not in ("", origin):
            outcome.stays[source] = outcome.stays.get(source, 0) + len(figures[category])
    accepted = {category: figures[category] for category, source in sources.items() if source in ("", origin)}
    if accepted:
        outcome.days += 1
        outcome.figures += sum(map(len, accepted.values()))
    return accepted


def _lay_out(target: Target, on: date, figures: GivenFigures, origin: str) -> PreparedDay:
    day = day_of(on, target.zone)
    parts = {
        category: CategoryFigures(
            keys=list(values),
            values=np.array(list(values.values()), dtype=np.float64),
            hours=None,
            spans_days=1,
            since_restart=False,
            restarts=0,
            captured_at=day.ended_at,
        )
        for category, values in figures.items()
    }
    ready = prepare_day(target, day, DayFigures(parts), {}, is_so_far=False, origin=origin)
    ready.coverage.hours = Coverage.ENOUGH * day.hours
    for category, values in figures.items():
        about = ready.coverage.categories[str(category)]
        about["in_part"] = True  # what a file lacks may have occurred all the same
        about["given"] = True
        about["statistics"] = sorted({key.partition(":")[0] for key, _ in values})
    return ready
