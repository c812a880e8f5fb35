"""Targets of which nothing is known now: not read for two slots or more, since when, and why."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from apps.charts.figures import long_day
from apps.charts.words import in_words
from apps.collection.collect import timetable_of
from apps.collection.last_states import find_left_in
from apps.collection.models import CollectionRun

NO_REASON = "its readings were missed."
SLOTS = 2  # that must have come to nothing in a row
UNREAD = (CollectionRun.State.FAILED, CollectionRun.State.MISSED)


@dataclass(frozen=True)
class UnreadTarget:
    """A target whose last slots came to nothing."""

    slots: int
    is_daily: bool
    last_day: date | None  # the last day that a reading ended; None where none ever did
    reason: str  # why it was not read the last time, in a sentence

    @property
    def words(self) -> str:
        """ "was not read for four nights", "has not been read since 18 November", "was never read"."""
        if self.last_day is None:
            return "was never read"
        if self.is_daily:
            return f"was not read for {in_words(self.slots)} nights"
        return f"has not been read since {long_day(self.last_day)}"

    @property
    def because(self) -> str:
        """The same with the reason, after the name of the target: "was not read for four nights: its password has expired"."""
        first = self.reason.partition(". ")[0].rstrip(".")
        is_word = first[1:2].islower()
        return f"{self.words}: {first[:1].lower() if is_word else first[:1]}{first[1:]}"


def unread_targets(target_ids: Collection[int], at: datetime) -> Mapping[int, UnreadTarget]:
    """Those of the targets that had not been read for two slots at a moment, by their key; two queries at most."""
    read_slots = find_left_in(UNREAD, target_ids, at)
    if not read_slots:
        return {}
    newest: dict[int, CollectionRun] = {}
    slots: dict[int, set[datetime]] = {}
    runs = CollectionRun.objects.filter(target__in=read_slots, state__in=UNREAD, slot__lte=at)
    ever_read = [slot for slot in read_slots.values() if slot is not None]
    if len(ever_read) == len(read_slots):
        runs = runs.filter(slot__gt=min(ever_read))
    for run in runs.order_by("slot").select_related("target").defer("sources", "notes"):
        pk, on_time = run.target_id, timetable_of(run.target).last_slot(run.slot)
        read_slot = read_slots[pk]
        if read_slot is None or on_time > read_slot:
            slots.setdefault(pk, set()).add(on_time)
            newest[pk] = run
    return {
        pk: _unread(newest[pk], len(failed), read_slots[pk])
        for pk, failed in slots.items()
        if len(failed) >= SLOTS
    }


def _unread(newest: CollectionRun, slots: int, read_slot: datetime | None) -> UnreadTarget:
    target, last_day = newest.target, None
    if read_slot is not None:
        read = read_slot.astimezone(target.zone)
        last_day = (read - timedelta(hours=12) if target.is_daily else read).date()
    return UnreadTarget(
        slots, target.is_daily, last_day, target.blocked_because or newest.reason or NO_REASON
    )
