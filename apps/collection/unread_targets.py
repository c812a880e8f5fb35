"""Targets of which nothing is known now: not read for two slots or more, since when, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import OuterRef, QuerySet

from apps.charts.figures import long_day
from apps.charts.words import in_words
from apps.collection.collect import timetable_of
from apps.collection.models import CollectionRun
from apps.collection.today import newest_read_slot
from apps.inventory.models import Target

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


def unread_targets(targets: QuerySet[Target], at: datetime) -> Mapping[int, UnreadTarget]:
    """Those of the targets that had not been read for two slots at a moment, by their key; two queries however many."""
    ended = CollectionRun.objects.finished().filter(target=OuterRef("pk"), slot__lte=at).order_by("-slot")
    bad = targets.annotate(last_state=ended.values("state")[:1]).filter(last_state__in=UNREAD)
    by_pk = {target.pk: target for target in bad.annotate(read_slot=newest_read_slot(at))}
    reasons: dict[int, str] = {}
    slots: dict[int, set[datetime]] = {}
    runs = CollectionRun.objects.filter(target__in=by_pk, state__in=UNREAD, slot__lte=at)
    for pk, slot, reason in runs.order_by("slot").values_list("target", "slot", "reason"):
        target = by_pk[pk]
        on_time = timetable_of(target).last_slot(slot)
        if target.read_slot is None or on_time > target.read_slot:
            slots.setdefault(pk, set()).add(on_time)
            reasons[pk] = reason
    return {
        pk: _unread(by_pk[pk], len(failed), reasons[pk])
        for pk, failed in slots.items()
        if len(failed) >= SLOTS
    }


def find_unread_target(target: Target, at: datetime) -> UnreadTarget | None:
    """The same of one target; a short query where its last slot came to something."""
    ended = CollectionRun.objects.finished().filter(target=target, slot__lte=at).order_by("-slot")
    if ended.values_list("state", flat=True).first() not in UNREAD:
        return None
    return unread_targets(Target.objects.filter(pk=target.pk), at).get(target.pk)


def _unread(target: Target, slots: int, reason: str) -> UnreadTarget:
    last_day = None
    if target.read_slot is not None:  # type: ignore[attr-defined]
        read = target.read_slot.astimezone(target.zone)  # type: ignore[attr-defined]
        last_day = (read - timedelta(hours=12) if target.is_daily else read).date()
    return UnreadTarget(slots, target.is_daily, last_day, target.blocked_because or reason or NO_REASON)
