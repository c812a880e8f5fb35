"""Read one target and record what was read."""

import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from time import monotonic

import structlog
from django.db import IntegrityError, connection, transaction

from apps.collection.collector import Collected, CollectionError, get_collector
from apps.collection.lease import give_back, take_lease
from apps.collection.models import CollectionRun
from apps.collection.slots import Timetable
from apps.inventory.models import Target
from apps.snapshots.models import PROPOSED_HOST
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_around

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

    Doing it again for a slot that has a complete snapshot changes nothing. `captured_at` takes the place of the
    collector's own clock, for drills. Raises AlreadyUnderWay.
    """
    holder = holder or uuid.uuid4().hex
    if not take_lease(target, holder, now):
        raise AlreadyUnderWay(f"{target.name} is being collected already.")
    try:
        done = CollectionRun.objects.filter(
            target=target, slot=slot, state=CollectionRun.State.COMPLETE
        ).first()
        return done or _collect(target, slot, now, captured_at)
    finally:
        give_back(target, holder)


def _collect(target: Target, slot: datetime, now: datetime, captured_at: datetime | None) -> CollectionRun:
    run, is_new = CollectionRun.objects.get_or_create(target=target, slot=slot, defaults={"began_at": now})
    if not is_new:
        run.began_at, run.tries = now, run.tries + 1
    began = monotonic()
    try:
        collector = get_collector(target.collector)
        release_connection()
        collected = collector.collect(target, slot)
    except CollectionError as error:
        return _fail(run, error, now, monotonic() - began)
    if captured_at is not None:
        collected = replace(collected, captured_at=captured_at)
    seconds = monotonic() - began
    with _turns:
        return _succeed(run, collected, now, seconds)


def _fail(run: CollectionRun, error: CollectionError, now: datetime, seconds: float) -> CollectionRun:
    target = run.target
    if error.needs_a_person:
        Target.objects.filter(pk=target.pk).update(blocked_because=str(error))
    if run.has_snapshot:  # an earlier try of this slot measured something: keep saying so
        return run
    run.state = CollectionRun.State.FAILED
    run.reason, run.is_worth_retrying = str(error), error.is_worth_retrying
    run.seconds, run.ended_at = seconds, now
    if not _save(run):
        return run
    log.warning("not collected", target=target.name, slot=run.slot.isoformat(), reason=run.reason)
    return run


def _succeed(run: CollectionRun, collected: Collected, now: datetime, seconds: float) -> CollectionRun:
    target = run.target
    read = [source for source in collected.sources if not source.error]
    if not read:
        run.sources = _told(collected)
        return _fail(run, _nothing_read(collected), now, seconds)
    try:
        run.series = record_snapshot(
            target,
            [
                ReadSource(
                    category=source.category,
                    values={
                        (reading.metric, reading.component): reading.value for reading in source.readings
                    },
                    started_at=source.started_at,
                    classes=source.classes,
                )
                for source in read
            ],
            slot=run.slot,
            captured_at=collected.captured_at,
            started_at=collected.started_at,
            facts=facts_with_host(collected),
        )
    except IntegrityError:
        if Target.objects.filter(pk=target.pk).exists():
            raise
        return _deleted(run)
    run.state = CollectionRun.State.PARTIAL if collected.failed else CollectionRun.State.COMPLETE
    run.reason, run.is_worth_retrying = "", False
    run.sources = _told(collected)
    run.notes = list(collected.notes)
    run.seconds, run.ended_at = seconds, now
    if _save(run):
        Target.objects.filter(pk=target.pk).exclude(blocked_because="").update(blocked_because="")
        roll_up_around(target, collected.captured_at, now)
    return run


def _told(collected: Collected) -> list[dict[str, object]]:
    return [
        {
            "name": source.name,
            "category": source.category,
            "seconds": round(source.seconds, 4),
            "series": len(source.readings),
            "error": source.error,
        }
        for source in collected.sources
    ]


def _nothing_read(collected: Collected) -> CollectionError:
    """No source could be read: that is no snapshot. Sources may come back, so it is worth another try."""
    reasons = list(dict.fromkeys(source.error for source in collected.failed))
    return CollectionError(f"No source could be read. {' '.join(reasons)}".strip(), is_worth_retrying=True)


def facts_with_host(collected: Collected) -> dict[str, str]:
    """The facts, with the machine an instance says it runs on: a person confirms it."""
    if not collected.proposed_host:
        return dict(collected.facts)
    return {**collected.facts, PROPOSED_HOST: collected.proposed_host}


def _save(run: CollectionRun) -> bool:
    """Save the run; False, and told on the run, where its target was deleted meanwhile."""
    try:
        with transaction.atomic():
            if not CollectionRun.objects.filter(pk=run.pk).exists():
                _deleted(run)
                return False
            run.save()
    except IntegrityError:
        _deleted(run)
        return False
    return True


def _deleted(run: CollectionRun) -> CollectionRun:
    run.state = CollectionRun.State.FAILED
    run.reason = f"{run.target.name} was deleted while it was being read; nothing was kept."
    log.info("target deleted during its run", target=run.target.name)
    return run


def release_connection() -> None:
    """Give the database connection up before a long wait; the next query opens one again."""
    if not connection.in_atomic_block:
        connection.close()
