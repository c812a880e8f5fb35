"""
Sizes of tablespaces on past days, and what was used of them at most: by today's files and their backups.

A file of a past day is told by the backups before and after it, or by today: of the two sizes the larger, so that it is a
bound. What a full backup wrote is a bound of what was used, for blocks that were never used are left out of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from apps.collection.collector import Reading
from apps.platforms.oracle import history_queries as statements
from apps.platforms.oracle import queries
from apps.platforms.oracle.history.file_backups import read_file_backups
from apps.platforms.oracle.history.shots import shot_of
from apps.platforms.oracle.read import Reader, readings
from apps.snapshots.engine.days import Day
from apps.snapshots.engine.readings import Shot
from apps.snapshots.measured import days_between

NAME = "backups (at most)"
FRESH = timedelta(days=8)  # how much later a backup may be for its bound to be one of the day


@dataclass(frozen=True)
class FileBackup:
    """A file as a backup found it: its size, and what a full one wrote."""

    at: datetime
    size: float
    written: float | None


@dataclass
class DataFile:
    """A file of a permanent tablespace: since when it is there, its size today, its backups, oldest first."""

    tablespace: str
    created_at: datetime
    size: float
    backups: list[FileBackup] = field(default_factory=list)

    def size_on(self, moment: datetime) -> float:
        """Its size at a moment, at most."""
        after = next((backup.size for backup in self.backups if backup.at >= moment), self.size)
        before = next((backup.size for backup in reversed(self.backups) if backup.at < moment), 0.0)
        return max(before, after)

    def used_on(self, moment: datetime) -> float | None:
        """What was used of it at a moment, at most; None where no full backup soon after says so."""
        return next(
            (
                backup.written
                for backup in self.backups
                if backup.written is not None and moment <= backup.at <= moment + FRESH
            ),
            None,
        )


@dataclass(frozen=True)
class FileSizes:
    """The files of a database with their backups."""

    files: Sequence[DataFile]
    notes: Sequence[str] = ()  # which of those that remember backups were asked

    @property
    def backups(self) -> int:
        return sum(len(file.backups) for file in self.files)

    def days(self, zone: ZoneInfo, last: date) -> list[date]:
        """The days up to `last` since the oldest backup of a file that is still there."""
        moments = [file.backups[0].at for file in self.files if file.backups]
        return days_between(min(moments).astimezone(zone).date(), last) if moments else []

    def shot(self, day: Day, zone: ZoneInfo) -> Shot | None:
        """Size of each tablespace at the end of a day, and what was used of it, at most; None before the oldest backup."""
        if not self.days(zone, day.on):
            return None
        by_tablespace: dict[str, list[DataFile]] = {}
        for file in self.files:
            if file.created_at <= day.ended_at:
                by_tablespace.setdefault(file.tablespace, []).append(file)
        collected = [
            reading
            for name, files in by_tablespace.items()
            for reading in _readings_of(name, files, day.ended_at)
        ]
        return shot_of(collected, day.ended_at, None)


def _readings_of(tablespace: str, files: Sequence[DataFile], moment: datetime) -> list[Reading]:
    used = [file.used_on(moment) for file in files]
    amounts = [amount for amount in used if amount is not None]
    total = sum(amounts) if len(amounts) == len(files) else None
    return readings(
        [("ts_size_mb", sum(file.size_on(moment) for file in files)), ("ts_used_mb", total)], tablespace
    )


def read_file_sizes(reader: Reader, in_utc: Callable[[datetime], datetime]) -> FileSizes:
    """The files of permanent tablespaces that are there today, with their backups. Raises the driver's errors."""
    permanent = {
        (con_id, name)
        for con_id, name, contents, _ in reader.rows(queries.TABLESPACES)
        if contents == "PERMANENT"
    }
    names = {(con_id, number): name for con_id, number, name in reader.rows(statements.TABLESPACES)}
    files: dict[tuple[int, int], DataFile] = {}
    for con_id, file, change, created, number, size in reader.rows(statements.FILES):
        name = names.get((con_id, number))
        if name is not None and (con_id, name) in permanent:
            files[int(file), int(change)] = DataFile(reader.in_container(con_id, name), in_utc(created), size)
    remembered = read_file_backups(reader)
    for file, change, completed, size, written, level in remembered.rows:
        if (backed_up := files.get((int(file), int(change)))) is not None:
            is_full = level is None or int(level) == 0
            backed_up.backups.append(FileBackup(in_utc(completed), size, written if is_full else None))
    return FileSizes(list(files.values()), remembered.notes)
