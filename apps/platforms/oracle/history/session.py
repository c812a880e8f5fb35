"""A session with the past of an instance: what there is, and what there is of a day."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

import oracledb

from apps.charts import figures
from apps.charts.words import capital, count
from apps.collection.collect import release_connection
from apps.collection.collector import CollectionError
from apps.collection.history.reach import HistoryReach, gaps_between
from apps.collection.history.sources import PastFact
from apps.inventory.models import Target
from apps.platforms.oracle import categories
from apps.platforms.oracle import history_queries as statements
from apps.platforms.oracle.collector import logins_of
from apps.platforms.oracle.connect import Connection, OutOfTime, sign_in
from apps.platforms.oracle.errors import UNREADABLE, code_of, explain_error, if_readable
from apps.platforms.oracle.grants import grant
from apps.platforms.oracle.guard import STATSPACK, STATSPACK_OWNER
from apps.platforms.oracle.history import archived_logs, configuration, file_sizes, statspack
from apps.platforms.oracle.history.archived_logs import LogHistory
from apps.platforms.oracle.history.file_sizes import FileSizes
from apps.platforms.oracle.history.statspack import StatspackSnapshot
from apps.platforms.oracle.identity import Identity, identify, in_utc
from apps.platforms.oracle.read import Reader
from apps.platforms.oracle.versions import Scope, State
from apps.snapshots.engine.days import Day
from apps.snapshots.engine.readings import Shot
from apps.snapshots.imported_days import DayOfFile

SESSION_SECONDS = 240.0
STATSPACK_KEY, ARCHIVED_KEY, SWITCHES_KEY, SIZES_KEY = "statspack", "archived_log", "log_history", "backups"
PATCHES_KEY = "patches"
PATCHES_SINCE = (12, 1)
VIEW_OF = {
    ARCHIVED_KEY: "v$archived_log",
    SWITCHES_KEY: "v$log_history",
    SIZES_KEY: "v$backup_datafile",
    PATCHES_KEY: "dba_registry_sqlpatch",
}


@contextmanager
def open_history(target: Target) -> Iterator["OracleHistory"]:
    """Sign in to an instance to ask for its past; a few minutes at a time. Raises CollectionError."""
    login = logins_of(target, target.address)[0]
    release_connection()
    connection = sign_in(target.name, target.address, login, time.monotonic() + SESSION_SECONDS)
    try:
        with _explained(target):
            reader = Reader(connection, Scope())
            identity = identify(reader, target.zone)
            reader.scope = identity.scope
        yield OracleHistory(target, reader, identity, login.username)
    finally:
        connection.close()


@contextmanager
def _explained(target: Target) -> Iterator[None]:
    """Errors of the driver as sentences."""
    try:
        yield
    except OutOfTime:
        raise CollectionError(
            f"{target.name} answers too slowly for its history to be read.", is_worth_retrying=True
        ) from None
    except (oracledb.Error, OSError) as error:
        raise explain_error(target.name, error, is_signed_in=True) from None


@dataclass
class OracleHistory:
    """The past of one instance."""

    target: Target
    reader: Reader
    identity: Identity
    username: str

    @property
    def zone(self) -> ZoneInfo:
        return self.target.zone

    @property
    def connection(self) -> Connection:
        return self.reader.connection

    def look(self) -> Sequence[HistoryReach]:
        """Statspack, archived logs, log history and backups, with what they have up to yesterday. Raises CollectionError."""
        yesterday = self.identity.now.astimezone(self.zone).date() - timedelta(days=1)
        return [
            self._tried(self._statspack, STATSPACK_KEY, "Statspack", _GIVES_STATSPACK, yesterday),
            self._tried(self._archived_logs, ARCHIVED_KEY, "Archived log", _GIVES_ARCHIVED, yesterday),
            self._tried(self._switches, SWITCHES_KEY, "Log history", _GIVES_SWITCHES, yesterday),
            self._tried(self._file_sizes, SIZES_KEY, "Backups", _GIVES_SIZES, yesterday),
            self._tried(self._patches, PATCHES_KEY, "Patches", _GIVES_PATCHES, yesterday),
        ]

    def read_day(self, day: Day, sources: Collection[str]) -> DayOfFile | None:
        """What these sources have of a day; None where they have nothing. Raises CollectionError."""
        with _explained(self.target):
            shots: dict[int, dict[datetime, Shot]] = {}
            origins: dict[int, str] = {}
            hours, interval = 0.0, float("inf")
            if STATSPACK_KEY in sources and (own := statspack.bounding(self._snapshots, day)):
                shots |= statspack.read_shots(self.reader, own)
                origins |= dict.fromkeys(shots, statspack.NAME)
                interval = statspack.interval_of(own)
                hours = (own[-1].taken_at - own[0].taken_at) / timedelta(hours=1)
            for name, history in self._logs(sources):
                if (shot := history.shot(day)) is not None and shot.keys:
                    shots[history.category] = {day.ended_at: shot}
                    origins[history.category] = name
                    hours = hours or day.hours
            at_most: frozenset[int] = frozenset()
            if (
                SIZES_KEY in sources
                and (sizes := self._sizes.shot(day, self.zone)) is not None
                and sizes.keys
            ):
                shots[categories.TABLESPACES] = {day.ended_at: sizes}
                origins[categories.TABLESPACES] = file_sizes.NAME
                at_most = frozenset({categories.TABLESPACES})
                hours = hours or day.hours
            return DayOfFile(day, day, shots, hours, interval, origins, at_most=at_most) if shots else None

    def read_facts(self, sources: Collection[str]) -> Sequence[PastFact]:
        """Parameters that changed, by Statspack, and patches; what may not be read is left out. Raises CollectionError."""
        with _explained(self.target):
            facts: list[PastFact] = []
            if STATSPACK_KEY in sources:
                facts += if_readable(lambda: configuration.read_parameters(self.reader, self._snapshots))
            if self._has_patches:
                facts += if_readable(lambda: configuration.read_patches(self.reader, self._in_utc))
            return facts

    @property
    def _has_patches(self) -> bool:
        return self._is_open and self.reader.scope.release >= PATCHES_SINCE

    def _logs(self, sources: Collection[str]) -> Iterator[tuple[str, LogHistory]]:
        """What is remembered of logs, by these sources, with its name."""
        if ARCHIVED_KEY in sources:
            yield archived_logs.ARCHIVED, self._archived
        if SWITCHES_KEY in sources:
            yield archived_logs.SWITCHES, self._log_history

    @cached_property
    def _snapshots(self) -> Sequence[StatspackSnapshot]:
        return statspack.read_snapshots(self.reader, self._in_utc) if self._is_open else []

    @cached_property
    def _archived(self) -> LogHistory:
        return archived_logs.read_archived(self.reader, self._in_utc)

    @cached_property
    def _log_history(self) -> LogHistory:
        return archived_logs.read_switches(self.reader, self._in_utc)

    @cached_property
    def _sizes(self) -> FileSizes:
        return file_sizes.read_file_sizes(self.reader, self._in_utc) if self._is_open else FileSizes([])

    @property
    def _is_open(self) -> bool:
        return self.reader.scope.state >= State.OPEN

    def _in_utc(self, moment: datetime) -> datetime:
        return in_utc(moment, self.identity.here, self.identity.now, self.zone)

    def _tried(
        self, look: Callable[[date], HistoryReach], key: str, title: str, gives: str, last: date
    ) -> HistoryReach:
        """What a source has; one that may not be read says what would help, and the others go on."""
        try:
            return look(last)
        except (oracledb.Error, OSError, OutOfTime) as error:
            if code_of(error) in UNREADABLE:
                reason, remedy = self._refusal(key)
                return HistoryReach(key=key, title=title, gives=gives, reason=reason, remedy=remedy)
            if isinstance(error, OutOfTime) or not self.connection.raw.is_healthy():
                with _explained(self.target):
                    raise
            return HistoryReach(key=key, title=title, gives=gives, reason=f"It could not be read: {error}.")

    def _refusal(self, key: str) -> tuple[str, str]:
        """Why a source is not seen, and the grants that would show it."""
        release = self.reader.scope.release
        if key != STATSPACK_KEY:
            view = VIEW_OF[key]
            return f"The account {self.username} may not read {view}.", grant([view], self.username, release)
        names = [f"{STATSPACK_OWNER}.{table}" for table in STATSPACK]
        reason = "Statspack is not installed here, or not whole, or this account may not read it."
        return reason, grant(names, self.username, release)

    def _statspack(self, last: date) -> HistoryReach:
        if not self._is_open:
            reason = "The database is not open, so its tables cannot be read."
            return HistoryReach(key=STATSPACK_KEY, title="Statspack", gives=_GIVES_STATSPACK, reason=reason)
        snapshots = self._snapshots
        days = statspack.days_of(snapshots, self.zone, last)
        if not days:
            return HistoryReach(
                key=STATSPACK_KEY, title="Statspack", gives=_GIVES_STATSPACK, reason=self._no_snapshots()
            )
        for source in statspack.SOURCES:  # a table that is missing says so now, and not in the middle
            self.reader.rows(
                source.queries[0], ("none",) if ":names" in source.queries[0].text else (), (0, 0)
            )
        minutes = statspack.interval_of(snapshots[-50:]) / 60
        return HistoryReach(
            key=STATSPACK_KEY,
            title="Statspack",
            gives=_GIVES_STATSPACK,
            first=days[0],
            last=days[-1],
            days=len(days),
            every="hour" if minutes <= 60 else f"{minutes / 60:.0f} hours",
            rows=len(snapshots),
            what="snapshots",
            notes=_notes(snapshots, days),
        )

    def _no_snapshots(self) -> str:
        if self._snapshots:
            return "Statspack holds too few snapshots: none begins and none ends a whole day."
        if self.reader.rows(statements.SNAPSHOTS):
            return (
                f"The snapshots of Statspack here are of another database, not of DBID {self.reader.facts.get('dbid')}:"
                " this one was cloned from it."
            )
        return (
            "Statspack is installed and holds no snapshot of this instance: run statspack.snap on a schedule."
        )

    def _archived_logs(self, last: date) -> HistoryReach:
        reason = ""
        if not self._archived.moments:
            reason = "The control file remembers no archived log: the database does not archive, or has just begun to."
        return self._log_reach(ARCHIVED_KEY, "Archived log", _GIVES_ARCHIVED, self._archived, last, reason)

    def _switches(self, last: date) -> HistoryReach:
        reason = "" if self._log_history.moments else "The control file remembers no switch of this thread."
        return self._log_reach(SWITCHES_KEY, "Log history", _GIVES_SWITCHES, self._log_history, last, reason)

    def _file_sizes(self, last: date) -> HistoryReach:
        reason = "The control file remembers no backup of a data file that RMAN made."
        if not self._is_open:
            reason = "The database is not open, so the names of its tablespaces cannot be read."
        days = self._sizes.days(self.zone, last)
        return HistoryReach(
            key=SIZES_KEY,
            title="Backups",
            gives=_GIVES_SIZES,
            first=days[0] if days else None,
            last=days[-1] if days else None,
            days=len(days),
            every="backup",
            rows=self._sizes.backups,
            notes=["bounds: shown, and nothing is judged by them", *self._sizes.notes],
            reason="" if days else reason,
        )

    def _patches(self, last: date) -> HistoryReach:
        """They come along with whatever else is read: they have no days of their own."""
        reason = "No view tells of patches before release 12.1, or where the database is not open."
        if self._has_patches:
            facts = configuration.read_patches(self.reader, self._in_utc)
            patches = [fact for fact in facts if configuration.is_applied(fact)]
            since = figures.day_and_year(patches[0].since.astimezone(self.zone).date()) if patches else ""
            reason = "The database was never patched."
            if patches:
                reason = f"{capital(count(len(patches), 'patch', 'patches'))} since {since}: read with any of the others."
        return HistoryReach(key=PATCHES_KEY, title="Patches", gives=_GIVES_PATCHES, reason=reason)

    def _log_reach(
        self, key: str, title: str, gives: str, history: LogHistory, last: date, reason: str
    ) -> HistoryReach:
        days = history.days(self.zone, last)
        return HistoryReach(
            key=key,
            title=title,
            gives=gives,
            first=days[0] if days else None,
            last=days[-1] if days else None,
            days=len(days),
            every="log",
            rows=len(history.moments),
            reason=reason or ("" if days else "It reaches back less than a whole day."),
        )


_GIVES_STATSPACK = "waits, workload, memory, files, sessions, parameters"
_GIVES_ARCHIVED = "redo per day and busiest hour"
_GIVES_SWITCHES = "log switches"
_GIVES_SIZES = "sizes of tablespaces, used at most"
_GIVES_PATCHES = "patches of the database"


def _notes(snapshots: Sequence[StatspackSnapshot], days: Sequence[date]) -> list[str]:
    """Gaps and restarts, in a few words each."""
    notes = [f"no snapshots {figures.day_span(first, last)}" for first, last in gaps_between(days)[:5]]
    if restarts := statspack.restarts_in(snapshots):
        notes.append(count(restarts, "restart"))
    return notes
