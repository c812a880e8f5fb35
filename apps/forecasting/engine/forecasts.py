"""Forecasts of a batch of series: expected line, bounds, past errors and signs of doubt, a row a series."""

from dataclasses import dataclass

import numpy as np

from apps.forecasting.engine.level_shifts import LevelShift
from apps.forecasting.engine.series import Counts, Flags, Floats

HORIZON = 90
LONGEST_HORIZON = 180
LEAST_DAYS_FOR_TRUST = 60
RECENT_DAYS = 30
LARGEST = float(np.finfo(np.float64).max) / 16  # leaves room for a band round a figure of any size


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
    noise: Floats  # half of the 80 % band where the errors of the past are too few: series x horizon
    least: Floats  # half of the least band: series x horizon
    is_exact: Flags  # no past forecast erred
    floor: Floats
    cap: Floats
    recent: (
        Floats  # series x RECENT_DAYS: the last values observed, the newest last; NaN before a history began
    )
    size: Floats  # the largest value observed, regardless of its sign
    age: Counts  # days since the last observed value
    observed: Counts  # days with a value
    reach: Counts
    is_flow: Flags
    wanders: Flags  # like a price: no candidate foresaw more than "stays as it is"
    differs_from_last_year: Flags  # the same days a year ago went another way, outside the 80 % band
    level_shifts: tuple[tuple[LevelShift, ...], ...]
    reasons: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.reasons)

    @property
    def last(self) -> Floats:
        """The last value observed of each series."""
        return self.recent[:, -1]

    @property
    def is_short(self) -> Flags:
        """Which histories are short: a day of crossing read from them is less to be trusted."""
        return self.observed < LEAST_DAYS_FOR_TRUST
