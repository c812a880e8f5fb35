"""Small series the tests are about."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from apps.forecasting.engine.chance import Prediction, predict_crossings
from apps.forecasting.engine.edges import build_edges
from apps.forecasting.engine.forecasts import Forecasts
from apps.forecasting.engine.series import Floats
from apps.thresholds.engine.notation import Form

T = TypeVar("T")


def sure(value: T | None) -> T:
    """Return a value that must be there."""
    assert value is not None
    return value


def wobble(days: int, seed: int = 0) -> Floats:
    """Noise between -1 and 1 that is the same each time and everywhere: the fractional parts of a golden-ratio walk."""
    return np.asarray(2 * np.modf(np.arange(1, days + 1) * 0.6180339887498949 + 0.137 * seed)[0] - 1)


def growing(days: int = 200, start: float = 1000.0, a_day: float = 5.0, noise: float = 3.0) -> Floats:
    """A stock that fills steadily."""
    return np.asarray(start + a_day * np.arange(days) + noise * wobble(days))


def with_weekends(days: int = 200, level: float = 100.0, weekend: float = 40.0) -> Floats:
    """A flow that is low on the sixth and seventh day of each week; the last day is the last of a week."""
    place = (np.arange(days) - days) % 7
    return level - np.where(place >= 5, level - weekend, 0.0) + wobble(days)


def noisy(days: int = 200, level: float = 50.0, size: float = 10.0) -> Floats:
    """A flow that wanders nowhere."""
    return level + size * wobble(days, seed=3)


def predict(
    forecasts: Forecasts,
    limits: Sequence[float],
    side: str = Form.AT_MOST,
    *,
    of: Sequence[int] | None = None,
) -> list[Prediction]:
    """What is predicted of a limit on each series, or on those named by `of`."""
    rows = range(len(forecasts)) if of is None else of
    return predict_crossings(forecasts, build_edges(list(rows), limits, [Form(side)] * len(limits)))
