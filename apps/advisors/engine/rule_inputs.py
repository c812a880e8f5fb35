"""
What rules ask for: named inputs, and where each is from.

A platform declares its inputs once, beside its rules. Whoever tries rules resolves them (`apps/advisors/rule_figures.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Whose(StrEnum):
    """Whose figure an input is: the target that a rule is tried on, its machine, or all instances on that machine."""

    TARGET = "target"
    HOST = "host"
    INSTANCES = "instances"


@dataclass(frozen=True, kw_only=True)
class RuleInput:
    """
    A name in the conditions of rules, with what people read: label, unit, and what would give it where it is missing.

    With `is_each` it has a value for every component (tablespace, file, device), and a rule is tried on each of them.
    """

    key: str
    label: str
    unit: str = ""
    needs: str = ""
    is_each: bool = False


@dataclass(frozen=True, kw_only=True)
class FigureInput(RuleInput):
    """
    A figure of the day, in `unit`: of one component, or of each.

    Where it `is_record` it is a maximum since start-up that counts on the day it was made. With `back` it is the median
    of the days so far back, from the first to the last: (97, 83).
    """

    metric: str
    component: str = ""
    whose: Whose = Whose.TARGET
    is_record: bool = False
    back: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class FactInput(RuleInput):
    """What a text says, as a number: `read` takes the first of these facts (whose, name) that is known."""

    facts: tuple[tuple[Whose, str], ...]
    read: Callable[[str], float | None]


@dataclass(frozen=True, kw_only=True)
class DerivedInput(RuleInput):
    """
    What follows from other inputs: `compute` takes a value of each.

    Where it `is_total` the first of them comes as a tuple of the values of all its components.
    """

    inputs: tuple[RuleInput, ...]
    compute: Callable[..., float | None]
    is_total: bool = False


class DayQuality(StrEnum):
    """What is known of the readings of a day."""

    RESTARTS = "restarts"
    FALLEN = "fallen"  # counters that went backwards


@dataclass(frozen=True, kw_only=True)
class QualityInput(RuleInput):
    """A count of what happened to the readings of the day."""

    quality: DayQuality


@dataclass(frozen=True, kw_only=True)
class LimitInput(RuleInput):
    """
    The upper limit that people set on a statistic of each component: the highest value that does not break it.

    There is none on days that calendars leave out: these are not judged.
    """

    metric: str


@dataclass(frozen=True, kw_only=True)
class GrowthInput(RuleInput):
    """How much each component grows a day, as pages say it: over the last month up to this day."""

    metric: str


@dataclass(frozen=True, kw_only=True)
class DeviceInput(RuleInput):
    """
    The largest figure of the devices of a host below some files of a target.

    `places` names the fact that lists the directories of the files, `device_of` those of the host that name the device of
    each filesystem.
    """

    metric: str
    places: str
    device_of: str


def leaves_of(declared: RuleInput) -> tuple[RuleInput, ...]:
    """The inputs that it is derived from in the end; itself where it is not derived."""
    if isinstance(declared, DerivedInput):
        return tuple(leaf for part in declared.inputs for leaf in leaves_of(part))
    return (declared,)


def metrics_of_input(declared: RuleInput) -> frozenset[str]:
    """The statistics whose figures it is made of."""
    leaves = leaves_of(declared)
    kinds = (FigureInput, GrowthInput, DeviceInput, LimitInput)
    return frozenset(leaf.metric for leaf in leaves if isinstance(leaf, kinds))
