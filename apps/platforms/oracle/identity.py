"""Who answered: instance, database and containers, and what its clock says."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import oracledb

from apps.platforms.oracle import queries
from apps.platforms.oracle.errors import UNREADABLE, code_of
from apps.platforms.oracle.read import Reader
from apps.platforms.oracle.versions import Scope, State, parse_release

QUARTER = timedelta(minutes=15)
LONGEST_SKEW = 60.0  # seconds between the clocks of both machines that harm no figure


@dataclass(frozen=True)
class Identity:
    """What the first statements tell of the instance; moments are UTC but for `here`."""

    scope: Scope
    now: datetime
    here: datetime  # the same on the host's clock, without a zone
    started_at: datetime
    up_for: timedelta
    skew: float  # seconds its clock is ahead of this machine's
    host_name: str
    closed_pdbs: Sequence[tuple[str, str]] = ()

    @property
    def clock_is_off(self) -> str:
        """How far its clock is off, in words; empty where it agrees with this machine's."""
        if abs(self.skew) <= LONGEST_SKEW:
            return ""
        return (
            f"Its clock is {abs(self.skew):.0f} s {'ahead of' if self.skew > 0 else 'behind'} this machine's"
        )


def identify(reader: Reader, zone: ZoneInfo) -> Identity:
    """
    Ask who answers, put it into the reader's facts and the containers into the reader.

    `zone` is where the target is said to be. Raises the driver's errors.
    """
    reader.scope = Scope(parse_release(reader.connection.version))
    row = reader.rows(queries.INSTANCE)[0]
    asked_at = datetime.now(UTC)
    (
        number,
        name,
        host,
        version,
        edition,
        startup,
        status,
        thread,
        parallel,
        logins,
        here,
        utc,
        con_id,
        con_name,
    ) = row
    release = parse_release(version) if version else reader.scope.release
    reader.scope = Scope(release, State.of(status), is_root=str(con_id) == "1")
    now = utc.replace(tzinfo=UTC)
    reader.facts |= {
        "version": version,
        "edition": edition or "",
        "instance_name": name,
        "instance_number": str(number),
        "host_name": host,
        "thread": str(thread),
        "status": status,
        "logins": logins,
        "cluster": "yes" if parallel == "YES" else "no",
        "startup_time": f"{startup:%Y-%m-%d %H:%M:%S}",
        "container": con_name or "",
    }
    if reader.scope.state >= State.MOUNTED:
        _take_database(reader)
    return Identity(
        scope=reader.scope,
        now=now,
        here=here,
        started_at=in_utc(startup, here, now, zone),
        up_for=here - startup,
        skew=(now - asked_at).total_seconds(),
        host_name=host,
        closed_pdbs=_take_containers(reader),
    )


def in_utc(moment: datetime, here: datetime, now: datetime, zone: ZoneInfo) -> datetime:
    """
    A moment of the host's clock, which has no zone, in UTC.

    Where the host's clock is that of `zone`, its rules are used, so that a change to summer time between the moment and
    now does not move the moment. Otherwise today's offset is.
    """
    offset = round((here - now.replace(tzinfo=None)) / QUARTER) * QUARTER
    if now.astimezone(zone).utcoffset() == offset:
        return moment.replace(tzinfo=zone).astimezone(UTC)
    return (moment - offset).replace(tzinfo=UTC)


def _take_database(reader: Reader) -> None:
    """The database's own facts; an account without the grant goes without them."""
    try:
        row = reader.rows(queries.DATABASE)[0]
    except oracledb.DatabaseError as error:
        if code_of(error) not in UNREADABLE:
            raise
        reader.notes.append(
            f"v$database cannot be read ({code_of(error)}): role and open mode of the database are not known."
        )
        return
    names = (
        "dbid",
        "db_name",
        "db_unique_name",
        "log_mode",
        "open_mode",
        "role",
        "force_logging",
        "flashback",
        "platform",
        "cdb",
    )
    reader.facts |= {name: _text(value) for name, value in zip(names, row, strict=True)}


def _take_containers(reader: Reader) -> list[tuple[str, str]]:
    """The names of the pluggable databases, where the root is asked; those that are not open are returned."""
    if not reader.scope.is_root or reader.scope.state < State.MOUNTED:
        return []
    try:
        rows = reader.rows(queries.CONTAINERS)
    except oracledb.DatabaseError as error:
        if code_of(error) not in UNREADABLE:
            raise
        reader.notes.append(
            f"v$pdbs cannot be read ({code_of(error)}): no name of a pluggable database is known."
        )
        return []
    reader.containers = {int(con_id): name for con_id, name, _ in rows}
    return [(name, mode) for _, name, mode in rows if not mode.startswith("READ")]


def _text(value: Any) -> str:
    return "" if value is None else str(value)
