"""
What sar prints, of Linux, Solaris, AIX and HP-UX.

A table begins with a line of columns behind a time; that time is when its first interval began, and each row ends
where the next begins. Rows of Unix leave the time out where it is that of the row above.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.sar_clock import SarClock, date_of, seconds_of
from apps.platforms.linux.files.sar_tables import SarTable, find_table

_HEADER = re.compile(r"(Linux|SunOS|AIX|HP-UX)\s+\S")
_LINUX = re.compile(r"Linux\s+(\S+)\s+\((\S+)\)\s+(\S+)(?:\s+_(\S+)_)?(?:\s+\((\d+) CPUs?\))?")
CPUS = re.compile(r"\((\d+) CPUs?\)")
_AIX = re.compile(r"System configuration:.*?\blcpu=(\d+)")
_AIX_MEMORY = re.compile(r"System configuration:.*?\bmem=(\d+)MB")
_HALVES = {"AM", "PM"}


def is_sar_text(head: str) -> bool:
    """Whether a text begins with a header of sar's."""
    return any(_HEADER.match(line) for line in head.splitlines()[:20])


@dataclass
class _OpenTable:
    """A table being read: its columns, where they end in the line, and how far its clock is."""

    columns: list[str]
    kind: SarTable | None
    clock: SarClock
    ends: list[int]
    began_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def named_at(self) -> int:
        return self.columns.index(self.kind.named_by) if self.kind and self.kind.named_by else -1


class SarText:
    """Reads the lines of a sar file into records."""

    def __init__(self, records: HostRecords, zone: ZoneInfo) -> None:
        self.records, self.zone = records, zone
        self.on: date | None = None
        self.tables: dict[tuple[str, ...], _OpenTable] = {}
        self.table: _OpenTable | None = None
        self._times: dict[tuple[str, str], int] = {}

    def read(self, lines: Iterable[str]) -> None:
        """Read all lines. Raises UnreadableFile."""
        for line in lines:
            words = line.split()
            if not words:
                continue
            half = words[1].upper() if len(words) > 1 and words[1].upper() in _HALVES else ""
            seconds = self._seconds(words[0], half)
            if seconds is not None:
                self._read_timed(line, words[2:] if half else words[1:], seconds)
            elif _HEADER.match(line):
                self._begin_file(line, words)
            else:
                self._read_untimed(line, words)

    def _seconds(self, word: str, half: str) -> int | None:
        key = (word, half)
        seconds = self._times.get(key)
        if seconds is None and word[:1].isdigit() and (seconds := seconds_of(word, half)) is not None:
            self._times[key] = seconds
        return seconds

    def _begin_file(self, line: str, words: Sequence[str]) -> None:
        host, dated = identity_of(line, words), date_of(line)
        if dated is None:
            raise UnreadableFile(f"The header of the file names no date: “{line.strip()[:80]}”.")
        before = self.records.host
        if before.name and before.name != host.name:
            raise UnreadableFile(
                f"The file holds records of two hosts, {before.name} and {host.name}; give each its own file."
            )
        self.records.host = host
        self.on, is_ambiguous = dated
        self.tables, self.table = {}, None
        if is_ambiguous:
            self.records.notes.append(
                f"The date {next(w for w in words if date_of(w))} is read as {self.on:%d %B %Y}, the month first."
            )
        if match := CPUS.search(line):
            since = None if not self.records.intervals else SarClock(self.on, self.zone).moment(0)
            self.records.set_from("host_cpus", float(match[1]), since)

    def _read_timed(self, line: str, words: list[str], seconds: int) -> None:
        if self.on is None:
            raise UnreadableFile("The file has no header line of sar: the date of its times is not known.")
        if "RESTART" in line or "unix restarts" in line:
            self._note_restart(line, seconds)
        elif words and not any(map(_is_number, words)):
            self._begin_table(line, words, seconds)
        elif self.table is not None:
            self._read_row(self.table, line, words, seconds)

    def _note_restart(self, line: str, seconds: int) -> None:
        on = self.on or date.min
        clock = self.table.clock if self.table else SarClock(on, self.zone)
        moment = clock.moment(seconds)
        self.records.restarts.add(moment)
        if match := CPUS.search(line):
            self.records.set_from("host_cpus", float(match[1]), moment)

    def _begin_table(self, line: str, columns: list[str], seconds: int) -> None:
        """A line of columns: of a new table, or of one that goes on on the next page or after a restart."""
        key, on = tuple(columns), self.on or date.min
        if key not in self.tables:
            kind = find_table(frozenset(columns))
            if kind is None:
                self.records.ignored[" ".join(columns)] += 1
            else:
                self.records.understood[kind.title] += 0
            self.tables[key] = _OpenTable(columns, kind, SarClock(on, self.zone), _ends_of(line, columns))
        self.table = self.tables[key]
        self.table.ended_at = self.table.clock.moment(seconds)
        self.table.began_at = None

    def _read_row(self, table: _OpenTable, line: str, words: list[str], seconds: int) -> None:
        if table.kind is None:
            return
        moment = table.clock.moment(seconds)
        if moment != table.ended_at:
            table.began_at, table.ended_at = table.ended_at, moment
        self._add(table, line, words)

    def _read_untimed(self, line: str, words: list[str]) -> None:
        """A row without its time, an average, or a remark."""
        table = self.table
        if match := _AIX.search(line):
            self.records.set_from("host_cpus", float(match[1]), None)
            if memory := _AIX_MEMORY.search(line):
                self.records.set_from("host_mem_total_kb", float(memory[1]) * 1024, None)
        elif table is None or table.kind is None or not line[0].isspace():
            if table is not None:
                table.began_at = None  # averages come last
        elif table.kind.named_by and len(words) == len(table.columns) and table.began_at is not None:
            self._add(table, line, words)

    def _add(self, table: _OpenTable, line: str, words: list[str]) -> None:
        kind, began_at, ended_at = table.kind, table.began_at, table.ended_at
        if kind is None or began_at is None or ended_at is None:
            return
        place = table.named_at
        component = words[place] if 0 <= place < len(words) else ""
        if place >= 0 and not kind.accepts(component):
            return
        try:
            fields = _fields_of(table, line, words)
            values = kind.read(fields, component, self.records.host)
        except (ValueError, LookupError):
            self.records.unreadable_lines += 1
            return
        if component:
            self.records.check_component(component)
        self.records.understood[kind.title] += 1
        self.records.add(began_at, ended_at, values)


def identity_of(line: str, words: Sequence[str]) -> HostIdentity:
    """Which host a header line names."""
    if match := _LINUX.match(line):
        return HostIdentity(name=match[2], system="Linux", release=match[1], machine=match[4] or "")
    name = words[1] if len(words) > 1 else ""
    system = words[0]
    if system == "SunOS":  # SunOS host 5.10 Generic_125100-05 sun4u 08/19/2010
        return HostIdentity(name, system, words[2] if len(words) > 2 else "", words[-2])
    if system == "AIX":  # AIX host 2 7 00F93CFF4C00 04/20/20: the version before the release
        return HostIdentity(name, system, f"{words[3]}.{words[2]}" if len(words) > 4 else "")
    return HostIdentity(name, system, words[2] if len(words) > 2 else "", words[-2])


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or (word[:1] in "-+." and word[1:2].isdigit())


def number_of(word: str) -> float:
    """A number with a point or a comma. Raises ValueError."""
    try:
        return float(word)
    except ValueError:
        return float(word.replace(",", "."))


def _ends_of(line: str, columns: Sequence[str]) -> list[int]:
    """Where each column ends in its line: numbers stand below the ends of their heads."""
    ends, position = [], len(line.split()[0])
    for column in columns:
        position = line.index(column, position) + len(column)
        ends.append(position)
    return ends


def _fields_of(table: _OpenTable, line: str, words: Sequence[str]) -> dict[str, float]:
    """The numbers of a row by column; where a row has blanks, by where the numbers stand. Raises ValueError."""
    names, place = table.columns, table.named_at
    if len(words) == len(names):
        pairs = zip(names, words, strict=True)
        return {name: number_of(word) for index, (name, word) in enumerate(pairs) if index != place}
    if len(words) > len(names) or place >= 0:
        raise ValueError
    fields, position = {}, len(line.split()[0])
    for word in words:
        position = line.index(word, position) + len(word)
        end = position
        fields[min(zip(table.ends, names, strict=True), key=lambda pair: abs(pair[0] - end))[1]] = number_of(
            word
        )
    return fields
