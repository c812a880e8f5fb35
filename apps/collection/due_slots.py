"""Which targets are to be read now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.collection.collect import timetable_of
from apps.collection.collector import passive_collectors
from apps.collection.models import CollectionRun
from apps.inventory.models import Target

ASK_AGAIN = timedelta(
    minutes=15
)  # at most so long after it was put into the queue a slot that came to nothing is put there again
LATE = timedelta(
    minutes=1
)  # a further try that is later than this is taken for lost, and put into the queue again
TRIES = 5
FIRST_PAUSE = 60  # seconds before the second try of a reading that failed; doubled with each further one
COMPLETING_PAUSES = (120, 300, 780, 1800)  # seconds before each further try of one that is partial
COMPLETING = timedelta(hours=1)  # a partial reading is completed within so long ...
SELDOM = timedelta(minutes=15)  # ... where half the interval is no shorter: others are read again soon enough


@dataclass(frozen=True)
class DueSlot:
    """A target and the slot it is to be read for."""

    target_id: int
    slot: datetime
    until: datetime  # when the slot is missed


def due_collections(now: datetime) -> list[DueSlot]:
    """
    What is to be put into the queue: slots that may still be read, were not in full, and are not in the queue already.

    A target that waits for a person is left alone. What is returned is noted as queued.
    """
    due = []
    active = Target.objects.watched().exclude(collector__in=passive_collectors())
    for target in active.filter(blocked_because=""):
        timetable = timetable_of(target)
        slot = timetable.due_slot(now)
        if slot is None or slot < target.registered_at - timedelta(minutes=target.interval_minutes):
            continue
        if not _is_queued(target, slot, now):
            due.append((target, DueSlot(target.pk, slot, slot + timetable.patience)))
    settled = _settled_slots([due_slot for _, due_slot in due], now)
    fresh = [
        (target, due_slot) for target, due_slot in due if (due_slot.target_id, due_slot.slot) not in settled
    ]
    for target, due_slot in fresh:
        target.queued_slot, target.queued_at = due_slot.slot, now
    Target.objects.bulk_update([target for target, _ in fresh], ["queued_slot", "queued_at"])
    return [due_slot for _, due_slot in fresh]


def _is_queued(target: Target, slot: datetime, now: datetime) -> bool:
    """Whether a slot waits in the queue; of a short rhythm it is taken for lost soon enough to be put there again."""
    if target.queued_slot != slot or target.queued_at is None:
        return False
    return now - target.queued_at < min(ASK_AGAIN, timetable_of(target).patience / 3)


def _settled_slots(due: list[DueSlot], now: datetime) -> set[tuple[int, datetime]]:
    """Slots that need no further try now: read, failed for a reason that a try does not mend, or in a pause."""
    runs = (
        CollectionRun.objects.finished()
        .filter(
            target_id__in=[due_slot.target_id for due_slot in due],
            slot__in={due_slot.slot for due_slot in due},
        )
        .select_related("target")
        .defer("sources", "notes")
    )
    settled = set()
    for run in runs:
        again = next_try_at(run)
        if again is None or now < again + LATE:
            settled.add((run.target_id, run.slot))
    return settled


def next_try_at(run: CollectionRun) -> datetime | None:
    """When a finished run is to be tried again; None where that is not worth it, or too late."""
    if run.state not in (CollectionRun.State.FAILED, CollectionRun.State.PARTIAL):
        return None
    pause = pause_before(run.tries, is_partial=run.has_snapshot)
    if pause is None or not run.is_worth_retrying or run.ended_at is None:
        return None
    again, patience = run.ended_at + timedelta(seconds=pause), timetable_of(run.target).patience
    if run.has_snapshot and (patience < SELDOM or again > run.slot + COMPLETING):
        return None
    return again if again <= run.slot + patience else None


def pause_before(tries: int, *, is_partial: bool = False) -> int | None:
    """Seconds to wait after so many tries of a slot; None when it is given up."""
    if tries >= TRIES:
        return None
    return COMPLETING_PAUSES[tries - 1] if is_partial else FIRST_PAUSE * 2 ** (tries - 1)
