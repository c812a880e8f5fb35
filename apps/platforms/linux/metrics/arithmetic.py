"""
What the formulas of host figures are made of. Every array is shaped (intervals, components); unknown is NaN.

Metrics are declared wherever Headroom starts, and computed in few places: numpy is imported where it computes.
"""

from typing import TYPE_CHECKING, TypeAlias

from apps.catalog.metric import Formula
from apps.catalog.window import Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"

# which reductions a figure read many times a day is kept as, beside its mean
DAILY = ("p95", "max", "busy")


def first_known(*candidates: Floats) -> Floats:
    """The first of several ways to know the same figure, interval by interval and component by component."""
    import numpy as np

    figure = candidates[0]
    for other in candidates[1:]:
        figure = np.where(np.isnan(figure), other, figure)
    return figure


def either(averaged: Floats, counted: Floats) -> Floats:
    """
    What sysstat averaged, else what the kernel counted.

    Over a day as a whole the kernel's count comes first: it covers all of the day, the averages perhaps only the part
    in which sysstat collected.
    """
    return first_known(counted, averaged) if len(counted) == 1 else first_known(averaged, counted)


def divide(above: Floats, below: Floats) -> Floats:
    """A quotient, unknown where there is nothing to divide by."""
    import numpy as np

    divisor = np.where(below > 0, below, np.nan)
    return above / divisor


def percent(part: Floats, whole: Floats) -> Floats:
    return 100.0 * divide(part, whole)


def largest(values: Floats) -> Floats:
    """The largest of all components, shape (intervals, 1)."""
    import numpy as np

    return np.fmax.reduce(values, axis=1, keepdims=True, initial=np.nan)


def smallest(values: Floats) -> Floats:
    """The smallest of all components, shape (intervals, 1)."""
    import numpy as np

    return np.fmin.reduce(values, axis=1, keepdims=True, initial=np.nan)


def mean(values: Floats) -> Floats:
    """The mean of all components that are known, shape (intervals, 1)."""
    import numpy as np

    count = (~np.isnan(values)).sum(axis=1, keepdims=True)
    return divide(np.nansum(values, axis=1, keepdims=True), count)


def where_largest(values: Floats, by: Floats) -> Floats:
    """The value of the component that has most of something, shape (intervals, 1)."""
    import numpy as np

    values, by = np.broadcast_arrays(values, by)
    place = np.where(np.isnan(by), -np.inf, by).argmax(axis=1, keepdims=True)
    return np.take_along_axis(values, place, axis=1)


def rate(window: Window, counter: str) -> Floats:
    """Growth of a counter per second."""
    return divide(window.delta(counter), window.seconds)


def rate_or_level(counter: str, average: str) -> Formula:
    """A figure that sysstat has averaged already, or that a counter gives."""
    return lambda window: either(window.level(average), rate(window, counter))


def level_or_level(gauge: str, average: str) -> Formula:
    """A figure that sysstat has averaged already, or that was read as it stood."""
    return lambda window: either(window.level(average), window.level(gauge))
