"""When a limit will be crossed: how likely, on which day, soonest and latest; read off the futures, not off the mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.forecasting.engine.edges import Edges, find_crossings
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.futures import simulate_futures
from apps.forecasting.engine.series import LEAST_DAYS_FOR_TREND, Flags, Floats
from apps.thresholds.engine.notation import Form

LIKELY = 0.5
LIKELY_WHEN_WANDERING = 0.8
IN_A_ROW = 3  # reviews that must agree before a prediction is made or taken back
NEVER_BELOW = 0.07  # of what was said to be under 5 %, so much happened
NEVER_BELOW_WHEN_SHORT = 0.35  # the same of histories under 60 days
NEVER_ABOVE = 0.95
SOONEST, LATEST = 0.05, 0.95
CHUNK = 500  # limits predicted at a time: bounds the memory


@dataclass(frozen=True)
class Prediction:
    """
    What the futures of one series say about one limit. Days are counted from the series' last: 1 is the next.

    `chance` is the share of futures that cross within `within` days, `curve` the same by day. `day` is the median of the
    crossing, None while the chance is under a half; `soonest` and `latest` are its 5 % and 95 % quantiles, None when they
    lie beyond. Without a day, `reason` says why. Of a series already beyond its limit `ends` is the likely day of its return.
    `likely_from` is the chance from which the crossing is worth an alert, `least_chance` the smallest that may be shown.
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

    def is_likely_within(self, days: int) -> bool:
        """Whether the chance to cross within so many days is high enough for an alert."""
        if self.curve is None or not len(self.curve):
            return False
        return float(self.curve[min(days, len(self.curve)) - 1]) >= self.likely_from

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


def predict_crossings(
    forecasts: Forecasts, edges: Edges, others: Edges | None = None, judged: Flags | None = None
) -> list[Prediction]:
    """
    Predict for each edge when it will be crossed; with `others`, entry by entry, when both of two will be at once.

    Days beyond the length of a short history do not count; `judged` (entries x days ahead) leaves out further ones.
    """
    predictions = []
    for first in range(0, len(edges), CHUNK):
        part = slice(first, first + CHUNK)
        conditions = [each[part] for each in (edges, others) if each is not None]
        counts = np.ones((len(conditions[0]), forecasts.horizon), dtype=np.bool_)
        if judged is not None:
            counts &= judged[part]
        for condition in conditions:
            if condition.is_moving:
                counts &= np.isfinite(condition.limit)
        with np.errstate(over="ignore"):  # as in the forecast: figures near the largest number
            predictions += _predict_chunk(forecasts, conditions, counts)
    return predictions


def earlier_prediction(first: Prediction, second: Prediction) -> Prediction:
    """Return the prediction of a range from those of its two limits on the same series: whichever a future crosses first."""
    for prediction in (first, second):
        if prediction.is_violated:
            return prediction
    if first.crossings is None or first.weights is None:
        return second if second.crossings is not None else first
    if second.crossings is None:
        return first
    crossings = np.minimum(first.crossings, second.crossings)
    curve = _crossing_curves(crossings[None], first.weights[None], first.within)[0]
    return _summarize(first, curve, crossings, first.weights)


def _predict_chunk(forecasts: Forecasts, conditions: Sequence[Edges], counts: Flags) -> list[Prediction]:
    paths, weights = _simulate(forecasts, *conditions)
    rows = [edges.rows for edges in conditions]
    recent, sizes = [forecasts.recent[each] for each in rows], [forecasts.size[each] for each in rows]
    crossings, inside, is_open = find_crossings(conditions, paths, recent, sizes, counts)
    curves = _crossing_curves(crossings, weights, forecasts.horizon)
    returns = _crossing_curves(inside, weights, forecasts.horizon)
    nearest = [edges.nearest for edges in conditions]
    predictions = []
    for place in range(len(counts)):
        today = [
            _Today(forecasts, edges, place, float(limits[place]))
            for edges, limits in zip(conditions, nearest, strict=True)
        ]
        days = min(int(forecasts.reach[edges.rows[place]]) for edges in conditions)
        if any(edges.is_moving for edges in conditions):
            days = min(days, int(np.flatnonzero(counts[place])[-1]) + 1 if counts[place].any() else 0)
        prediction = _without_chance(today, days, returns[place], is_open=bool(is_open[place]))
        if prediction.reason is None:
            prediction = _summarize(prediction, curves[place, :days], crossings[place], weights[place])
        predictions.append(prediction)
    return predictions


def _simulate(forecasts: Forecasts, edges: Edges, others: Edges | None = None) -> tuple[list[Floats], Floats]:
    """
    Return the futures of the series of each condition, and their weights.

    Of two series a future is made of the errors of the same past day: what went wrong together then does so again.
    Where too few days could be tried nothing is known of that, and the worst of one meets the worst of the other.
    """
    futures = simulate_futures(forecasts, edges.rows, None if others is None else others.rows)
    if others is None:
        return [futures.paths], futures.weights
    partners = simulate_futures(forecasts, others.rows, edges.rows)
    is_opposite = np.array(
        [side.is_upper != other.is_upper for side, other in zip(edges.sides, others.sides, strict=True)],
        dtype=np.bool_,
    )
    return [futures.paths, partners.paths_turned(is_opposite)], futures.weights


class _Today:
    """One edge of one series as it stands today; `nearest` is what it comes to first."""

    def __init__(self, forecasts: Forecasts, edges: Edges, place: int, nearest: float) -> None:
        row, side = int(edges.rows[place]), edges.sides[place]
        self.can_tell_end = forecasts.reasons[row] is None and forecasts.observed[row] >= LEAST_DAYS_FOR_TREND
        self.wanders, self.is_short = bool(forecasts.wanders[row]), bool(forecasts.is_short[row])
        reason = _reason_against(forecasts, row, nearest, side)
        if edges.is_moving and np.isnan(nearest):
            reason = forecasts.reasons[row] or "there is nothing to compare the days ahead with"
        self.reason = f"{edges.names[place]} {reason}".lstrip() if reason else None


def _without_chance(today: Sequence[_Today], days: int, returns: Floats, *, is_open: bool) -> Prediction:
    """Return what can be said before the futures are asked; without a reason they can be."""
    prediction = Prediction(
        within=days,
        likely_from=LIKELY_WHEN_WANDERING if any(edge.wanders for edge in today) else LIKELY,
        least_chance=NEVER_BELOW_WHEN_SHORT if any(edge.is_short for edge in today) else NEVER_BELOW,
    )
    if is_open:
        ends = _quantile_day(returns[:days], LIKELY) if all(edge.can_tell_end for edge in today) else None
        return replace(prediction, is_violated=True, reason="already beyond the limit", ends=ends)
    reason = next((edge.reason for edge in today if edge.reason), None)
    return replace(prediction, reason=reason or (None if days else "no day ahead can be judged"))


def _reason_against(forecasts: Forecasts, row: int, limit: float, side: Form) -> str | None:
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


def _summarize(prediction: Prediction, curve: Floats, crossings: Floats, weights: Floats) -> Prediction:
    """Return a prediction with its chance, day, soonest and latest read from its curve."""
    day = _quantile_day(curve, LIKELY)
    return replace(
        prediction,
        chance=float(curve[-1]),
        curve=curve,
        day=day,
        soonest=_quantile_day(curve, SOONEST),
        latest=_quantile_day(curve, LATEST),
        reason=None if day else f"none within {len(curve)} days",
        crossings=crossings,
        weights=weights,
    )


def _crossing_curves(crossings: Floats, weights: Floats, horizon: int) -> Floats:
    """Return the weighted share of futures that have crossed by each day; rows x horizon."""
    has_crossed = crossings[:, :, None] <= np.arange(1, horizon + 1)
    total = weights.sum(axis=1)[:, None]
    return np.asarray(np.minimum((has_crossed * weights[:, :, None]).sum(axis=1) / total, 1.0))


def _quantile_day(curve: Floats, share: float) -> int | None:
    """Return the first day by which so large a share has crossed; None when it never gets there."""
    is_reached = curve >= share - 1e-9
    return int(is_reached.argmax()) + 1 if is_reached.any() else None
