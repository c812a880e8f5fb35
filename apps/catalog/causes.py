"""
What speaks of the cause of a figure: of space what is stored in it, of a time per operation how many there were, of a
machine's resource who uses it.

Platforms declare it. What nothing is declared for is judged by its own count where it has one, else by the work of its
target.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from apps.catalog.metric import Metric


@dataclass(frozen=True, kw_only=True)
class Stored:
    """
    Space that fills by what is stored: `used` (of the same component) grows; `things` are the sizes of what lies in it.

    `stored_in` is the fact that says of each thing in which components it lies, one a line; empty: all lie in the target.
    """

    metrics: tuple[str, ...]
    component: str = "*"
    used: str
    things: str = ""
    stored_in: str = ""


@dataclass(frozen=True, kw_only=True)
class Driven:
    """Space that is taken and given back: `drivers` are statistics of the target, each with the diagnosis its growth speaks for."""

    metrics: tuple[str, ...]
    component: str = "*"
    drivers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Service:
    """Time that operations take, in all or each: how long one takes, and how many there are."""

    metrics: tuple[str, ...]
    component: str = "*"
    average: str
    count: str


@dataclass(frozen=True, kw_only=True)
class Shared:
    """A resource of a machine: `users` is the subject under which the targets that run on it tell their share of it."""

    metrics: tuple[str, ...]
    component: str = "*"
    users: str


Cause = Stored | Driven | Service | Shared

_causes: dict[str, tuple[Cause, ...]] = {}


def add_causes(platform: str, causes: Iterable[Cause]) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _causes[platform] = tuple(causes)


def cause_of(platform: str, metric: Metric, component: str) -> Cause | None:
    """What speaks of the cause of a figure, the first declaration that fits; an average has its count without any."""
    key = metric.base
    for cause in _causes.get(platform, ()):
        is_of_it = any(fnmatchcase(key, pattern) for pattern in cause.metrics)
        if is_of_it and fnmatchcase(component, cause.component):
            return cause
    return (
        Service(metrics=(key,), average=key, count=metric.judging.weight) if metric.judging.weight else None
    )
