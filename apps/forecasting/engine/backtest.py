"""How well each candidate would have done: weights from past errors, the weighted mean, and its own errors on past days."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.forecasting.engine.candidates import FLOW_HANDICAPS, HANDICAPS, NAMES, Start
from apps.forecasting.engine.histories import WINDOW, SeriesTable
from apps.forecasting.engine.series import STALE_AFTER, Counts, Flags, Floats

ORIGINS = (7, 14, 21, 28, 42, 56, 70, 90, 110, 130, 155, 180)  # days before the last one
LEAST_HISTORY = 28
SHARPNESS = 8.0
ROUNDING = 1e-12  # of the largest value: errors below are none
LEAST_TRIALS = 3  # origins from which errors say something about the futures

USUAL_GROWTH = 0.6
MOST_GROWTH = 1.1
PULL = 1.0  # how strongly the exponent is drawn to the usual one
BINS = ((0, 3), (3, 7), (7, 14), (14, 28), (28, 56), (56, 90), (90, 180))
LEAST_GROWTH_OF_A_WALK = 0.3  # below it is noise round a level, no wandering

LINE_OVER, SHORT = 30, 60  # days of an exact line, and below which past days show too little of it
STILL_FOR, GREW_FOR = 7, 60  # days of a standstill, and of the growth before
STILL, CLEAR = 0.4, 1.0  # of what that growth would have brought: moved at most; and off its line at most
Z80 = 1.2816
LEAST_GROWTH_BEYOND = 0.9  # beyond the longest backtest
LEAST_WIDTH = 0.005  # of the level, for what never moved
EXACT = 0.1  # of a day's growth: what errs by less is exact
DAYS_TO_ONE_OFF = 10  # after so many days an exact forecast may be a day off


@dataclass(frozen=True)
class Backtest:
    """
    What the past says of each series; `errors` is series x origins x days, NaN where not measured or beyond the last day.

    `mean` is the mixture of the candidates from today on, by `weights`; a brief history carries on its level alone.
    `errors` are observed minus forecast of the mixture, level shifts that nobody explained included.
    """

    weights: Floats  # series x candidates
    mean: Floats  # series x days ahead, counted from the last observed day
    errors: Floats
    noise: Floats  # half of a band at 80 % for those of which too little could be tried; series x days ahead
    least: Floats  # half of the least band; series x days ahead
    is_exact: Flags  # no past forecast erred
    growth: Floats  # exponent with which the errors grow with the days ahead
    trials: Counts  # origins that count
    wanders: Flags  # no candidate did better than "stays as it is", and the errors grow


def run_backtest(
    table: SeriesTable, past: Sequence[Start], now: Start, is_flow: Flags, is_brief: Flags, horizon: int
) -> Backtest:
    """Run every candidate from each past origin (`past` in the order of ORIGINS), and weigh it by its errors."""
    origins = np.array(ORIGINS)
    least = np.maximum(LEAST_HISTORY, np.minimum(origins, horizon) / 2)
    is_tried = table.days[:, None] - origins >= least  # half of what is to be forecast must remain
    relative = _relative_errors(table, past, is_tried, horizon)
    handicap = np.where(is_flow[:, None], FLOW_HANDICAPS, HANDICAPS)
    weights = np.where(now.usable, np.maximum(relative * handicap, 1e-6) ** -SHARPNESS, 0.0)
    weights = _heed_recent_days(table, weights / weights.sum(axis=1, keepdims=True), is_flow)

    errors = np.full((len(table.values), len(ORIGINS), horizon), np.nan)
    for place, (origin, start) in enumerate(zip(ORIGINS, past, strict=True)):
        actual, is_measured = _outcome(table, origin, horizon)
        length = actual.shape[1]
        shift = table.unforeseen[:, WINDOW - origin - 1 : WINDOW - origin + length]
        moved = shift[:, :1] - shift[:, 1:]
        counts = is_measured & is_tried[:, place, None]
        errors[:, place, :length] = np.where(counts, actual + moved - _mix(start, weights, length), np.nan)
    growth, trials = _growth_exponent(errors), np.isfinite(errors).any(axis=2).sum(axis=1)
    others = np.where(now.usable, relative, np.inf)[:, 1:].min(axis=1)
    has_erred = np.nan_to_num(np.abs(errors)).max(axis=(1, 2)) > ROUNDING
    is_walk = ~is_flow & has_erred & (trials >= LEAST_TRIALS) & (growth > LEAST_GROWTH_OF_A_WALK)
    weights = np.where(is_brief[:, None], np.arange(len(NAMES)) == 0, weights)
    mean = _mix(now, weights, horizon + STALE_AFTER - 1)
    least, is_exact = _find_least(table, mean, errors)
    return Backtest(
        weights=weights,
        mean=mean,
        errors=errors,
        noise=_find_noise(table, errors, growth, is_brief, mean.shape[1]),
        least=least,
        is_exact=is_exact,
        growth=growth,
        trials=trials,
        wanders=np.asarray(is_walk & (relative[:, 0] <= others)),
    )


def _heed_recent_days(table: SeriesTable, weights: Floats, is_flow: Flags) -> Floats:
    """
    Return the weights with what no past day could have shown.

    A short history that is an exact line goes on as a line. Growth of a stock that stopped within the last weeks may have
    ended or paused: half of the weight says that it stays.
    """
    names = np.array(NAMES)
    slope, off = _fit_line(table.values[:, -LINE_OVER:])
    is_line = (table.days >= LINE_OVER) & (table.days < SHORT) & (off <= EXACT * np.abs(slope))
    weights = np.where(is_line[:, None], names == f"line {LINE_OVER}", weights)
    slope, off = _fit_line(table.values[:, -STILL_FOR - GREW_FOR : -STILL_FOR])
    expected = STILL_FOR * np.abs(slope)
    recent = np.ptp(table.values[:, -STILL_FOR:], axis=1)
    has_stopped = ~is_flow & (table.days >= STILL_FOR + GREW_FOR)
    has_stopped &= (recent <= STILL * expected) & (expected > CLEAR * off)
    return np.where(has_stopped[:, None], (weights + (names == "level")) / 2, weights)


def _fit_line(values: Floats) -> tuple[Floats, Floats]:
    """Return the least-squares slope of each row, and how far the row is off its line at most."""
    at = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    slope = (values * (at / (at**2).sum())).sum(axis=1)
    off = values - values.mean(axis=1)[:, None] - slope[:, None] * at
    return slope, np.abs(off).max(axis=1)


def _relative_errors(table: SeriesTable, past: Sequence[Start], is_tried: Flags, horizon: int) -> Floats:
    """Return each candidate's mean error over that of all candidates, without handicap; series x candidates."""
    count = len(table.values)
    total = np.ones((count, len(NAMES)))  # one pseudo-observation of equality
    trials = np.ones((count, len(NAMES)))
    for place, (origin, start) in enumerate(zip(ORIGINS, past, strict=True)):
        actual, is_measured = _outcome(table, origin, horizon)
        length = actual.shape[1]
        error, used = np.zeros((count, len(NAMES))), np.flatnonzero(start.usable.any(axis=0))
        off = np.abs(start.paths[:, used, :length] - actual[:, None]) * is_measured[:, None]
        error[:, used] = off.sum(axis=2)
        counts = start.usable & is_tried[:, place, None] & is_measured.any(axis=1, keepdims=True)
        fellow = np.where(counts, error, 0.0).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
        fellow = np.where(fellow > ROUNDING, fellow, 0.0)[:, None]
        relative = np.where(fellow > 0, error / np.where(fellow > 0, fellow, 1.0), 1.0)
        total += np.where(counts, relative, 0.0)
        trials += counts
    return np.asarray(total / trials)


def _outcome(table: SeriesTable, origin: int, horizon: int) -> tuple[Floats, Flags]:
    """Return what came in the days after an origin, and which of it was measured."""
    days = slice(WINDOW - origin, min(WINDOW - origin + horizon, WINDOW))
    return table.values[:, days], table.observed[:, days]


def _mix(start: Start, weights: Floats, length: int) -> Floats:
    """Return the weighted mean of the candidates' paths; those that lacked history leave their weight to the others."""
    share = np.where(start.usable, weights, 0.0)
    total = share.sum(axis=1, keepdims=True)
    share = np.where(total > 0, share / np.where(total > 0, total, 1.0), 0.0)
    share[:, 0] += np.where(total[:, 0] > 0, 0.0, 1.0)
    return np.asarray(np.einsum("sc,scd->sd", share, start.paths[:, :, :length]))


def _growth_exponent(errors: Floats) -> Floats:
    """Return b of error ~ days^b for each series, by least squares on logarithms, drawn to 0.6 and kept in 0..1.1."""
    size = np.abs(errors)
    xs, ys = [], []
    for first, last in BINS:
        part = size[:, :, first:last]
        if part.shape[2] == 0:
            continue
        is_measured = np.isfinite(part)
        count = is_measured.sum(axis=(1, 2))
        mean = np.where(is_measured, part, 0.0).sum(axis=(1, 2)) / np.maximum(count, 1)
        is_usable = (count > 0) & (mean > ROUNDING)
        xs.append(np.where(is_usable, np.log((first + last + 1) / 2), np.nan))
        ys.append(np.where(is_usable, np.log(np.where(is_usable, mean, 1.0)), np.nan))
    x, y = np.stack(xs, axis=1), np.stack(ys, axis=1)
    is_usable = np.isfinite(x)
    count = np.maximum(is_usable.sum(axis=1, keepdims=True), 1)
    dx = np.where(is_usable, x - np.where(is_usable, x, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    dy = np.where(is_usable, y - np.where(is_usable, y, 0.0).sum(axis=1, keepdims=True) / count, 0.0)
    exponent = ((dx * dy).sum(axis=1) + PULL * USUAL_GROWTH) / ((dx**2).sum(axis=1) + PULL)
    return np.asarray(np.clip(exponent, 0.0, MOST_GROWTH))


def _find_noise(table: SeriesTable, errors: Floats, growth: Floats, is_brief: Flags, length: int) -> Floats:
    """
    Return half of the band at 80 %, series x days ahead, where too little of the past could be tried to make futures of.

    Where nothing was tried it is a rough one; where little was, at least half of that.
    """
    rough = _rough_width(table, length)
    is_untried = is_brief | ~np.isfinite(errors).any(axis=(1, 2))
    return np.maximum(
        _width_of(table, errors, growth, length), np.where(is_untried, 1.0, 0.5)[:, None] * rough
    )


def _find_least(table: SeriesTable, mean: Floats, errors: Floats) -> tuple[Floats, Flags]:
    """
    Return half of the least band, series x days ahead, and of which series no past forecast of a growth erred.

    These may be off by a day's growth, the more the further ahead; what never moved, or repeats itself to the last digit,
    by half a percent of its level.
    """
    worst = np.nan_to_num(np.abs(errors)).max(axis=(1, 2))
    growth = np.abs(mean[:, -1] - mean[:, 0]) / max(mean.shape[1] - 1, 1)
    is_exact = np.isfinite(errors).any(axis=(1, 2)) & (worst <= EXACT * growth) & (growth > ROUNDING)
    of_growth = growth[:, None] * np.sqrt(np.arange(1, mean.shape[1] + 1) / DAYS_TO_ONE_OFF)
    is_still = worst <= ROUNDING
    least = np.where(is_still[:, None], LEAST_WIDTH * np.abs(mean), 0.0)
    return np.where(is_exact[:, None], of_growth, least), is_exact


def _width_of(table: SeriesTable, errors: Floats, growth: Floats, length: int) -> Floats:
    """Return the half-width that holds 80 % of the past errors, each scaled by its days ahead."""
    count, _, horizon = errors.shape
    days_ahead = np.arange(1, length + 1)
    grown = days_ahead ** growth[:, None]
    is_tried = np.isfinite(errors).any(axis=2)
    longest = np.where(is_tried, np.minimum(ORIGINS, horizon), 1).max(axis=1)[:, None]
    steeper = np.maximum(growth, LEAST_GROWTH_BEYOND)[:, None]
    beyond = longest ** growth[:, None] * (days_ahead / longest) ** steeper
    scaled = (np.abs(errors) / grown[:, None, :horizon]).reshape(count, len(ORIGINS) * horizon)
    width = np.where(days_ahead > longest, beyond, grown) * _widening(table.days, length)
    return np.asarray(_quantile(scaled, 0.8)[:, None] * width)


def _rough_width(table: SeriesTable, length: int) -> Floats:
    """Return the half-width where nothing can be tried on the past: a walk with the day-to-day changes as its steps."""
    original = table.values - table.unforeseen
    count = np.maximum(table.days - 1, 1)
    step = np.sqrt((np.diff(original, axis=1) ** 2).sum(axis=1) / count)
    return np.asarray(Z80 * step[:, None] * np.sqrt(np.arange(1, length + 1)) * _widening(table.days, length))


def _quantile(values: Floats, share: float) -> Floats:
    """Return a quantile of each row, NaN left out (linear between order statistics); 0 for an empty row."""
    ordered = np.sort(values, axis=1)  # NaN last
    count = np.isfinite(values).sum(axis=1)
    rows = np.arange(len(values))
    place = share * np.maximum(count - 1, 0)
    below = place.astype(np.intp)
    above = np.minimum(below + 1, np.maximum(count - 1, 0))
    low, high = ordered[rows, below], ordered[rows, above]
    return np.asarray(np.where(count > 0, low + (high - low) * (place - below), 0.0))


def _widening(days: Counts, length: int) -> Floats:
    """Return how much wider than its quantiles the band is drawn: for a short history, and for days far ahead."""
    return np.asarray((1 + 22 / days[:, None]) * (1 + 0.15 * np.arange(1, length + 1) / 90))
