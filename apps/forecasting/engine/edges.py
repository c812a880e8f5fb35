"""Edges of limits, standing or moving by day: on which days paths are beyond, and the day from which they stay there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.forecasting.engine.series import Counts, Flags, Floats
from apps.thresholds.engine.notation import SIGNIFICANT, Form, significant

Edge = tuple[float, Form]  # of one series, in its unit


@dataclass(frozen=True)
class Edges:
    """
    Edges of series, one entry each: `rows` are the places of the series in the batch, `sides` on which side comfort is.

    `limit` is entries x 1, or entries x days ahead where it moves; NaN on a day that has none. `now` is what the last
    observed value is held against, `names` stand before a reason where the series is not the one that was asked for.
    """

    rows: Counts
    limit: Floats
    now: Floats
    sides: Sequence[Form]
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> "Edges":
        return Edges(self.rows[part], self.limit[part], self.now[part], self.sides[part], self.names[part])

    @property
    def is_moving(self) -> bool:
        """Whether the limits differ by day."""
        return bool(self.limit.shape[1] > 1)

    @property
    def nearest(self) -> Floats:
        """The limit of each entry that is crossed first by what grows toward it; NaN where there is none."""
        upper = np.where(np.isfinite(self.limit), self.limit, np.inf).min(axis=1)
        lower = np.where(np.isfinite(self.limit), self.limit, -np.inf).max(axis=1)
        nearest = np.where([side.is_upper for side in self.sides], upper, lower)
        return np.where(np.isfinite(nearest), nearest, np.nan)

    def find_beyond(self, paths: Floats, sizes: Floats | None = None) -> Flags:
        """
        Return on which days each path (entries x paths x days) is beyond its limit, compared to nine significant digits.

        `sizes` are the largest values observed, where they may be larger than the limits.
        """
        largest = np.nan_to_num(np.abs(self.limit)).max(axis=1)
        tolerance = 10.0**-SIGNIFICANT * (largest if sizes is None else np.maximum(largest, sizes))
        sign = np.array([1.0 if side.is_upper else -1.0 for side in self.sides])
        allows = np.array([side.allows_limit for side in self.sides], dtype=np.bool_)
        edge = self.limit * sign[:, None] + np.where(allows, tolerance, -tolerance)[:, None]
        return np.asarray(paths * sign[:, None, None] > edge[:, None, :])


def build_edges(rows: Sequence[int] | Counts, limits: Sequence[float], sides: Sequence[Form]) -> Edges:
    """Return edges that stand; one that is no number is crossed by nothing."""
    limit = np.array(limits, dtype=np.float64)
    limit[~np.isfinite(limit)] = np.nan
    return Edges(np.asarray(rows, dtype=np.intp), limit[:, None], limit, sides, [""] * len(limit))


def is_beyond_now(value: float, limit: float, side: Form) -> bool:
    """Return whether a value is beyond a limit, both taken to nine significant digits."""
    if not (np.isfinite(value) and np.isfinite(limit)):
        return False
    rounded, edge = significant(value), significant(limit)
    if rounded == edge:
        return not side.allows_limit
    return rounded > edge if side.is_upper else rounded < edge


def find_first_days(is_so: Flags, judged: Flags | None = None) -> Floats:
    """
    Return the first day (1 = the next) of each path that is so, and is so again within two days; infinite if none.

    `judged` (entries x days) names the days that count, where not all do: the two days are counted among them.
    """
    if judged is None or judged.all():
        again = np.zeros_like(is_so)
        again[..., :-1] |= is_so[..., 1:]
        again[..., :-2] |= is_so[..., 2:]
        lasting = is_so & again
        if not lasting.shape[-1]:
            return np.full(lasting.shape[:-1], np.inf)
        return np.where(lasting.any(axis=-1), lasting.argmax(axis=-1) + 1.0, np.inf)
    first = np.full(is_so.shape[:-1], np.inf)
    for row, counts in enumerate(judged):
        days = np.flatnonzero(counts)
        among = find_first_days(is_so[row][:, days])
        has_day = np.isfinite(among)
        first[row, has_day] = days[among[has_day].astype(np.intp) - 1] + 1
    return first
