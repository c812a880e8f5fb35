"""Which targets are to be read now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.collection.collect import timetable_of
from apps.collection.lease import LEASE
from apps.collection.models import CollectionRun
from apps.inventory.models import Target

ASK_AGAIN = timedelta(
    minutes=15
)  # after which a slot that was put into the queue and came to nothing is put there again
TRIES = 5
LOOK_BACK = timedelta(days=31)  # after a longer stop the older slots are not told of
NOT_READ = (
    "Nothing read it in time: Headroom was not running, the target was paused, or the queue was too long."
)
INTERRUPTED = "Its reading was interrupted, and was not made up for in time."
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
    Tell of daily slots that went by without any try, and of tries that were interrupted and not made up for.

    Returns how many were noted.
    """
    missed = []
    for target in Target.objects.watched().filter(
        interval_minutes=1440, registered_at__lt=now - timedelta(days=1)
    ):
        why = target.blocked_because or NOT_READ
        missed += [
            CollectionRun(target=target, slot=slot, began_at=now, ended_at=now, state="missed", reason=why)
            for slot in _slots_without_a_run(target, now)
        ]
    CollectionRun.objects.bulk_create(missed, ignore_conflicts=True)
    return len(missed) + _note_interrupted(now)


def _slots_without_a_run(target: Target, now: datetime) -> list[datetime]:
    """The missed slots since the newest one that anything is known of, newest first."""
    timetable = timetable_of(target)
    since = max(target.registered_at, now - LOOK_BACK)
    known = set(CollectionRun.objects.filter(target=target, slot__gte=since).values_list("slot", flat=True))
    slot, missed = timetable.last_slot(now - timetable.patience), []
    while slot >= since and slot not in known:
        missed.append(slot)
        slot = timetable.last_slot(slot - timedelta(seconds=1))
    return missed


def _note_interrupted(now: datetime) -> int:
    """Runs whose worker was killed and whose slot is over; none goes on for longer than its lease."""
    stale = [
        run
        for run in CollectionRun.objects.filter(
            state=CollectionRun.State.RUNNING, began_at__lt=now - LEASE
        ).select_related("target")
        if now - run.slot > timetable_of(run.target).patience
    ]
    return CollectionRun.objects.filter(pk__in=[run.pk for run in stale]).update(
        state=CollectionRun.State.MISSED, ended_at=now, reason=INTERRUPTED
    )
