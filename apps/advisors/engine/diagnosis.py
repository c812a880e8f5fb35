"""
Performance problem or capacity constraint? (arithmetic, no Django)

Evidence is numbers; `sentences.py` writes it when it is shown. What speaks depends on the figure: work that grew with it
or did not, how long an operation takes and how many there are, what is stored, who uses a machine.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.advisors.engine.windows import Growth

GROWN = 10.0  # percent; less is taken as unchanged
ALONE = 2.0  # the figure grew by so many times more than the work
STEADY, ONE_LOAD = 1 / 3, 1 / 2  # of what was added, on the largest day

PERFORMANCE, CAPACITY, UNDETERMINED = "performance", "capacity", "undetermined"


@dataclass(frozen=True)
class StatisticChange:
    """A statistic before a change began and now, in the unit it is shown in; None where there were no days to tell it from."""

    name: str
    unit: str
    before: float | None
    now: float | None

    @property
    def percent(self) -> float | None:
        """By how much it grew; infinite from nothing."""
        if self.before is None or self.now is None:
            return None
        if not self.before:
            return math.copysign(math.inf, self.now) if self.now else 0.0
        return 100 * (self.now - self.before) / abs(self.before)


@dataclass(frozen=True)
class Strain:
    """One resource of the host against what it can bear."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def is_over(self) -> bool:
        return self.value > self.limit


@dataclass(frozen=True)
class MachineUser:
    """Who takes a share of a machine: the share and the work done with it."""

    share: StatisticChange
    work: Sequence[StatisticChange]


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence: its kind, which names the sentence, the diagnosis it speaks for or against, and the numbers."""

    kind: str
    speaks_for: str = ""  # performance, capacity, or neither
    speaks_against: str = ""
    changes: Sequence[StatisticChange] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)


def conclude(evidence: Sequence[Evidence]) -> str:
    """The diagnosis that the evidence speaks for; "undetermined" where it points both ways or nowhere."""
    votes = {piece.speaks_for for piece in evidence} - {""}
    return votes.pop() if len(votes) == 1 else UNDETERMINED


def judge_work(rise: float | None, work: Sequence[StatisticChange]) -> list[Evidence]:
    """Whether the work grew with a figure that became worse by `rise` percent, or the figure grew alone."""
    measured = [change for change in work if change.percent is not None]
    if rise is None or not measured:
        return []
    grew = [change for change in measured if (change.percent or 0) >= GROWN]
    with_it = [change for change in grew if -GROWN < rise <= ALONE * (change.percent or 0)]
    flat = [change for change in measured if abs(change.percent or 0) < GROWN]
    fell = [change for change in measured if (change.percent or 0) <= -GROWN]
    is_alone = rise >= GROWN and all(_is_less(change, rise) for change in measured)
    speaks_for = PERFORMANCE if is_alone else ""
    pieces = [
        Evidence("work_grew", CAPACITY, changes=with_it),
        Evidence("work_grew_less", changes=[change for change in grew if change not in with_it]),
        Evidence("work_flat", speaks_for, changes=flat),
        Evidence("work_fell", speaks_for, changes=fell),
    ]
    return [piece for piece in pieces if piece.changes]


def _is_less(change: StatisticChange, rise: float) -> bool:
    """Whether something grew so little that it does not go with what rose by so many percent."""
    return (change.percent or 0) < min(GROWN, rise / ALONE)


def judge_service(
    average: StatisticChange, count: StatisticChange, *, is_of_each: bool = False
) -> list[Evidence]:
    """
    Whether operations take longer each, or there are more of them.

    More of them explain time in all; a figure `is_of_each` of them, such as an average wait, is explained by more of them
    only where each takes longer for it: a queue.
    """
    if average.percent is None or count.percent is None:
        return []
    is_slower, is_more = average.percent >= GROWN, count.percent >= GROWN
    kind, speaks_for = "service_flat", ""
    if is_slower and _is_less(count, average.percent):
        kind, speaks_for = "slower", PERFORMANCE
    elif is_slower and is_more and average.percent <= ALONE * count.percent:
        kind, speaks_for = "queue", CAPACITY
    elif is_slower:
        kind = "slower_and_more"
    elif is_more:
        kind, speaks_for = ("only_more", "") if is_of_each else ("more", CAPACITY)
    return [Evidence(kind, speaks_for, changes=(average, count))]


def judge_appeared(
    average: StatisticChange, count: StatisticChange, work: Sequence[StatisticChange]
) -> list[Evidence]:
    """What did not occur before the change: whether the work grew, or it came alone."""
    if count.before or not count.now:
        return []
    return [Evidence("appeared", changes=(average, count)), *judge_work(math.inf, work)]


def judge_device(average: StatisticChange, device: StatisticChange, speaks_for: str) -> list[Evidence]:
    """Whether what lies below answers slower too; it then speaks for what the operations themselves speak for."""
    if average.percent is None or device.percent is None or average.percent < GROWN:
        return []
    if device.percent >= GROWN:
        return [Evidence("device_slower", speaks_for, changes=(device,))]
    return [Evidence("device_as_before", changes=(device,))]


def judge_growth(growth: Growth | None, unit: str, things: Sequence[StatisticChange] = ()) -> list[Evidence]:
    """Whether what is stored grows steadily, which only room cures, or came in one load; and what grew."""
    if growth is None:
        return []
    speaks_for = speaks_against = ""
    if growth.total <= 0:
        kind = "stored_no_more"
    elif growth.total < growth.added / 2:
        kind = "stored_and_removed"
    elif growth.largest > ONE_LOAD * growth.added:
        kind, speaks_against = "stored_in_one_load", CAPACITY
    elif growth.largest <= STEADY * growth.added:
        kind, speaks_for = "stored_steadily", CAPACITY
    else:
        kind = "stored_unevenly"
    numbers = {"unit": unit, **{name: _plain(value) for name, value in vars(growth).items()}}
    pieces = [Evidence(kind, speaks_for, speaks_against, numbers=numbers)]
    grown = [thing for thing in things if (thing.now or 0) > (thing.before or 0)]
    return [*pieces, Evidence("things_grew", speaks_for, changes=grown)] if grown else pieces


def judge_drivers(drivers: Sequence[tuple[StatisticChange, str]]) -> list[Evidence]:
    """Whether what takes the space has grown, each with the diagnosis its growth speaks for."""
    measured = [(change, speaks_for) for change, speaks_for in drivers if change.percent is not None]
    pieces = [
        Evidence("driver_grew", speaks_for, changes=(change,))
        for change, speaks_for in measured
        if (change.percent or 0) >= GROWN
    ]
    flat = [change for change, _ in measured if (change.percent or 0) < GROWN]
    return [*pieces, Evidence("driver_flat", changes=flat)] if flat else pieces


def judge_users(rise: float | None, users: Sequence[MachineUser]) -> list[Evidence]:
    """Whether those on a machine take more of it, and for more work or for the same."""
    measured = [user for user in users if user.share.percent is not None]
    if rise is None or not measured:
        return []
    shares = [user.share for user in measured]
    before, now = (sum(getattr(share, when) for share in shares) for when in ("before", "now"))
    whole = StatisticChange("", shares[0].unit, before, now)
    if rise < GROWN:
        return [Evidence("users", changes=shares)]
    if (whole.percent or 0) < GROWN:
        return [Evidence("users_flat", changes=shares)]
    most = max(measured, key=lambda user: (user.share.now or 0) - (user.share.before or 0))
    pieces = judge_work(most.share.percent, most.work)
    has_more = any(piece.kind == "work_grew" for piece in pieces)
    has_same = any(piece.speaks_for == PERFORMANCE for piece in pieces)
    kind = "user_does_more" if has_more else "user_does_the_same" if has_same else "user_grew"
    speaks_for = CAPACITY if has_more else PERFORMANCE if has_same else ""
    work = [change for piece in pieces for change in piece.changes if has_same or piece.kind == "work_grew"]
    return [Evidence(kind, speaks_for, changes=(most.share, *work))]


def judge_strain(strain: Strain) -> Evidence:
    """Whether the host ran out of something."""
    numbers = {"name": strain.name, "value": strain.value, "limit": strain.limit, "unit": strain.unit}
    if strain.is_over:
        return Evidence("host_ran_out", CAPACITY, numbers=numbers)
    return Evidence("host_had_room", speaks_against=CAPACITY, numbers=numbers)


def _plain(value: object) -> object:
    """A day as text, as it is kept."""
    return value.isoformat() if hasattr(value, "isoformat") else value
