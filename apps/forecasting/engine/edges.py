"""Edges of limits, standing or moving by day: on which days paths are beyond, and the first that opens a violation."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from apps.forecasting.engine.series import Counts, Flags, Floats
from apps.thresholds.engine.notation import SIGNIFICANT, Form, significant

Edge = tuple[float, Form]  # of one series, in its unit
Opening = tuple[int, int]  # a violation opens on the N-th day beyond its limit of the last M that are judged
AT_ONCE: Opening = (1, 1)
STAYS_INSIDE: Opening = (3, 3)  # days in a row that make a return


@dataclass(frozen=True)
class Edges:
    """
    Edges of series, one entry each: `rows` are the places of the series in the batch, `sides` on which side comfort is.

    `limit` is entries x 1, or entries x days ahead where it moves; NaN on a day that has none. `now` is what the last
    observed value is held against, `names` stand before a reason where the series is not the one that was asked for.
    `openings` say after how many days beyond a violation opens.
    """

    rows: Counts
    limit: Floats
    now: Floats
    sides: Sequence[Form]
    names: Sequence[str]
    openings: Sequence[Opening]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> "Edges":
        return Edges(*(getattr(self, field.name)[part] for field in fields(self)))

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

    def find_beyond_before(self, recent: Floats) -> Flags:
        """
        Return on which of the last measured days (entries x days) each series was beyond; of a limit that moves the last alone.

        The last column is what `now` says.
        """
        is_beyond = np.zeros(recent.shape, dtype=np.bool_)
        if not self.is_moving:
            with np.errstate(invalid="ignore"):
                is_beyond = self.find_beyond(recent[:, None, :])[:, 0]
        for place, (limit, side) in enumerate(zip(self.now, self.sides, strict=True)):
            is_beyond[place, -1] = is_beyond_now(float(recent[place, -1]), float(limit), side)
        return is_beyond

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


def build_edges(
    rows: Sequence[int] | Counts,
    limits: Sequence[float],
    sides: Sequence[Form],
    openings: Sequence[Opening] | None = None,
) -> Edges:
    """Return edges that stand, broken by their first day beyond without `openings`; one that is no number by nothing."""
    limit = np.array(limits, dtype=np.float64)
    limit[~np.isfinite(limit)] = np.nan
    each = [AT_ONCE] * len(limit) if openings is None else openings
    return Edges(np.asarray(rows, dtype=np.intp), limit[:, None], limit, sides, [""] * len(limit), each)


def is_beyond_now(value: float, limit: float, side: Form) -> bool:
    """Return whether a value is beyond a limit, both taken to nine significant digits."""
    if not (np.isfinite(value) and np.isfinite(limit)):
        return False
    rounded, edge = significant(value), significant(limit)
    if rounded == edge:
        return not side.allows_limit
    return rounded > edge if side.is_upper else rounded < edge


def find_crossings(
    conditions: Sequence[Edges],
    paths: Sequence[Floats],
    recent: Sequence[Floats],
    sizes: Sequence[Floats],
    judged: Flags,
) -> tuple[Floats, Floats, Flags]:
    """
    Return when all conditions are broken at once: the first day of each path that opens a violation, the first from which
    it stays inside (both entries x paths), and which entries are in violation today.

    Of each condition `paths` are entries x paths x days, `recent` the last days measured, `sizes` the largest values.
    """
    beyond = zip(conditions, paths, sizes, strict=True)
    is_beyond = np.logical_and.reduce([edges.find_beyond(ahead, size) for edges, ahead, size in beyond])
    passed = zip(conditions, recent, strict=True)
    before = np.logical_and.reduce([edges.find_beyond_before(days) for edges, days in passed])
    openings = conditions[0].openings
    first = find_first_days(is_beyond, openings, judged, before)
    inside = find_first_days(~is_beyond, [STAYS_INSIDE] * len(before), judged)
    pairs = zip(before, openings, strict=True)
    is_open = [bool(days[-1] and days[-within:].sum() >= least) for days, (least, within) in pairs]
    return first, np.maximum(inside - STAYS_INSIDE[0] + 1, 1), np.array(is_open, dtype=np.bool_)


def find_first_days(
    is_so: Flags,
    openings: Sequence[Opening] = (),
    judged: Flags | None = None,
    before: Flags | None = None,
) -> Floats:
    """
    Return the first day (1 = the next) of each path that opens a violation; infinite if none.

    `is_so` is entries x paths x days. An entry opens by its own `openings` (N of the last M days, this one among them), by
    its first day without. `judged` (entries x days) names the days that count, where not all do; `before` (entries x
    days) says of days that have passed whether they were so.
    """
    passed = 0
    if before is not None and any(least > 1 for least, _ in openings):
        passed = before.shape[1]
        is_so = np.concatenate([np.repeat(before[:, None, :], is_so.shape[1], axis=1), is_so], axis=2)
        judged = None if judged is None else np.concatenate([np.ones_like(before), judged], axis=1)
    opens = _find_opening_days(is_so, openings or [AT_ONCE] * len(is_so), judged)[..., passed:]
    if not opens.shape[-1]:
        return np.full(opens.shape[:-1], np.inf)
    return np.where(opens.any(axis=-1), opens.argmax(axis=-1) + 1.0, np.inf)


def _find_opening_days(is_so: Flags, openings: Sequence[Opening], judged: Flags | None) -> Flags:
    """Return on which days each path would open a violation: so, and with it N of the last M days that count."""
    opens = is_so.copy() if judged is None else is_so & judged[:, None, :]
    for row, (least, within) in enumerate(openings):
        if least == 1:
            continue
        days = np.arange(is_so.shape[2]) if judged is None else np.flatnonzero(judged[row])
        count = np.cumsum(is_so[row][:, days], axis=1)
        count[:, within:] -= count[:, :-within].copy()
        opens[row, :, days] &= (count >= least).T
    return opens
