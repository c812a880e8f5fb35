"""
The days that sysstat keeps of a machine, from before its first reading.

The same records come from this machine's files and from another's over SSH; they are read as those of a file that
somebody gives.
"""

import asyncio
import io
import shlex
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import PurePosixPath

from apps.charts import figures
from apps.collection.collect import release_connection
from apps.collection.collector import CollectionError
from apps.collection.file_readers import UnreadableFile
from apps.collection.history.reach import HistoryReach, gaps_between
from apps.collection.history.sources import PastFact
from apps.inventory.models import Target
from apps.platforms.linux import sadf, ssh
from apps.platforms.linux.files.day_shots import days_in
from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.files.sadf_json import read_sadf_json
from apps.platforms.linux.metrics.categories import DEVICES
from apps.platforms.linux.sources import names_of_devices, split_texts
from apps.snapshots.engine.days import Day
from apps.snapshots.imported_days import DayOfFile

KEY, NAME = "sysstat", "sysstat"
GIVES = "processors, run queue, memory, paging, devices, network"
PATIENCE = 60  # seconds for one command here
WRITTEN_WITHIN = timedelta(
    hours=36
)  # after a day began, the file of that day, or of its end elsewhere, was last written to

Ask = Callable[[str], str]  # what a shell script prints


@dataclass(frozen=True)
class RecordFile:
    """A file of sysstat's: where it is, and when it was last written to."""

    path: str
    written_at: datetime


@contextmanager
def open_local_history(target: Target) -> Iterator["HostHistory"]:
    """What sysstat keeps of the machine that Headroom runs on."""
    yield HostHistory(target, _ask_here)


@contextmanager
def open_ssh_history(target: Target) -> Iterator["HostHistory"]:
    """What sysstat keeps of a machine over SSH. Raises CollectionError."""
    door = ssh.door_of(target)
    release_connection()
    yield HostHistory(target, lambda script: asyncio.run(ssh.ask(door, script)))


def _ask_here(script: str) -> str:
    try:
        done = subprocess.run(
            ["sh", "-c", script], capture_output=True, text=True, errors="replace", timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise CollectionError(
            f"sadf did not finish within {PATIENCE} seconds.", is_worth_retrying=True
        ) from None
    return done.stdout


@dataclass
class HostHistory:
    """The days that sysstat keeps of one machine."""

    target: Target
    ask: Ask
    folders: Sequence[str] = sadf.FOLDERS

    def look(self) -> Sequence[HistoryReach]:
        """The files that sysstat keeps, by the days on which they were last written to. Raises CollectionError."""
        days = sorted({self._day_of(file) for file in self._files} - {self._today})
        if not days:
            return [HistoryReach(key=KEY, title=NAME, gives=GIVES, reason=self._why_nothing())]
        return [
            HistoryReach(
                key=KEY,
                title=NAME,
                gives=GIVES,
                first=days[0],
                last=days[-1],
                days=len(days),
                every="interval of its own",
                rows=len(self._files),
                what="files",
                notes=[f"no file of {figures.day_span(first, last)}" for first, last in gaps_between(days)],
            )
        ]

    def read_day(self, day: Day, sources: Collection[str]) -> DayOfFile | None:
        """What sysstat keeps of a day; None where it keeps nothing. Raises CollectionError."""
        files = [
            file for file in self._files if day.began_at < file.written_at <= day.began_at + WRITTEN_WITHIN
        ]
        if not files or KEY not in sources:
            return None
        records = HostRecords()
        for file in files:
            self._read(file, records)
        try:
            records.finish()
        except UnreadableFile:
            return None  # a file without an interval says nothing of its day
        self._name_devices(records)
        days = {own.day.on: own for own in days_in(records, self.target.zone, datetime.now(UTC))}
        own = days.get(day.on)
        return replace(own, origins=dict.fromkeys(own.shots, NAME)) if own is not None else None

    def read_facts(self, sources: Collection[str]) -> Sequence[PastFact]:
        """None: records of sysstat say nothing of it beside their figures."""
        return []

    @property
    def _today(self) -> date:
        return datetime.now(UTC).astimezone(self.target.zone).date()

    def _day_of(self, file: RecordFile) -> date:
        """The day of a file: it is closed by the record of the midnight after, unless its name says that it is of that day."""
        written = file.written_at.astimezone(self.target.zone)
        if PurePosixPath(file.path).name.endswith(f"{written.day:02}"):
            return written.date()
        return (written - timedelta(minutes=30)).date()

    @cached_property
    def _files(self) -> Sequence[RecordFile]:
        lines = [line.partition(" ") for line in self.ask(_list_script(self.folders)).splitlines()]
        return [
            RecordFile(path, datetime.fromtimestamp(int(written), UTC))
            for written, _, path in lines
            if written.isdigit() and path.startswith("/")
        ]

    @cached_property
    def _device_names(self) -> dict[str, str]:
        return names_of_devices(split_texts(self.ask(_DEVICES_SCRIPT)))

    def _why_nothing(self) -> str:
        if self._files:
            return "sysstat has begun to keep records today: there is no day before it."
        return (
            "sysstat keeps no records here that this account may read: install it and switch its collection on, then"
            " each day is there from its first hour."
        )

    def _read(self, file: RecordFile, records: HostRecords) -> None:
        text = self.ask(_records_script(file.path))
        if not text.strip():
            return
        try:
            read_sadf_json(io.StringIO(text), records, self.target.zone)
        except UnreadableFile as error:
            raise CollectionError(f"{file.path}: {error}") from None

    def _name_devices(self, records: HostRecords) -> None:
        """Call block devices what the collector calls them, and leave out those that it does not watch."""
        names = self._device_names
        for interval in records.intervals.values():
            interval.values = {
                (category, metric, names[name] if category == DEVICES else name): value
                for (category, metric, name), value in interval.values.items()
                if category != DEVICES or name in names
            }


def _list_script(folders: Iterable[str]) -> str:
    """A shell script that prints when each file of records was written to, in seconds, and its path; packed ones are left out."""
    places = " ".join(map(shlex.quote, folders))
    return f"""
LC_ALL=C; export LC_ALL
command -v sadf >/dev/null 2>&1 || exit 0
find -L {places} -maxdepth 2 -type f -name 'sa[0-9]*' ! -name '*.*' -exec stat -L -c '%Y %n' {{}} + 2>/dev/null
exit 0
"""


def _records_script(path: str) -> str:
    """A shell script that prints the records of a file in UTC."""
    file = shlex.quote(path)
    return f"LC_ALL=C TZ=UTC; export LC_ALL TZ\nsadf -j {file} -- {sadf.SELECTION} 2>/dev/null || sadf -j {file} -- -A 2>/dev/null\nexit 0\n"


_DEVICES_SCRIPT = """
LC_ALL=C; export LC_ALL
for file in /proc/diskstats /sys/block/*/dm/name; do
    if [ -r "$file" ]; then printf '\\n==== %s\\n' "$file"; cat "$file"; fi
done
exit 0
"""
