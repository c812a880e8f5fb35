"""
Which days are compared, so that like is compared with like (arithmetic, no Django).

The last seven whole days since a change began stand against the 28 whole days before it; where they are no whole week,
the same weekdays. What counts as a whole day is the caller's to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NOW_DAYS, BEFORE_DAYS, WEEK = 7, 28, 7
NOW_REACH, BEFORE_REACH = timedelta(days=14), timedelta(days=42)  # as far as whole days are looked for
LEAST_OF_WEEKDAYS = 2  # fewer days of the same weekdays than these, and all weekdays are taken


@dataclass(frozen=True)
class Windows:
    """The days that are compared, oldest first; `is_before` is False where nothing was measured before the change."""

    before: Sequence[date]
    now: Sequence[date]
    is_before: bool = True

    @property
    def is_enough(self) -> bool:
        return bool(self.now) and bool(self.before)


def choose_days(days: Sequence[date], is_usable: Flags, begin: date, on: date) -> Windows:
    """The days to compare, of those that are usable, for a change that began on a day, as seen on another."""
    usable = [day for day, is_so in zip(days, is_usable.tolist(), strict=True) if is_so and day <= on]
    now = [day for day in usable if day >= begin and on - day < NOW_REACH][-NOW_DAYS:]
    before = [day for day in usable if begin - BEFORE_REACH <= day < begin][-BEFORE_DAYS:]
    is_before = len(before) >= WEEK
    if not is_before:  # it was so when its readings began: then how it went on since is all that can be told
        before = [day for day in usable if begin <= day < (now[0] if now else on)][:BEFORE_DAYS]
    if len(before) < WEEK:
        return Windows([], now, is_before)
    weekdays = {day.weekday() for day in now}
    same = [day for day in before if day.weekday() in weekdays]
    return Windows(same if len(same) >= LEAST_OF_WEEKDAYS else before, now, is_before)


def compute_medians(
    days: Sequence[date], values: Floats, windows: Windows
) -> tuple[float | None, float | None]:
    """The median of the days before and of those now; None where there are none."""
    return _median(days, values, windows.before), _median(days, values, windows.now)


def _median(days: Sequence[date], values: Floats, chosen: Sequence[date]) -> float | None:
    chosen_days = set(chosen)
    figures = [value for day, value in zip(days, values.tolist(), strict=True) if day in chosen_days]
    return median(figures) if figures else None


@dataclass(frozen=True)
class Growth:
    """How something grew over the last four weeks, in its unit: in all, a day, on how many of the days, most on one."""

    total: float
    per_day: float
    per_day_before: float | None  # the median of the days before the change began
    added: float  # by the days on which it grew
    grew_days: int
    days: int
    largest: float
    largest_on: date
    first: date


def compute_growth(
    days: Sequence[date], values: Floats, is_usable: Flags, begin: date, on: date
) -> Growth | None:
    """How figures grew from whole day to whole day; None with fewer than a week of such steps."""
    usable = [
        (day, value)
        for day, value, is_so in zip(days, values.tolist(), is_usable.tolist(), strict=True)
        if is_so and day <= on
    ]
    steps = [(day, value - former, (day - since).days) for (since, former), (day, value) in pairwise(usable)]
    recent = [step for step in steps if (on - step[0]).days < BEFORE_DAYS]
    if len(recent) < WEEK:
        return None
    earlier = [amount / length for day, amount, length in steps if begin - BEFORE_REACH <= day < begin]
    largest_on, largest, _ = max(recent, key=lambda step: step[1])
    length = sum(length for _, _, length in recent)
    total = sum(amount for _, amount, _ in recent)
    return Growth(
        total=total,
        per_day=total / length,
        per_day_before=float(np.median(earlier)) if len(earlier) >= WEEK else None,
        added=sum(amount for _, amount, _ in recent if amount > 0),
        grew_days=sum(amount > 0 for _, amount, _ in recent),
        days=len(recent),
        largest=largest,
        largest_on=largest_on,
        first=recent[0][0] - timedelta(days=recent[0][2]),
    )
