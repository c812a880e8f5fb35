"""Where a platform finds what a target did before Headroom knew it; what reads it is loaded when it is asked for."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, cast

from django.utils.module_loading import import_string

from apps.collection.history.reach import HistoryReach
from apps.inventory.models import Target
from apps.snapshots.engine.days import Day

if TYPE_CHECKING:
    from apps.snapshots.imported_days import DayOfFile  # with numpy, which declarations do without


@dataclass(frozen=True)
class PastFact:
    """A fact of a target that began to hold before the first reading: a parameter, a patch."""

    since: datetime
    name: str
    component: str
    value: str


class HistorySession(Protocol):
    """A session with a target that is asked for its past."""

    def look(self) -> Sequence[HistoryReach]:
        """Every source that is looked for, with what it has. Raises CollectionError."""

    def read_day(self, day: Day, sources: Collection[str]) -> "DayOfFile | None":
        """What these sources have of a day; None where they have nothing. Raises CollectionError."""

    def read_facts(self, sources: Collection[str]) -> Sequence[PastFact]:
        """What is known of how the target was set up, of all days at once. Raises CollectionError."""


HistoryOpener = Callable[[Target], AbstractContextManager[HistorySession]]

_openers: dict[str, str] = {}


def add_history_at(collector: str, path: str) -> None:
    """Make known, by a dotted path, what opens a session with the past of a collector's targets (a HistoryOpener)."""
    _openers[collector] = path


def has_history(target: Target) -> bool:
    """Whether a target can be asked for its past: one of one's own that is read by itself, by a collector that knows how."""
    return (
        target.collector in _openers
        and target.kind != Target.Kind.DATABASE
        and target.retired_at is None
        and not target.is_demo
    )


def open_history(target: Target) -> AbstractContextManager[HistorySession]:
    """A session with the past of a target. Raises CollectionError."""
    return cast(HistoryOpener, import_string(_openers[target.collector]))(target)
