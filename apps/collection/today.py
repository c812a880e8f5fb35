"""Which day "today" is: the last closed day that has figures, else the running day, so far."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.snapshots.engine.days import day_of

# of our own, as those of last_states.py: the two newest closed days that have figures, and the newest that is not closed
_NEWEST_DAYS = """
(SELECT day, hours FROM coverage
  WHERE target_id = %(target)s AND day <= %(closed)s AND NOT is_so_far ORDER BY day DESC LIMIT 2)
 UNION ALL
(SELECT day, hours FROM coverage WHERE target_id = %(target)s AND day > %(closed)s ORDER BY day DESC LIMIT 1)
"""


@dataclass(frozen=True)
class Today:
    """The day a profile is of."""

    day: date
    is_so_far: bool
    last_closed: date

    @property
    def is_old(self) -> bool:
        """A later day is closed and has no figures."""
        return not self.is_so_far and self.day < self.last_closed


def last_closed_day(target: Target, now: datetime) -> date:
    """The newest day whose ending slot was read or is missed."""
    newest = _read_slots(now).filter(target=target).values_list("slot", flat=True).first()
    return timetable_of(target).days_closing_until(now, newest_read_slot=newest)


def newest_read_slot(now: datetime) -> Subquery:
    """The newest slot of each target of a query that was read; null where none was."""
    return Subquery(_read_slots(now).filter(target=OuterRef("pk")).values("slot")[:1])


def _read_slots(now: datetime) -> QuerySet[CollectionRun]:
    """The runs that read something, newest slot first."""
    return CollectionRun.objects.filter(state__in=CollectionRun.WITH_SNAPSHOT, slot__lte=now).order_by(
        "-slot"
    )


def is_closed(target: Target, on: date, now: datetime) -> bool:
    """Whether a day is closed; a reading of the slot that ends it closes it, whatever our clock says."""
    if on <= last_closed_day(target, now):
        return True
    ending = timetable_of(target).ending_slot(day_of(on, target.zone))
    return CollectionRun.objects.filter(
        target=target, state__in=CollectionRun.WITH_SNAPSHOT, slot__gte=ending
    ).exists()


def today_of(target: Target, now: datetime) -> Today | None:
    """The day a profile of this moment is of; None where nothing was measured yet."""
    closed = last_closed_day(target, now)
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST_DAYS, {"target": target.pk, "closed": closed})
        days = cursor.fetchall()
    read = [(day, hours) for day, hours in days if day <= closed]
    running = next((day for day, _ in days if day > closed), None)
    if read and not (running and _is_end_alone([hours for _, hours in read])):
        return Today(read[0][0], False, closed)
    return None if running is None else Today(running, True, closed)


def _is_end_alone(hours: list[float]) -> bool:
    """The day before a target was first read: of its end are sizes and levels, of nothing that is counted over time."""
    return hours == [0]
