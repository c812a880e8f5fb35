"""Shapes that DBAs have, generated: tasks apart from the daily series of the folder, each with its own figures."""

from collections.abc import Callable

import numpy as np

from benchmarks.forecast_tasks import HORIZON, Floats, Tasks, make_tasks

SEED = 20260701
FIRST_ON = np.datetime64("2024-01-01")
OF_EACH = 40
LENGTHS = (150, 250, 400, 400, 800)  # days of history


def teeth(rng: np.random.Generator, days: int) -> Floats:
    """A stock purged every 7 to 60 days to the same level."""
    period, phase = int(rng.integers(7, 61)), int(rng.integers(60))
    return 100 + 200 * ((np.arange(days) + phase) % period) / period + rng.normal(0, 2, days)


def growing_teeth(rng: np.random.Generator, days: int) -> Floats:
    """A stock purged every 10 to 45 days, of which more is left each time."""
    period, slope = int(rng.integers(10, 46)), rng.uniform(0.1, 0.8)
    return teeth_of(period, days, int(rng.integers(45))) + slope * np.arange(days) + rng.normal(0, 2, days)


def teeth_of(period: int, days: int, phase: int) -> Floats:
    return 100 + 100 * ((np.arange(days) + phase) % period) / period


def compounding(rng: np.random.Generator, days: int) -> Floats:
    """An amount a day that grows by 0.2 to 1 % each day."""
    rate = rng.uniform(0.002, 0.01)
    ahead = np.arange(days) - days + HORIZON  # 1,000 at the end of the history
    return np.asarray(1000 * np.exp(rate * ahead + rng.normal(0, 0.01, days)))


def month_ends(rng: np.random.Generator, days: int) -> Floats:
    """An amount a day that is two to three times as much on the last day of each month."""
    moment = FIRST_ON + np.arange(days)
    is_last = (moment + 1).astype("datetime64[M]") != moment.astype("datetime64[M]")
    return np.asarray(np.where(is_last, rng.uniform(2, 3), 1.0) * (100 + rng.normal(0, 4, days)))


def steps(rng: np.random.Generator, days: int) -> Floats:
    """A level that moved 3 to 30 days before the end of the history."""
    ago, factor = int(rng.integers(3, 31)), float(rng.choice([0.15, 0.4, 1.6, 2.5]))
    is_after = np.arange(days) >= days - HORIZON - ago
    return np.asarray(100 * np.where(is_after, factor, 1.0) * np.exp(rng.normal(0, 0.08, days)))


def stopped(rng: np.random.Generator, days: int) -> Floats:
    """A stock that grew steadily and stopped 5 to 40 days before the end of the history."""
    end = days - HORIZON - int(rng.integers(5, 41))
    return 500 + 3.0 * np.minimum(np.arange(days), end) + rng.normal(0, 1, days)


def yearly(rng: np.random.Generator, days: int) -> Floats:
    """An amount a day with a season of a year."""
    season = np.sin(2 * np.pi * (np.arange(days) + rng.integers(365)) / 365.25)
    return np.asarray(100 * (1 + 0.4 * season) * np.exp(rng.normal(0, 0.06, days)))


def constant(rng: np.random.Generator, days: int) -> Floats:
    """A number that somebody chose."""
    return np.full(days, float(rng.integers(1, 500)))


SHAPES: dict[str, tuple[Callable[[np.random.Generator, int], Floats], str]] = {
    "teeth": (teeth, "stock"),
    "growing teeth": (growing_teeth, "stock"),
    "compounding": (compounding, "flow"),
    "month ends": (month_ends, "flow"),
    "young steps": (steps, "flow"),
    "stopped growth": (stopped, "stock"),
    "yearly": (yearly, "flow"),
    "constant": (constant, "stock"),
}


def generate_tasks(seed: int = SEED, count: int = OF_EACH) -> Tasks:
    """Return so many tasks of each shape, the groups in the order of SHAPES; the same seed gives the same tasks."""
    rng = np.random.default_rng(seed)
    tasks = []
    for group, (name, (make, what)) in enumerate(SHAPES.items()):
        for number in range(count):
            length = LENGTHS[number % len(LENGTHS)]
            days = make(rng, length + HORIZON)
            last_on = FIRST_ON + length - 1
            tasks.append((f"{name} {number}", what, group, last_on, days[:-HORIZON], days[-HORIZON:]))
    return make_tasks(tasks)
