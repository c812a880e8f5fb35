"""Set, change and withdraw a calendar, with its history."""

from datetime import datetime

from django.db import transaction

from apps.people.models import User
from apps.thresholds.calendars import Calendar
from apps.thresholds.changes import CalendarChange, list_differences, refuse_the_second

LABELS = {"name": "name", "kind": "kind", "days": "days", "target": "target", "group": "group"}
WHAT = "this calendar"


def save_calendar(calendar: Calendar, *, by: User | None, now: datetime, read: str | None = None) -> Calendar:
    """
    Save a calendar that is new or changed, and note in its history what changed; what is there already changes nothing.

    `read` is the `set_at` that the person saw, as ISO text: raises ChangedMeanwhile where it is another one by now.
    """
    with transaction.atomic():
        current = _lock_current(calendar)
        if current is not None:
            refuse_the_second(current, read, WHAT)
        fields = list_differences(
            LABELS, _fields_as_text(current) if current else {}, _fields_as_text(calendar)
        )
        if current is not None and not fields:
            return calendar
        calendar.set_by, calendar.set_at = by, now
        calendar.save()
        kind = CalendarChange.Kind.CHANGED if current else CalendarChange.Kind.SET
        CalendarChange.objects.create(calendar=calendar, at=now, by=by, kind=kind, fields=fields)
    return calendar


def withdraw_calendar(calendar: Calendar, *, by: User | None, now: datetime, read: str | None = None) -> None:
    """Take a calendar out of force: its days are judged again from the next review on. Raises ChangedMeanwhile."""
    with transaction.atomic():
        current = _lock_current(calendar)
        if current is None:
            return
        refuse_the_second(current, read, WHAT)
        if current.withdrawn_at is not None:
            return
        current.withdrawn_at = now
        current.save(update_fields=["withdrawn_at"])
        days = _fields_as_text(current)["days"]
        kind = CalendarChange.Kind.WITHDRAWN
        CalendarChange.objects.create(
            calendar=current, at=now, by=by, kind=kind, fields=[[LABELS["days"], days, days]]
        )


def _lock_current(calendar: Calendar) -> Calendar | None:
    return Calendar.objects.select_for_update(of=("self",)).filter(pk=calendar.pk).first()


def _fields_as_text(calendar: Calendar) -> dict[str, str]:
    """The fields people set, as text."""
    return {
        "name": calendar.name,
        "kind": calendar.get_kind_display(),
        "days": "; ".join(calendar.days.splitlines()),
        "target": str(calendar.target or ""),
        "group": str(calendar.group or ""),
    }
