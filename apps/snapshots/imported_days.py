"""Days that come from a file or another's records: figures at once, without readings. Of two ways the better covered one gives a day's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from apps.catalog.metric import Kind
from apps.catalog.registry import find_metric
from apps.inventory.models import Target
from apps.snapshots.engine.days import Day
from apps.snapshots.engine.figures import CategoryFigures, DayFigures, day_figures
from apps.snapshots.engine.readings import Shots
from apps.snapshots.models import Coverage, Figure
from apps.snapshots.record import note_facts
from apps.snapshots.retention import ensure_partitions
from apps.snapshots.roll_up import clock_hours_of, figures_of
from apps.snapshots.user_figures import lay_in
from apps.snapshots.write_day import PreparedDay, measured_hours, prepare_day, write_day

COLLECTOR = "the collector"
INTERVAL = 3600.0  # seconds; a file averages over its intervals, however long they are
SAME = 0.01  # hours


@dataclass(frozen=True)
class DayOfFile:
    """
    One day of a file: the calendar day, the stretch of it that the file covers, and its readings by category and slot.

    `interval` is how far its readings are apart, in seconds; `origins` name the source of a category, where it is not that
    of the day. Of categories `in_part` what is lacking may have occurred all the same; of those `at_most` the figures are
    bounds, of which nothing else is made.
    """

    day: Day
    stretch: Day
    shots: Shots
    hours: float
    interval: float = INTERVAL
    origins: Mapping[int, str] = field(default_factory=dict)
    in_part: frozenset[int] = frozenset()
    at_most: frozenset[int] = frozenset()

    @property
    def share(self) -> float:
        """How much of the day the file covers."""
        return min(self.hours / self.day.hours, 1.0)


@dataclass(frozen=True)
class DayOutcome:
    """What becomes of a day of a file, and in the place of what, or because of what it is not stored."""

    on: date
    share: float
    is_stored: bool
    sentence: str


class DayNotKept(ValueError):
    """A file has a day that cannot be kept; the message says so to people."""


def foresee_days(target: Target, days: Sequence[DayOfFile], origin: str, now: datetime) -> list[DayOutcome]:
    """What storing the days of a file would do. Raises DayNotKept."""
    refuse_unkept_days(days, now)
    stored = _stored_days(target, days)
    return [_outcome(day, day.hours, None, stored.get(day.day.on), origin) for day in days]


def record_imported_days(
    target: Target,
    days: Sequence[DayOfFile],
    origin: str,
    facts: Mapping[str, str],
    now: datetime,
    *,
    is_beside: bool = False,
) -> list[DayOutcome]:
    """
    Store the figures of a file's days, all or nothing; a day that is covered as well already stays as it is.

    With `is_beside` what else was measured of such a day stays beside it. Raises DayNotKept.
    """
    refuse_unkept_days(days, now)
    ensure_partitions([day.day.on for day in days])
    already = _stored_days(target, days)
    days = [_without_bounds_of_given(day, already.get(day.day.on)) for day in days]
    prepared = [_prepare(target, day, origin) for day in days]
    with transaction.atomic():
        Target.objects.select_for_update().get(pk=target.pk)
        stored = _stored_days(target, days)
        outcomes = []
        for day, (ready, count) in zip(days, prepared, strict=True):
            outcome = _outcome(day, ready.coverage.hours, count, stored.get(day.day.on), origin)
            if _bounds_of_given(day, stored.get(day.day.on)) >= day.shots.keys():
                outcome = replace(outcome, is_stored=False, sentence="stays with what was given")
            outcomes.append(outcome)
            if outcome.is_stored:
                before = stored.get(day.day.on)
                write_day(ready, before.staying(is_beside=is_beside) if before else None)
        lay_in(target, [outcome.on for outcome in outcomes if outcome.is_stored])
        if any(outcome.is_stored for outcome in outcomes):
            note_facts(target, facts, days[-1].stretch.ended_at)
    return outcomes


def _bounds_of_given(day: DayOfFile, stored: "_StoredDay | None") -> frozenset[int]:
    """The categories of which a day has bounds alone, and somebody gave figures."""
    return day.at_most & {int(category) for category in stored.given_categories} if stored else frozenset()


def _without_bounds_of_given(day: DayOfFile, stored: "_StoredDay | None") -> DayOfFile:
    """A day without bounds of what somebody gave, unless that is all that it has."""
    others = day.shots.keys() - _bounds_of_given(day, stored)
    return replace(day, shots={category: day.shots[category] for category in others}) if others else day


def refuse_unkept_days(days: Sequence[DayOfFile], now: datetime) -> None:
    """Refuse what lies before all that is kept, and what has not come yet. Raises DayNotKept."""
    oldest = oldest_kept(now)
    for on in (day.day.on for day in days):
        if on < oldest:
            raise DayNotKept(f"{on} lies before what is kept: figures are kept since {oldest}.")
        if on > now.date() + timedelta(days=1):
            raise DayNotKept(f"{on} lies in the future: the date in the file is wrong, or was read wrongly.")


def oldest_kept(now: datetime) -> date:
    """The oldest day whose figures are kept."""
    return now.date() - timedelta(days=settings.HEADROOM_FIGURE_DAYS)


def forget_imported_days(target: Target, days: Mapping[date, str]) -> list[date]:
    """Delete the figures of days that still are of the source named; returns the days. What somebody gave beside stays."""
    covers = Coverage.objects.filter(target=target, day__in=days)
    gone = [cover for cover in covers if cover.origin == days[cover.day]]
    for cover in gone:
        keep_categories(cover, cover.given_categories)
    return [cover.day for cover in gone]


def keep_categories(cover: Coverage, staying: Mapping[str, Any]) -> None:
    """Delete the figures of a day but those of some categories; the whole day where there are none."""
    figures = Figure.objects.filter(target=cover.target_id, day=cover.day)
    figures.exclude(category__in=map(int, staying)).delete()
    if not staying:
        cover.delete()
        return
    sources = dict.fromkeys(str(about.get("from", "")) for about in staying.values())
    cover.categories = dict(staying)
    if cover.origin not in sources:
        cover.origin = next(iter(sources))
    if len(cover.given_categories) == len(staying):
        cover.hours = Coverage.ENOUGH * cover.day_hours  # as every day that was given alone
    cover.save(update_fields=["categories", "origin", "hours"])


def figures_of_file(target: Target, day: DayOfFile) -> DayFigures:
    """The figures of a day of a file, by the same arithmetic as those of readings."""
    return day_figures(
        day.shots,
        day.stretch,
        figures_of(target.platform),
        find_metric,
        slot_seconds=day.interval,
        hours=clock_hours_of(target),
    )


def _prepare(target: Target, day: DayOfFile, origin: str) -> tuple[PreparedDay, int]:
    """The day laid out, and how many figures it has."""
    figures = figures_of_file(target, day)
    plain = {category: _plain(part, day.at_most) for category, part in figures.parts.items()}
    figures = replace(figures, parts={category: part for category, part in plain.items() if part.keys})
    ready = prepare_day(
        target,
        day.day,
        figures,
        {},
        is_so_far=day.day.is_running,
        origin=origin,
        origins={category: name for category, name in day.origins.items() if category in figures.parts},
    )
    for category in day.in_part:
        ready.coverage.categories[str(category)]["in_part"] = True
    for category in day.at_most & figures.parts.keys():
        ready.coverage.categories[str(category)]["at_most"] = True
    ready.coverage.hours = min(measured_hours(figures, day.hours), day.day.hours)
    return ready, _count(figures)


def _plain(part: CategoryFigures, bounds: frozenset[int]) -> CategoryFigures:
    """A part without the figures that are made of bounds: a ratio of two of them says nothing."""
    if not bounds:
        return part
    keep = [place for place, (key, _) in enumerate(part.keys) if not _is_made_of(key, bounds)]
    return replace(part, keys=[part.keys[place] for place in keep], values=part.values[keep])


def _is_made_of(key: str, categories: frozenset[int]) -> bool:
    metric = find_metric(key)
    if metric is None or metric.kind is not Kind.RATIO:
        return False
    inputs = [find_metric(ingredient) for ingredient in metric.ingredients]
    return any(ingredient is not None and ingredient.category in categories for ingredient in inputs)


def _count(figures: DayFigures) -> int:
    return sum(int((part.values == part.values).sum()) for part in figures.parts.values())


@dataclass(frozen=True)
class _StoredDay:
    origin: str
    hours: float
    figures: int
    given_categories: Mapping[str, Any]
    categories: Mapping[str, Any]

    def staying(self, *, is_beside: bool) -> Mapping[str, Any]:
        """The categories that a day from elsewhere leaves alone, where it has none of its own."""
        return self.categories if is_beside else self.given_categories


def _stored_days(target: Target, days: Sequence[DayOfFile]) -> dict[date, _StoredDay]:
    """What is there of these days already."""
    days_of_file = [day.day.on for day in days]
    covers = Coverage.objects.filter(target=target, day__in=days_of_file)
    counts: dict[date, int] = {}
    for on, values in Figure.objects.filter(target=target, day__in=days_of_file).values_list("day", "values"):
        counts[on] = counts.get(on, 0) + sum(value == value for value in values)
    return {
        cover.day: _StoredDay(
            cover.origin, cover.hours, counts.get(cover.day, 0), cover.given_categories, cover.categories
        )
        for cover in covers
    }


def _outcome(
    day: DayOfFile, hours: float, count: int | None, stored: _StoredDay | None, origin: str
) -> DayOutcome:
    """A day is stored where it covers more than what is there, or as much with more figures (`count`, where it is known)."""
    if stored is None:
        return DayOutcome(day.day.on, day.share, True, "a new day")
    source = stored.origin or COLLECTOR
    covered = f"{100 * min(stored.hours / day.day.hours, 1.0):.0f} % of the day"
    if hours > stored.hours + SAME:
        return DayOutcome(day.day.on, day.share, True, f"takes the place of {source}, which covers {covered}")
    if abs(hours - stored.hours) <= SAME and count is not None and count > stored.figures:
        return DayOutcome(
            day.day.on, day.share, True, f"takes the place of {source}, which has fewer figures"
        )
    if stored.origin == origin:
        return DayOutcome(day.day.on, day.share, False, "already there, unchanged")
    return DayOutcome(day.day.on, day.share, False, f"stays with {source}, which covers {covered}")
