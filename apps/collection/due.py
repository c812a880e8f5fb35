"""Which targets are to be read now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.inventory.models import Target

ASK_AGAIN = timedelta(
    minutes=15
)  # after which a slot that was put into the queue and came to nothing is put there again
TRIES = 5
FIRST_PAUSE = 60  # seconds before the second try; doubled with each further one


@dataclass(frozen=True)
class Due:
    """A target and the slot it is to be read for."""

    target_id: int
    slot: datetime
    until: datetime  # when the slot is missed


def due_collections(now: datetime) -> list[Due]:
    """
    What is to be put into the queue: slots that may still be read, were not, and are not in the queue already.

    A target that waits for a person is left alone. What is returned is noted as queued.
    """
    due = []
    waiting = list(Target.objects.watched().filter(blocked_because=""))
    for target in waiting:
        timetable = timetable_of(target)
        slot = timetable.due_slot(now)
        if slot is None or slot < target.registered_at - timedelta(minutes=target.interval_minutes):
            continue
        is_queued = (
            target.queued_slot == slot and target.queued_at is not None and now - target.queued_at < ASK_AGAIN
        )
        if not is_queued:
            due.append((target, Due(target.pk, slot, slot + timetable.patience)))
    read = _settled([one for _, one in due])
    fresh = [(target, one) for target, one in due if (one.target_id, one.slot) not in read]
    for target, one in fresh:
        target.queued_slot, target.queued_at = one.slot, now
    Target.objects.bulk_update([target for target, _ in fresh], ["queued_slot", "queued_at"])
    return [one for _, one in fresh]


def _settled(due: list[Due]) -> set[tuple[int, datetime]]:
    """Slots that need no further try: read, or failed for a reason that a try does not mend."""
    runs = CollectionRun.objects.finished().filter(
        target_id__in=[one.target_id for one in due], slot__in={one.slot for one in due}
    )
    return {
        (run.target_id, run.slot)
        for run in runs
        if run.has_snapshot or not run.is_worth_retrying or run.tries >= TRIES
    }


def pause_before(tries: int) -> int | None:
    """Seconds to wait after so many failed tries of a slot; None when it is given up."""
    return FIRST_PAUSE * 2 ** (tries - 1) if tries < TRIES else None


def note_missed(now: datetime) -> int:
    """
    Tell of daily slots that went by without any try: Headroom was not running, or the queue was too long.

    Returns how many were noted.
    """
    missed = []
    for target in Target.objects.watched().filter(
        interval_minutes=1440, registered_at__lt=now - timedelta(days=1)
    ):
        timetable = timetable_of(target)
        slot = timetable.last_slot(now)
        if now - slot <= timetable.patience or slot < target.registered_at:
            continue
        if not CollectionRun.objects.filter(target=target, slot=slot).exists():
            why = (
                target.blocked_because
                or "Nothing read it in time: Headroom was not running, or its queue was too long."
            )
            missed.append(
                CollectionRun(
                    target=target, slot=slot, began_at=now, ended_at=now, state="missed", reason=why
                )
            )
    CollectionRun.objects.bulk_create(missed, ignore_conflicts=True)
    return len(missed)
