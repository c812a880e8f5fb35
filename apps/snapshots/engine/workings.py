"""
The arithmetic behind one figure, written out: the formula in words, and with its numbers (no Django).

A formula is run on terms that remember how they were made. What they cannot follow, such as the largest of many components,
is told by its ingredients alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from apps.catalog.metric import Kind, Metric, MetricOf
from apps.catalog.window import Window
from apps.charts.reader import style
from apps.snapshots.engine.reading_window import figure_of

SUM, PRODUCT, ATOM = 0, 1, 2  # how tightly a text holds together
SIGNS = {np.add: "+", np.subtract: "−", np.multiply: "×", np.true_divide: "÷"}
Write = Callable[[float], str]


class CannotFollowError(Exception):
    """The formula does something that its terms do not know how to write."""


@dataclass(frozen=True)
class Term:
    """A number with the words and the digits it came from."""

    value: float
    words: str
    digits: str
    binds: int = ATOM

    __array_priority__ = 1000

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options.get("out") is not None:
            raise CannotFollowError(ufunc.__name__)
        if ufunc in SIGNS:
            return _join(SIGNS[ufunc], ufunc, _term(inputs[0]), _term(inputs[1]))
        if ufunc in (np.isnan, np.isfinite):
            return bool(ufunc(self.value))
        if ufunc in (np.greater, np.less, np.greater_equal, np.less_equal, np.equal):
            return bool(ufunc(_term(inputs[0]).value, _term(inputs[1]).value))
        if ufunc in (np.maximum, np.fmax, np.minimum, np.fmin):
            left, right = _term(inputs[0]), _term(inputs[1])
            extreme = float(ufunc(left.value, right.value))
            return left if extreme == left.value else right
        raise CannotFollowError(ufunc.__name__)

    def __array_function__(self, func: Any, types: Any, args: Any, options: Any) -> Any:
        if func is np.where and len(args) == 3:
            return _term(args[1]) if bool(np.all(args[0])) else _term(args[2])
        raise CannotFollowError(getattr(func, "__name__", "a function"))

    def __len__(self) -> int:
        return 1  # of a day as a whole

    def __add__(self, other: Any) -> "Term":
        return _join("+", np.add, self, _term(other))

    def __radd__(self, other: Any) -> "Term":
        return _join("+", np.add, _term(other), self)

    def __sub__(self, other: Any) -> "Term":
        return _join("−", np.subtract, self, _term(other))

    def __rsub__(self, other: Any) -> "Term":
        return _join("−", np.subtract, _term(other), self)

    def __mul__(self, other: Any) -> "Term":
        return _join("×", np.multiply, self, _term(other))

    def __rmul__(self, other: Any) -> "Term":
        return _join("×", np.multiply, _term(other), self)

    def __truediv__(self, other: Any) -> "Term":
        return _join("÷", np.true_divide, self, _term(other))

    def __rtruediv__(self, other: Any) -> "Term":
        return _join("÷", np.true_divide, _term(other), self)

    def __gt__(self, other: Any) -> bool:
        return self.value > _term(other).value

    def __lt__(self, other: Any) -> bool:
        return self.value < _term(other).value

    def __ge__(self, other: Any) -> bool:
        return self.value >= _term(other).value

    def __le__(self, other: Any) -> bool:
        return self.value <= _term(other).value


def _term(operand: Any) -> Term:
    if isinstance(operand, Term):
        return operand
    values = np.asarray(operand, dtype=float)
    if values.size != 1:
        raise CannotFollowError("several numbers")
    value = float(values.reshape(-1)[0])
    text = (
        f"{value:,.6g}" if abs(value) < 1e15 and abs(value) >= 1e6 and value != int(value) else _plain(value)
    )
    return Term(value, style().marked(text), style().marked(text))


def _plain(value: float) -> str:
    return f"{int(value):,}" if value == value and abs(value) < 1e15 and value == int(value) else f"{value:g}"


def _join(sign: str, operation: Any, left: Term, right: Term) -> Term:
    with np.errstate(all="ignore"):
        value = float(operation(np.float64(left.value), np.float64(right.value)))
    binds = SUM if sign in "+−" else PRODUCT

    def write(term: Term, text: str, *, is_second: bool) -> str:
        loose = term.binds < binds or (is_second and term.binds == binds and sign in "−÷")
        return f"({text})" if loose else text

    words, digits = (
        f"{write(left, first, is_second=False)} {sign} {write(right, second, is_second=True)}"
        for first, second in ((left.words, right.words), (left.digits, right.digits))
    )
    return Term(value, words, digits, binds)


@dataclass
class _TracedWindow:
    """A window whose answers are terms of one component."""

    window: Window
    metric: Metric
    component: str
    orders: Mapping[str, list[str]]
    metric_of: MetricOf
    write: Write
    ingredients: dict[str, float] = field(
        default_factory=dict
    )  # what the formula took: growths and levels by key

    @property
    def seconds(self) -> Term:
        value = float(self.window.seconds[0, 0])
        return Term(value, "seconds elapsed", f"{self.write(value)} s")

    def delta(self, key: str) -> Term:
        return self._answer(key, self.window.delta(key), "growth of ")

    def level(self, key: str) -> Term:
        return self._answer(key, self.window.level(key), "")

    def _answer(self, key: str, values: Any, prefix: str) -> Term:
        source = self.metric_of(key)
        kind = source.component_kind if source else ""
        if kind and kind != self.metric.component_kind:
            raise CannotFollowError(key)
        at = self.orders[kind].index(self.component) if kind and len(self.orders.get(kind, [])) > 1 else 0
        value = float(np.asarray(values, dtype=float)[0, at])
        self.ingredients[key] = value
        name = (source.name or source.label) if source else key
        return Term(value, f"{prefix}{name}", self.write(value))


@dataclass(frozen=True)
class Workings:
    """
    How a figure came about: its value in the metric's unit, the formula in words and in digits.

    Both texts are empty where the formula cannot be followed, or is no more than the value read.
    """

    value: float
    words: str = ""
    digits: str = ""
    seconds: float = np.nan  # measured
    ingredients: Mapping[str, float] = field(default_factory=dict)


def workings(
    metric: Metric,
    component: str,
    window: Any,
    orders: Mapping[str, list[str]],
    metric_of: MetricOf,
    write: Write,
) -> Workings:
    """
    The workings of one component of a metric over a window as a whole.

    `orders` are the components of each kind in the order of the window's answers; `write` writes a number.
    """
    names = orders.get(metric.component_kind, []) if metric.component_kind else [""]
    if component not in names:
        return Workings(np.nan)
    values = np.broadcast_to(figure_of(metric, window), (1, len(names)))
    value = float(values[0, names.index(component)])
    traced = _TracedWindow(window, metric, component, orders, metric_of, write)
    try:
        if metric.formula is not None:
            term = _term(metric.formula(traced))  # type: ignore[arg-type]
        elif metric.kind is Kind.COUNTER:
            term = traced.delta(metric.key) / traced.seconds
        else:
            term = traced.level(metric.key)
    except (CannotFollowError, TypeError, ValueError, AttributeError, IndexError):
        return Workings(value, ingredients=traced.ingredients)
    if metric.formula is not None and not _same(term.value, value):
        return Workings(value, ingredients=traced.ingredients)
    seconds = float(window.seconds[0, 0])
    return Workings(value, term.words, term.digits, seconds, traced.ingredients)


def _same(left: float, right: float) -> bool:
    return bool(np.isclose(left, right, rtol=1e-9, atol=0.0, equal_nan=True))
