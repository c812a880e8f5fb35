"""
The forecast of daily series, in batches: expected line, bands and past errors, or the reason why there is none.

The order of work: clean (gaps, weekly index, jumps), candidates, weights by backtest, band from the mixture's own errors.
Pure arithmetic: no clock, no database, no chance; a series gives the same figures alone and in any batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from apps.forecasting.backtest import LEAST_TRIALS, ORIGINS, backtest, mixture
from apps.forecasting.band import band, rough_band
from apps.forecasting.candidates import CANDIDATES, damped_days, starts
from apps.forecasting.clean import (
    LEAST_DAYS,
    STALE_AFTER,
    WINDOW,
    Counts,
    Flags,
    Floats,
    Histories,
    clean,
    days_of,
    reason_against,
)
from apps.forecasting.kinds import are_flows
from apps.forecasting.signs import differs_from_last_year, wandering

HORIZON = 90
LONGEST_HORIZON = 180
LEAST_DAYS_FOR_TREND = 30
LEAST_DAYS_FOR_TRUST = 60
SETTLING_DAYS = 14  # a level shift younger than this widens the band
SETTLING_FACTOR = 1.3
LEAST_WIDTH = 0.005  # of the level, where the past shows no error at all
NOTHING = 1e-9  # of the level: rounding, no error
CHUNK = 500  # series computed at a time: bounds the memory
LARGEST = float(np.finfo(np.float64).max) / 16  # leaves room for a band round a figure of any size

Step = tuple[int, float]  # day ahead (1 = the first forecast day), and what it adds from then on


@dataclass(frozen=True)
class Jump:
    """A level shift: how many days before the end of the series it happened, and by how much."""

    days_ago: int
    size: float


@dataclass(frozen=True)
class Forecasts:
    """
    Forecasts of a batch, in the order given. A series with a reason has none: its rows are NaN.

    `mean` and the bounds are series x horizon; column 0 is the day after the series' last. `reach` says how many of these
    days may be shown: no more than the history is long. `weights` is series x candidates (named by `candidates.NAMES`),
    `weekly` series x 7 (what day 1, 2, ... 7 add to their week), `errors` series x origins x horizon: observed minus
    forecast, from each past origin of `backtest.ORIGINS`, NaN where there is none.
    """

    horizon: int
    mean: Floats
    low80: Floats
    high80: Floats
    low95: Floats
    high95: Floats
    weights: Floats
    weekly: Floats
    errors: Floats
    growth: Floats  # exponent with which the errors grow with the days ahead
    noise: Floats  # half of the 80 % band, before its least width: series x horizon
    floor: Floats
    cap: Floats
    last: Floats  # the last observed value
    size: Floats  # the largest value observed, regardless of its sign
    age: Counts  # days since the last observed value
    observed: Counts  # days with a value
    reach: Counts
    is_flow: Flags
    wanders: Flags  # like a price: no candidate foresaw more than "stays as it is"
    differs_from_last_year: Flags  # the same days a year ago went another way, outside the 80 % band
    jumps: tuple[tuple[Jump, ...], ...]
    reasons: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.reasons)

    @property
    def is_short(self) -> Flags:
        """Which histories are short: the day of a breach found in them is less to be trusted."""
        return self.observed < LEAST_DAYS_FOR_TRUST


def forecast_batch(
    series: Sequence[ArrayLike],
    kinds: Sequence[str] | str = "",
    horizon: int = HORIZON,
    *,
    floors: Sequence[float | None] | None = None,
    caps: Sequence[float | None] | None = None,
    steps: Sequence[Sequence[Step]] | None = None,
    widths: Sequence[float] | None = None,
    told: Sequence[Sequence[int]] | None = None,
) -> Forecasts:
    """
    Forecast each series of a batch; one that cannot be forecast gets a reason and stops no other.

    A series is one value a day up to today, oldest first, NaN for a missing day. Its kind is "stock" (an amount that is
    there) or "flow" (an amount or a mean per day); anything else is decided from the data. A floor left out is 0 for a
    series that was never negative. `steps` are planned changes (a migration, a new application), `widths` factors on the
    band, as the track record asks for, `told` days (before the end) on which the level moved for good, by what people say. Ask for some 500 series at a time: the past errors of each take 9 KB.
    """
    if not 1 <= horizon <= LONGEST_HORIZON:
        raise ValueError(f"horizon: given {horizon}, expected 1 to {LONGEST_HORIZON} days")
    count = len(series)
    named = [kinds] * count if isinstance(kinds, str) else list(kinds)
    options = {"kinds": named, "floors": floors, "caps": caps, "steps": steps, "widths": widths, "told": told}
    for name, option in options.items():
        if option is not None and len(option) != count:
            raise ValueError(f"{name}: given {len(option)}, expected one for each of {count} series")

    days, reasons = read(series)
    given = Given(
        days=days,
        reasons=reasons,
        is_flow=are_flows(named, days),
        floor=np.array([lowest(*each) for each in zip(days, floors or [None] * count, strict=True)]),
        cap=np.array([np.inf if cap is None else cap for cap in caps or [None] * count]),
        plan=np.array([planned(plan, horizon) for plan in steps or [()] * count]).reshape(count, horizon),
        width=np.array(widths or [1.0] * count),
        told=list(told or [()] * count),
    )
    chunks = [slice(first, first + CHUNK) for first in range(0, max(count, 1), CHUNK)]
    with np.errstate(over="ignore"):  # figures near the largest number there is are cut off there
        return joined([forecast_chunk(given.part(chunk), horizon) for chunk in chunks])


@dataclass(frozen=True)
class Given:
    """What is asked for, read and checked; one entry a series."""

    days: list[Floats]
    reasons: list[str | None]
    is_flow: Flags
    floor: Floats
    cap: Floats
    plan: Floats  # series x horizon
    width: Floats
    told: list[Sequence[int]]  # days before the end

    def part(self, chunk: slice) -> "Given":
        return Given(*(getattr(self, field.name)[chunk] for field in fields(self)))


def read(series: Sequence[ArrayLike]) -> tuple[list[Floats], list[str | None]]:
    """Return each series as floats with gaps, and why it cannot be forecast; one that is no series at all reads as empty."""
    days: list[Floats] = []
    reasons: list[str | None] = []
    for each in series:
        try:
            values = days_of(each)
        except (TypeError, ValueError):
            days.append(np.empty(0))
            reasons.append("is not one number a day")
        else:
            days.append(values)
            reasons.append(reason_against(values))
    return days, reasons


def lowest(days: Floats, floor: float | None) -> float:
    """Return the floor: as given, else 0 for what was never negative."""
    if floor is not None:
        return floor
    return -np.inf if (days < 0).any() else 0.0


def planned(steps: Sequence[Step], horizon: int) -> Floats:
    """Return what planned steps add on each day ahead; a step before the first day is in the figures already."""
    added = np.zeros(horizon)
    for day, amount in steps:
        if day >= 1:
            added[day - 1 :] += amount
    return added


def forecast_chunk(given: Given, horizon: int) -> Forecasts:
    """Forecast some series at once; those with a reason are carried along as zeros, and left blank in the end."""
    has_none = np.array([reason is not None for reason in given.reasons], dtype=np.bool_)
    used = [np.zeros(LEAST_DAYS) if none else days for none, days in zip(has_none, given.days, strict=True)]
    histories = clean(used, given.is_flow, given.told)
    *past, now = starts(histories, [WINDOW - origin for origin in ORIGINS] + [WINDOW])
    tests = backtest(histories, past, now, given.is_flow, horizon)

    measured = [days[np.isfinite(days)] for days in given.days]
    observed = np.array([len(known) for known in measured], dtype=np.intp)
    is_brief = observed < LEAST_DAYS_FOR_TREND
    weights = np.where(is_brief[:, None], np.arange(len(CANDIDATES)) == 0, tests.weights)
    weekly = np.where(is_brief[:, None], 0.0, histories.weekly)
    # Days ahead are counted from the last observed day, the forecast begins after the series' last one.
    ahead = horizon + STALE_AFTER - 1
    shown = histories.age[:, None] + np.arange(horizon)
    week = (histories.age[:, None] + np.arange(7)) % 7
    rows = np.arange(len(used))[:, None]
    width = band(tests.errors, histories.days, ahead)
    rough = rough_band(histories, ahead)
    is_untried = is_brief | (width.trials == 0)
    rough_share = np.where(is_untried, 1.0, np.where(width.trials < LEAST_TRIALS, 0.5, 0.0))[:, None]
    days_ago = np.where(histories.jump_days < 0, WINDOW, histories.jump_days + histories.age[:, None])
    settling = np.where((days_ago < SETTLING_DAYS).any(axis=1), SETTLING_FACTOR, 1.0)
    factor = (given.width * settling * histories.scale)[:, None]

    mean = mixture(now, weights, damped_days(ahead))[rows, shown] + weekly[rows, shown % 7]
    mean = np.clip(mean * histories.scale[:, None] + given.plan, -LARGEST, LARGEST)
    noise = np.minimum(np.maximum(width.half80, rough_share * rough.half80)[rows, shown] * factor, LARGEST)
    least = np.where(noise > NOTHING * np.abs(mean), 0.0, LEAST_WIDTH * np.abs(mean))
    half80 = np.maximum(noise, least)
    half95 = np.maximum(np.maximum(width.half95, rough_share * rough.half95)[rows, shown] * factor, half80)

    errors = np.clip(tests.errors * histories.scale[:, None, None], -LARGEST, LARGEST)

    def within(values: Floats) -> Floats:
        floor, cap = np.maximum(given.floor, -LARGEST), np.minimum(given.cap, LARGEST)
        kept = np.clip(values, floor[:, None], cap[:, None])
        return np.where(has_none[:, None], np.nan, kept)

    return Forecasts(
        horizon=horizon,
        mean=within(mean),
        low80=within(mean - half80),
        high80=within(mean + half80),
        low95=within(mean - half95),
        high95=within(mean + half95),
        weights=np.where(has_none[:, None], np.nan, weights),
        weekly=np.where(has_none[:, None], np.nan, weekly[rows, week] * histories.scale[:, None]),
        errors=np.where(is_brief[:, None, None], np.nan, errors),
        growth=width.growth,
        noise=np.where(has_none[:, None], np.nan, noise),
        floor=given.floor,
        cap=given.cap,
        last=np.array([known[-1] if len(known) else np.nan for known in measured]),
        size=np.array([np.abs(known).max(initial=0.0) for known in measured]),
        age=np.where(has_none, [age_of(days) for days in given.days], histories.age),
        observed=observed,
        reach=np.where(has_none, 0, np.minimum(horizon, histories.spans)),
        is_flow=given.is_flow,
        wanders=~has_none & wandering(given.is_flow, now.usable, tests.relative, width.growth, width.trials),
        differs_from_last_year=np.array(
            [differs_from_last_year(*each) for each in zip(used, mean, half80, strict=True)], dtype=np.bool_
        ),
        jumps=tuple(() if none else jumps_of(histories, row) for row, none in enumerate(has_none)),
        reasons=tuple(given.reasons),
    )


def jumps_of(histories: Histories, row: int) -> tuple[Jump, ...]:
    """Return the level shifts of one series, the newest first, in its own unit."""
    age, scale = int(histories.age[row]), float(histories.scale[row])
    pairs = zip(histories.jump_days[row], histories.jump_sizes[row], strict=True)
    return tuple(Jump(int(days) + age, float(size) * scale) for days, size in sorted(pairs) if days >= 0)


def age_of(days: Floats) -> int:
    """Return the days since the last observed one; the whole length when there is none."""
    known = np.flatnonzero(np.isfinite(days))
    return len(days) - 1 - int(known[-1]) if len(known) else len(days)


def joined(parts: list[Forecasts]) -> Forecasts:
    """Return the forecasts of several chunks as those of one batch."""
    whole: dict[str, Any] = {}
    for field in fields(Forecasts):
        values = [getattr(part, field.name) for part in parts]
        if isinstance(values[0], tuple):
            whole[field.name] = sum(values, ())
        else:
            is_one = len(parts) == 1 or field.name == "horizon"
            whole[field.name] = values[0] if is_one else np.concatenate(values)
    return Forecasts(**whole)
