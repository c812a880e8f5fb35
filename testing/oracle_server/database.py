"""
The database that a server plays: its release, its instances and containers, its users, and what its views show.

The rows of a view are a list, or a function of the moment that is called at each query: that is how counters follow
a clock. Rows are looked for in the container, then in the instance, then in the database.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from .clock import wall_clock
from .dictionary import OpenState, Release, View, known_columns, parse_release, plain_name, views_of
from .wire import Value

Row = Mapping[str, Value]
Rows = Iterable[Row]
RowSource = Rows | Callable[[datetime], Rows]

EVERYTHING: frozenset[str] = frozenset({"*"})

# Logon modes, as they travel.
SYSDBA = 0x20
SYSOPER = 0x40
SYSBACKUP = 0x1000000
SYSDG = 0x2000000
ADMINISTRATIVE = {"SYSDBA": SYSDBA, "SYSOPER": SYSOPER, "SYSBACKUP": SYSBACKUP, "SYSDG": SYSDG}


class Dialect(NamedTuple):
    """How a release speaks on the wire: as 19c, 21c or 23ai, since the driver refuses older ones."""

    protocol: int
    field_version: int
    has_fast_logon: bool


class Shelf:
    """A place for the rows of views."""

    def __init__(self) -> None:
        self._sources: dict[str, RowSource] = {}

    def set_rows(self, view: str, rows: RowSource) -> None:
        """
        Let a view show these rows: mappings of column to value, columns in either case.

        A function is given the moment, in UTC, and returns the rows. Columns that are left out are null; those the
        played release does not have are left out of the answer. A column that no release has is a mistake.
        """
        name = plain_name(view)
        columns = known_columns(name)
        if not columns:
            raise ValueError(f"There is no view {view}.")
        if not callable(rows):
            rows = list(rows)
            unknown = {column.upper() for row in rows for column in row} - columns
            if unknown:
                raise ValueError(f"{view} has no column {', '.join(sorted(unknown))}.")
        self._sources[name] = rows

    def source(self, view: str) -> RowSource | None:
        return self._sources.get(view)


class Instance(Shelf):
    """One instance of the database, on its host."""

    def __init__(self, number: int, name: str, host_name: str, started_at: datetime) -> None:
        super().__init__()
        self.number = number
        self.name = name
        self.host_name = host_name
        self.started_at = started_at
        self.is_up = True


class Pdb(Shelf):
    """A pluggable database."""

    def __init__(self, con_id: int, name: str, opened_at: datetime, open_mode: str = "READ WRITE") -> None:
        super().__init__()
        self.con_id = con_id
        self.name = name.upper()
        self.opened_at = opened_at
        self.open_mode = open_mode

    @property
    def is_open(self) -> bool:
        return self.open_mode.startswith("READ")

    @property
    def dbid(self) -> int:
        return number_from(self.name + "/dbid", 4_000_000_000)

    @property
    def guid(self) -> bytes:
        return hashlib.md5(self.name.encode(), usedforsecurity=False).digest()


@dataclass
class DatabaseUser:
    """
    Someone who may sign in.

    `grants` are names of views (as granted or as queried); EVERYTHING is SELECT ANY DICTIONARY. A view in `forbidden`
    is seen but refused with ORA-01031; any other without a grant does not exist for the user.
    """

    name: str
    password: str
    grants: frozenset[str] = EVERYTHING
    forbidden: frozenset[str] = frozenset()
    privileges: frozenset[str] = frozenset()
    is_expired: bool = False
    is_locked: bool = False
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def may_read(self, view: str) -> bool:
        return self.grants == EVERYTHING or any(plain_name(grant) == view for grant in self.grants)

    @property
    def system_privileges(self) -> list[str]:
        return ["CREATE SESSION"] + (["SELECT ANY DICTIONARY"] if self.grants == EVERYTHING else [])

    def may_sign_in_as(self, mode: int) -> bool:
        return any(mode & bit and name in self.privileges for name, bit in ADMINISTRATIVE.items())


class Database(Shelf):
    """
    A database in one release and role, with its instances and containers.

    `release` is dotted ("19.22.0.0.0"); `clock` returns the moment with a time zone; `time_zone` is where the host
    thinks it is.
    """

    def __init__(
        self,
        name: str = "DWPRD",
        *,
        release: str = "19.22.0.0.0",
        clock: Callable[[], datetime] = wall_clock,
        time_zone: str | tzinfo = "UTC",
        state: OpenState = OpenState.OPEN,
        role: str = "PRIMARY",
        open_mode: str = "",
        unique_name: str = "",
        dbid: int = 0,
        edition: str = "EE",
        platform: str = "Linux x86 64-bit",
        is_archiving: bool = True,
        started_at: datetime | None = None,
        hosts: Iterable[str] = ("db01",),
        pdbs: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self.name = name.upper()
        self.clock = clock
        self.time_zone = ZoneInfo(time_zone) if isinstance(time_zone, str) else time_zone
        self.release_text = release
        self.state = state
        self.role = role
        self._open_mode = open_mode
        self.unique_name = unique_name or self.name
        self.dbid = dbid or number_from(self.name, 4_000_000_000)
        self.edition = edition
        self.platform = platform
        self.is_archiving = is_archiving
        started_at = started_at or clock() - timedelta(days=40)
        self.created_at = started_at - timedelta(days=700)
        hosts = list(hosts)
        self.instances = [
            Instance(number, self.name + (str(number) if len(hosts) > 1 else ""), host, started_at)
            for number, host in enumerate(hosts, start=1)
        ]
        self.pdbs = [Pdb(con_id, pdb, started_at) for con_id, pdb in enumerate(pdbs, start=3)]
        self.users: dict[str, DatabaseUser] = {}

    @property
    def release(self) -> Release:
        return parse_release(self.release_text)

    @property
    def base_release_text(self) -> str:
        """The release as v$instance.version shows it: from 18 on without the update."""
        if self.release < (18,):
            return self.release_text
        return f"{self.release[0]}.0.0.0.0"

    @property
    def dialect(self) -> Dialect:
        if self.release >= (23,):
            return Dialect(319, 24, True)
        return Dialect(318, 16 if self.release >= (21,) else 13, False)

    @property
    def views(self) -> Mapping[str, View]:
        return views_of(self.release)

    @property
    def is_cdb(self) -> bool:
        return bool(self.pdbs) or self.release >= (21,)

    @property
    def is_rac(self) -> bool:
        return len(self.instances) > 1

    @property
    def open_mode(self) -> str:
        if self.state < OpenState.OPEN:
            return "MOUNTED"
        return self._open_mode or "READ WRITE"

    def add_user(self, user: DatabaseUser) -> DatabaseUser:
        self.users[user.name.upper()] = user
        return user

    def restart(self, started_at: datetime | None = None) -> None:
        """Start all instances again, now or at another moment: counters begin at zero."""
        for instance in self.instances:
            instance.started_at = started_at or self.clock()
        for pdb in self.pdbs:
            pdb.opened_at = started_at or self.clock()

    def fail_over(self) -> None:
        """Swap the roles: a standby opens as primary, a primary becomes a mounted standby."""
        if self.role == "PRIMARY":
            self.role, self.state = "PHYSICAL STANDBY", OpenState.MOUNT
        else:
            self.role, self.state, self._open_mode = "PRIMARY", OpenState.OPEN, ""

    def local(self, moment: datetime) -> datetime:
        """Return a moment as the host's clock shows it: to the second, without zone."""
        return moment.astimezone(self.time_zone).replace(tzinfo=None, microsecond=0)

    def rows(self, view: str, instance: Instance, pdb: Pdb | None, now: datetime) -> Iterable[Row]:
        """Return what a view shows to a session of this instance and container."""
        if view.startswith("gv$"):
            return [
                {**row, "inst_id": each.number}
                for each in self.instances
                if each.is_up
                for row in self.rows(view[1:], each, pdb, now)
            ]
        if view.startswith("cdb_"):
            return list(self._container_rows("dba_" + view[4:], instance, pdb, now))
        for shelf in (pdb, instance, self):
            source = shelf.source(view) if shelf else None
            if source is not None:
                return source(now) if callable(source) else source
        return own_rows(view, self, instance, pdb)

    def _container_rows(self, view: str, instance: Instance, pdb: Pdb | None, now: datetime) -> Rows:
        containers = [pdb] if pdb else [None, *(each for each in self.pdbs if each.is_open)]
        for container in containers:
            for row in self.rows(view, instance, container, now):
                yield {**row, "con_id": container.con_id if container else 1}


def own_rows(view: str, database: Database, instance: Instance, pdb: Pdb | None) -> list[Row]:
    """Return the rows of the views that follow from what the database is."""
    match view:
        case "dual":
            return [{"dummy": "X"}]
        case "v$instance":
            return [instance_row(database, instance)]
        case "v$database":
            return [database_row(database, pdb)]
        case "v$version" | "product_component_version":
            return version_rows(view, database)
        case "v$pdbs" | "v$containers":
            return container_rows(view, database, pdb)
        case "global_name":
            return [{"global_name": pdb.name if pdb else database.unique_name}]
    return []


def instance_row(database: Database, instance: Instance) -> Row:
    states = {OpenState.NOMOUNT: "STARTED", OpenState.MOUNT: "MOUNTED", OpenState.OPEN: "OPEN"}
    return {
        "instance_number": instance.number,
        "instance_name": instance.name,
        "host_name": instance.host_name,
        "version": database.base_release_text,
        "version_legacy": database.base_release_text,
        "version_full": database.release_text,
        "startup_time": database.local(instance.started_at),
        "status": states[database.state],
        "parallel": "YES" if database.is_rac else "NO",
        "thread#": instance.number,
        "archiver": "STARTED" if database.is_archiving else "STOPPED",
        "logins": "ALLOWED",
        "database_status": "ACTIVE",
        "instance_role": "PRIMARY_INSTANCE",
        "blocked": "NO",
        "con_id": 0,
        "instance_mode": "REGULAR",
        "edition": database.edition,
        "database_type": "RAC" if database.is_rac else "SINGLE",
    }


def database_row(database: Database, pdb: Pdb | None) -> Row:
    elapsed = database.clock() - database.created_at
    return {
        "dbid": database.dbid,
        "name": database.name[:9],
        "db_unique_name": database.unique_name,
        "created": database.local(database.created_at),
        "resetlogs_time": database.local(database.created_at),
        "log_mode": "ARCHIVELOG" if database.is_archiving else "NOARCHIVELOG",
        "open_mode": database.open_mode,
        "database_role": database.role,
        "force_logging": "NO",
        "flashback_on": "NO",
        "platform_name": database.platform,
        "current_scn": 1_000_000 + int(elapsed.total_seconds()) * 12,
        "cdb": "YES" if database.is_cdb else "NO",
        "con_id": 0,
        "con_dbid": pdb.dbid if pdb else database.dbid,
    }


def version_rows(view: str, database: Database) -> list[Row]:
    major = database.release[0]
    editions = {"EE": "Enterprise Edition", "SE": "Standard Edition 2", "XE": "Express Edition"}
    edition = editions.get(database.edition, "Enterprise Edition")
    names = {11: "11g", 12: "12c", 18: "18c", 19: "19c", 21: "21c", 23: "23ai"}
    if view == "product_component_version":
        product = f"Oracle Database {names.get(major, major)} {edition}"
        version = {"version": database.base_release_text, "version_full": database.release_text}
        return [{"product": product, **version, "status": "Production"}]
    product = f"Oracle Database {names.get(major, major)} {edition} Release {database.base_release_text}"
    if major >= 18:
        banner = f"{product} - Production"
        full = f"{banner}\nVersion {database.release_text}"
        return [{"banner": banner, "banner_full": full, "banner_legacy": banner, "con_id": 0}]
    text = database.release_text
    parts = [f"PL/SQL Release {text} - Production", f"CORE\t{text}\tProduction"]
    return [{"banner": banner, "con_id": 0} for banner in (f"{product} - 64bit Production", *parts)]


def container_rows(view: str, database: Database, pdb: Pdb | None) -> list[Row]:
    opened_at = database.instances[0].started_at
    rows: list[Row] = []
    if pdb is None and database.is_cdb:
        base: dict[str, Value] = {"restricted": "NO", "open_time": opened_at.astimezone(database.time_zone)}
        root: dict[str, Value] = {
            "con_id": 1,
            "name": "CDB$ROOT",
            "open_mode": "READ WRITE",
            "dbid": database.dbid,
        }
        seed: dict[str, Value] = {
            "con_id": 2,
            "name": "PDB$SEED",
            "open_mode": "READ ONLY",
            "dbid": database.dbid ^ 2,
        }
        for container in ([root] if view == "v$containers" else []) + [seed]:
            guid = hashlib.md5(str(container["name"]).encode(), usedforsecurity=False).digest()
            rows.append({**base, **container, "con_uid": container["dbid"], "guid": guid})
    for each in [pdb] if pdb else database.pdbs:
        row: dict[str, Value] = {
            "con_id": each.con_id,
            "dbid": each.dbid,
            "con_uid": each.dbid,
            "guid": each.guid,
            "name": each.name,
            "open_mode": each.open_mode if database.state is OpenState.OPEN else "MOUNTED",
            "restricted": "NO",
            "open_time": each.opened_at.astimezone(database.time_zone),
            "total_size": 50 * 2**30,
        }
        if view == "v$pdbs":
            row |= {"block_size": 8192, "recovery_status": "ENABLED", "max_size": 0}
        rows.append(row)
    return rows


@lru_cache(maxsize=10_000)
def number_from(text: str, limit: int) -> int:
    """Return a number that is always the same for the same text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % limit
