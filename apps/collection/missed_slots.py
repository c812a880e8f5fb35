"""Slots that were not read in time: noted with a reason, whatever the rhythm, so that none is lost unseen."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from django.db.models import F, Q

from apps.collection.collect import timetable_of
from apps.collection.collector import passive_collectors
from apps.collection.lease import LEASE
from apps.collection.models import CollectionRun, SlotAccount
from apps.inventory.models import Target

LOOK_BACK = timedelta(days=31)  # after a longer stop the older slots are not told of
LONGEST_RUN = timedelta(minutes=15)  # no collection takes longer, whoever holds the lease of its target
NOT_READ = (
    "Nothing read it in time: Headroom was not running, the target was paused, or the queue was too long."
)
LOST = "It was put into the queue, and nothing read it in time: the queue was too long, or its worker was stopped."
INTERRUPTED = "Its reading was interrupted, and was not made up for in time."


def note_missed(now: datetime) -> int:
    """
    Note the slots that went by without any try, and the tries that were interrupted and not made up for.

    Slots of a target read more often than daily that follow each other on one day are noted as one, so that a long stop
    is a few rows. Returns how many were noted.
    """
    interrupted = _note_interrupted(now)
    active = Target.objects.watched().exclude(collector__in=passive_collectors())
    targets = active.filter(registered_at__lt=now).annotate(until=F("slot_account__until"))
    accounts, missed = [], 0
    for target in targets:
        timetable = timetable_of(target)
        last = timetable.last_slot(now - timetable.patience - timedelta(microseconds=1))
        since = _accounted_until(target, now)
        if since < last:
            missed += _note_between(target, since, last, now)
        if since < last or _until(target) is None:
            accounts.append(SlotAccount(target=target, until=max(since, last)))
    SlotAccount.objects.bulk_create(
        accounts, update_conflicts=True, unique_fields=["target"], update_fields=["until"]
    )
    return interrupted + missed


def _accounted_until(target: Target, now: datetime) -> datetime:
    """After which moment slots are looked at: at first the newest that anything is known of."""
    earliest = max(target.registered_at, now - LOOK_BACK) - timedelta(microseconds=1)
    until = _until(target)
    if until is None:
        runs = CollectionRun.objects.filter(target=target, slot__lte=now).order_by("-slot")
        until = runs.values_list("slot", flat=True).first()
    return earliest if until is None else max(until, earliest)


def _until(target: Target) -> datetime | None:
    until: datetime | None = target.until  # type: ignore[attr-defined]
    return until


def _note_between(target: Target, since: datetime, last: datetime, now: datetime) -> int:
    """Note what was not tried after one moment, up to a slot."""
    runs = CollectionRun.objects.filter(target=target, slot__gt=since, slot__lte=last)
    tried = {
        slot for first, end, slots in runs.values_list("slot", "last_slot", "slots") for slot in (first, end)
    }
    missed = [slot for slot in _slots_between(target, since, last) if slot not in tried]
    for slots in _in_rows(target, missed):
        if not _append(target, slots, now):
            CollectionRun.objects.bulk_create([_row(target, slots, now)], ignore_conflicts=True)
    return len(missed)


def _slots_between(target: Target, since: datetime, last: datetime) -> Iterator[datetime]:
    timetable = timetable_of(target)
    slot = timetable.next_slot(since)
    while slot <= last:
        yield slot
        slot = timetable.next_slot(slot)


def _in_rows(target: Target, slots: Iterable[datetime]) -> Iterator[list[datetime]]:
    """Slots that follow each other on one day of UTC together; daily ones each alone."""
    timetable = timetable_of(target)
    row: list[datetime] = []
    for slot in slots:
        if row and not (timetable.next_slot(row[-1]) == slot and _day(slot) == _day(row[-1])):
            yield row
            row = []
        row.append(slot)
    if row:
        yield row


def _append(target: Target, slots: list[datetime], now: datetime) -> bool:
    """Add slots to the row that ends just before them, where there is one with the same reason."""
    before = timetable_of(target).last_slot(slots[0] - timedelta(microseconds=1))
    if _day(before) != _day(slots[0]):
        return False
    ends_there = Q(last_slot=before) | Q(last_slot=None, slot=before)
    rows = CollectionRun.objects.filter(
        ends_there, target=target, state=CollectionRun.State.MISSED, reason=_reason(target, slots)
    )
    return bool(rows.update(last_slot=slots[-1], slots=F("slots") + len(slots), ended_at=now))


def _row(target: Target, slots: list[datetime], now: datetime) -> CollectionRun:
    return CollectionRun(
        target=target,
        slot=slots[0],
        last_slot=slots[-1] if len(slots) > 1 else None,
        slots=len(slots),
        began_at=now,
        ended_at=now,
        state=CollectionRun.State.MISSED,
        reason=_reason(target, slots),
    )


def _reason(target: Target, slots: list[datetime]) -> str:
    if target.blocked_because:
        return target.blocked_because
    return LOST if len(slots) == 1 and target.queued_slot == slots[0] else NOT_READ


def _day(slot: datetime) -> object:
    return slot.astimezone(UTC).date()


def _note_interrupted(now: datetime) -> int:
    """Runs whose worker was killed and whose slot is over: nobody holds the lease of their target any more."""
    runs = CollectionRun.objects.filter(state=CollectionRun.State.RUNNING, began_at__lt=now - LEASE)
    stale = [run for run in runs.select_related("target") if _is_over(run, now)]
    return CollectionRun.objects.filter(
        pk__in=[run.pk for run in stale], state=CollectionRun.State.RUNNING
    ).update(state=CollectionRun.State.MISSED, ended_at=now, reason=INTERRUPTED)


def _is_over(run: CollectionRun, now: datetime) -> bool:
    leased_until = run.target.leased_until
    is_read = leased_until is not None and leased_until >= now and now - run.began_at < LONGEST_RUN
    return not is_read and now - run.slot > timetable_of(run.target).patience
