"""
The rule, over arrays: what a limit says of figures, and when a violation opens and closes.

The nightly review asks it about one target and one day, the dry run about many days of many targets, the profile about
the rows of a day; nothing else decides.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apps.thresholds.engine.notation import Form, Limit
from apps.thresholds.findings import Findings, Flags, Floats
from apps.thresholds.models import Threshold

DAYS_BACK = 45  # how far back judged days are looked for
NEAR = 1e-7  # relative; so near to its limit a figure is compared digit by digit


class Verdict(IntEnum):
    """What a limit says of a figure; all but the first two are reasons not to judge it, the first that holds."""

    COMFORTABLE = 0
    VIOLATED = 1
    UNDECIDED = 2  # the limit never fires
    LEFT_OUT = 3  # by a calendar
    NO_BASELINE = 4
    NO_FIGURE = 5
    NOT_OVER = 6  # the day still runs
    INCOMPLETE = 7  # an instance of the database was not read
    PARTIAL = 8
    ABSENT = 9  # did not occur, under a lower limit
    THIN = 10  # an average over too few
    NO_SECOND = 11  # the other of two conditions is not known

    @property
    def is_judged(self) -> bool:
        return self <= Verdict.VIOLATED


Verdicts = NDArray[np.int8]


def judge(
    limits: Sequence[Limit],
    findings: Findings,
    left_out: Flags,
    second: Findings | None = None,
    *,
    so_far: bool = False,
) -> Verdicts:
    """
    The verdict on each figure, (components, days), each component under its own limit.

    `left_out` (days,) are days of calendars; `second` the figures of a second condition; with `so_far` a running day is
    judged too. The limits are of one threshold, so they differ in their numbers only.
    """
    form, has_second = limits[0].form, limits[0].second is not None
    beyond = is_beyond(limits, findings.values)
    verdicts = np.where(beyond, Verdict.VIOLATED, Verdict.COMFORTABLE).astype(np.int8)
    if has_second:
        has_second_figure = np.zeros(beyond.shape, dtype=bool)
        if second is not None:
            has_second_figure = (
                second.is_present & second.is_whole & second.is_complete & (second.is_over | so_far)
            )
        both = beyond if second is None else is_beyond(limits, findings.values, second=second.values)
        verdicts = np.where(both, verdicts, Verdict.COMFORTABLE).astype(np.int8)
        verdicts[beyond & ~has_second_figure] = Verdict.NO_SECOND
    if form is not Form.ELIMINATE:
        with np.errstate(invalid="ignore"):
            verdicts[findings.is_present & (findings.weights < findings.metric.judging.enough)] = Verdict.THIN
    is_lower = np.array([limit.low is not None for limit in limits], dtype=bool)[:, None]
    verdicts[findings.is_absent] = Verdict.COMFORTABLE
    verdicts[findings.is_absent & is_lower] = Verdict.ABSENT
    verdicts[~findings.is_whole] = Verdict.PARTIAL
    verdicts[~findings.is_complete] = Verdict.INCOMPLETE
    if not so_far:
        verdicts[~findings.is_over] = Verdict.NOT_OVER
    verdicts[~(findings.is_present | findings.is_absent)] = Verdict.NO_FIGURE
    if form is Form.NO_CHANGE:
        verdicts[~is_lower[:, 0]] = Verdict.NO_BASELINE
    verdicts[:, left_out] = Verdict.LEFT_OUT
    if form is Form.UNDECIDED:
        verdicts[:] = Verdict.UNDECIDED
    return verdicts


def is_beyond(
    limits: Sequence[Limit], values: Floats, gap: float = 0.0, second: Floats | None = None
) -> Flags:
    """
    `Limit.is_beyond` of each value, (components, days): plain comparisons, digit by digit at the edge of a limit.

    An unknown second value keeps the first condition's answer.
    """
    over, near = np.zeros(values.shape, dtype=bool), np.zeros(values.shape, dtype=bool)
    with np.errstate(invalid="ignore"):
        for edges, sign in (([limit.high for limit in limits], 1.0), ([limit.low for limit in limits], -1.0)):
            edge = np.array([np.nan if number is None else number for number in edges])[:, None]
            moved = edge - sign * gap * np.abs(edge)
            over |= sign * (values - moved) > 0
            near |= np.abs(values - moved) <= NEAR * np.maximum(np.abs(values), np.abs(moved))
    for row, column in zip(*np.nonzero(near), strict=True):
        over[row, column] = limits[row].breaks(float(values[row, column]), gap)
    seconds = [limit.second.limit for limit in limits if limit.second is not None]
    if seconds and second is not None:
        over &= np.isnan(second) | is_beyond(seconds, second, gap)
    return over


@dataclass(frozen=True)
class JudgedSeries:
    """How one threshold judged one component day by day, arrays by day; a violation opens and closes by it."""

    threshold: Threshold
    limit: Limit
    verdicts: Verdicts
    is_recovered: Flags  # inside the limit by the recovery gap
    values: Floats
    seconds: Floats | None  # of a second condition

    @cached_property
    def judged(self) -> list[int]:
        """The days that were judged, oldest first."""
        return np.flatnonzero(self.verdicts <= Verdict.VIOLATED).tolist()  # type: ignore[no-any-return]

    @cached_property
    def beyond(self) -> frozenset[int]:
        return frozenset(np.flatnonzero(self.verdicts == Verdict.VIOLATED).tolist())

    def verdict(self, day: int) -> Verdict:
        return Verdict(int(self.verdicts[day]))

    def value(self, day: int) -> float | None:
        value = float(self.values[day])
        return None if np.isnan(value) else value

    def last_judged(self, day: int, count: int) -> list[int]:
        """The last judged days up to a day, oldest first."""
        upto = bisect_right(self.judged, day)
        return [on for on in self.judged[max(0, upto - count) : upto] if day - on < DAYS_BACK]

    def opens(self, day: int) -> bool:
        """Beyond the limit on this day, which makes it N of the last M judged ones."""
        if day not in self.beyond:
            return False
        recent = self.last_judged(day, self.threshold.opens_within)
        return sum(on in self.beyond for on in recent) >= self.threshold.opens_after

    def closes(self, day: int, opened: int) -> bool:
        """The K-th judged day in a row inside the limit by the recovery gap, counted after the day it opened."""
        if not self.verdict(day).is_judged:
            return False
        count = self.threshold.closes_after
        recent = [on for on in self.last_judged(day, count) if on > opened]
        return len(recent) == count and all(self.is_recovered[on] for on in recent)

    def days_inside(self, day: int, opened: int) -> int:
        """How many of the last judged days in a row count towards its end."""
        count = 0
        for on in reversed(self.last_judged(day, self.threshold.closes_after)):
            if on <= opened or not self.is_recovered[on]:
                break
            count += 1
        return count


def judge_series(
    threshold: Threshold,
    limits: Sequence[Limit],
    findings: Findings,
    left_out: Flags,
    second: Findings | None = None,
) -> list[JudgedSeries]:
    """How a threshold judged each component, day by day; at once."""
    if not limits:
        return []
    verdicts = judge(limits, findings, left_out, second)
    other = None if second is None else second.values
    recovered = ~is_beyond(limits, findings.values, threshold.recovery_gap / 100, other)
    return [
        JudgedSeries(
            threshold,
            limit,
            verdicts[row],
            recovered[row],
            findings.values[row],
            None if other is None else other[row],
        )
        for row, limit in enumerate(limits)
    ]
