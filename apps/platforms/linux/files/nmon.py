"""
What nmon writes, of Linux and AIX: a line for each section and snapshot, behind a line that names its columns.

A snapshot is an average since the one before; the first is as long as nmon was asked for.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files.nmon_sections import SECTIONS, NmonSection, finish_interval
from apps.platforms.linux.files.records import HostIdentity, HostRecords

_ABOUT, _SNAPSHOT = "AAA", "ZZZZ"
_NUMBER = re.compile(r"T\d+")
_PROCESSOR = re.compile(r"CPU\d+")
_CONTINUED = re.compile(r"(\D+?)\d*")  # many devices stand in DISKBUSY, DISKBUSY1 and so on
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
MOST_WAITING = 1_000_000
_USUAL = 300  # seconds between snapshots, where nothing says it


def is_nmon(head: str) -> bool:
    """Whether a text begins as nmon's files do."""
    return head.lstrip().startswith(f"{_ABOUT},")


class NmonFile:
    """Reads the lines of a file into records."""

    def __init__(self, records: HostRecords, zone: ZoneInfo) -> None:
        self._records, self._zone = records, zone
        self._about: dict[str, list[str]] = {}
        self._columns: dict[str, list[str]] = {}
        self._snapshots: dict[str, tuple[datetime, datetime]] = {}
        self._last: datetime | None = None
        self._processors: set[str] = set()
        self._waiting: list[list[str]] = []  # rows that stand before their snapshot: the file was sorted

    def read(self, lines: Iterable[str]) -> None:
        """Read all lines. Raises UnreadableFile."""
        for line in self._records.whole_lines(lines):
            words = line.rstrip().split(",")
            if len(words) < 2:
                continue
            section, number = words[0], words[1]
            if section == _ABOUT:
                self._about[number] = words[2:]
            elif section == _SNAPSHOT:
                self._begin(words)
            elif not section.startswith("BBB"):
                self._read_row(words)
        self._finish()

    def _begin(self, words: Sequence[str]) -> None:
        if not self._snapshots:
            self._records.host = self._identity()
        ended_at = self._moment(words)
        usual = timedelta(seconds=self._interval)
        began_at = self._last if self._last is not None else ended_at - usual
        if ended_at - began_at > 2 * usual:  # nmon stood still meanwhile
            began_at = ended_at - usual
        self._snapshots[words[1]] = (began_at, ended_at)
        self._last = ended_at

    @property
    def _interval(self) -> int:
        seconds = (self._about.get("interval") or [""])[0]
        return int(seconds) if seconds.isdigit() and int(seconds) else _USUAL

    def _identity(self) -> HostIdentity:
        """AIX writes its own name with its release, Linux as one of several words."""
        system = "AIX" if "AIX" in self._about else (self._about.get("OS") or ["Linux"])[0].strip()
        release = (self._about.get("AIX") or (self._about.get("OS") or ["", ""])[1:2] or [""])[0].strip()
        name = (self._about.get("host") or [""])[0].strip()
        return HostIdentity(name=name, system=system, release=release)

    def _moment(self, words: Sequence[str]) -> datetime:
        """`17:28:10,10-FEB-2016`. Raises UnreadableFile."""
        try:
            day, month, year = words[3].strip().split("-")
            on = date(int(year), _MONTHS.index(month.upper()) + 1, int(day))
            local = datetime.combine(on, time.fromisoformat(words[2].strip()), self._zone)
        except (ValueError, IndexError):
            raise UnreadableFile(
                f"The snapshot “{','.join(words)[:60]}” names no day; it has to be as nmon writes it: 17:28:10,10-FEB-2016."
            ) from None
        moment = local.astimezone(UTC)
        if self._last is not None and moment <= self._last:
            return local.replace(fold=1).astimezone(UTC)  # clocks were put back by an hour
        return moment

    def _read_row(self, words: list[str]) -> None:
        """A row of columns, or of figures. Raises UnreadableFile."""
        section, number = words[:2]
        if not _NUMBER.fullmatch(number):
            self._columns[section] = [word.strip() for word in words[2:]]
        elif (kind := self._kind(section)) is None:
            self._records.ignored[section] += 1
        elif number in self._snapshots:
            self._add_row(section, kind, self._snapshots[number], words[2:])
        else:
            self._waiting.append(words)
            if len(self._waiting) > MOST_WAITING:
                raise UnreadableFile("The file has no times before its rows; give it as nmon wrote it.")

    def _add_row(
        self, section: str, kind: NmonSection, snapshot: tuple[datetime, datetime], words: Sequence[str]
    ) -> None:
        columns = self._columns.get(section, [])
        try:
            fields = {name: float(word) for name, word in zip(columns, words, strict=False) if word.strip()}
            values = kind.read(section, fields, self._records.host) if len(fields) >= kind.least else {}
        except (ValueError, KeyError):
            values = {}
        if not values:
            self._records.unreadable_lines += bool(columns)
            return
        for _, _, component in values:
            self._records.check_component(component)
        if _PROCESSOR.fullmatch(section):
            self._processors.add(section)
        self._records.understood[kind.title] += 1
        self._records.add(*snapshot, values)

    def _kind(self, section: str) -> NmonSection | None:
        if _PROCESSOR.fullmatch(section):
            return SECTIONS["CPU"]
        match = _CONTINUED.fullmatch(section)
        return SECTIONS.get(section) or (SECTIONS.get(match[1]) if match else None)

    def _finish(self) -> None:
        if not self._snapshots:
            raise UnreadableFile(
                "The file has no line that begins with ZZZZ, which says when a snapshot was taken, so that its rows belong to"
                " no day: it was cut off, or its times were taken out."
            )
        waiting, self._waiting = self._waiting, []
        for words in waiting:
            if words[1] in self._snapshots:
                self._read_row(words)
            else:
                self._records.unreadable_lines += 1
        if self._processors:
            self._records.set_from("host_cpus", float(len(self._processors)), None)
        for interval in self._records.intervals.values():
            finish_interval(interval.values)
