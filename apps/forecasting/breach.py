"""When a limit will be crossed: how likely, on which day, soonest and latest; read off the futures, not off the mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.forecasting.clean import Flags, Floats
from apps.forecasting.crossing import (
    Direction as Direction,
)
from apps.forecasting.crossing import (
    Edges,
    crossing_curves,
    edges,
    first_days,
    is_beyond_now,
    quantile_day,
)
from apps.forecasting.methods import LEAST_DAYS_FOR_TREND, Forecasts
from apps.forecasting.paths import futures, turned

LIKELY = 0.5
LIKELY_WHEN_WANDERING = 0.8
NEVER_BELOW = 0.07  # of what was said to be under 5 %, so much happened
NEVER_BELOW_WHEN_SHORT = 0.35  # the same of histories under 60 days
NEVER_ABOVE = 0.95
SOONEST, LATEST = 0.05, 0.95
CHUNK = 500


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
    return tell(forecasts, edges(series, limits, sides), is_whole_horizon=is_whole_horizon)


def tell(
    forecasts: Forecasts,
    asked: Edges,
    others: Edges | None = None,
    judged: Flags | None = None,
    *,
    is_whole_horizon: bool = False,
) -> list[Breach]:
    """
    Tell for each edge when it will be crossed; with `others`, entry by entry, when both of two will be at once.

    `judged` (entries x days ahead) leaves out days on which nothing is judged.
    """
    result = []
    for first in range(0, len(asked), CHUNK):
        part = slice(first, first + CHUNK)
        both = None if others is None else others.part(part)
        counts = None if judged is None else judged[part]
        with np.errstate(over="ignore"):  # as in the forecast: figures near the largest number
            result += _tell(forecasts, asked.part(part), both, counts, is_whole_horizon)
    return result


def _tell(
    forecasts: Forecasts, asked: Edges, others: Edges | None, judged: Flags | None, is_whole_horizon: bool
) -> list[Breach]:
    every = [asked] if others is None else [asked, others]
    counts = np.ones((len(asked), forecasts.horizon), dtype=np.bool_) if judged is None else judged
    for each in every:
        if each.moves:
            counts = counts & np.isfinite(each.limit)
    is_beyond, weights = _beyond_in_futures(forecasts, asked, others)
    crossings = first_days(is_beyond, counts)
    returns = first_days(~is_beyond, counts)
    curves = crossing_curves(crossings, weights, forecasts.horizon)
    ends = crossing_curves(returns, weights, forecasts.horizon)
    nearest = [each.nearest for each in every]
    return [
        _told(
            _within(forecasts, every, place, counts[place], is_whole_horizon),
            [
                _Now(forecasts, each, place, float(limits[place]))
                for each, limits in zip(every, nearest, strict=True)
            ],
            curves[place],
            ends[place],
            crossings[place],
            weights[place],
        )
        for place in range(len(asked))
    ]


def _beyond_in_futures(forecasts: Forecasts, asked: Edges, others: Edges | None) -> tuple[Flags, Floats]:
    """
    Return on which days each future is beyond, and the weights of the futures.

    Of two series a future is made of the errors of the same past day: what went wrong together then does so again.
    Where too few days could be tried nothing is known of that, and the worst of one meets the worst of the other.
    """
    rows = asked.rows
    if others is None:
        future = futures(forecasts, rows)
        return asked.beyond(future.paths, forecasts.size[rows]), future.weights
    one, other = futures(forecasts, rows, others.rows), futures(forecasts, others.rows, rows)
    is_opposite = np.array(
        [a.is_upper != b.is_upper for a, b in zip(asked.sides, others.sides, strict=True)], dtype=np.bool_
    )
    both = asked.beyond(one.paths, forecasts.size[rows])
    both &= others.beyond(turned(other, is_opposite), forecasts.size[others.rows])
    return both, one.weights


def _within(
    forecasts: Forecasts, every: Sequence[Edges], place: int, counts: Flags, is_whole_horizon: bool
) -> int:
    """How many days ahead can be told: no more than the histories are long, nor than the limits reach."""
    days = forecasts.horizon
    if not is_whole_horizon:
        days = min(int(forecasts.reach[each.rows[place]]) for each in every)
    if any(each.moves for each in every):
        days = min(days, int(np.flatnonzero(counts)[-1]) + 1 if counts.any() else 0)
    return days


class _Now:
    """One edge of one series as it stands today; `nearest` is what it comes to first."""

    def __init__(self, forecasts: Forecasts, each: Edges, place: int, nearest: float) -> None:
        row, side = int(each.rows[place]), each.sides[place]
        self.is_beyond = is_beyond_now(float(forecasts.last[row]), float(each.now[place]), side)
        self.can_tell_end = forecasts.reasons[row] is None and forecasts.observed[row] >= LEAST_DAYS_FOR_TREND
        self.wanders, self.is_short = bool(forecasts.wanders[row]), bool(forecasts.is_short[row])
        why = reason_for(forecasts, row, nearest, side)
        if each.moves and np.isnan(nearest):
            why = forecasts.reasons[row] or "there is nothing to compare the days ahead with"
        self.why_not = f"{each.names[place]} {why}".lstrip() if why else None


def _told(
    days: int, now: Sequence[_Now], curve: Floats, end: Floats, crossings: Floats, weights: Floats
) -> Breach:
    told = Breach(
        within=days,
        likely_from=LIKELY_WHEN_WANDERING if any(one.wanders for one in now) else LIKELY,
        least_chance=NEVER_BELOW_WHEN_SHORT if any(one.is_short for one in now) else NEVER_BELOW,
    )
    if all(one.is_beyond for one in now):
        ends = quantile_day(end[:days], LIKELY) if all(one.can_tell_end for one in now) else None
        return replace(told, is_violated=True, reason="already beyond the limit", ends=ends)
    why_not = next((one.why_not for one in now if one.why_not), None)
    if why_not is not None or not days:
        return replace(told, reason=why_not or "no day ahead can be judged")
    return summary(told, curve[:days], crossings, weights)


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
