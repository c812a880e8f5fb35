"""On which days futures are beyond a limit that stands or moves by day, and the day from which they stay there."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from apps.forecasting.clean import Counts, Flags, Floats
from apps.thresholds.notation import SIGNIFICANT, significant


class Direction(StrEnum):
    """On which side of the limit comfort is, and whether the limit itself is still comfortable."""

    AT_MOST = "at_most"  # <= limit
    BELOW = "below"  # < limit
    AT_LEAST = "at_least"  # >= limit
    ABOVE = "above"  # > limit

    @property
    def is_upper(self) -> bool:
        """Whether more is worse."""
        return self in (Direction.AT_MOST, Direction.BELOW)

    @property
    def allows_limit(self) -> bool:
        """Whether the limit itself is comfortable."""
        return self in (Direction.AT_MOST, Direction.AT_LEAST)


@dataclass(frozen=True)
class Edges:
    """
    Limits asked of series, one entry each: `rows` are the places of the series in the batch.

    `limit` is entries x 1, or entries x days ahead where it moves; NaN on a day that has none. `now` is what the last
    observed value is held against, `names` stand before a reason where the series is not the one that was asked for.
    """

    rows: Counts
    limit: Floats
    now: Floats
    sides: Sequence[Direction]
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, chunk: slice) -> "Edges":
        """Some of the entries."""
        return Edges(
            self.rows[chunk], self.limit[chunk], self.now[chunk], self.sides[chunk], self.names[chunk]
        )

    @property
    def moves(self) -> bool:
        """Whether the limits differ by day."""
        return bool(self.limit.shape[1] > 1)

    @property
    def nearest(self) -> Floats:
        """The limit of each entry that is crossed first by what grows toward it; NaN where there is none."""
        upper = np.where(np.isfinite(self.limit), self.limit, np.inf).min(axis=1)
        lower = np.where(np.isfinite(self.limit), self.limit, -np.inf).max(axis=1)
        found = np.where([side.is_upper for side in self.sides], upper, lower)
        return np.where(np.isfinite(found), found, np.nan)

    def beyond(self, paths: Floats, sizes: Floats) -> Flags:
        """Return on which days each path (entries x paths x days) is beyond; `sizes` are the largest values observed."""
        largest = np.nan_to_num(np.abs(self.limit)).max(axis=1)
        return beyond(paths, self.limit, 10.0**-SIGNIFICANT * np.maximum(largest, sizes), self.sides)


def edges(rows: Sequence[int] | Counts, limits: Sequence[float], sides: Sequence[Direction]) -> Edges:
    """Return limits that stand; one that is no number is crossed by nothing."""
    limit = np.array(limits, dtype=np.float64)
    limit[~np.isfinite(limit)] = np.nan
    return Edges(np.asarray(rows, dtype=np.intp), limit[:, None], limit, sides, [""] * len(limit))


def beyond(paths: Floats, limit: Floats, tolerance: Floats, sides: Sequence[Direction]) -> Flags:
    """Return on which days each path (limits x paths x days) is beyond the limit of its row (limits x 1, or x days)."""
    sign = np.array([1.0 if side.is_upper else -1.0 for side in sides])
    slack = np.where(np.array([side.allows_limit for side in sides], dtype=np.bool_), tolerance, -tolerance)
    over = paths * sign[:, None, None]
    edge = (limit * sign[:, None] + slack[:, None])[:, None, :]
    return np.asarray(over > edge)


def is_beyond_now(value: float, limit: float, side: Direction) -> bool:
    """Return whether a value is beyond a limit, both taken to nine significant digits."""
    if not (np.isfinite(value) and np.isfinite(limit)):
        return False
    rounded, edge = significant(value), significant(limit)
    if rounded == edge:
        return not side.allows_limit
    return rounded > edge if side.is_upper else rounded < edge


def first_days(is_so: Flags, judged: Flags | None = None) -> Floats:
    """
    Return the first day (1 = the next) of each path that is so, and is so again within two days; infinite if none.

    `judged` (entries x days) names the days that count, where not all do: the two days are counted among them.
    """
    if judged is None or judged.all():
        return _first_days(is_so)
    result = np.full(is_so.shape[:-1], np.inf)
    for row, counts in enumerate(judged):
        days = np.flatnonzero(counts)
        first = _first_days(is_so[row][:, days])
        has_one = np.isfinite(first)
        result[row, has_one] = days[first[has_one].astype(np.intp) - 1] + 1
    return result


def _first_days(is_so: Flags) -> Floats:
    again = np.zeros_like(is_so)
    again[..., :-1] |= is_so[..., 1:]
    again[..., :-2] |= is_so[..., 2:]
    lasting = is_so & again
    if not lasting.shape[-1]:
        return np.full(lasting.shape[:-1], np.inf)
    return np.where(lasting.any(axis=-1), lasting.argmax(axis=-1) + 1.0, np.inf)


def crossing_curves(crossings: Floats, weights: Floats, horizon: int) -> Floats:
    """Return the weighted share of futures that have crossed by each day; rows x horizon."""
    has_crossed = crossings[:, :, None] <= np.arange(1, horizon + 1)
    total = weights.sum(axis=1)[:, None]
    return np.asarray(np.minimum((has_crossed * weights[:, :, None]).sum(axis=1) / total, 1.0))


def quantile_day(curve: Floats, share: float) -> int | None:
    """Return the first day by which so large a share has crossed; None when it never gets there."""
    reached = curve >= share - 1e-9
    return int(reached.argmax()) + 1 if reached.any() else None
