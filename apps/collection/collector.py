"""
What a collector gives, and how one is found. Platforms register theirs at start-up.

A collector reads one target and returns what it read; it writes nothing. What we expect to go wrong is a
CollectionError with a sentence for people; anything else is a bug and is left to fail loudly.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, cast

from django.utils.module_loading import import_string

from apps.collection.engine.tally import MemberTally
from apps.inventory.models import Target


class CollectionError(Exception):
    """
    A target could not be read, for a reason that is told to people.

    `is_worth_retrying`: the same try a minute later may succeed (a network, a full process table).
    `needs_a_person`: no further try may be made before somebody acts (a wrong password locks the account).
    """

    def __init__(
        self, sentence: str, *, is_worth_retrying: bool = False, needs_a_person: bool = False
    ) -> None:
        super().__init__(sentence)
        self.is_worth_retrying = is_worth_retrying
        self.needs_a_person = needs_a_person


@dataclass(frozen=True, slots=True)
class Reading:
    """One value as it was read, in the metric's reading unit."""

    metric: str
    value: float
    component: str = ""


@dataclass(frozen=True, kw_only=True)
class SourceRun:
    """How one source fared. It fills one category as a whole, or failed with a sentence and fills none."""

    name: str  # the view, the file: "/proc/stat"
    category: int
    seconds: float = 0.0
    readings: Sequence[Reading] = ()
    error: str = ""
    is_worth_retrying: bool = (
        True  # of a failure: the same try later may succeed, which no missing grant does
    )
    started_at: datetime | None = None  # start-up its counters count from, where it is not the target's
    classes: Mapping[str, str] = field(
        default_factory=dict
    )  # component -> class ("log file sync" -> "Commit")
    tally: MemberTally | None = (
        None  # counters of what comes and goes: its readings are made of it when they are kept
    )


@dataclass(frozen=True, kw_only=True)
class Collected:
    """One reading of one target."""

    captured_at: datetime  # UTC, when the counters were read
    started_at: datetime | None  # start-up of the target, UTC
    sources: Sequence[SourceRun]
    facts: Mapping[str, str] = field(
        default_factory=dict
    )  # text: version, role, parameters; name or "name/component"
    notes: Sequence[str] = ()  # sentences for people: a clock that is off, a PDB that is closed
    proposed_host: str = ""  # the machine an instance says it runs on

    @property
    def failed(self) -> list[SourceRun]:
        return [source for source in self.sources if source.error]


class Collector(Protocol):
    """Reads one kind of target. `collect` is bounded in time by itself and raises CollectionError."""

    def collect(self, target: Target, slot: datetime) -> Collected: ...


@dataclass(frozen=True)
class ConnectionStep:
    """One step of a test connection: what was tried, how it went, how long it took, what to do; `script` is to be copied."""

    name: str
    is_ok: bool
    sentence: str
    seconds: float = 0.0
    remedy: str = ""  # in a sentence
    script: str = ""  # SQL or commands
    is_source: bool = False  # of many that are read, each of which may be missing


@dataclass(frozen=True)
class Account:
    """Who signs in, for a test; passwords are never printed."""

    username: str
    password: str = field(default="", repr=False)
    wallet_password: str = field(default="", repr=False)


@dataclass(frozen=True)
class ConnectionResult:
    """The steps of a test, and the host key that was presented, as a line to store; empty where there was none."""

    steps: Sequence[ConnectionStep]
    host_key: str = ""


# tries an address with an account; it is bounded in time by itself, and raises nothing that is to be expected
Tester = Callable[[Mapping[str, Any], Account], ConnectionResult]

_collectors: dict[str, Collector] = {}
_places: dict[str, str] = {}  # dotted paths of those that are loaded when they are first asked for
_passive: set[str] = set()
_testers: dict[str, Tester] = {}
_tester_places: dict[str, str] = {}


def add_collector(name: str, collector: Collector) -> None:
    """Make a collector known under the name that targets refer to."""
    _collectors[name] = collector


def add_collector_at(name: str, path: str) -> None:
    """Make a collector known by the dotted path of its class, which is loaded and made when it is first asked for."""
    _places[name] = path


def add_passive(name: str) -> None:
    """Make known that the targets of a collector send what is read of them: they are never due."""
    _passive.add(name)


def passive_collectors() -> Collection[str]:
    """The collectors whose targets are never asked."""
    return _passive


def is_passive(target: Target) -> bool:
    """Whether a target is never asked: it sends what is read of it."""
    return target.collector in _passive


def add_tester(name: str, tester: Tester) -> None:
    """Make known how an address is tried that a collector of this name would read."""
    _testers[name] = tester


def add_tester_at(name: str, path: str) -> None:
    """Make a tester known by its dotted path."""
    _tester_places[name] = path


def get_tester(name: str) -> Tester:
    """How the addresses of a collector are tried. Raises KeyError."""
    return _testers[name] if name in _testers else cast(Tester, import_string(_tester_places[name]))


def get_collector(name: str) -> Collector:
    """The collector of this name; an unknown one is told to people, for a platform may have been taken out."""
    if name not in _collectors and name in _places:
        _collectors.setdefault(name, cast(Collector, import_string(_places[name])()))
    try:
        return _collectors[name]
    except KeyError:
        names: Iterable[str] = sorted(_collectors.keys() | _places.keys())
        raise CollectionError(
            f"There is no collector “{name}”; this Headroom has {', '.join(names)}."
        ) from None
