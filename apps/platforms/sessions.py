"""Sessions on demand, as a technology declares how they are read: asked for by a person, shown once, stored nowhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from django.utils.module_loading import import_string

from apps.inventory.models import Target


class Session(Protocol):
    """What the page needs of one session at the moment of asking."""

    @property
    def label(self) -> str:
        """What it is called where it runs."""
        ...

    @property
    def username(self) -> str: ...

    @property
    def is_background(self) -> bool: ...

    @property
    def status(self) -> str: ...

    @property
    def event(self) -> str: ...

    @property
    def program(self) -> str: ...

    @property
    def module(self) -> str: ...

    @property
    def machine(self) -> str: ...

    @property
    def cpu_seconds(self) -> float: ...

    @property
    def statistics(self) -> Mapping[str, float]:
        """Values by the names that columns are of."""
        ...


@dataclass(frozen=True, kw_only=True)
class SessionSource:
    """How the sessions of a collector's targets are read, by the dotted path of a function, within so many seconds."""

    collector: str
    read: str
    seconds: float
    columns: Sequence[tuple[str, str]]  # beside CPU: the head, and the name of the statistic

    def read_sessions(self, target: Target) -> Sequence[Session]:
        """The sessions that use most CPU, now. Raises CollectionError with a sentence."""
        read = cast(Callable[[Target], Sequence[Session]], import_string(self.read))
        return read(target)


_sources: dict[str, SessionSource] = {}


def add_session_source(source: SessionSource) -> None:
    """Make known how the sessions of a collector's targets are read."""
    _sources[source.collector] = source


def find_session_source(target: Target) -> SessionSource | None:
    """How the sessions of a target are read; None where it has none that could be asked for."""
    if target.kind != Target.Kind.INSTANCE or target.retired_at is not None:
        return None
    return _sources.get(target.collector)
