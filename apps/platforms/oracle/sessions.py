"""
The sessions of an instance, asked for by a person: who is there, what each did, what it waited for.

Nothing of it is stored. It is bounded in time, and shows the sessions that use most CPU.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import oracledb

from apps.collection.collect import release_connection
from apps.collection.collector import CollectionError
from apps.inventory.models import Target
from apps.platforms.oracle import queries
from apps.platforms.oracle.collector import logins_of
from apps.platforms.oracle.connect import OutOfTime, sign_in
from apps.platforms.oracle.errors import UNREADABLE, code_of, first_line
from apps.platforms.oracle.grants import grant
from apps.platforms.oracle.guard import views_in
from apps.platforms.oracle.read import Reader, number
from apps.platforms.oracle.registration import SESSIONS
from apps.platforms.oracle.versions import Scope, parse_release

MOST = 50  # sessions
MOST_WAITS = 5  # events of a session

# what is shown of a session, in the units of v$sesstat
CPU = "CPU used by this session"  # centiseconds


@dataclass(frozen=True)
class SessionWait:
    """What a session waited for since it signed in."""

    event: str
    wait_class: str
    waits: int
    seconds: float
    longest_ms: float


@dataclass(frozen=True)
class SessionRow:
    """One session at the moment of asking; its figures count from when it signed in."""

    sid: int
    serial: int
    username: str
    status: str
    machine: str
    program: str
    module: str
    is_background: bool
    signed_in_for: timedelta
    idle_seconds: float
    event: str
    wait_class: str
    statistics: Mapping[str, float] = field(default_factory=dict)
    waits: Sequence[SessionWait] = ()

    @property
    def label(self) -> str:
        return f"{self.sid},{self.serial}"

    @property
    def cpu_seconds(self) -> float:
        return self.statistics.get(CPU, 0.0) / 100


def read_sessions(target: Target, *, seconds: float = SESSIONS.seconds, most: int = MOST) -> list[SessionRow]:
    """
    The sessions of an instance that took most CPU, now. Raises CollectionError with a sentence.

    The database connection of ours is given up while the instance is waited for.
    """
    login = logins_of(target, target.address)[0]
    release_connection()
    ends_at = time.monotonic() + seconds
    connection = sign_in(target.name, target.address, login, ends_at)
    try:
        reader = Reader(connection, Scope(parse_release(connection.version)))
        sessions = _rows(reader)
        statistics = _statistics(reader)
        sessions.sort(key=lambda row: (-statistics.get(row.sid, {}).get(CPU, 0.0), row.sid))
        waits = _waits(reader)
    except OutOfTime:
        raise CollectionError(f"{target.name} did not tell its sessions within {seconds:.0f} s.") from None
    except (oracledb.Error, OSError) as error:
        raise CollectionError(_sentence(target, reader, error, login.username)) from None
    finally:
        connection.close()
    return [_with(row, statistics.get(row.sid, {}), waits.get(row.sid, [])) for row in sessions[:most]]


def _rows(reader: Reader) -> list[SessionRow]:
    return [
        SessionRow(
            sid=int(sid),
            serial=int(serial),
            username=username or "",
            status=(status or "").lower(),
            machine=machine or "",
            program=program or "",
            module=module or "",
            is_background=kind == "BACKGROUND",
            signed_in_for=now - logon if logon else timedelta(),
            idle_seconds=number(idle) or 0.0,
            event=event or "",
            wait_class=wait_class or "",
        )
        for (
            sid, serial, username, status, machine, program, module, kind, logon, idle, event, wait_class, now,
        ) in reader.rows(queries.SESSION_LIST)
    ]  # fmt: skip


def _statistics(reader: Reader) -> dict[int, dict[str, float]]:
    by_session: dict[int, dict[str, float]] = {}
    for sid, name, value in reader.rows(queries.SESSION_STATISTICS):
        by_session.setdefault(int(sid), {})[name] = number(value) or 0.0
    return by_session


def _waits(reader: Reader) -> dict[int, list[SessionWait]]:
    by_session: dict[int, list[SessionWait]] = {}
    for sid, event, wait_class, waits, micro, longest in reader.rows(queries.SESSION_EVENTS):
        wait = SessionWait(
            event, wait_class or "", int(waits), (number(micro) or 0) / 1e6, 10 * (number(longest) or 0)
        )
        by_session.setdefault(int(sid), []).append(wait)
    return {
        sid: sorted(waits, key=lambda wait: -wait.seconds)[:MOST_WAITS] for sid, waits in by_session.items()
    }


def _with(row: SessionRow, statistics: Mapping[str, float], waits: Sequence[SessionWait]) -> SessionRow:
    return SessionRow(**{**vars(row), "statistics": statistics, "waits": waits})


def _sentence(target: Target, reader: Reader, error: BaseException, username: str) -> str:
    code = code_of(error)
    query = reader.latest_query
    if query is not None and code in UNREADABLE:
        script = grant(views_in(query.sql(reader.scope)), username, reader.scope.release)
        return f"The sessions of {target.name} cannot be read ({code}). {script}"
    return f"The sessions of {target.name} were not read: {first_line(error)}."
