"""
Look for the history of a target, read it behind the pages, take it back.

Days are read one by one, the newest first, each in a transaction of its own: a stop in the middle loses nothing, and
reading goes on where it ended. A day that Headroom measured itself stays as it is, so that reading twice changes nothing.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q

from apps.collection.collector import CollectionError
from apps.collection.history.models import HistoryImport
from apps.collection.history.reach import HistoryReach
from apps.collection.history.sources import PastFact, has_history, open_history
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.engine.days import day_of
from apps.snapshots.imported_days import (
    DayNotKept,
    DayOfFile,
    forget_imported_days,
    oldest_kept,
    record_imported_days,
)
from apps.snapshots.models import Coverage, Fact
from apps.snapshots.roll_up import roll_up_day

State = HistoryImport.State
STRETCH = timedelta(minutes=3)  # a worker reads no longer in one go: reviews wait behind it
NEW = timedelta(days=30)  # how long a target is told to have a past that nobody asked for
LOST_AFTER = timedelta(minutes=10)  # a reading that has not moved for so long has lost its worker


class NoHistory(Exception):
    """Nothing can be read; the message says why to people."""


def offers_history(target: Target, now: datetime) -> bool:
    """Whether people are to be told that a target may remember more: it is new, and nobody has looked yet."""
    is_new = target.registered_at > now - NEW
    return is_new and has_history(target) and not HistoryImport.objects.filter(target=target).exists()


def ask_for_history(target: Target, person: User | None, now: datetime) -> HistoryImport:
    """Note that the history of a target is to be looked for. Raises NoHistory."""
    if not has_history(target):
        raise NoHistory(f"{target.name} has no past that can be read: it is not asked by itself.")
    with transaction.atomic():
        former = HistoryImport.objects.select_for_update().filter(target=target).first()
        if former is not None and former.is_under_way and not _is_lost(former, now):
            raise NoHistory(f"The history of {target.name} {former.get_state_display()} already.")
        history = former or HistoryImport(target=target)
        history.state, history.reason = State.LOOKING, ""
        history.person, history.looked_at, history.moved_at = person, now, now
        history.save()
        return history


def look_for_history(target_id: int, now: datetime) -> HistoryImport | None:
    """Ask a target what it remembers, and keep the answer; nothing is stored of its days."""
    history = (
        HistoryImport.objects.filter(target=target_id, state=State.LOOKING).select_related("target").first()
    )
    if history is None:
        return None
    try:
        with open_history(history.target) as session:
            history.reach_facts = [reach.as_json() for reach in session.look()]
        history.state, history.reason = State.LISTED, ""
    except CollectionError as error:
        history.state, history.reason, history.reach_facts = State.REFUSED, str(error), []
    history.looked_at = now
    history.save(update_fields=["state", "reason", "reach_facts", "looked_at"])
    return history


def start_reading(target: Target, sources: Collection[str], now: datetime) -> HistoryImport:
    """Have what was found be read, by these sources. Raises NoHistory."""
    with transaction.atomic():
        history = HistoryImport.objects.select_for_update().filter(target=target).first()
        if history is None or history.state not in HistoryImport.READABLE:
            raise NoHistory(f"The history of {target.name} was not looked for yet, or is being read.")
        reaches = [reach for reach in history.reaches if reach.key in sources and reach.days]
        span = _span(target, reaches, now)
        if span is None:
            raise NoHistory("Choose at least one source that has days from before the first reading.")
        history.chosen = [reach.key for reach in reaches]
        history.first_day, history.last_day = span
        history.next_day = history.last_day
        history.state, history.reason, history.ended_at = State.READING, "", None
        history.asked_at = history.moved_at = now
        history.save()
        return history


def start_reading_all(target: Target, now: datetime) -> bool:
    """Look for the history of a target and have all of it be read, unasked; False where there is none."""
    try:
        ask_for_history(target, None, now)
        history = look_for_history(target.pk, now)
        start_reading(target, [reach.key for reach in history.reaches] if history else [], now)
    except NoHistory:
        return False
    return True


def _span(target: Target, reaches: Collection[HistoryReach], now: datetime) -> tuple[date, date] | None:
    """The days to read: all that are kept and lie before the first one that Headroom measured itself."""
    firsts = [reach.first for reach in reaches if reach.first is not None]
    lasts = [reach.last for reach in reaches if reach.last is not None]
    if not firsts or not lasts:
        return None
    first, last = max(min(firsts), oldest_kept(now)), max(lasts)
    measured = Coverage.objects.filter(target=target, origin="").aggregate(first=Min("day"))["first"]
    if measured is not None:
        last = min(last, measured - timedelta(days=1))
    return (first, last) if first <= last else None


def pause_reading(target: Target) -> None:
    """Stop after the day that is being read."""
    HistoryImport.objects.filter(target=target, state=State.READING).update(state=State.PAUSED)


def resume_reading(target: Target, now: datetime) -> bool:
    """Go on where reading stopped; False where there is nothing to go on with."""
    paused = HistoryImport.objects.filter(target=target, state=State.PAUSED, next_day__isnull=False)
    return bool(paused.update(state=State.READING, reason="", moved_at=now))


def read_history(target_id: int, clock: Callable[[], datetime]) -> bool:
    """
    Read days of a target's history for some minutes; True where there are more.

    What goes wrong pauses it, with the reason; what was stored stays.
    """
    history = (
        HistoryImport.objects.filter(target=target_id, state=State.READING).select_related("target").first()
    )
    if history is None:
        return False
    ends_at = clock() + STRETCH
    try:
        with open_history(history.target) as session:
            if history.next_day == history.last_day:
                _store_facts(history, session.read_facts(history.chosen))
            while history.next_day is not None and clock() < ends_at:
                day = day_of(history.next_day, history.target.zone)
                imported = session.read_day(day, history.chosen)
                if not _store(history, imported, day.on, clock()):
                    return False
    except (CollectionError, DayNotKept) as error:
        HistoryImport.objects.filter(pk=history.pk, state=State.READING).update(
            state=State.PAUSED, reason=str(error)
        )
        return False
    return history.next_day is not None


def _store(history: HistoryImport, imported: DayOfFile | None, on: date, now: datetime) -> bool:
    """Store a day, unless somebody paused or took back the history meanwhile."""
    with transaction.atomic():
        current = HistoryImport.objects.select_for_update().get(pk=history.pk)
        if current.state != State.READING or current.next_day != on:
            return False
        if imported is not None:
            origin = ", ".join(dict.fromkeys(imported.origins.values()))
            [outcome] = record_imported_days(history.target, [imported], origin, {}, now)
            if outcome.is_stored:
                current.stored[on.isoformat()] = origin
        assert current.first_day is not None
        current.next_day = on - timedelta(days=1) if on > current.first_day else None
        current.moved_at = now
        if current.next_day is None:
            current.state, current.ended_at = State.READ, now
        current.save()
    history.next_day, history.stored = current.next_day, current.stored
    return True


def _store_facts(history: HistoryImport, past: Sequence[PastFact]) -> None:
    """Keep the facts of days before the registration, in the place of those that were kept before."""
    target = history.target
    with transaction.atomic():
        current = HistoryImport.objects.select_for_update().get(pk=history.pk)
        Fact.objects.filter(target=target, pk__in=current.fact_keys).delete()
        already = set(Fact.objects.filter(target=target).values_list("name", "component", "since"))
        facts = {
            (fact.name, fact.component, fact.since): Fact(
                target=target, name=fact.name, component=fact.component, since=fact.since, value=fact.value
            )
            for fact in past
            if fact.since < target.registered_at and (fact.name, fact.component, fact.since) not in already
        }
        current.fact_keys = [fact.pk for fact in Fact.objects.bulk_create(facts.values())]
        current.save(update_fields=["fact_keys"])
    history.fact_keys = current.fact_keys


def lost_readings(now: datetime) -> list[HistoryImport]:
    """Histories that are being read, or looked for, by a worker that is gone; each is given to another once in a while."""
    lost = Q(moved_at__lte=now - LOST_AFTER) | Q(moved_at=None)
    histories = list(HistoryImport.objects.filter(lost, state__in=HistoryImport.UNDER_WAY))
    HistoryImport.objects.filter(pk__in=[history.pk for history in histories]).update(moved_at=now)
    return histories


def _is_lost(history: HistoryImport, now: datetime) -> bool:
    return history.moved_at is None or history.moved_at <= now - LOST_AFTER


def take_back_history(target: Target, now: datetime) -> int:
    """Take back every day that came by history, and roll up again what was read of them; returns how many days went."""
    with transaction.atomic():
        history = HistoryImport.objects.select_for_update().filter(target=target).first()
        if history is None or not history.stored:
            return 0
        days = {date.fromisoformat(day): origin for day, origin in history.stored.items()}
        gone = forget_imported_days(target, days)
        Fact.objects.filter(target=target, pk__in=history.fact_keys).delete()
        history.fact_keys = []
        history.state, history.next_day, history.stored = State.TAKEN_BACK, None, {}
        history.ended_at = now
        history.save()
    for on in gone:
        roll_up_day(target, on, now)
    return len(gone)
