"""
Planned changes as people type them, and what they make of a ratio (no Django).

`+200 GB` adds an amount, `-50 GB` takes one away, `+20 %` multiplies what is expected, `4 -> 8 cores` spreads a share
over another capacity (half of it for twice the cores). Each holds from its day on.
"""

import re
from collections.abc import Mapping

import numpy as np

from apps.catalog.metric import Metric
from apps.catalog.units import UnknownUnit, convert
from apps.forecasting.engine.effects import Effect

EXAMPLES = "+200 GB, -50 GB, +20 % or 4 -> 8 cores"
LONGEST = 80  # characters
LARGEST = 1e20
_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_ADD = re.compile(rf"([+\-−])\s*{_NUMBER}\s*(\S.*)?")
_CAPACITY = re.compile(rf"{_NUMBER}\s*(?:->|→|to)\s*{_NUMBER}\s*([a-zA-Z ]*)")


class BadChange(ValueError):
    """This is not a change of that statistic; the message says what was given and what is expected."""


def read_capacity(text: str) -> tuple[float, float, str] | None:
    """The capacity before, after and of what, where a change is one of capacity. Raises BadChange."""
    match = _CAPACITY.fullmatch(text.strip())
    return None if match is None else (_number(match[1]), _number(match[2]), match[3].strip().lower())


def read_change(text: str, metric: Metric) -> Effect:
    """Read a change of a statistic in the notation above. Raises BadChange."""
    words = text.strip()
    if len(words) > LONGEST:
        raise BadChange(
            f"“{words[:20]}…” has {len(words):,} characters; give at most {LONGEST}, such as {EXAMPLES}."
        )
    if capacity := read_capacity(words):
        before, after, _ = capacity
        if not metric.is_percent:
            raise BadChange(
                f"“{words}” changes a capacity, and {metric.label} is no share of one: give {_add_of(metric)}."
            )
        if not before or not after:
            raise BadChange(
                f"“{words}” has a capacity of 0; give two that are there, for example 4 -> 8 cores."
            )
        return Effect(factor=before / after)
    match = _ADD.fullmatch(words)
    if match is None:
        raise BadChange(f"“{words}” is not a change; expected {EXAMPLES}.")
    amount = _number(match[2]) * (1 if match[1] == "+" else -1)
    unit = (match[3] or "").strip()
    if unit == "%":
        if amount <= -100:
            raise BadChange(f"“{words}” leaves less than nothing; give less than 100 %.")
        return Effect(factor=1 + amount / 100)
    if metric.is_percent and unit in ("pt", "points", "point"):
        unit = ""
    try:
        added = convert(amount, unit or metric.display_unit, metric.unit)
    except UnknownUnit:
        raise BadChange(
            f"“{unit}” is not a unit of {metric.label}, which is in {metric.display_unit}: give {_add_of(metric)}."
        ) from None
    return Effect(addend=added)


def read_driver_change(text: str, name: str, unit: str) -> Effect:
    """Read a change of a driver: a percentage, or an amount a day. Raises BadChange."""
    match = _ADD.fullmatch(text.strip()[:LONGEST])
    if match is None or (match[3] or "").strip() not in ("", "%", unit):
        raise BadChange(f"“{text.strip()[:20]}” is not a change of {name}; expected +30 %, -10 % or +500.")
    amount = _number(match[2]) * (1 if match[1] == "+" else -1)
    if (match[3] or "").strip() != "%":
        return Effect(addend=amount)
    if amount < -100:
        raise BadChange(f"“{text.strip()}” leaves less than nothing; give at most 100 %.")
    return Effect(factor=1 + amount / 100)


def _add_of(metric: Metric) -> str:
    unit = "pt" if metric.is_percent else metric.display_unit
    return f"+10 {unit}".strip() + " or +20 %"


def _number(text: str) -> float:
    value = float(text.replace(",", ""))
    if value > LARGEST:
        raise BadChange(f"{text} is more than can be; expected {EXAMPLES}.")
    return value


def through_formula(
    metric: Metric, effects: Mapping[str, Effect], levels: Mapping[str, float]
) -> Effect | None:
    """
    Return what effects on readings make of a ratio that is computed from them; None where that cannot be told.

    `levels` are the newest stored figures of the ratio's readings. An amount added above the line stays an amount; one
    below the line, and a percentage, become a factor: 200 GB more of maximum size lowers the share at any use.
    """
    if metric.formula is None:
        return None

    def at(times: float) -> float:
        moved = dict(levels)
        for key, effect in effects.items():
            moved[key] += times * (levels[key] * (effect.factor - 1) + effect.addend)
        with np.errstate(all="ignore"):
            return float(metric.formula(_Levels(moved))[0, 0])  # type: ignore[misc, arg-type]

    if not levels.keys() >= effects.keys():
        return None
    before, after, further = at(0), at(1), at(2)
    if not np.isfinite([before, after, further]).all():
        return None
    is_even = abs((further - after) - (after - before)) <= 1e-9 * max(abs(before), abs(after), abs(further))
    if is_even and all(effect.factor == 1 for effect in effects.values()):
        return Effect(addend=after - before)
    return Effect(factor=after / before) if before else None


class _Levels:
    """The newest figures as a window of one reading; what is only known over time is not known here."""

    def __init__(self, levels: Mapping[str, float]) -> None:
        self.levels = levels

    @property
    def seconds(self) -> np.ndarray:
        return np.full((1, 1), np.nan)

    def delta(self, key: str) -> np.ndarray:
        return np.full((1, 1), np.nan)

    def level(self, key: str) -> np.ndarray:
        return np.full((1, 1), self.levels.get(key, np.nan))
