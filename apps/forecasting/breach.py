"""When a limit will be crossed: how likely, on which day, soonest and latest; read off the futures, not off the mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from apps.forecasting.clean import Counts, Flags, Floats
from apps.forecasting.methods import HORIZON, LEAST_DAYS_FOR_TREND, Forecasts, forecast_batch
from apps.forecasting.paths import futures

LIKELY = 0.5
LIKELY_WHEN_WANDERING = 0.8
NEVER_BELOW = 0.07  # of what was said to be under 5 %, so much happened
NEVER_BELOW_WHEN_SHORT = 0.35  # the same of histories under 60 days
NEVER_ABOVE = 0.95
SOONEST, LATEST = 0.05, 0.95
DIGITS = 9  # limits and values are compared to so many significant digits
CHUNK = 500


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
class Breach:
    """
    What the futures of one series say about one limit. Days are counted from the series' last: 1 is the next.

    `chance` is the share of futures that cross within `within` days, `curve` the same by day. `day` is the median of the
    crossing, None while the chance is under a half; `soonest` and `latest` are its 5 % and 95 % quantiles, None when they
    lie beyond. Without a day, `reason` says why. Of a series already beyond its limit `ends` is the likely day of its return.
    `likely_from` is the chance from which the breach is worth an alert, `least_chance` the smallest that may be shown.
    """

    within: int
    chance: float | None = None
    curve: Floats | None = None
    day: int | None = None
    soonest: int | None = None
    latest: int | None = None
    reason: str | None = None
    is_violated: bool = False
    ends: int | None = None
    likely_from: float = LIKELY
    least_chance: float = NEVER_BELOW
    crossings: Floats | None = None  # first day of each future, infinite = none
    weights: Floats | None = None

    @property
    def is_likely(self) -> bool:
        """Whether the chance is high enough for an alert."""
        return self.chance is not None and self.chance >= self.likely_from

    @property
    def chance_in_words(self) -> str:
        """The chance as people read it: never none at all, and never certain."""
        if self.chance is None:
            return self.reason or "cannot tell yet"
        if self.chance < self.least_chance:
            return f"under {100 * self.least_chance:.0f} %"
        if self.chance > NEVER_ABOVE:
            return f"over {100 * NEVER_ABOVE:.0f} %"
        return f"{100 * self.chance:.0f} %"


def breach(
    forecasts: Forecasts,
    limits: Sequence[float],
    directions: Sequence[str] | str = Direction.AT_MOST,
    *,
    of: Sequence[int] | None = None,
    is_whole_horizon: bool = False,
) -> list[Breach]:
    """
    Tell for each limit when it will be crossed.

    `of` names the series (its place in the batch) each limit belongs to, when there is not one limit for each in order.
    Days beyond the length of a short history do not count, unless `is_whole_horizon`.
    """
    series = np.arange(len(forecasts)) if of is None else np.array(of, dtype=np.intp)
    named = [directions] * len(limits) if isinstance(directions, str) else directions
    sides = [Direction(each) for each in named]
    if not len(series) == len(limits) == len(sides):
        raise ValueError(f"limits: given {len(limits)} with {len(sides)} directions, expected {len(series)}")
    result = []
    for first in range(0, len(limits), CHUNK):
        part = slice(first, first + CHUNK)
        with np.errstate(over="ignore"):  # as in the forecast: figures near the largest number
            result += breach_chunk(forecasts, series[part], limits[part], sides[part], is_whole_horizon)
    return result


def breach_chunk(
    forecasts: Forecasts,
    series: Counts,
    limits: Sequence[float],
    sides: list[Direction],
    is_whole_horizon: bool,
) -> list[Breach]:
    """Tell for some limits at once when they will be crossed."""
    limit = np.array(limits, dtype=np.float64)
    limit[~np.isfinite(limit)] = np.nan  # crossed by nothing
    within = np.full(len(series), forecasts.horizon) if is_whole_horizon else forecasts.reach[series]
    future = futures(forecasts, series)
    tolerance = 10.0**-DIGITS * np.maximum(np.abs(limit), forecasts.size[series])
    is_beyond = beyond(future.paths, limit, tolerance, sides)
    crossings = first_days(is_beyond)
    returns = first_days(~is_beyond)
    curves = crossing_curves(crossings, future.weights, forecasts.horizon)
    ends = crossing_curves(returns, future.weights, forecasts.horizon)

    result = []
    for place, row in enumerate(series):
        days = int(within[place])
        told = Breach(
            within=days,
            likely_from=LIKELY_WHEN_WANDERING if forecasts.wanders[row] else LIKELY,
            least_chance=NEVER_BELOW_WHEN_SHORT if forecasts.is_short[row] else NEVER_BELOW,
        )
        why_not = reason_for(forecasts, int(row), float(limit[place]), sides[place])
        if is_beyond_now(float(forecasts.last[row]), float(limit[place]), sides[place]):
            is_told = forecasts.reasons[row] is None and forecasts.observed[row] >= LEAST_DAYS_FOR_TREND
            end = quantile_day(ends[place][:days], LIKELY) if is_told else None
            told = replace(told, is_violated=True, reason="already beyond the limit", ends=end)
        elif why_not is not None:
            told = replace(told, reason=why_not)
        else:
            told = summary(told, curves[place][:days], crossings[place], future.weights[place])
        result.append(told)
    return result


def reason_for(forecasts: Forecasts, row: int, limit: float, side: Direction) -> str | None:
    """Say why no chance can be given of crossing a limit; None when it can."""
    if np.isnan(limit):
        return "has no limit"
    if forecasts.reasons[row] is not None:
        return forecasts.reasons[row]
    observed = int(forecasts.observed[row])
    if observed < LEAST_DAYS_FOR_TREND:
        return f"cannot tell yet: needs {LEAST_DAYS_FOR_TREND} days, has {observed}"
    bound = float(forecasts.cap[row] if side.is_upper else forecasts.floor[row])
    is_out_of_reach = limit > bound if side.is_upper else limit < bound
    if is_out_of_reach or (limit == bound and side.allows_limit):
        return f"cannot be reached: the {'most' if side.is_upper else 'least'} there can be is {bound:.9g}"
    return None


def beyond(paths: Floats, limit: Floats, tolerance: Floats, sides: Sequence[Direction]) -> Flags:
    """Return on which days each path (limits x paths x days) is beyond the limit of its row."""
    sign = np.array([1.0 if side.is_upper else -1.0 for side in sides])
    slack = np.where(np.array([side.allows_limit for side in sides], dtype=np.bool_), tolerance, -tolerance)
    over = paths * sign[:, None, None]
    edge = (limit * sign + slack)[:, None, None]
    return np.asarray(over > edge)


def is_beyond_now(value: float, limit: float, side: Direction) -> bool:
    """Return whether a value is beyond a limit, both taken to nine significant digits."""
    if not (np.isfinite(value) and np.isfinite(limit)):
        return False
    rounded, edge = float(f"{value:.{DIGITS}g}"), float(f"{limit:.{DIGITS}g}")
    if rounded == edge:
        return not side.allows_limit
    return rounded > edge if side.is_upper else rounded < edge


def first_days(is_so: Flags) -> Floats:
    """Return the first day (1 = the next) of each path that is so, and is so again within two days; infinite if none."""
    again = np.zeros_like(is_so)
    again[..., :-1] |= is_so[..., 1:]
    again[..., :-2] |= is_so[..., 2:]
    lasting = is_so & again
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


def summary(told: Breach, curve: Floats, crossings: Floats, weights: Floats) -> Breach:
    """Return a breach with its chance, day, soonest and latest read from its curve."""
    day = quantile_day(curve, LIKELY)
    return replace(
        told,
        chance=float(curve[-1]),
        curve=curve,
        day=day,
        soonest=quantile_day(curve, SOONEST),
        latest=quantile_day(curve, LATEST),
        reason=None if day else f"none within {len(curve)} days",
        crossings=crossings,
        weights=weights,
    )


def earlier(one: Breach, other: Breach) -> Breach:
    """Return the breach of a range from those of its two limits on the same series: whichever a future crosses first."""
    for each in (one, other):
        if each.is_violated:
            return each
    if one.crossings is None or one.weights is None:
        return other if other.crossings is not None else one
    if other.crossings is None:
        return one
    crossings = np.minimum(one.crossings, other.crossings)
    curve = crossing_curves(crossings[None], one.weights[None], one.within)[0]
    return summary(one, curve, crossings, one.weights)


def time_to_breach(
    y: ArrayLike, threshold: float, h: int = HORIZON, kind: str = "", *, direction: str = Direction.AT_MOST
) -> tuple[float, float, float]:
    """
    Return the day, the soonest and the latest on which one series will cross a threshold.

    Infinite = not within `h` days; 0 = beyond it already; NaN = no forecast, the reason is in `breach`.
    """
    told = breach(forecast_batch([y], kind, h), [threshold], direction, is_whole_horizon=True)[0]
    if told.is_violated:
        return 0.0, 0.0, 0.0
    if told.chance is None:
        never = told.reason is not None and told.reason.startswith("cannot be reached")
        return (np.inf, np.inf, np.inf) if never else (np.nan, np.nan, np.nan)
    return open_end(told.day), open_end(told.soonest), open_end(told.latest)


def open_end(day: int | None) -> float:
    """Return a day as a number: infinite when there is none."""
    return np.inf if day is None else float(day)
