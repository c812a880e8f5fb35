"""
Drivers: what people count each day (orders, users) takes other figures along.

What a driver explains is taken out of a figure, the rest is forecast like any other, and what the driver is expected to bring is
put back. It is adopted where forecasts of past days would have been nearer with it, by what was known before them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from apps.forecasting.engine.band import draw_band
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.driver_outlook import DriverOutlook
from apps.forecasting.engine.driver_trials import DriverTrial, take_out
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.series import Floats, SeriesKind


def choose_drivers(trials: Sequence[Sequence[DriverTrial]]) -> dict[int, DriverTrial]:
    """Return for each row the driver with which it was off least, where that is adopted."""
    adopted = {row: [trial for trial in tried if trial.is_adopted] for row, tried in enumerate(trials)}
    return {row: min(tried, key=lambda trial: trial.error) for row, tried in adopted.items() if tried}


def adopt_drivers(
    plain: Forecasts,
    values: Sequence[Floats],
    choices: Mapping[int, DriverTrial],
    drivers: Mapping[int, DriverOutlook],
    **options: Sequence[Any],
) -> Forecasts:
    """
    Return the forecasts with the drivers that were chosen for some rows; the others are as they were.

    `options` are those of `forecast_batch`, for all rows. What drivers are expected to do enters the line; what was wrong with such
    expectations in the past enters the errors, unless people plan the driver.
    """
    rows = list(choices)
    rests = [
        take_out(values[row], drivers[trial.driver], trial.way, trial.slope) for row, trial in choices.items()
    ]
    chosen = {name: [option[row] for row in rows] for name, option in options.items()}
    kinds = [SeriesKind.FLOW if plain.is_flow[row] else SeriesKind.STOCK for row in rows]
    rest = forecast_batch(rests, horizon=plain.horizon, kinds=kinds, **chosen)
    driven = _put_back(plain, rest, choices, drivers)
    usable = {row: place for place, row in enumerate(rows) if rest.reasons[place] is None}
    return _with_rows(plain, driven, usable)


def _put_back(
    plain: Forecasts,
    rest: Forecasts,
    choices: Mapping[int, DriverTrial],
    drivers: Mapping[int, DriverOutlook],
) -> Forecasts:
    """The forecasts of what was left with what the drivers bring."""
    mean, errors, is_exact = rest.mean.copy(), rest.errors.copy(), rest.is_exact.copy()
    for place, trial in enumerate(choices.values()):
        driver = drivers[trial.driver]
        mean[place] += trial.slope * driver.movement_ahead(trial.way, plain.horizon)
        if not driver.is_planned:
            missed = driver.misses(trial.way, int(rest.age[place]), plain.horizon)
            errors[place] += trial.slope * np.nan_to_num(missed)
            is_exact[place] = False
    rows = list(choices)
    floor, cap = plain.floor[rows], plain.cap[rows]
    return draw_band(
        replace(
            rest,
            mean=np.clip(mean, floor[:, None], cap[:, None]),
            errors=errors,
            is_exact=is_exact,
            floor=floor,
            cap=cap,
            recent=plain.recent[rows],
            size=plain.size[rows],
            observed=plain.observed[rows],
        )
    )


def _with_rows(plain: Forecasts, driven: Forecasts, place_of: Mapping[int, int]) -> Forecasts:
    """Forecasts with some rows from others."""
    rows, places = list(place_of), list(place_of.values())
    changed: dict[str, Any] = {}
    for each in fields(Forecasts):
        whole, part = getattr(plain, each.name), getattr(driven, each.name)
        if isinstance(whole, tuple):
            changed[each.name] = tuple(
                part[place_of[row]] if row in place_of else value for row, value in enumerate(whole)
            )
        elif isinstance(whole, np.ndarray):
            changed[each.name] = whole.copy()
            changed[each.name][rows] = part[places]
    return replace(plain, **changed)
