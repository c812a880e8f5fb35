"""Keep what a collection read: the snapshot and its run in one transaction, then the figures of the days around it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta

import structlog
from django.db import IntegrityError, InterfaceError, OperationalError, transaction

from apps.collection.collector import Collected, CollectionError, SourceRun
from apps.collection.database import keep_trying
from apps.collection.models import CollectionRun
from apps.collection.tallies import count_tallies
from apps.inventory.models import Target
from apps.snapshots.models import PROPOSED_HOST, Snapshot
from apps.snapshots.record import FailedRead, ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_around

log = structlog.get_logger()


def record_run(run: CollectionRun, collected: Collected, now: datetime, seconds: float) -> CollectionRun:
    """
    Record what was read and roll it up; returns the run as it was kept.

    Of a slot that was read in part, only what was missing is added. While our own database is away this waits for it.
    Raises CollectionError where no source could be read.
    """
    sources = _missing_sources(run, collected.sources)
    if all(source.error for source in sources):
        if not run.has_snapshot:
            run.sources = _as_json(sources)
        raise _nothing_read(sources)
    outcome = keep_trying(lambda: _record(run, collected, sources, now, seconds))
    if outcome.has_snapshot:
        keep_trying(lambda: _roll_up(outcome, [collected.captured_at], now))
    return outcome


def make_up_roll_ups(now: datetime) -> int:
    """
    Roll up what was recorded by a worker that was stopped before it came to it; returns how many readings that were.

    One that fails is left for the next time, and does not hold up the others.
    """
    made_up = 0
    for run in CollectionRun.objects.without_roll_up(now).select_related("target__database"):
        moments = Snapshot.objects.filter(target=run.target, bucket=run.slot, part=0)
        try:
            _roll_up(run, sorted(set(moments.values_list("captured_at", flat=True))), now)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            log.exception("not rolled up", target=run.target.name, slot=run.slot.isoformat())
            continue
        made_up += 1
    return made_up


def save_run(run: CollectionRun) -> bool:
    """Save the run; False, and told on the run, where its target was deleted meanwhile."""
    try:
        with transaction.atomic():
            if not CollectionRun.objects.filter(pk=run.pk).exists():
                _note_deleted(run)
                return False
            run.save()
    except IntegrityError:
        _note_deleted(run)
        return False
    return True


def _missing_sources(run: CollectionRun, sources: Sequence[SourceRun]) -> list[SourceRun]:
    """Everything, or what an earlier try of the slot could not read."""
    if not run.has_snapshot:
        return list(sources)
    missing = {source["category"] for source in run.failed_sources}
    return [source for source in sources if source.category in missing]


def record_sources(
    target: Target,
    slot: datetime,
    collected: Collected,
    sources: Sequence[SourceRun],
    facts: Mapping[str, str],
    *,
    together_with: Callable[[], object] = lambda: None,
) -> None:
    """Record the snapshot of a slot: what these sources read, and why others failed."""
    record_snapshot(
        target,
        [
            ReadSource(
                category=source.category,
                values={(reading.metric, reading.component): reading.value for reading in source.readings},
                started_at=source.started_at,
                classes=source.classes,
            )
            for source in sources
            if not source.error
        ],
        slot=slot,
        captured_at=collected.captured_at,
        started_at=collected.started_at,
        facts=facts,
        failed=[FailedRead(source.category, source.name, source.error) for source in sources if source.error],
        together_with=together_with,
    )


def _record(
    run: CollectionRun, collected: Collected, sources: Sequence[SourceRun], now: datetime, seconds: float
) -> CollectionRun:
    sources, keep_counts = count_tallies(run.target, collected, sources)
    outcome = outcome_of(run, collected, sources, now, seconds)
    outcome.needs_roll_up = True

    def save_with_counts() -> None:
        if save_run(outcome):
            keep_counts()

    try:
        record_sources(
            run.target,
            run.slot,
            collected,
            sources,
            _facts_with_host(collected),
            together_with=save_with_counts,
        )
    except IntegrityError:
        if Target.objects.filter(pk=run.target_id).exists():
            raise
        return _note_deleted(outcome)
    Target.objects.filter(pk=run.target_id).exclude(blocked_because="").update(blocked_because="")
    return outcome


def outcome_of(
    run: CollectionRun, collected: Collected, sources: Sequence[SourceRun], now: datetime, seconds: float
) -> CollectionRun:
    """The run as it will stand once its readings do; until then the one at hand stays as it is."""
    outcome, again = copy(run), {source.category for source in sources}
    before = [source for source in run.sources if run.has_snapshot and source["category"] not in again]
    outcome.sources = [*before, *_as_json(sources)]
    outcome.series = sum(int(source["series"]) for source in outcome.sources)
    outcome.notes = list(dict.fromkeys([*(run.notes if run.has_snapshot else []), *collected.notes]))
    outcome.seconds = seconds + (run.seconds if run.has_snapshot else 0.0)
    outcome.state = CollectionRun.State.PARTIAL if outcome.failed_sources else CollectionRun.State.COMPLETE
    outcome.reason, outcome.ended_at = "", now + timedelta(seconds=seconds)
    outcome.is_worth_retrying = any(source.error and source.is_worth_retrying for source in sources)
    return outcome


def _roll_up(run: CollectionRun, moments: Iterable[datetime], now: datetime) -> None:
    for moment in moments:
        roll_up_around(run.target, moment, now)
    CollectionRun.objects.filter(pk=run.pk).update(needs_roll_up=False)
    run.needs_roll_up = False


def _as_json(sources: Iterable[SourceRun]) -> list[dict[str, object]]:
    return [
        {
            "name": source.name,
            "category": source.category,
            "seconds": round(source.seconds, 4),
            "series": 0 if source.error else len(source.readings),
            "error": source.error,
        }
        for source in sources
    ]


def _nothing_read(sources: Sequence[SourceRun]) -> CollectionError:
    """No source could be read: that is no snapshot. Sources may come back, so it is worth another try."""
    reasons = list(dict.fromkeys(source.error for source in sources))
    is_worth_retrying = any(source.is_worth_retrying for source in sources)
    return CollectionError(
        f"No source could be read. {' '.join(reasons)}".strip(), is_worth_retrying=is_worth_retrying
    )


def _facts_with_host(collected: Collected) -> dict[str, str]:
    """The facts, with the machine an instance says it runs on: a person confirms it."""
    if not collected.proposed_host:
        return dict(collected.facts)
    return {**collected.facts, PROPOSED_HOST: collected.proposed_host}


def _note_deleted(run: CollectionRun) -> CollectionRun:
    run.state = CollectionRun.State.FAILED
    run.reason = f"{run.target.name} was deleted while it was being read; nothing was kept."
    log.info("target deleted during its run", target=run.target.name)
    return run
