"""
The rhythm of days and hours, and noise that depends on nothing but its name and its day.

Days are told by their age: 0 is the last day loaded, -7 the week before, 3 three nights later. The story of the
estate is told in ages, so that it is the same whenever it is loaded; weekdays and month ends are the calendar's.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

SEED = 2008
BEFORE_ALL = -1500  # an age older than any history: weekly rhythm is counted from here

Floats = NDArray[np.float64]
Ages = NDArray[np.int64]

# what a weekday weighs, Monday first
OFFICE = (1.02, 1.05, 1.06, 1.04, 1.0, 0.55, 0.48)
ROUND_THE_CLOCK = (1.0, 1.01, 1.02, 1.03, 1.04, 0.93, 0.9)
NIGHTLY_LOADS = (1.01, 1.03, 1.04, 1.06, 1.0, 0.86, 0.82)
HARDLY = (1.0, 1.01, 1.02, 1.03, 1.01, 0.96, 0.95)
GROWTH = (1.18, 1.24, 1.28, 1.33, 1.2, 0.6, 0.56)  # space is written on working days


def noise(names: list[str], ages: Ages) -> Floats:
    """Roughly normal numbers between -3.5 and 3.5 for each name and age, shape (names, ages), always the same."""
    seeds = np.array([_seed(name) for name in names], dtype=np.uint64)
    mixed = seeds[:, None] + (ages - BEFORE_ALL).astype(np.uint64)[None, :] * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    quarters = [(mixed >> np.uint64(shift)) & np.uint64(0xFFFF) for shift in (0, 16, 32, 48)]
    total: Floats = np.sum([quarter.astype(np.float64) for quarter in quarters], axis=0) / 65536.0
    spread: Floats = (total - 2.0) * 3.0**0.5
    return spread


@lru_cache(maxsize=8192)
def _seed(name: str) -> int:
    return int.from_bytes(blake2b(f"{SEED}/{name}".encode(), digest_size=8).digest(), "big")


def wobble(name: str, ages: Ages, size: float) -> Floats:
    """A factor around 1 for each age, never near 0."""
    factor: Floats = np.maximum(0.2, 1.0 + size * noise([name], ages)[0])
    return factor


def drift(name: str, ages: Ages) -> Floats:
    """Slow noise: a new direction every nine days, a straight line between."""
    knots = np.arange(ages[0] // 9 - 1, ages[-1] // 9 + 3)
    wander: Floats = np.interp(ages / 9.0, knots, noise([f"{name}/drift"], knots)[0])
    return wander


@dataclass(frozen=True)
class Days:
    """A stretch of consecutive days of the calendar, with their ages."""

    ages: Ages
    weekdays: NDArray[np.int64]
    left_in_month: NDArray[np.int64]  # days of the month that are still to come

    @classmethod
    def between(cls, first_age: int, last_age: int, last_day: date) -> "Days":
        ages = np.arange(first_age, last_age + 1)
        calendar = [last_day + timedelta(days=int(age)) for age in ages]
        return cls(
            ages=ages,
            weekdays=np.array([day.weekday() for day in calendar]),
            left_in_month=np.array([monthrange(day.year, day.month)[1] - day.day for day in calendar]),
        )

    def weigh(self, week: tuple[float, ...]) -> Floats:
        """The weight of each day by its weekday."""
        return np.array(week)[self.weekdays]

    def work_done(self, week: tuple[float, ...]) -> Floats:
        """Working days from long ago to each day, a quiet Sunday counting less: the clock of growth."""
        whole_weeks, rest = np.divmod(self.ages - BEFORE_ALL, 7)
        first_weekday = (self.weekdays[0] - (self.ages[0] - BEFORE_ALL)) % 7
        rolled = np.roll(np.array(week), -first_weekday)
        done: Floats = whole_weeks * rolled.sum() + np.concatenate([[0.0], np.cumsum(rolled)])[rest]
        return done
