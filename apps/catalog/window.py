"""Window: the readings of a stretch of time, as the formulas of ratios see them."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Window(Protocol):
    """
    Readings of one target over n intervals: n is 1 for a day taken as a whole, more for its samples.

    Every answer is a float array of shape (n, c): c is 1 for a metric without components, else the number of
    components of its `component_kind`, in one order for all metrics of that kind, so that arrays of one kind, and
    of one kind with plain metrics, can be added, divided and compared directly. What was not read is NaN.
    """

    @property
    def seconds(self) -> "NDArray[Any]":
        """Length of each interval, shape (n, 1); since start-up where the target was restarted in it."""
        ...

    def delta(self, key: str) -> "NDArray[Any]":
        """Growth of a counter over each interval, in its reading unit; NaN where it is not known."""
        ...

    def level(self, key: str) -> "NDArray[Any]":
        """A gauge at the end of each interval (of a day with many samples: their mean), in its reading unit."""
        ...
