"""Medians of many rows at once, equal to numpy's to the last digit, in a fraction of the time for rows as short as ours."""

import numpy as np

from apps.forecasting.engine.series import Floats


def median(values: Floats) -> Floats:
    """Return the median along the last axis, which has at least one value and no NaN."""
    count = values.shape[-1]
    ordered = np.sort(values, axis=-1)
    middle = ordered[..., count // 2]
    return np.asarray(middle if count % 2 else (ordered[..., count // 2 - 1] + middle) / 2)


def median_of_known(values: Floats) -> Floats:
    """Return the median along the last axis of what is not NaN; NaN where nothing is."""
    ordered = np.sort(values, axis=-1)  # NaN last
    count = np.isfinite(values).sum(axis=-1, keepdims=True)
    low = np.take_along_axis(ordered, np.maximum(count - 1, 0) // 2, axis=-1)
    high = np.take_along_axis(ordered, np.minimum(count // 2, values.shape[-1] - 1), axis=-1)
    return np.asarray((low + high)[..., 0] / 2)
