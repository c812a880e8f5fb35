"""
Counters of members that come and go, such as processes, added up by what they belong to; pure.

A member counts from its own start, and what it counted goes with it. So what a component has is added up from one reading to
the next: of a member that was there before its growth, of a new one all that it counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

Counts = tuple[float, ...]
Totals = Mapping[str, Counts]  # component -> its counters since start-up
Activity = Mapping[str, float]  # component -> what its first counter grew by lately
FADING = 0.94  # of it, from one reading to the next: half is left after eleven


@dataclass(frozen=True, slots=True)
class Member:
    """One of many: `identity` is given to no other one until the target is started anew, `components` are by their kind."""

    identity: str
    components: Mapping[str, str]
    counts: Counts


@dataclass(frozen=True, kw_only=True)
class MemberTally:
    """
    The members of one reading. `metrics` name the counters by the kind of component that they are added up for, in the order
    of `counts`; of a kind `most` components are told apart, those whose first counter grew most, and what is left is `rest`.
    """

    members: Sequence[Member]
    metrics: Mapping[str, Sequence[str]]
    rest: Mapping[str, str]
    most: int


@dataclass(frozen=True, kw_only=True)
class TallyState:
    """What was counted up to a reading: of each member, and of the components of each kind."""

    captured_at: datetime
    members: Mapping[str, Counts] = field(default_factory=dict)
    totals: Mapping[str, Totals] = field(default_factory=dict)
    activity: Mapping[str, Activity] = field(default_factory=dict)


def count_up(
    tally: MemberTally, before: TallyState | None, captured_at: datetime, started_at: datetime | None
) -> TallyState:
    """What was counted up to this reading; `before` is of an earlier one, and counts no more after a start-up since."""
    if before is None or (started_at is not None and started_at > before.captured_at):
        before = TallyState(captured_at=captured_at)
    growth = {
        member.identity: _growth(member, before.members.get(member.identity)) for member in tally.members
    }
    totals, activity = {}, {}
    for kind in tally.metrics:
        grown = _sums((member.components[kind], growth[member.identity]) for member in tally.members)
        activity[kind] = _most_active(before.activity.get(kind, {}), grown, tally.most, tally.rest[kind])
        totals[kind] = _totals(before.totals.get(kind, {}), grown, activity[kind], tally.rest[kind])
    members = {member.identity: member.counts for member in tally.members}
    return TallyState(captured_at=captured_at, members=members, totals=totals, activity=activity)


def values_of(tally: MemberTally, state: TallyState) -> dict[tuple[str, str], float]:
    """The counters of the components, by (metric, component)."""
    return {
        (metric, component): count
        for kind, metrics in tally.metrics.items()
        for component, counts in state.totals[kind].items()
        for metric, count in zip(metrics, counts, strict=True)
    }


def _growth(member: Member, before: Counts | None) -> Counts:
    """A counter that fell is of parts of which one ended: what it grew by is not known, and is left out."""
    if before is None:
        return member.counts
    return tuple(max(0.0, new - old) for new, old in zip(member.counts, before, strict=True))


def _sums(rows: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    sums: dict[str, Counts] = {}
    for component, counts in rows:
        so_far = sums.get(component, (0.0,) * len(counts))
        sums[component] = tuple(a + b for a, b in zip(so_far, counts, strict=True))
    return sums


def _most_active(before: Activity, grown: Totals, most: int, rest: str) -> Activity:
    """Which components are told apart: what they did lately counts, so that idle ones give way to those that work."""
    lately = {
        component: FADING * before.get(component, 0.0) + grown.get(component, (0.0,))[0]
        for component in {*before, *grown} - {rest}
    }
    ranking = sorted(lately, key=lambda component: (-lately[component], component))
    return {component: lately[component] for component in ranking[:most]}


def _totals(before: Totals, grown: Totals, apart: Activity, rest: str) -> Totals:
    """The totals of before with what they grew by; one that gave way begins anew when it comes back."""
    rows = [(component, counts) for component, counts in before.items() if component in {*apart, rest}]
    rows += [(component if component in apart else rest, counts) for component, counts in grown.items()]
    return _sums(rows)
