"""How promises fared: chances held against what came, days against the day, and against a straight line's."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from apps.forecasting.engine.chance import NEVER_ABOVE, NEVER_BELOW

BOUNDS = (NEVER_BELOW, 0.2, 0.4, 0.6, 0.8, NEVER_ABOVE)  # between groups of chances
LEAST = 20  # cases below which no share is told
NEARER = 2  # days in the middle by which the line must be nearer to be told
UNTRUE = 0.12  # of a share that a chance may be off in the mean
Z80 = 1.2816
MOST_WIDTH = 1.6
LEAST_WIDTH = 1.1  # what would be widened by less stays as it is
HELD = 0.8  # of the days that came are to lie between soonest and latest


@dataclass(frozen=True)
class Ending:
    """
    What became of promises that ended alike; `count` of them, `chance` is the sum of their chances.

    `is_predicted` says whether a day was given, `has_line` whether the straight line gave one. Days off are those that what came was
    late; None without a day, or where nothing came. `is_inside` says whether it came between soonest and latest.
    """

    group: int
    chance: float
    is_predicted: bool
    has_come: bool
    count: int = 1
    days_off: int | None = None
    is_inside: bool | None = None
    has_line: bool = False
    line_off: int | None = None


@dataclass(frozen=True)
class ChanceGroup:
    """Promises of like chances: how many were made and came, the mean chance, and where the true share lies at 80 %."""

    least: float
    most: float
    count: int
    came: int
    chance: float
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.came / self.count


@dataclass(frozen=True)
class Tally:
    """
    What one way of foreseeing came to: crossings it predicted that came and that did not, and those it did not predict.

    `days_off` is the middle of how far its days were off; None where there is none.
    """

    came: int
    missed: int
    unforeseen: int
    days_off: float | None

    @property
    def predicted(self) -> int:
        return self.came + self.missed


@dataclass(frozen=True)
class ForecastAccount:
    """How promises fared, beside a straight line's of the same nights."""

    count: int
    groups: Sequence[ChanceGroup]
    own: Tally
    line: Tally
    ranged: int  # crossings of which soonest and latest were told
    inside: int
    offs: Sequence[tuple[int, int]]  # days off, with how many
    line_offs: Sequence[tuple[int, int]]

    @property
    def is_enough(self) -> bool:
        """Whether shares say something."""
        return self.count >= LEAST

    @property
    def in_range(self) -> float | None:
        return self.inside / self.ranged if self.ranged >= LEAST else None

    @property
    def chance_off(self) -> float | None:
        """How far chances were from what came, in the mean over the groups of chances that have enough promises to say so."""
        large = [group for group in self.groups if group.count >= LEAST]
        if not large:
            return None
        off = sum(group.count * abs(group.share - group.chance) for group in large)
        return off / sum(group.count for group in large)

    @property
    def false_share(self) -> float | None:
        """Crossings that were told and did not come, as a share of all promises."""
        return self.own.missed / self.count if self.is_enough else None

    @property
    def is_line_nearer(self) -> bool:
        """Whether the days of the line were nearer, by more than chance would have it."""
        own, line = self.own, self.line
        if min(own.came, line.came) < LEAST or own.days_off is None or line.days_off is None:
            return False
        return line.days_off + NEARER <= own.days_off

    @property
    def is_untrue(self) -> bool:
        """Whether its chances are not to be taken at their word."""
        return self.chance_off is not None and self.chance_off > UNTRUE


def group_of(chance: float) -> int:
    """The place of the group that a chance belongs to."""
    return sum(chance >= bound for bound in BOUNDS)


def make_account(endings: Iterable[Ending]) -> ForecastAccount:
    """Sum up what became of promises."""
    rows = list(endings)
    came = [row for row in rows if row.has_come]
    offs = _count_days((row.days_off, row.count) for row in came)
    line_offs = _count_days((row.line_off, row.count) for row in came)
    return ForecastAccount(
        count=_total(rows),
        groups=_group_chances(rows),
        own=_tally(rows, [row.is_predicted for row in rows], offs),
        line=_tally(rows, [row.has_line for row in rows], line_offs),
        ranged=_total(row for row in came if row.is_inside is not None),
        inside=_total(row for row in came if row.is_inside),
        offs=offs,
        line_offs=line_offs,
    )


def find_width(stretches: Sequence[float]) -> float:
    """
    Return how much wider bands must be for four in five of what came to lie between soonest and latest.

    `stretches` say of each crossing how many times as far as the bound on its side of the likely day it came, without any
    widening. 1 with too few of them, and where they held.
    """
    if len(stretches) < LEAST:
        return 1.0
    ordered = sorted(stretches)
    width = round(min(ordered[math.ceil(HELD * len(ordered)) - 1], MOST_WIDTH), 1)
    return width if width >= LEAST_WIDTH else 1.0


def find_stretch(late: int, reach: int | None, width: float) -> float:
    """
    Return how many times as far as its bound something came, had the band not been widened.

    `late` are the days after the likely one, `reach` those from there to the bound on the same side; None where that lies beyond all days.
    """
    return 0.0 if reach is None else abs(late) / max(reach, 1) * width


def _total(rows: Iterable[Ending]) -> int:
    return sum(row.count for row in rows)


def _tally(rows: Sequence[Ending], is_predicted: Sequence[bool], offs: Sequence[tuple[int, int]]) -> Tally:
    pairs = list(zip(rows, is_predicted, strict=True))
    return Tally(
        came=_total(row for row, was_predicted in pairs if was_predicted and row.has_come),
        missed=_total(row for row, was_predicted in pairs if was_predicted and not row.has_come),
        unforeseen=_total(row for row, was_predicted in pairs if not was_predicted and row.has_come),
        days_off=_middle_of([(abs(off), count) for off, count in offs]),
    )


def _count_days(pairs: Iterable[tuple[int | None, int]]) -> list[tuple[int, int]]:
    counts: dict[int, int] = {}
    for off, count in pairs:
        if off is not None:
            counts[off] = counts.get(off, 0) + count
    return sorted(counts.items())


def _middle_of(pairs: Sequence[tuple[int, int]]) -> float | None:
    """The median of values with their counts."""
    ordered = sorted(pairs)
    ends = list(accumulate(count for _, count in ordered))
    if not ends:
        return None
    places = (ends[-1] - 1) // 2, ends[-1] // 2
    values = [next(value for (value, _), end in zip(ordered, ends, strict=True) if end > at) for at in places]
    return sum(values) / 2


def _group_chances(rows: Sequence[Ending]) -> list[ChanceGroup]:
    edges = (0.0, *BOUNDS, 1.0)
    groups = []
    for place in range(len(BOUNDS) + 1):
        members = [row for row in rows if row.group == place]
        if not (count := _total(members)):
            continue
        came = _total(row for row in members if row.has_come)
        chance = sum(row.chance for row in members) / count
        groups.append(
            ChanceGroup(edges[place], edges[place + 1], count, came, chance, *_interval(came, count))
        )
    return groups


def _interval(came: int, count: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 80 %."""
    share, z = came / count, Z80 * Z80 / count
    middle = (share + z / 2) / (1 + z)
    half = Z80 * math.sqrt(share * (1 - share) / count + z / 4 / count) / (1 + z)
    low, high = max(middle - half, 0.0), min(middle + half, 1.0)
    return min(low, share), max(high, share)  # of none and of all the share is an end, but for the last digit
