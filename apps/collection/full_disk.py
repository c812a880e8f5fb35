"""When the disk under the database is nearly full: nothing is read, what was due says why, and people are warned before."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.utils import timezone

from apps.charts import figures
from apps.collection.due_slots import DueSlot
from apps.collection.engine.disk import WARNING_DAYS, DiskRoom, measure_disk
from apps.collection.models import CollectionRun
from apps.inventory.models import Target

log = structlog.get_logger()

AT_ONCE = timedelta(minutes=2)  # more than the pause that is kept before a further try


def room_of_database() -> DiskRoom | None:
    """The room on the disk under the database; None where that is on another machine."""
    return measure_disk(settings.HEADROOM_DISK) if settings.HEADROOM_DISK else None


def refuse_when_disk_is_full() -> str:
    """Why nothing may be written now that can be left for later, as a sentence; empty when there is room."""
    room = room_of_database()
    if room is None or not room.is_full:
        return ""
    left = figures.bytes_text(room.free_bytes)
    return f"The disk that holds Headroom's data is nearly full ({left} left): make room; reading goes on by itself."


def note_unread(dues: Iterable[DueSlot], reason: str, now: datetime) -> None:
    """
    Record that these slots are not read, and why, where nothing is known of them yet.

    They stay due, and nothing was tried: the first look at what is due that finds room puts them into the queue.
    """
    dues = list(dues)
    CollectionRun.objects.bulk_create(
        [
            CollectionRun(
                target_id=due.target_id, slot=due.slot, began_at=now, ended_at=due.slot - AT_ONCE,
                state=CollectionRun.State.FAILED, reason=reason, is_worth_retrying=True, tries=0,
            )
            for due in dues
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    Target.objects.filter(pk__in=[due.target_id for due in dues]).update(queued_slot=None, queued_at=None)
    if dues:
        log.warning("not read", slots=len(dues), reason=reason)


def warn_of_disk() -> tuple[str, str] | None:
    """What every page says of the disk: the fact, and what to do; None while there is room enough."""
    room = room_of_database()
    if room is None or not room.is_short:
        return None
    left, total = figures.bytes_text(room.free_bytes), figures.bytes_text(room.total_bytes)
    if room.is_full:
        return (
            f"The disk that holds Headroom's data is nearly full: {left} of {total} left.",
            "Nothing is read until there is room; pages stay readable, and reading goes on by itself.",
        )
    if room.days_left is None or room.days_left > WARNING_DAYS:
        return (
            f"The disk that holds Headroom's data has {left} of {total} left.",
            f"Make room: below {figures.bytes_text(room.floor_bytes)} nothing is read.",
        )
    day = figures.short_day((timezone.now() + timedelta(days=room.days_left)).date())
    return (
        f"The disk that holds Headroom's data is full on {day} if it goes on as in the last days: {left} of {total} left.",
        f"Make room: below {figures.bytes_text(room.floor_bytes)} nothing is read.",
    )
