"""Readings of what comes and goes: counted up from what the reading before left, which is kept for the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.collection.collector import Collected, Reading, SourceRun
from apps.collection.engine.tally import MemberTally, TallyState, count_up, values_of
from apps.collection.models import CountedMembers
from apps.inventory.models import Target


def count_tallies(
    target: Target, collected: Collected, sources: Sequence[SourceRun]
) -> tuple[list[SourceRun], Callable[[], None]]:
    """
    The sources with the readings of their tallies, and what keeps their counts, to be called when the readings are kept.

    Of a reading that is older than the newest one nothing is counted: its members are ahead of it.
    """
    states: dict[int, TallyState] = {}
    counted = []
    for source in sources:
        if source.tally is not None:
            source, state = _count(target, collected, source, source.tally)
            states |= {source.category: state} if state else {}
        counted.append(source)
    return counted, lambda: _keep(target, states)


def _count(
    target: Target, collected: Collected, source: SourceRun, tally: MemberTally
) -> tuple[SourceRun, TallyState | None]:
    row = CountedMembers.objects.filter(target=target, category=source.category).first()
    if row is not None and row.captured_at >= collected.captured_at:
        return source, None
    state = count_up(tally, _state_of(row) if row else None, collected.captured_at, collected.started_at)
    values = values_of(tally, state)
    readings = [Reading(metric, value, component) for (metric, component), value in values.items()]
    return replace(source, readings=[*source.readings, *readings]), state


def _keep(target: Target, states: Mapping[int, TallyState]) -> None:
    for category, state in states.items():
        counts = {"members": state.members, "totals": state.totals, "activity": state.activity}
        CountedMembers.objects.update_or_create(
            target=target,
            category=category,
            defaults={"captured_at": state.captured_at, "counts": counts},
        )


def _state_of(row: CountedMembers) -> TallyState:
    totals = {kind: _tuples(lists) for kind, lists in row.counts["totals"].items()}
    return TallyState(
        captured_at=row.captured_at,
        members=_tuples(row.counts["members"]),
        totals=totals,
        activity=row.counts["activity"],
    )


def _tuples(lists: Mapping[str, list[Any]]) -> dict[str, tuple[float, ...]]:
    return {name: tuple(values) for name, values in lists.items()}
