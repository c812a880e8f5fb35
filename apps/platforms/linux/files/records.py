"""What a file says of a host, interval by interval."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import MOST_VALUES
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.linux.sadf import Key

MOST_COMPONENTS = 5_000  # devices, interfaces, filesystems and processors of one host
LONGEST_NAME = 200


@dataclass
class HostIdentity:
    """Which host a file is of, as its header says; what it does not say is empty."""

    name: str = ""
    system: str = ""  # "Linux", "SunOS", "AIX", "HP-UX"
    release: str = ""
    machine: str = ""

    @property
    def label(self) -> str:
        return " ".join(filter(None, [self.system, self.release, self.machine]))

    @property
    def page_kb(self) -> float:
        """Size of a page; SPARC has larger ones."""
        return 8.0 if self.machine.startswith("sun4") else 4.0


@dataclass
class Interval:
    """What was averaged over one interval."""

    began_at: datetime
    values: dict[Key, float] = field(default_factory=dict)


@dataclass
class HostRecords:
    """
    The intervals of a file by the moment they ended, and what was and was not understood of it.

    `settings` are values that hold from a moment on: how many processors, how much memory.
    """

    format: str = ""
    host: HostIdentity = field(default_factory=HostIdentity)
    intervals: dict[datetime, Interval] = field(default_factory=dict)
    restarts: set[datetime] = field(default_factory=set)
    settings: dict[str, dict[datetime | None, float]] = field(default_factory=dict)
    understood: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    unreadable_lines: int = 0
    is_coarse: bool = False  # its intervals are too long to be samples of a day
    _components: set[str] = field(default_factory=set)
    _count: int = 0

    def whole_lines(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines without a last one that was cut off: half a number is another one."""
        for line in lines:
            if line.endswith("\n"):
                yield line
            else:
                self.unreadable_lines += 1

    def add(self, began_at: datetime, ended_at: datetime, values: Mapping[Key, float]) -> None:
        """Add values of an interval; what its table said before gives way. Raises UnreadableFile where there are too many."""
        if began_at >= ended_at:
            self.unreadable_lines += 1
            return
        interval = self.intervals.setdefault(ended_at, Interval(began_at))
        interval.values.update(values)
        self._count += len(values)
        if self._count > MOST_VALUES:
            raise UnreadableFile(
                f"The file holds more than {MOST_VALUES:,} values; give it in parts, a day in each."
            )

    def check_component(self, name: str) -> None:
        """Refuse a host of implausibly many things. Raises UnreadableFile."""
        if name in self._components:
            return
        if len(name) > LONGEST_NAME:
            raise UnreadableFile(f"The file names a device “{name[:40]}…” of {len(name)} characters.")
        self._components.add(name)
        if len(self._components) > MOST_COMPONENTS:
            raise UnreadableFile(
                f"The file names more than {MOST_COMPONENTS:,} devices, interfaces and filesystems; no host has so many."
            )

    def set_from(self, metric: str, value: float, since: datetime | None) -> None:
        """Note a setting that holds from a moment on, or from the beginning."""
        self.settings.setdefault(metric, {})[since] = value

    def finish(self) -> None:
        """Put the settings into the intervals, drop those in which the host was started. Raises UnreadableFile."""
        boots = sorted(self.restarts)
        for ended_at in [
            at
            for at, interval in self.intervals.items()
            if any(interval.began_at < boot < at for boot in boots)
        ]:
            del self.intervals[ended_at]
        if not self.intervals:
            raise UnreadableFile(
                "The file holds no interval with figures: it is empty, or cut off too early."
            )
        self.intervals = dict(sorted(self.intervals.items()))
        for metric, changes in self.settings.items():
            for ended_at, interval in self.intervals.items():
                interval.values[KERNEL, metric, ""] = _value_at(changes, ended_at)
        if self.unreadable_lines:
            count = self.unreadable_lines
            few, many = "One line cannot be read and is left out.", "lines cannot be read and are left out."
            self.notes.append(few if count == 1 else f"{count:,} {many}")

    @property
    def first(self) -> datetime:
        return next(iter(self.intervals.values())).began_at

    @property
    def last(self) -> datetime:
        return next(reversed(self.intervals))


def _value_at(changes: Mapping[datetime | None, float], moment: datetime) -> float:
    before = [since for since in changes if since is not None and since <= moment]
    if before:
        return changes[max(before)]
    return changes[None] if None in changes else changes[min(since for since in changes if since is not None)]


def sums(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The sum by name."""
    total: dict[str, float] = {}
    for name, value in values:
        total[name] = total.get(name, 0.0) + value
    return total
