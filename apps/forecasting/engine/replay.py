"""How past forecasts fared: the method is run on the history cut at earlier days, and held against what came."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce

import numpy as np

from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import Prediction, earlier_prediction, predict_crossings
from apps.forecasting.engine.edges import AT_ONCE, Edge, Edges, Opening, build_edges, find_first_days
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.lines import LINE_OVER, least_squares
from apps.forecasting.engine.series import LEAST_DAYS, Flags, Floats, SeriesKind

CUTS = (30, 60, 90, 120, 180)  # days ago
HORIZON = 90


@dataclass(frozen=True)
class ReplayVerdict:
    """One prediction judged: days it was late (negative = said too early), and whether the range held."""

    days_off: int | None  # None unless both a day was said and the limit was crossed
    is_inside: bool | None  # None when the limit was not crossed


@dataclass(frozen=True)
class Replay:
    """
    One earlier forecast. Days are counted from its own day; `crossed` is None when the limit was not crossed so far.

    `off` and `line_off` are what the expected figure, and a straight line, missed by after `ahead` days; in the unit of
    the series, None when that day has no figure.
    """

    days_ago: int
    ahead: int
    prediction: Prediction | None
    crossed: int | None
    verdict: ReplayVerdict | None
    off: float | None
    line_off: float | None


@dataclass(frozen=True)
class SecondCondition:
    """The second condition of a limit: its own series, one value a day, and its edge."""

    values: Floats
    edge: Edge
    kind: SeriesKind | None = None
    cap: float | None = None


def replay_forecasts(
    values: Floats,
    limits: Sequence[Edge],
    *,
    kind: SeriesKind | None = None,
    cap: float | None = None,
    second: SecondCondition | None = None,
    opening: Opening = AT_ONCE,
    on: date | None = None,
) -> list[Replay]:
    """
    Return the forecasts that would have been made 30 to 180 days ago, the newest first.

    `values` is one value a day, NaN for a missing one; `limits` the edges of one limit, none when there is no limit.
    With `second` both conditions must be broken at once, on as many days as `opening` says. `on` is the last day. A cut that leaves fewer than 14 days is left out.
    """
    series, conditions, kinds, caps = [values], [limits], [kind], [cap]
    if second is not None:
        series, conditions = [values, second.values], [limits, [second.edge]]
        kinds, caps = [kind, second.kind], [cap, second.cap]
    cuts = [ago for ago in CUTS if np.isfinite(values[: max(len(values) - ago, 0)]).sum() >= LEAST_DAYS]
    if not cuts:
        return []
    past = [days[:-ago] for days in series for ago in cuts]
    forecasts = forecast_batch(
        past,
        kinds=[each for each in kinds for _ in cuts],
        caps=[most for most in caps for _ in cuts],
        last_on=[None if on is None else on - timedelta(days=ago) for _ in series for ago in cuts],
        horizon=HORIZON,
    )
    replays = []
    for row, ago in enumerate(cuts):
        if forecasts.reasons[row] is not None:
            continue
        rows = [row + place * len(cuts) for place in range(len(series))]
        ahead = min(ago, int(forecasts.reach[row]))
        future = [days[len(days) - ago :][:ahead] for days in series]
        prediction = _predict(forecasts, rows, conditions, opening)
        crossed = _crossing_of(future, conditions, opening)
        actual, line = float(future[0][-1]), _line_after(values[:-ago], ahead)
        is_measured = bool(np.isfinite(actual))
        replays.append(
            Replay(
                days_ago=ago,
                ahead=ahead,
                prediction=prediction,
                crossed=crossed,
                verdict=judge_prediction(prediction, crossed),
                off=actual - float(forecasts.mean[row, ahead - 1]) if is_measured else None,
                line_off=actual - line if is_measured and line is not None else None,
            )
        )
    return replays


def judge_prediction(prediction: Prediction | None, crossed: int | None) -> ReplayVerdict | None:
    """Judge a prediction by the day of the crossing (None = not within the horizon); None for what predicted nothing."""
    if prediction is None or prediction.is_violated or prediction.chance is None:
        return None
    if crossed is None:
        return ReplayVerdict(None, None)
    day, soonest, latest = prediction.day, prediction.soonest, prediction.latest
    is_inside = soonest is not None and soonest <= crossed and (latest is None or crossed <= latest)
    return ReplayVerdict(None if day is None else crossed - day, is_inside)


def _predict(
    forecasts: Forecasts, rows: Sequence[int], conditions: Sequence[Sequence[Edge]], opening: Opening
) -> Prediction | None:
    """What would have been predicted of a limit; None where there is none."""
    if not conditions[0]:
        return None
    edges = _edges_of([rows[0]] * len(conditions[0]), conditions[0], opening)
    others = _edges_of(rows[1:], conditions[1], opening) if len(rows) > 1 else None
    return reduce(earlier_prediction, predict_crossings(forecasts, edges, others))


def _edges_of(rows: Sequence[int], pairs: Sequence[Edge], opening: Opening = AT_ONCE) -> Edges:
    return build_edges(
        rows, [limit for limit, _ in pairs], [side for _, side in pairs], [opening] * len(rows)
    )


def _crossing_of(
    future: Sequence[Floats], conditions: Sequence[Sequence[Edge]], opening: Opening
) -> int | None:
    """The first day beyond any edge of every condition that opens a violation."""
    if not conditions[0]:
        return None
    is_broken = [_broken_days(days, pairs) for days, pairs in zip(future, conditions, strict=True)]
    judged = np.logical_and.reduce([np.isfinite(days) for days in future])
    paths = np.logical_and.reduce(is_broken)[None, None]
    first = float(find_first_days(paths, [opening], judged[None])[0, 0])
    return int(first) if np.isfinite(first) else None


def _broken_days(future: Floats, pairs: Sequence[Edge]) -> Flags:
    """On which days any edge is crossed; a missing day crosses none."""
    is_broken = np.zeros(len(future), dtype=np.bool_)
    for limit, side in pairs:
        days = np.where(np.isfinite(future), future, -np.inf if side.is_upper else np.inf)
        is_broken |= _edges_of([0], [(limit, side)]).find_beyond(days[None, None, :])[0, 0]
    return is_broken


def _line_after(values: Floats, ahead: int) -> float | None:
    """Where the straight line of the last 30 days would have been; None for fewer than two points."""
    recent = values[-LINE_OVER:]
    at = np.flatnonzero(np.isfinite(recent))
    if len(at) < 2:
        return None
    slope, _ = least_squares(at, recent[at])
    middle = float(recent[at].mean()) - slope * float(at.mean())
    return middle + slope * (len(recent) - 1 + ahead)
