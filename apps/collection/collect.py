"""Read one target and record what was read."""

import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from time import monotonic

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import timezone

from apps.collection.collector import CollectionError, get_collector
from apps.collection.database import keep_trying, release_connection
from apps.collection.engine.slots import Timetable
from apps.collection.lease import give_back, hold_lease, take_lease
from apps.collection.models import CollectionRun
from apps.collection.record_run import record_run, save_run
from apps.inventory.models import Target
from apps.snapshots.retention import make_room_for

__all__ = ["AlreadyUnderWay", "collect_target", "release_connection", "timetable_of"]

log = structlog.get_logger()

# Of the many readings a process holds, so many are kept at a time: keeping one is work for processor and database, and
# if all did it at once, those that are signing in to their targets would wait for the processor past their deadline.
_turns = BoundedSemaphore(4)


class AlreadyUnderWay(Exception):
    """Another collection of this target holds its lease."""


def timetable_of(target: Target) -> Timetable:
    """When a target is read."""
    return Timetable(target.zone, timedelta(minutes=target.interval_minutes), target.collect_at)


def collect_target(
    target: Target, slot: datetime, now: datetime, *, holder: str = "", captured_at: datetime | None = None
) -> CollectionRun:
    """
    Read one target for one slot and record what was read; an expected failure is told on the run.

    Doing it again for a slot that has a complete snapshot changes nothing, and of a partial one reads what is missing.
    `captured_at` takes the place of the collector's own clock, for drills. Raises AlreadyUnderWay, and NotKept where the
    slot lies outside of what is kept.
    """
    make_room_for(slot, timezone.now(), reading_days=settings.HEADROOM_READING_DAYS)
    holder = holder or uuid.uuid4().hex
    if not take_lease(target, holder, now):
        raise AlreadyUnderWay(f"{target.name} is being collected already.")
    try:
        with hold_lease(target, holder, now):
            run = _begin(target, slot, now)
            return run if run.state == CollectionRun.State.COMPLETE else _collect(run, now, captured_at)
    finally:
        _give_back(target, holder)


def _begin(target: Target, slot: datetime, now: datetime) -> CollectionRun:
    """The run of the slot; one that there is already is tried once more, unless it is complete."""
    run, is_new = CollectionRun.objects.get_or_create(target=target, slot=slot, defaults={"began_at": now})
    run.target = target
    if not is_new and run.state != CollectionRun.State.COMPLETE:
        run.began_at, run.tries, run.last_slot, run.slots = now, run.tries + 1, None, 1
        run.save(update_fields=["began_at", "tries", "last_slot", "slots"])
    return run


def _collect(run: CollectionRun, now: datetime, captured_at: datetime | None) -> CollectionRun:
    began = monotonic()
    try:
        collector = get_collector(run.target.collector)
        release_connection()
        collected = collector.collect(run.target, run.slot)
        if captured_at is not None:
            collected = replace(collected, captured_at=captured_at)
        seconds = monotonic() - began
        with _turns:
            return record_run(run, collected, now, seconds)
    except CollectionError as error:
        failure, seconds = error, monotonic() - began
        return keep_trying(lambda: _fail(run, failure, now, seconds))
    except Exception as error:
        _note_fault(run, error, now, monotonic() - began)
        raise


def _fail(run: CollectionRun, error: CollectionError, now: datetime, seconds: float) -> CollectionRun:
    target = run.target
    if error.needs_a_person:
        Target.objects.filter(pk=target.pk).update(blocked_because=str(error))
    run.is_worth_retrying, run.ended_at = error.is_worth_retrying, now + timedelta(seconds=seconds)
    if not run.has_snapshot:  # else an earlier try of this slot measured something: keep saying so
        run.state, run.reason, run.seconds = CollectionRun.State.FAILED, str(error), seconds
    if save_run(run):
        log.warning("not collected", target=target.name, slot=run.slot.isoformat(), reason=str(error))
    return run


def _note_fault(run: CollectionRun, error: Exception, now: datetime, seconds: float) -> None:
    """What nobody expected ends the run too, as far as our own database listens."""
    is_of_database = isinstance(error, OperationalError | InterfaceError)
    cause = "Headroom's own database did not answer" if is_of_database else "Headroom itself failed"
    failure = CollectionError(
        f"{cause} while {run.target.name} was read: {type(error).__name__}: {error}".strip(),
        is_worth_retrying=True,
    )
    try:
        run = CollectionRun.objects.get(pk=run.pk)
        keep_trying(lambda: _fail(run, failure, now, seconds), seconds=5)
    except (DatabaseError, InterfaceError, CollectionRun.DoesNotExist) as further:
        log.warning("failure not noted", run=run.pk, reason=str(further))


def _give_back(target: Target, holder: str) -> None:
    """Give the lease back; where our own database stays away, it ends by itself."""
    try:
        keep_trying(lambda: give_back(target, holder))
    except (OperationalError, InterfaceError) as error:
        log.warning("lease not given back", target=target.name, reason=str(error))
