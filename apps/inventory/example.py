"""
An estate to look around in, which one app may bring: pages, worker and first start ask for it here and know no app by name.

Where no app brings one there is none, and everything else works.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, cast

from django.utils.module_loading import import_string


@dataclass(frozen=True)
class Progress:
    """How far the loading has come, in days of targets."""

    done: int
    total: int

    @property
    def is_complete(self) -> bool:
        return self.done >= self.total


@dataclass(frozen=True)
class Program:
    """What runs beside Headroom for as long as it does: `python -m` with these arguments. `title` begins sentences."""

    name: str
    title: str
    arguments: tuple[str, ...]


class ExampleEstate(Protocol):
    """Its targets are those with `is_demo`."""

    def load(self, now: datetime) -> Progress:
        """Load it, or go on with loading it; nothing happens where all of it is there."""
        ...

    def progress(self) -> Progress:
        """How far the loading has come; complete, with nothing to do, where there is none of it."""
        ...

    def remove(self) -> int:
        """Delete it with all that was measured of it; returns how many targets."""
        ...

    def programs(self) -> Sequence[Program]:
        """What is to run beside Headroom for its sake."""
        ...

    def missing(self) -> str:
        """A sentence on what this installation cannot show of it; empty where there is nothing."""
        ...


_examples: list[ExampleEstate] = []
_places: list[str] = []  # a dotted path at most: what is behind it is loaded when it is first asked for


def add_example_at(path: str) -> None:
    """Make an example known by the dotted path of its class."""
    _examples.clear()
    _places[:] = [path]


def get_example() -> ExampleEstate | None:
    """The example that an app brings; None where no app does."""
    if not _examples and _places:
        _examples.append(cast(ExampleEstate, import_string(_places[0])()))
    return _examples[0] if _examples else None
