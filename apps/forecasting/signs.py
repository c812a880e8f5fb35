"""Signs that a forecast deserves less trust: the series wanders like a price, or went another way a year ago."""

import numpy as np

from apps.forecasting.backtest import LEAST_TRIALS
from apps.forecasting.clean import Counts, Flags, Floats

LEAST_GROWTH = 0.3  # of the errors with the days ahead: below it is noise round a level, no wandering
YEAR = 365
LEAST_HISTORY = 400
WEEK = 7


def wandering(is_flow: Flags, usable: Flags, relative: Floats, growth: Floats, trials: Counts) -> Flags:
    """Return which stocks wander: of the candidates (columns, the first is "as it is") none did better than the first."""
    others = np.where(usable, relative, np.inf)[:, 1:].min(axis=1)
    is_no_better = relative[:, 0] <= others
    return np.asarray(~is_flow & (trials >= LEAST_TRIALS) & (growth > LEAST_GROWTH) & is_no_better)


def differs_from_last_year(days: Floats, mean: Floats, half: Floats) -> bool:
    """
    Return whether the change forecast differs from last year's, over the same days, by more than half of the 80 % band.

    Both changes are from the week before to the last week of the horizon. False with 400 days of history or fewer.
    """
    if len(days) <= LEAST_HISTORY:
        return False
    ago = days[: len(days) - YEAR + len(mean)]
    weeks = [ago[: len(ago) - len(mean)][-WEEK:], ago[-min(WEEK, len(mean)) :], days[-WEEK:]]
    if not all(np.isfinite(week).any() for week in weeks):
        return False
    before, after, today = (float(week[np.isfinite(week)].mean()) for week in weeks)
    foreseen = float(mean[-WEEK:].mean()) - today
    return abs(foreseen - (after - before)) > float(half[-WEEK:].mean())
