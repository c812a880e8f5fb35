"""
Whether two sets of days differ by more than their own noise (no Django).

Days are taken as independent of each other. All functions work on rows at once: arrays are (rows, days), NaN is a day
that does not count.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.profiles.engine.student import bound, two_sided

Floats = NDArray[np.float64]

FALSE_DISCOVERIES = 0.10  # of the differences that are told, as many may be noise
WEEK = 7


@dataclass(frozen=True)
class Spread:
    """Of each row: the days that count, their mean, and their standard deviation (NaN with fewer than two days)."""

    count: Floats
    mean: Floats
    sd: Floats


@dataclass(frozen=True)
class Difference:
    """Of each row: mean after less mean before, that over its standard error (t), and how probable noise is (p)."""

    change: Floats
    t: Floats
    p: Floats


def spread(values: Floats) -> Spread:
    is_known = ~np.isnan(values)
    count = is_known.sum(axis=1).astype(float)
    with np.errstate(all="ignore"):
        mean = np.where(is_known, values, 0.0).sum(axis=1) / count
        squares = np.where(is_known, values - mean[:, None], 0.0) ** 2
        sd = np.sqrt(squares.sum(axis=1) / np.where(count > 1, count - 1, np.nan))
    return Spread(count, mean, sd)


def welch(before: Spread, after: Spread) -> Difference:
    """The difference of two sets of days that each have a spread of their own (Welch, Biometrika 34, 1947)."""
    return _difference(after.mean - before.mean, *_welch_error(before, after))


def welch_margin(before: Spread, after: Spread, chance: float = 0.05) -> Floats:
    """By how much the difference may be off either way, but for this chance; NaN where a set has no spread of its own."""
    error, freedom = _welch_error(before, after)
    return np.where(error > 0, error * bound(freedom, chance), np.where(error == 0, 0.0, np.nan))


def _welch_error(before: Spread, after: Spread) -> tuple[Floats, Floats]:
    """The standard error of the difference, and its freedom."""
    with np.errstate(all="ignore"):
        left, right = before.sd**2 / before.count, after.sd**2 / after.count
        freedom = (left + right) ** 2 / (left**2 / (before.count - 1) + right**2 / (after.count - 1))
    return np.sqrt(left + right), freedom


def against(before: Spread, after: Spread, usual: Spread) -> Difference:
    """The difference of sets too short to have a spread, judged by the usual one of other days."""
    with np.errstate(all="ignore"):
        error = usual.sd * np.sqrt(1 / before.count + 1 / after.count)
    return _difference(after.mean - before.mean, error, usual.count - 1)


def like_with_like(
    before: Floats, after: Floats, weekdays: tuple[NDArray[np.int_], NDArray[np.int_]]
) -> Difference:
    """
    The difference of whole weeks, each day held against its own weekday, so that weekends are no noise.

    What each weekday is above or below its period's mean is taken out of both; of one week against another this is the
    paired t-test over its days. `weekdays` has the weekday (0 to 6) of each column of either.
    """
    left, right = before.copy(), after.copy()
    for _ in range(5):  # exact at once where no day is missing
        centred = left - spread(left).mean[:, None], right - spread(right).mean[:, None]
        for weekday in range(WEEK):
            columns = weekdays[0] == weekday, weekdays[1] == weekday
            both = [side[:, those] for side, those in zip(centred, columns, strict=True)]
            offset = spread(np.concatenate(both, axis=1)).mean
            offset = np.where(np.isnan(offset), 0.0, offset)[:, None]
            left[:, columns[0]] -= offset
            right[:, columns[1]] -= offset
    earlier, later = spread(left), spread(right)
    with np.errstate(all="ignore"):
        freedom = earlier.count + later.count - 2 - (WEEK - 1)
        squares = earlier.sd**2 * (earlier.count - 1) + later.sd**2 * (later.count - 1)
        error = np.sqrt(
            squares / np.where(freedom > 0, freedom, np.nan) * (1 / earlier.count + 1 / later.count)
        )
    return _difference(later.mean - earlier.mean, error, freedom)


def _difference(change: Floats, error: Floats, freedom: Floats) -> Difference:
    tiny = 1e-12 * np.maximum(np.abs(change), 1e-300)
    with np.errstate(all="ignore"):
        t = np.where(error > tiny, change / error, np.where(error >= 0, np.sign(change) * np.inf, np.nan))
        t = np.where((change == 0) & (error >= 0), 0.0, t)
    return Difference(change, t, two_sided(t, freedom))


def beyond_noise(p: Floats, share: float = FALSE_DISCOVERIES) -> NDArray[np.bool_]:
    """
    Which of many differences are told, so that only this share of them is expected to be noise.

    Benjamini and Hochberg, J. R. Statist. Soc. B 57, 1995; NaN is not told and does not count.
    """
    is_beyond = np.zeros(len(p), dtype=bool)
    rows = np.flatnonzero(~np.isnan(p))
    if not len(rows):
        return is_beyond
    order = rows[np.argsort(p[rows], kind="stable")]
    within = p[order] <= share * np.arange(1, len(order) + 1) / len(order)
    if within.any():
        is_beyond[order[: np.flatnonzero(within)[-1] + 1]] = True
    return is_beyond
