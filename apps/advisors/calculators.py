"""
What can be computed from a handful of figures: a calculator is one declaration in its platform's `calculators/`.

Its page, its place in the list and `manage.py calculate` come with that.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Inputs = Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, kw_only=True)
class CalculatorInput:
    """
    A figure that people type, or that a target has: `metric` is the statistic whose newest figure fills it in.

    One that `is_list` takes several, such as the SGAs of all instances of a host; an optional one may be left out.
    """

    key: str
    label: str
    unit: str = ""
    example: str = ""
    help: str = ""
    metric: str = ""
    least: float = 0.0
    most: float = 1e12
    is_whole: bool = False
    is_list: bool = False
    is_optional: bool = False


@dataclass(frozen=True)
class CalculationStep:
    """One line of how it is computed: "5,245 − 73" and what that comes to."""

    label: str
    formula: str
    result: str


@dataclass(frozen=True)
class Alternative:
    """Another value of what can be chosen, and what would happen; `is_present` where it is so now."""

    value: str
    result: str
    meaning: str
    is_present: bool = False


@dataclass(frozen=True)
class Share:
    """A part of the drawing; one that `is_idle` serves nobody."""

    label: str
    amount: float
    is_idle: bool = False


@dataclass(frozen=True, kw_only=True)
class Calculation:
    """
    An answer: a sentence and its rest, what to do, the steps with their numbers, and the figures exactly as computed.

    `shares` are drawn beside each other against `limit`, all in one unit.
    """

    answer: str
    rest: str = ""
    advice: str = ""
    figures: Mapping[str, float]
    steps: Sequence[CalculationStep]
    alternatives: Sequence[Alternative] = ()
    alternatives_of: str = ""  # the head of the first column of the alternatives
    shares: Sequence[Share] = ()
    limit: float | None = None
    limit_label: str = ""


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """A question with its inputs; `calculate` takes all of them, and raises BadCalculation where they contradict."""

    key: str
    title: str
    question: str
    source: str
    inputs: Sequence[CalculatorInput]
    calculate: Callable[[Inputs], Calculation]


class BadCalculation(ValueError):
    """These inputs make no sense together; the message says which one, and what to give."""


_calculators: dict[str, tuple[Calculator, ...]] = {}


def add_calculators(platform: str, calculators: Iterable[Calculator]) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _calculators[platform] = tuple(calculators)


def all_calculators() -> list[Calculator]:
    """Every calculator, by its title."""
    declared = (calculator for calculators in _calculators.values() for calculator in calculators)
    return sorted(declared, key=lambda calculator: calculator.title)


def find_calculator(key: str) -> Calculator | None:
    return next((calculator for calculator in all_calculators() if calculator.key == key), None)
