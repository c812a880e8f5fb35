"""How past forecasts fared: the method is run on the history cut at earlier days, and held against what came."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.forecasting.breach import Breach, Direction, beyond, breach, earlier, first_days
from apps.forecasting.clean import LEAST_DAYS, Floats
from apps.forecasting.lines import least_squares
from apps.forecasting.methods import forecast_batch
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


def replayed(
    values: Floats, limits: Sequence[tuple[float, Direction]], *, cap: float | None = None
) -> list[Replayed]:
    """
    Return the forecasts that would have been made 30 to 180 days ago, the newest first.

    `values` is one value a day, NaN for a missing one; `limits` the edges of one limit, none when there is no limit.
    A cut that leaves fewer than 14 days is left out.
    """
    cuts = [ago for ago in CUTS if np.isfinite(values[: max(len(values) - ago, 0)]).sum() >= LEAST_DAYS]
    if not cuts:
        return []
    forecasts = forecast_batch([values[:-ago] for ago in cuts], caps=[cap] * len(cuts), horizon=MOST_AHEAD)
    found = []
    for row, ago in enumerate(cuts):
        if forecasts.reasons[row] is not None:
            continue
        ahead = min(ago, int(forecasts.reach[row]))
        future = values[len(values) - ago :][:ahead]
        sides = [breach(forecasts, [limit], side, of=[row])[0] for limit, side in limits]
        told = None if not sides else sides[0] if len(sides) == 1 else earlier(sides[0], sides[1])
        crossed = _crossed(future, limits)
        actual = float(future[-1])
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


def _crossed(future: Floats, limits: Sequence[tuple[float, Direction]]) -> int | None:
    """The first day beyond any edge that is beyond it again within two days."""
    days = []
    for limit, side in limits:
        known = np.where(np.isfinite(future), future, -np.inf if side.is_upper else np.inf)
        is_beyond = beyond(known[None, None, :], np.array([limit]), np.array([1e-9 * abs(limit)]), [side])
        days.append(float(first_days(is_beyond)[0, 0]))
    first = min(days, default=np.inf)
    return int(first) if np.isfinite(first) else None


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
