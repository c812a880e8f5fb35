"""
The forecast of daily series, in batches: expected line, bounds and past errors, or the reason why there is none.

The order of work: histories (gaps, weeks, months, level shifts), candidates, weights by backtest, band from the futures
that the mixture's own errors make. Pure arithmetic: no clock, no database, no chance; a series gives the same figures alone and in any batch.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from apps.forecasting.engine.backtest import ORIGINS, Backtest, run_backtest
from apps.forecasting.engine.band import draw_band
from apps.forecasting.engine.candidates import find_starts
from apps.forecasting.engine.forecasts import HORIZON, LARGEST, LONGEST_HORIZON, RECENT_DAYS, Forecasts
from apps.forecasting.engine.histories import WINDOW, SeriesTable, prepare_histories
from apps.forecasting.engine.level_shifts import LevelShift
from apps.forecasting.engine.series import (
    LEAST_DAYS,
    LEAST_DAYS_FOR_TREND,
    STALE_AFTER,
    DailySeries,
    Flags,
    Floats,
    SeriesKind,
    read_series,
)

SETTLING_DAYS = 14  # a level shift younger than this widens the band
SETTLING_FACTOR = 1.3
YEAR, WEEK = 365, 7
MORE_THAN_A_YEAR = 400  # days of history below which last year says nothing
CHUNK = 500  # series computed at a time: bounds the memory


def forecast_batch(
    series: Sequence[ArrayLike],
    *,
    horizon: int = HORIZON,
    kinds: Sequence[SeriesKind | None] | None = None,
    caps: Sequence[float | None] | None = None,
    shift_days: Sequence[Sequence[int]] | None = None,
    last_on: Sequence[date | None] | None = None,
    width_factors: Sequence[float] | None = None,
) -> Forecasts:
    """
    Forecast each series of a batch; one that cannot be forecast gets a reason and stops no other.

    A series is one value a day up to today, oldest first, NaN for a missing day. `kinds` say what the series are (None is
    told from the days), `caps` are the most that the figures can be, `shift_days` the days (before the end) on which the level moved for good, by
    what people say, `last_on` the days as dates, by which month ends are known, `width_factors` how much wider than by its own past errors
    each is to be, by the record of others like it.
    """
    if not 1 <= horizon <= LONGEST_HORIZON:
        raise ValueError(f"horizon: given {horizon}, expected 1 to {LONGEST_HORIZON} days")
    count = len(series)
    options = (
        ("kinds", kinds),
        ("caps", caps),
        ("shift_days", shift_days),
        ("last_on", last_on),
        ("width_factors", width_factors),
    )
    for name, option in options:
        if option is not None and len(option) != count:
            raise ValueError(f"{name}: given {len(option)}, expected one for each of {count} series")
    cap = np.array([np.inf if most is None else most for most in caps or [None] * count])
    last, width = list(last_on or [None] * count), np.array(width_factors or [1.0] * count)
    named, kind = list(shift_days or [()] * count), list(kinds or [None] * count)
    chunks = [slice(first, first + CHUNK) for first in range(0, max(count, 1), CHUNK)]
    with np.errstate(over="ignore"):  # figures near the largest number there is are cut off there
        return _join(
            [
                _forecast_chunk(
                    [read_series(*each) for each in zip(series[chunk], kind[chunk], strict=True)],
                    cap[chunk],
                    named[chunk],
                    last[chunk],
                    width[chunk],
                    horizon,
                )
                for chunk in chunks
            ]
        )


def _forecast_chunk(
    batch: Sequence[DailySeries],
    cap: Floats,
    shift_days: Sequence[Sequence[int]],
    last_on: Sequence[date | None],
    width_factor: Floats,
    horizon: int,
) -> Forecasts:
    """Forecast some series at once; those with a reason are carried along as zeros, and left blank in the end."""
    has_none = np.array([series.reason is not None for series in batch], dtype=np.bool_)
    days = [np.zeros(LEAST_DAYS) if series.reason is not None else series.days for series in batch]
    is_flow = np.array([series.is_flow for series in batch], dtype=np.bool_)
    observed = np.array([len(series.measured) for series in batch], dtype=np.intp)
    is_brief = observed < LEAST_DAYS_FOR_TREND
    table = prepare_histories(days, is_flow, shift_days, last_on)
    ends = [WINDOW - origin for origin in ORIGINS] + [WINDOW]
    *past, now = find_starts(table, ends, horizon + STALE_AFTER - 1)
    tests = run_backtest(table, past, now, is_flow, is_brief, horizon)
    mean, weekly = _expected_line(table, tests, is_brief, horizon)
    rows, ahead = np.arange(len(batch))[:, None], table.age[:, None] + np.arange(horizon)
    noise, least = tests.noise[rows, ahead], tests.least[rows, ahead]
    widening = _settling_factor(table) * table.scale * width_factor
    floor = np.array([series.floor for series in batch])
    errors = np.clip(tests.errors * widening[:, None, None], -LARGEST, LARGEST)
    bottom, top = np.maximum(floor, -LARGEST)[:, None], np.minimum(cap, LARGEST)[:, None]
    mean = np.where(has_none[:, None], np.nan, np.clip(mean, bottom, top))
    forecasts = Forecasts(
        horizon=horizon,
        mean=mean,
        low80=mean,
        high80=mean,
        low95=mean,
        high95=mean,
        weights=np.where(has_none[:, None], np.nan, tests.weights),
        weekly=np.where(has_none[:, None], np.nan, weekly),
        errors=np.where(is_brief[:, None, None], np.nan, errors),
        growth=tests.growth,
        noise=np.where(has_none[:, None], np.nan, np.minimum(noise * widening[:, None], LARGEST)),
        least=np.where(has_none[:, None], np.nan, least * table.scale[:, None]),
        is_exact=tests.is_exact,
        floor=floor,
        cap=cap,
        recent=np.array([_recent_of(series) for series in batch]).reshape(-1, RECENT_DAYS),
        size=np.array([np.abs(series.measured).max(initial=0.0) for series in batch]),
        age=np.array([series.age for series in batch], dtype=np.intp),
        observed=observed,
        reach=np.where(has_none, 0, np.minimum(horizon, table.spans)),
        is_flow=is_flow,
        wanders=~has_none & tests.wanders,
        differs_from_last_year=np.zeros(len(batch), dtype=np.bool_),
        level_shifts=tuple(() if none else _shifts_of(table, row) for row, none in enumerate(has_none)),
        reasons=tuple(series.reason for series in batch),
    )
    banded = draw_band(forecasts)
    half = (banded.high80 - banded.low80) / 2
    differs = [_differs_from_last_year(*each) for each in zip(days, banded.mean, half, strict=True)]
    return replace(banded, differs_from_last_year=np.array(differs, dtype=np.bool_))


def _expected_line(
    table: SeriesTable, tests: Backtest, is_brief: Flags, horizon: int
) -> tuple[Floats, Floats]:
    """Return what is expected on each day ahead, and what each of the next seven adds to its week, in the series' units."""
    index = np.where(is_brief[:, None], 0.0, table.weekly)
    # The mixture counts days from the last observed day, the forecast begins after the series' last one.
    rows, ahead = np.arange(len(index))[:, None], table.age[:, None] + np.arange(horizon)
    monthly = np.where(is_brief[:, None], 0.0, table.monthly)
    mean = (tests.mean[rows, ahead] + index[rows, ahead % 7] + monthly[rows, ahead]) * table.scale[:, None]
    week = (table.age[:, None] + np.arange(7)) % 7
    return np.clip(mean, -LARGEST, LARGEST), index[rows, week] * table.scale[:, None]


def _settling_factor(table: SeriesTable) -> Floats:
    """Return how much wider the errors of the past are taken where the level moved of late."""
    days_ago = np.where(table.shifts.days < 0, WINDOW, table.shifts.days + table.age[:, None])
    return np.where((days_ago < SETTLING_DAYS).any(axis=1), SETTLING_FACTOR, 1.0)


def _recent_of(series: DailySeries) -> Floats:
    """Return the last values that were measured."""
    recent = np.full(RECENT_DAYS, np.nan)
    measured = series.measured[-RECENT_DAYS:]
    recent[RECENT_DAYS - len(measured) :] = measured
    return recent


def _shifts_of(table: SeriesTable, row: int) -> tuple[LevelShift, ...]:
    """Return the level shifts of one series, the newest first, in its own unit."""
    age, scale = int(table.age[row]), float(table.scale[row])
    pairs = sorted(zip(table.shifts.days[row], table.shifts.sizes[row], strict=True))
    return tuple(LevelShift(int(days) + age, float(size) * scale) for days, size in pairs if days >= 0)


def _differs_from_last_year(days: Floats, mean: Floats, half: Floats) -> bool:
    """
    Return whether the change forecast differs from last year's, over the same days, by more than half of the 80 % band.

    Both changes are from the week before to the last week of the horizon. False with 400 days of history or fewer.
    """
    if len(days) <= MORE_THAN_A_YEAR:
        return False
    past = days[: len(days) - YEAR + len(mean)]
    weeks = [past[: len(past) - len(mean)][-WEEK:], past[-min(WEEK, len(mean)) :], days[-WEEK:]]
    if not all(np.isfinite(week).any() for week in weeks):
        return False
    before, after, today = (float(week[np.isfinite(week)].mean()) for week in weeks)
    change = float(mean[-WEEK:].mean()) - today
    return abs(change - (after - before)) > float(half[-WEEK:].mean())


def _join(parts: Sequence[Forecasts]) -> Forecasts:
    """Return the forecasts of several batches as those of one."""
    whole: dict[str, Any] = {}
    for field in fields(Forecasts):
        values = [getattr(part, field.name) for part in parts]
        if isinstance(values[0], tuple):
            whole[field.name] = sum(values, ())
        else:
            whole[field.name] = values[0] if field.name == "horizon" else np.concatenate(values)
    return Forecasts(**whole)
