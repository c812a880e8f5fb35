"""OracleCollector: one reading of an instance through its v$ views, cheap sources first."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import oracledb

from apps.collection.collect import release_connection
from apps.collection.collector import Collected, CollectionError, Reading, SourceRun
from apps.inventory.models import Credential, Target
from apps.inventory.secrets import UnreadableSecret
from apps.platforms.oracle import categories, read, read_segments, read_space
from apps.platforms.oracle.before import Before, changes
from apps.platforms.oracle.categories import CATEGORIES
from apps.platforms.oracle.connect import Address, Connection, Login, OutOfTime, sign_in
from apps.platforms.oracle.errors import (
    UNREADABLE,
    cause_of_loss,
    code_of,
    explain_error,
    first_line,
    is_loss,
    is_silence,
)
from apps.platforms.oracle.grants import grant
from apps.platforms.oracle.guard import views_in
from apps.platforms.oracle.host_boot import UNKNOWN_BOOT, find_host_start
from apps.platforms.oracle.identity import Identity, identify
from apps.platforms.oracle.lacking import tell_missing_grants, tell_refused
from apps.platforms.oracle.logins import WAY_OF_LOGINS, are_logins_due, read_logins
from apps.platforms.oracle.places import LIES_ON, STORED_IN
from apps.platforms.oracle.read import Reader
from apps.platforms.oracle.versions import Scope, State
from apps.snapshots.models import IDENTITY

RUN_SECONDS = 300.0
MOST_SILENT = 3  # sources without an answer before the rest is not tried any more
NEVER_EMPTY = frozenset(range(categories.SYSSTAT, categories.SGAINFO + 1))
OF_DATABASE = frozenset(
    {
        "version", "edition", "cluster", "dbid", "db_name", "db_unique_name", "log_mode", "open_mode", "role",
        "force_logging", "flashback", "platform", "cdb", LIES_ON, STORED_IN,
    }
)  # fmt: skip


HOURLY = timedelta(hours=1)
WEEKLY = timedelta(days=7)


class OracleSource(NamedTuple):
    """
    One source: the category it fills, how it is read, and how far the instance must be up.

    `every`: a dear one is read no more often than this. `of_database`: all instances of a database show the same.
    """

    category: int
    read: Callable[[Reader], list[Reading]]
    needs: State = State.STARTED
    every: timedelta = timedelta()
    of_database: bool = False
    of_root: bool = False


SOURCES = [
    # counters, close together
    OracleSource(categories.SYSSTAT, read.read_sysstat),
    OracleSource(categories.TIME_MODEL, read.read_time_model),
    OracleSource(categories.SYSTEM_EVENT, read.read_waits),
    OracleSource(categories.OSSTAT, read.read_osstat),
    OracleSource(categories.PGASTAT, read.read_pgastat),
    OracleSource(categories.SGAINFO, read.read_sgainfo),
    OracleSource(categories.RESOURCE_LIMIT, read.read_limits),
    OracleSource(categories.SESSION, read.read_sessions),
    OracleSource(categories.PARALLEL_SERVERS, read.read_parallel_servers),
    OracleSource(categories.PARAMETERS, read.read_parameters),
    OracleSource(categories.CONTAINERS, read.read_containers, State.OPEN, of_root=True),
    # files, logs and undo
    OracleSource(categories.FILES, read.read_files, State.MOUNTED),
    OracleSource(categories.LOG, read.read_logs, State.MOUNTED),
    OracleSource(categories.LOG_HISTORY, read.read_log_history, State.MOUNTED, HOURLY),
    OracleSource(categories.ARCHIVED_LOG, read.read_archived_logs, State.MOUNTED, HOURLY),
    OracleSource(categories.UNDOSTAT, read.read_undo, State.OPEN, HOURLY),
    OracleSource(categories.RECOVERY_AREA, read.read_recovery_area, State.MOUNTED, HOURLY, of_database=True),
    OracleSource(categories.ASM, read.read_disk_groups, State.STARTED, HOURLY, of_database=True),
    OracleSource(categories.ASM_DISKS, read.read_asm_disks),
    # the dictionary
    OracleSource(categories.TABLESPACES, read_space.read_tablespaces, State.OPEN, HOURLY, of_database=True),
    OracleSource(categories.TEMP, read_space.read_temp, State.OPEN, HOURLY, of_database=True),
    OracleSource(categories.SORT_SEGMENT, read_space.read_temp_peak, State.OPEN, HOURLY),
    # dear ones
    OracleSource(categories.SEGSTAT, read_segments.read_activity, State.OPEN, WEEKLY),
    OracleSource(categories.FREE_SPACE, read_space.read_free_space, State.OPEN, WEEKLY, of_database=True),
    OracleSource(categories.SEGMENTS, read_segments.read_segments, State.OPEN, WEEKLY, of_database=True),
]


class OracleCollector:
    """Reads one instance, or what several of them share. It asks our own database first, and for nothing afterwards."""

    def collect(self, target: Target, slot: datetime) -> Collected:
        """Read everything the instance lets us read. Raises CollectionError where it lets us read nothing."""
        before = Before.of(target, slot)
        if before.is_due(categories.SEGSTAT, WEEKLY):
            before = replace(before, segments=read_segments.read_watched_segments(target, slot))
        if target.kind == Target.Kind.DATABASE:
            ways = ways_into(target)
            release_connection()
            return collect_database(target, ways, before)
        run = Run(
            target,
            logins_of(target, target.address),
            before=before,
            is_of_cluster=target.database_id is not None,
        )
        release_connection()
        return run.collect()


def ways_into(database: Target) -> list[tuple[Target, list[Login]]]:
    """The instances of a database, each with how to sign in there. Raises CollectionError where there is none."""
    members = [member for member in database.members.watched().order_by("name") if not member.is_blocked]
    if not members:
        raise CollectionError(
            f"{database.name} was not read: none of its instances is watched. Register them, or go on with them."
        )
    return [(member, logins_of(member, member.address)) for member in members]


def collect_database(
    database: Target, ways: Sequence[tuple[Target, Sequence[Login]]], before: "Before"
) -> Collected:
    """Read what is read once per database, by the first instance that answers. Raises CollectionError."""
    refused: list[CollectionError] = []
    for member, logins in ways:
        try:
            return Run(database, logins, address=member.address, before=before).collect()
        except CollectionError as error:
            refused.append(error)
    raise CollectionError(
        f"{database.name} was not read: none of its instances let us in."
        f" {ways[0][0].name}: {str(refused[0]).removeprefix(f'{database.name} was not read: ')}",
        is_worth_retrying=any(error.is_worth_retrying for error in refused),
    )


def logins_of(target: Target, address: Address) -> list[Login]:
    """
    How to sign in at this address: the ordinary account, then the one for a standby that is only mounted.

    Raises CollectionError, also where a password was saved for another address.
    """
    modes = {
        Credential.Use.COLLECT: oracledb.AuthMode.DEFAULT,
        Credential.Use.STANDBY: oracledb.AuthMode.SYSDGD,
    }
    credentials = {credential.use: credential for credential in target.credentials.all()}
    if Credential.Use.COLLECT not in credentials:
        raise CollectionError(
            f"{target.name} was not read: nobody gave a user name and password. Give them on its page.",
            needs_a_person=True,
        )
    try:
        wallet = credentials.get(Credential.Use.WALLET)
        wallet_password = wallet.secret_at(address) if wallet and wallet.is_for(address) else ""
        return [
            Login(
                credentials[use].username,
                credentials[use].secret_at(address),
                mode,
                wallet_password,
            )
            for use, mode in modes.items()
            if use in credentials
        ]
    except UnreadableSecret as error:
        raise CollectionError(f"{target.name} was not read. {error}", needs_a_person=True) from None


@dataclass
class Run:
    """One reading while it is made. `target` is an instance, or a database of several, read at `address`."""

    target: Target
    logins: Sequence[Login]
    address: Address | None = None
    before: Before = field(default_factory=Before)
    is_of_cluster: bool = False
    ends_at: float = field(default_factory=lambda: time.monotonic() + RUN_SECONDS)
    signed_in_after: float = 0.0  # seconds that the latest session took to open
    silent: int = 0
    given_up: str = ""  # why the remaining sources are not tried
    refused: list[frozenset[str]] = field(default_factory=list)  # views of each source that may not be read

    @property
    def is_database(self) -> bool:
        return self.target.kind == Target.Kind.DATABASE

    def collect(self) -> Collected:
        connection, self.login = self.sign_in()
        signed_in_after = self.signed_in_after
        self.reader = Reader(
            connection,
            Scope(),
            newest=self.before.newest,
            slot=self.before.slot,
            watched=self.before.segments,
        )
        try:
            identity = self.identity = self.identify()
            sources = [self.read(source) for source in SOURCES if self.wants(source, identity.scope)]
            lacking = (
                [] if self.given_up else tell_missing_grants(self.reader, self.login.username, self.refused)
            )
        finally:
            self.reader.connection.close()
        if not self.is_database and not self.before.read:
            sources = [self.signing_in(signed_in_after), self.of_instance(identity), *sources]
        facts = self.facts(identity)
        if not self.is_database and are_logins_due(self.target, self.before):
            logins, way = read_logins(
                self.address or self.target.address, self.login, identity.host_name, self.ends_at
            )
            sources, facts = [*sources, logins], facts | {WAY_OF_LOGINS: way}
        return Collected(
            captured_at=identity.now,
            started_at=None if self.is_database else identity.started_at,
            sources=sources,
            facts=facts,
            notes=[
                *lacking,
                *self.notes(identity, connection),
                *self.reader.notes,
                *changes(self.before.facts, facts),
            ],
            proposed_host="" if self.is_database else identity.host_name,
        )

    def wants(self, source: OracleSource, scope: Scope) -> bool:
        """Whether a source is read now: here, in this state, and on its rhythm."""
        if source.category in self.before.read:
            return False
        if source.needs > scope.state or (source.of_root and not scope.is_root):
            return False
        if source.of_database is not self.is_database and (self.is_database or self.is_of_cluster):
            return False
        return self.before.is_due(source.category, source.every)

    def signing_in(self, seconds: float) -> SourceRun:
        """How long it took to sign in to this session."""
        return SourceRun(
            name=CATEGORIES[categories.SIGN_IN],
            category=categories.SIGN_IN,
            seconds=seconds,
            readings=read.readings([("login_time_ms", seconds * 1000)]),
        )

    def of_instance(self, identity: Identity) -> SourceRun:
        return SourceRun(
            name=CATEGORIES[categories.INSTANCE],
            category=categories.INSTANCE,
            readings=read.read_instance(identity.up_for, identity.scope.release),
        )

    def facts(self, identity: Identity) -> dict[str, str]:
        """What is known of the target; whose counters these are is a fact of its own."""
        facts = dict(self.reader.facts)
        if self.is_database:
            facts = {name: value for name, value in facts.items() if name.partition("/")[0] in OF_DATABASE}
        if facts.get("dbid"):
            own = "" if self.is_database else f", instance {facts['instance_number']} on {identity.host_name}"
            facts[IDENTITY] = f"database {facts['dbid']}{own}"
        return facts

    def sign_in(self) -> tuple[Connection, Login]:
        """Sign in with the ordinary account, and with the standby's where the database is only mounted."""
        ordinary, *others = self.logins
        try:
            return self.open(ordinary), ordinary
        except CollectionError as error:
            if not others or "ORA-01033" not in str(error):
                raise
        return self.open(others[0]), others[0]

    def open(self, login: Login) -> Connection:
        address: Address = self.address or self.target.address
        began = time.monotonic()
        connection = sign_in(self.target.name, address, login, self.ends_at)
        self.signed_in_after = time.monotonic() - began
        return connection

    def identify(self) -> Identity:
        """Who answered; without that no reading could be filed."""
        try:
            identity = identify(self.reader, self.target.zone)
        except OutOfTime:
            raise CollectionError(
                f"{self.target.name} was not read: signing in took all the time there was.",
                is_worth_retrying=True,
            ) from None
        except (oracledb.Error, OSError) as error:
            if code_of(error) in UNREADABLE:
                raise CollectionError(
                    f"{self.target.name} was not read: {tell_refused(self.reader, self.login.username, error)}"
                ) from None
            raise explain_error(self.target.name, error, is_signed_in=True) from None
        self.reader.scope = identity.scope
        return identity

    def read(self, source: OracleSource) -> SourceRun:
        """Read one source; what goes wrong is told, and the next source is read all the same."""
        began = time.monotonic()
        readings: list[Reading] = []
        error, is_worth_retrying = self.given_up, True
        if not error:
            try:
                readings = source.read(self.reader)
                if not readings and source.category in NEVER_EMPTY:
                    error = f"{CATEGORIES[source.category]} shows no rows to this account."
                    is_worth_retrying = False
            except OutOfTime:
                error = self.given_up = (
                    f"Not read: the whole reading is given {RUN_SECONDS:.0f} s, and they were over."
                )
            except (oracledb.Error, OSError) as raised:
                error = self.sentence(raised)
                is_worth_retrying = code_of(raised) not in UNREADABLE
                self.recover(raised)
        return SourceRun(
            name=CATEGORIES[source.category],
            category=source.category,
            seconds=time.monotonic() - began,
            readings=readings,
            error=error,
            is_worth_retrying=is_worth_retrying,
            started_at=self.started_at(source, readings),
            classes=self.reader.classes if source.category == categories.SYSTEM_EVENT else {},
        )

    def started_at(self, source: OracleSource, readings: Sequence[Reading]) -> datetime | None:
        """Since when the counters of a source count, where that is not the start-up of the instance."""
        if source.category == categories.SEGMENTS:
            return UNKNOWN_BOOT  # sizes live on
        if source.category == categories.OSSTAT:
            now, started_at = self.identity.now, self.identity.started_at
            return find_host_start(readings, self.before.host, now, started_at)
        return None

    def recover(self, error: BaseException) -> None:
        """After silence or a lost connection, go on with a new one; a session that timed out is not to be trusted."""
        if is_silence(error):
            self.silent += 1
            if self.silent >= MOST_SILENT:
                self.given_up = f"Not read: {MOST_SILENT} sources before it did not answer."
                return
        elif not is_loss(error):
            return
        self.reader.connection.close()
        try:
            self.reader.connection = self.open(self.login)
        except CollectionError as refused:
            self.given_up = f"Not read: the connection was lost, and {refused}"

    def sentence(self, error: BaseException) -> str:
        """What went wrong with the query asked last, and what to do about it."""
        query = self.reader.latest_query
        assert query is not None
        code = code_of(error)
        if code in UNREADABLE:
            views = views_in(query.sql(self.reader.scope))
            self.refused.append(frozenset(views))
            script = grant(views, self.login.username, self.reader.scope.release)
            return f"{query.name} cannot be read ({code}). {script}"
        if is_silence(error):
            return f"{query.name} did not answer within {query.seconds:.0f} s ({code})."
        if is_loss(error):
            return f"The connection was lost while {query.name} was read {cause_of_loss(error)}."
        return f"{query.name} was not read: {first_line(error)}."

    def notes(self, identity: Identity, connection: Connection) -> list[str]:
        """What people should know of this reading."""
        notes = []
        if connection.warning:
            notes.append(f"Signing in worked, with a warning: {connection.warning.partition(chr(10))[0]}")
        if identity.clock_is_off:
            notes.append(f"{identity.clock_is_off}: figures of its host do not line up.")
        if identity.scope.state < State.OPEN:
            state = "mounted" if identity.scope.state is State.MOUNTED else "only started"
            notes.append(f"The database is {state}, not open: its tablespaces were not read.")
        for name, mode in identity.closed_pdbs:
            notes.append(f"{name} is not open ({mode}): its tablespaces were not read.")
        return notes
