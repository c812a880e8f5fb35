"""
Which statistics move together: Spearman's rank correlation of day-to-day changes (no Django).

Levels that both grow correlate by growing; their changes do not. Ranks keep one wild day from making a correlation, and
ties share the mean of their ranks. How surprising a correlation is is told with three corrections: days that resemble the
days before count for less (Bartlett, J. R. Stat. Soc. B 8, 1946), the chance is that of Student's t with what is left of
them, and the many comparisons are paid for (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.profiles.engine.student import two_sided

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LAGS = 8  # 0 to 7 days
LEAST_DAYS = 20  # pairs of changes; fewer say nothing
ALIKE = 1e-9  # of the largest level: changes that differ by less are tied (both sides of a limit are rounded as finely)
REMEMBERED = 56  # days over which a change may resemble earlier ones: eight weeks of a weekly rhythm


@dataclass(frozen=True)
class Correlations:
    """
    One series against s others at l lags; all arrays are of shape (s, l).

    `rho` is NaN and `chance` 1 where nothing was tried: fewer than LEAST_DAYS pairs, or one side never changed its pace.
    `days` counts the pairs; `chance` is how likely so strong a correlation is without any relation, for this
    comparison alone, and `corrected` among all that were `tried`.
    """

    rho: Floats
    days: NDArray[np.int64]
    chance: Floats
    corrected: Floats

    @property
    def tried(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.rho)))

    def best(self) -> NDArray[np.intp]:
        """The lag of each series at which chance explains least, shape (s,); the shortest of several."""
        lags: NDArray[np.intp] = np.argmin(self.chance, axis=1)
        return lags


def changes(levels: Floats) -> Floats:
    """
    Day-to-day changes of levels (s, d), shape (s, d); NaN on the first day and wherever one of two days is not known.

    Differences that are only noise of the arithmetic become the same number, so that a steady pace is a tie.
    """
    differences = np.full(levels.shape, np.nan)
    differences[:, 1:] = np.diff(levels, axis=1)
    sizes = np.where(np.isnan(levels), 0.0, np.abs(levels))
    step = sizes.max(axis=1, initial=0.0)[:, None] * ALIKE
    with np.errstate(all="ignore"):
        rounded: Floats = np.where(step > 0, np.round(differences / step) * step, differences)
    return rounded


def midranks(values: Floats, is_known: Flags) -> Floats:
    """
    Ranks from 1 of the known values of each row (s, d), ties sharing the mean of theirs; 0 where not known.
    """
    count, days = values.shape
    if not values.size:
        return np.zeros((count, days))
    filled = np.where(is_known, values, np.inf)
    order = np.argsort(filled, axis=1)
    ordered = np.take_along_axis(filled, order, axis=1)
    place = np.broadcast_to(np.arange(days), (count, days))
    begins = np.ones((count, days), dtype=bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    ends = np.ones((count, days), dtype=bool)
    ends[:, :-1] = begins[:, 1:]
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, place, days)[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty((count, days))
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return np.where(is_known, ranks, 0.0)


def correlate(series: Floats, others: Floats, lags: int = LAGS) -> Correlations:
    """
    The changes of one series (d,) against those of others (s, d), at lags 0 to `lags` − 1.

    At lag 2 a change of the other is paired with the change of the one two days later.
    """
    count, days = others.shape
    rho = np.full((count, lags), np.nan)
    pairs = np.zeros((count, lags), dtype=np.int64)
    chance = np.ones((count, lags))
    worth = _worth_of_a_day(series, others)
    for lag in range(min(lags, days)):
        later, earlier = series[lag:], others[:, : days - lag]
        is_known = ~np.isnan(later) & ~np.isnan(earlier)
        pairs[:, lag] = is_known.sum(axis=1)
        enough = np.flatnonzero(pairs[:, lag] >= LEAST_DAYS)
        if not len(enough):
            continue
        rho[enough, lag] = _rho(later, earlier[enough], is_known[enough])
        independent = pairs[enough, lag] * worth[enough]
        chance[enough, lag] = chance_of(rho[enough, lag], np.floor(independent).astype(np.int64) - 2)
    chance[np.isnan(rho)] = 1.0
    return Correlations(rho, pairs, chance, _correct(chance, ~np.isnan(rho)))


def _rho(series: Floats, others: Floats, is_known: Flags) -> Floats:
    """Pearson's correlation of the ranks over the days that both know; NaN where either side is all ties."""
    masks = np.ascontiguousarray(np.packbits(is_known, axis=1))
    _, first, which = np.unique(masks.view(f"V{masks.shape[1]}"), return_index=True, return_inverse=True)
    distinct = is_known[first]
    mine = _centre(midranks(np.broadcast_to(series, distinct.shape), distinct), distinct)[which.ravel()]
    theirs = _centre(midranks(others, is_known), is_known)
    size = np.sqrt(np.einsum("sd,sd->s", mine, mine) * np.einsum("sd,sd->s", theirs, theirs))
    with np.errstate(all="ignore"):
        rho: Floats = np.clip(np.einsum("sd,sd->s", mine, theirs) / size, -1.0, 1.0)
    return np.where(size > 0, rho, np.nan)


def _centre(ranks: Floats, is_known: Flags) -> Floats:
    """Ranks around their mean, 0 where not known."""
    mean = (is_known.sum(axis=1) + 1) / 2
    centred: Floats = np.where(is_known, ranks - mean[:, None], 0.0)
    return centred


def _worth_of_a_day(series: Floats, others: Floats) -> Floats:
    """
    How much a day tells, from 0 to 1, where changes resemble or undo earlier ones on both sides, shape (s,).

    The variance of a correlation of unrelated series is 1/n times the sum over all shifts of the product of their
    autocorrelations (Bartlett). Changes of a level that wavers undo each other from one day to the next; those of a
    weekly rhythm return after seven days.
    """
    shifts = min(REMEMBERED, others.shape[1] // 2)
    alike = _autocorrelations(others, shifts) @ _autocorrelations(series[None, :], shifts)[0]
    worth: Floats = 1.0 / np.maximum(1.0 + 2.0 * alike, 1.0)
    return worth


def _autocorrelations(series: Floats, shifts: int) -> Floats:
    """Of the ranks of each row, at shifts 1 to `shifts`, shape (s, shifts); 0 where a row never changes."""
    is_known = ~np.isnan(series)
    ranks = _centre(midranks(series, is_known), is_known)
    size = 2 ** int(np.ceil(np.log2(2 * max(series.shape[1], 1))))
    power = np.abs(np.fft.rfft(ranks, size, axis=1)) ** 2
    products = np.fft.irfft(power, size, axis=1)[:, : shifts + 1]
    with np.errstate(all="ignore"):
        correlations: Floats = np.where(products[:, :1] > 1e-9, products[:, 1:] / products[:, :1], 0.0)
    return correlations


def chance_of(rho: Floats, freedom: NDArray[np.int64]) -> Floats:
    """
    How likely a correlation at least as strong is without any relation, either way, by Student's t.

    Fewer than one degree of freedom tell nothing: 1.
    """
    with np.errstate(all="ignore"):
        t = rho * np.sqrt(freedom / (1.0 - rho**2))
    return np.where((freedom >= 1) & ~np.isnan(rho), two_sided(t, freedom.astype(float)), 1.0)


def _correct(chance: Floats, tried: Flags) -> Floats:
    corrected = np.ones(chance.shape)
    corrected[tried] = benjamini_hochberg(chance[tried])
    return corrected


def benjamini_hochberg(chance: Floats) -> Floats:
    """
    Chances (n,) corrected for their number: of all whose corrected chance is at most q, a share of q is expected
    to be coincidence.
    """
    count = len(chance)
    order = np.argsort(chance, kind="stable")
    scaled = chance[order] * count / np.arange(1, count + 1)
    corrected = np.empty(count)
    corrected[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return corrected
