"""
Two periods side by side: each statistic better, worse, the same, appeared or gone (no Django).

Whole weeks are compared weekday by weekday, other periods as they are, and days too few to have a spread of their own by
the usual one of the days before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Worse
from apps.profiles.engine.significance import (
    WEEK,
    Difference,
    Spread,
    against,
    beyond_noise,
    like_with_like,
    spread,
    welch,
)

LONGEST = 92  # days of a period
LEAST_DAYS = 3  # days with a figure that a period needs to have a spread
LEAST_OF_WEEK = 5  # days with a figure that make whole weeks comparable by weekday
USUAL_DAYS = 28  # days before the later period, whose spread stands in for that of single days
LEAST_USUAL = 7
LEAST_CHANGE = 0.01  # of what it was; less is the same, however sure


class ChangeVerdict(StrEnum):
    """What became of a statistic."""

    WORSE = "worse"
    BETTER = "better"
    HIGHER = "higher"  # of what nobody calls better or worse
    LOWER = "lower"
    APPEARED = "appeared"
    GONE = "gone"
    SAME = "same"
    TOO_FEW = "too few days"
    NO_DATA = "no data"


NOTEWORTHY = (
    ChangeVerdict.WORSE,
    ChangeVerdict.BETTER,
    ChangeVerdict.HIGHER,
    ChangeVerdict.LOWER,
    ChangeVerdict.APPEARED,
    ChangeVerdict.GONE,
)


class BadPeriod(ValueError):
    """A period that cannot be; its text says what to do."""


@dataclass(frozen=True)
class Period:
    """A stretch of days, both ends included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise BadPeriod(f"{self.last} lies before {self.first}; exchange them.")
        if len(self) > LONGEST:
            raise BadPeriod(f"{len(self):,} days are more than a period may have; choose at most {LONGEST}.")

    def __len__(self) -> int:
        return int((self.last - self.first).days) + 1

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=offset) for offset in range(len(self))]

    def earlier(self, days: int) -> "Period":
        """The same period so many days before."""
        return Period(self.first - timedelta(days=days), self.last - timedelta(days=days))


@dataclass(frozen=True)
class DailyValues:
    """
    What counts of a period: figures (rows, days), NaN where none counts; and where it was read and did not occur.

    A day that was not read, or only in part, is NaN and not absent. On an absent day a total is 0, an average NaN.
    """

    values: NDArray[np.float64]
    absent: NDArray[np.bool_]
    weekdays: NDArray[np.int_]

    @property
    def width(self) -> int:
        return int(self.values.shape[1])

    def between(self, first: int, end: int) -> "DailyValues":
        """The days from a place to before another."""
        return DailyValues(self.values[:, first:end], self.absent[:, first:end], self.weekdays[first:end])

    @cached_property
    def read(self) -> NDArray[np.int_]:
        """By row, on how many days it would have been seen."""
        return np.asarray((~np.isnan(self.values) | self.absent).sum(axis=1), dtype=int)

    @cached_property
    def occurred(self) -> NDArray[np.int_]:
        """By row, on how many days it occurred."""
        return np.asarray((~np.isnan(self.values) & ~self.absent).sum(axis=1), dtype=int)


@dataclass(frozen=True)
class PeriodStatistics:
    """
    A statistic over one period: days read, days on which it occurred, mean and standard deviation.

    Those of a total are over all days read, 0 where it did not occur; those of an average over the days it occurred on.
    """

    read: int
    occurred: int
    mean: float | None
    sd: float | None
    figures: int = 0  # days that mean and deviation are over


@dataclass(frozen=True)
class Judgement:
    """A statistic over two periods; `percent` is None from nothing or 0, `t` None where there is no spread."""

    before: PeriodStatistics
    after: PeriodStatistics
    percent: float | None
    t: float | None
    verdict: ChangeVerdict
    reason: str = ""


def judge(
    before: DailyValues, after: DailyValues, worse: Sequence[Worse], usual: DailyValues | None = None
) -> list[Judgement]:
    """
    The verdict on each row.

    `usual` are the days before the later period; their spread is used where a period is shorter than LEAST_DAYS.
    """
    left, right = spread(before.values), spread(after.values)
    is_short = min(before.width, after.width) < LEAST_DAYS
    difference = _difference(before, after, left, right, spread(usual.values) if usual else None, is_short)
    enough = np.minimum(left.count, right.count) >= (1 if is_short else LEAST_DAYS)
    p = np.where(enough, difference.p, np.nan)
    is_beyond_noise = beyond_noise(p)
    least = 1 if is_short else LEAST_DAYS
    return [
        _judge_row(earlier, later, least, bool(is_sure), _number(t), _number(chance), way)
        for earlier, later, is_sure, t, chance, way in zip(
            _sides(before, left), _sides(after, right), is_beyond_noise, difference.t, p, worse, strict=True
        )
    ]


def _sides(days: DailyValues, of: Spread) -> list[PeriodStatistics]:
    return [
        PeriodStatistics(
            int(read), int(occurred), _number(mean) if occurred else None, _number(sd), int(count)
        )
        for read, occurred, count, mean, sd in zip(
            days.read, days.occurred, of.count, of.mean, of.sd, strict=True
        )
    ]


def _difference(
    before: DailyValues, after: DailyValues, left: Spread, right: Spread, usual: Spread | None, is_short: bool
) -> Difference:
    if is_short:
        none = np.full(len(left.count), np.nan)
        if usual is None:
            return Difference(right.mean - left.mean, none, none)
        sd = np.where(usual.count >= LEAST_USUAL, usual.sd, np.nan)
        return against(left, right, Spread(usual.count, usual.mean, sd))
    plain = welch(left, right)
    if before.width % WEEK or after.width % WEEK:
        return plain
    weekly = like_with_like(before.values, after.values, (before.weekdays, after.weekdays))
    whole = np.minimum(left.count, right.count) >= LEAST_OF_WEEK
    return Difference(
        plain.change, np.where(whole, weekly.t, plain.t), np.where(whole, weekly.p, plain.p)
    )  # the difference of the means that are shown


def _judge_row(
    before: PeriodStatistics,
    after: PeriodStatistics,
    least: int,
    is_sure: bool,
    t: float | None,
    p: float | None,
    worse: Worse,
) -> Judgement:
    percent = None
    if before.mean and after.mean is not None:
        percent = 100 * (after.mean - before.mean) / abs(before.mean)

    def verdict(word: ChangeVerdict, reason: str = "") -> Judgement:
        return Judgement(before, after, percent, t, word, reason)

    if not before.read or not after.read:
        which = (
            "either period"
            if not before.read and not after.read
            else "the earlier"
            if not before.read
            else "the later"
        )
        return verdict(ChangeVerdict.NO_DATA, f"no figure in {which}")
    if min(before.read, after.read) < least:
        return verdict(ChangeVerdict.TOO_FEW, f"needs {least} days, has {min(before.read, after.read)}")
    if not before.occurred and not after.occurred:
        return verdict(ChangeVerdict.SAME, "did not occur in either")
    if not before.occurred or not after.occurred:
        side, word = (after, ChangeVerdict.APPEARED) if after.occurred else (before, ChangeVerdict.GONE)
        days = f"occurred on {side.occurred} of {side.read} days"
        return verdict(word if 2 * side.occurred >= side.read else ChangeVerdict.SAME, days)
    if min(before.figures, after.figures) < least:
        return verdict(ChangeVerdict.TOO_FEW, f"occurred on {before.occurred} and {after.occurred} days")
    if p is None:
        return verdict(ChangeVerdict.TOO_FEW, "too few days before to know its usual spread")
    if not is_sure:
        return verdict(ChangeVerdict.SAME, "within its noise" if p < 1 else "")
    if percent is not None and abs(percent) < 100 * LEAST_CHANGE:
        return verdict(ChangeVerdict.SAME, "less than 1 % apart")
    grew = (after.mean or 0) > (before.mean or 0)
    if worse is Worse.NEITHER:
        return verdict(ChangeVerdict.HIGHER if grew else ChangeVerdict.LOWER)
    return verdict(ChangeVerdict.WORSE if grew == (worse is Worse.HIGHER) else ChangeVerdict.BETTER)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
