"""What a formula is made of, found by running it once over a window that answers anything."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from apps.catalog.window import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Ingredients:
    """The keys of the readings that a formula takes, and whether it takes their growth, or the time that passed."""

    keys: frozenset[str]
    has_differences: bool
    is_over_seconds: bool


@cache
def probe(formula: Callable[[Window], "NDArray[Any]"]) -> Ingredients:
    """Run a formula over a window of ones, and return what it asked for."""
    import numpy as np  # where it computes: metrics are declared wherever Headroom starts

    window = _Probe(np.ones((1, 1)))
    with np.errstate(all="ignore"):
        formula(window)
    return Ingredients(frozenset(window.keys), window.has_differences, window.is_over_seconds)


class _Probe:
    """A window that answers anything and remembers what it was asked for."""

    def __init__(self, answer: "NDArray[Any]") -> None:
        self._answer = answer
        self.keys: set[str] = set()
        self.has_differences = False
        self.is_over_seconds = False

    @property
    def seconds(self) -> "NDArray[Any]":
        self.has_differences = self.is_over_seconds = True
        return self._answer.copy()

    def delta(self, key: str) -> "NDArray[Any]":
        self.has_differences = True
        return self.level(key)

    def level(self, key: str) -> "NDArray[Any]":
        self.keys.add(key)
        return self._answer.copy()
