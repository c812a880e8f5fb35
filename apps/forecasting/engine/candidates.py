"""The candidate methods: a level plus a slope, seen from any past day of a batch of table."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from apps.forecasting.engine.forecasts import LONGEST_HORIZON
from apps.forecasting.engine.histories import WINDOW, SeriesTable
from apps.forecasting.engine.medians import median
from apps.forecasting.engine.series import STALE_AFTER, Flags, Floats
from apps.forecasting.engine.shapes import SHAPES, Shapes

SMOOTHINGS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
CHOSEN_OVER = 56  # days whose one-day errors choose the smoothing


@dataclass(frozen=True)
class CandidateMethod:
    """
    One way to go on: from its level, `slope` a day, damped.

    `slope` takes the last `needs` days (series x days) and gives a change per day. `needs` is the history it takes in days,
    `of_flows` the factor on its errors for flows, whose short slopes promise much and hold little, `of_stocks` that for
    stocks: below 1 for what holds more than its past errors promise.
    """

    name: str
    needs: int
    slope: Callable[[Floats], Floats] | None = None
    damping: float = 1.0
    of_flows: float = 1.0
    of_stocks: float = 1.0
    is_median: bool = False  # the level is the median of `needs` days, not the smoothed one


def line_slope(values: Floats) -> Floats:
    """Return the least-squares slope of each row."""
    days = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    return np.asarray((values * (days / (days**2).sum())).sum(axis=1))


def step_slope(length: int) -> Callable[[Floats], Floats]:
    """Return a function that gives the median change over `length` days, per day."""

    def median_step(values: Floats) -> Floats:
        return median(values[:, length:] - values[:, :-length]) / length

    return median_step


def net_slope(values: Floats) -> Floats:
    """Return the change from the first to the last column, per day."""
    return np.asarray((values[:, -1] - values[:, 0]) / (values.shape[1] - 1))


CANDIDATES = (
    CandidateMethod("level", 1, of_stocks=0.85),
    CandidateMethod("line 14 damped", 14, line_slope, damping=0.95, of_flows=3, of_stocks=1.25),
    CandidateMethod("line 30", 30, line_slope, of_flows=3),
    CandidateMethod("line 60", 60, line_slope, of_flows=2),
    CandidateMethod("line 90", 90, line_slope, of_flows=1.5),
    CandidateMethod("line 90 damped", 90, line_slope, damping=0.98, of_flows=1.5),
    CandidateMethod("line 180", 180, line_slope, of_flows=1.2),
    CandidateMethod("line 365", 365, line_slope, of_flows=1.1, of_stocks=0.8),
    CandidateMethod("7-day steps 28", 28, step_slope(7), of_flows=3, of_stocks=0.85),
    CandidateMethod("28-day steps 90", 90, step_slope(28)),
    CandidateMethod("28-day steps 365", 365, step_slope(28), of_stocks=0.8),
    CandidateMethod("net change 28", 29, net_slope, of_flows=4),
    CandidateMethod("net change 90", 91, net_slope, of_flows=3),
    CandidateMethod("median 28", 28, is_median=True),
    CandidateMethod("median 91", 91, of_flows=0.85, is_median=True),
)
NAMES = (*(candidate.name for candidate in CANDIDATES), *SHAPES)
FLOW_HANDICAPS = np.array([candidate.of_flows for candidate in CANDIDATES] + list(SHAPES.values()))
HANDICAPS = np.array([candidate.of_stocks for candidate in CANDIDATES] + list(SHAPES.values()))
_DAMPINGS = np.array([candidate.damping for candidate in CANDIDATES])
# How many days' worth of slope each candidate has added by day 1, 2, ... ahead: candidates x days.
DAMPED_DAYS = np.cumsum(_DAMPINGS[:, None] ** np.arange(LONGEST_HORIZON + STALE_AFTER - 1), axis=1)


@dataclass(frozen=True)
class Start:
    """The path of every candidate as seen from one day, series x candidates x days, with who had enough history."""

    paths: Floats
    usable: Flags


def _smooth_levels(table: SeriesTable) -> tuple[Floats, Floats]:
    """
    Return the exponentially smoothed level after each day for every smoothing, and its one-day errors added up.

    Both are WINDOW x series x smoothings. A filled day moves the level like any other, yet its error does not count.
    """
    weights = np.array(SMOOTHINGS)
    values = table.values
    levels = np.empty((WINDOW, len(values), len(weights)))
    errors = np.zeros((WINDOW, len(values), len(weights)))
    level = np.repeat(values[:, :1], len(weights), axis=1)
    levels[0] = level
    for day in range(1, WINDOW):
        error = values[:, day : day + 1] - level
        level = level + weights * error
        levels[day] = level
        errors[day] = errors[day - 1] + np.abs(error) * table.observed[:, day : day + 1]
    return levels, errors


def find_starts(table: SeriesTable, ends: list[int], length: int) -> list[Start]:
    """
    Return how every candidate goes on from each of `ends`: the number of columns known at that moment.

    From the last of them so many days ahead, from the others as many as have come since.
    """
    levels, errors = _smooth_levels(table)
    rows, of_table, of_shapes = np.arange(len(table.values)), Shapes(table), slice(len(CANDIDATES), None)
    starts = []
    for end in ends:
        recent_errors = errors[end - 1] - errors[max(end - 1 - CHOSEN_OVER, 0)]
        level = levels[end - 1][rows, recent_errors.argmin(axis=1)]
        until = length if end == WINDOW else min(WINDOW - end, length)
        start = Start(np.zeros((len(rows), len(NAMES), until)), np.zeros((len(rows), len(NAMES)), np.bool_))
        _fill_lines(start, table, level, end)
        of_table.fill_shapes(start.paths[:, of_shapes], start.usable[:, of_shapes], level, end)
        starts.append(start)
    return starts


def _fill_lines(start: Start, table: SeriesTable, best: Floats, end: int) -> None:
    """Set the paths that are a level plus a slope, and which of them had enough history."""
    damped_days = DAMPED_DAYS[:, : start.paths.shape[2]]
    for place, candidate in enumerate(CANDIDATES):
        level, slope = best, np.zeros(len(best))
        if candidate.needs <= end:
            recent_days = table.values[:, end - candidate.needs : end]
            start.usable[:, place] = end - table.began >= candidate.needs
            if candidate.is_median:
                level = median(recent_days)
            elif candidate.slope is not None:
                slope = candidate.slope(recent_days)
        start.paths[:, place] = level[:, None] + slope[:, None] * damped_days[place]
