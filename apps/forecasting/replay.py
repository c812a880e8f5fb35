"""How past forecasts fared: the method is run on the history cut at earlier days, and held against what came."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from apps.forecasting.breach import Breach, Direction, earlier, tell
from apps.forecasting.clean import LEAST_DAYS, Flags, Floats
from apps.forecasting.crossing import beyond, edges, first_days
from apps.forecasting.lines import least_squares
from apps.forecasting.methods import Forecasts, forecast_batch
from apps.forecasting.track_record import Verdict, judge

CUTS = (30, 60, 90, 120, 180)  # days ago
MOST_AHEAD = 90
LINE_OVER = 30  # days of the straight line held against it


@dataclass(frozen=True)
class Replayed:
    """
    One earlier forecast. Days are counted from its own day; `crossed` is None when the limit was not crossed so far.

    `off` and `line_off` are what the expected figure, and a straight line, missed by after `ahead` days; in the unit of
    the series, None when that day has no figure.
    """

    days_ago: int
    ahead: int
    told: Breach | None
    crossed: int | None
    verdict: Verdict | None
    off: float | None
    line_off: float | None


Edge = tuple[float, Direction]


@dataclass(frozen=True)
class Beside:
    """The second condition of a limit: its own series, one value a day, and its edge."""

    values: Floats
    edge: Edge
    cap: float | None = None


def replayed(
    values: Floats, limits: Sequence[Edge], *, cap: float | None = None, beside: Beside | None = None
) -> list[Replayed]:
    """
    Return the forecasts that would have been made 30 to 180 days ago, the newest first.

    `values` is one value a day, NaN for a missing one; `limits` the edges of one limit, none when there is no limit.
    With `beside` both conditions must be broken at once. A cut that leaves fewer than 14 days is left out.
    """
    series, conditions, caps = [values], [limits], [cap]
    if beside is not None:
        series, conditions, caps = [values, beside.values], [limits, [beside.edge]], [cap, beside.cap]
    cuts = [ago for ago in CUTS if np.isfinite(values[: max(len(values) - ago, 0)]).sum() >= LEAST_DAYS]
    if not cuts:
        return []
    past = [each[:-ago] for each in series for ago in cuts]
    most = [each for each in caps for _ in cuts]
    forecasts = forecast_batch(past, caps=most, horizon=MOST_AHEAD)
    found = []
    for row, ago in enumerate(cuts):
        if forecasts.reasons[row] is not None:
            continue
        rows = [row + place * len(cuts) for place in range(len(series))]
        ahead = min(ago, int(forecasts.reach[row]))
        future = [each[len(each) - ago :][:ahead] for each in series]
        told = _foretold(forecasts, rows, conditions)
        crossed = _crossed(future, conditions)
        actual = float(future[0][-1])
        straight = _line(values[:-ago], ahead)
        is_known = bool(np.isfinite(actual))
        found.append(
            Replayed(
                days_ago=ago,
                ahead=ahead,
                told=told,
                crossed=crossed,
                verdict=_verdict(told, crossed),
                off=actual - float(forecasts.mean[row, ahead - 1]) if is_known else None,
                line_off=actual - straight if is_known and straight is not None else None,
            )
        )
    return found


def _foretold(
    forecasts: Forecasts, rows: Sequence[int], conditions: Sequence[Sequence[Edge]]
) -> Breach | None:
    """What would have been said of a limit; None where there is none."""
    if not conditions[0]:
        return None
    asked = edges([rows[0]] * len(conditions[0]), *_columns(conditions[0]))
    others = edges(rows[1:], *_columns(conditions[1])) if len(rows) > 1 else None
    return reduce(earlier, tell(forecasts, asked, others))


def _columns(pairs: Sequence[Edge]) -> tuple[list[float], list[Direction]]:
    return [limit for limit, _ in pairs], [side for _, side in pairs]


def _crossed(future: Sequence[Floats], conditions: Sequence[Sequence[Edge]]) -> int | None:
    """The first day beyond any edge of every condition that is so again within two days."""
    if not conditions[0]:
        return None
    broken = [_broken(days, pairs) for days, pairs in zip(future, conditions, strict=True)]
    first = float(first_days(np.logical_and.reduce(broken)[None])[0])
    return int(first) if np.isfinite(first) else None


def _broken(future: Floats, pairs: Sequence[Edge]) -> Flags:
    """On which days any edge is crossed; a missing day crosses none."""
    found = np.zeros(len(future), dtype=np.bool_)
    for limit, side in pairs:
        known = np.where(np.isfinite(future), future, -np.inf if side.is_upper else np.inf)
        size = np.array([1e-9 * abs(limit)])
        found |= beyond(known[None, None, :], np.array([[limit]]), size, [side])[0, 0]
    return found


def _verdict(told: Breach | None, crossed: int | None) -> Verdict | None:
    if told is None or told.is_violated or told.chance is None:
        return None
    return judge(told.day, told.soonest, told.latest, crossed)


def _line(values: Floats, ahead: int) -> float | None:
    """Where the straight line of the last 30 days would have been; None for fewer than two points."""
    recent = values[-LINE_OVER:]
    at = np.flatnonzero(np.isfinite(recent))
    if len(at) < 2:
        return None
    slope, _ = least_squares(at, recent[at])
    middle = float(recent[at].mean()) - slope * float(at.mean())
    return middle + slope * (len(recent) - 1 + ahead)
