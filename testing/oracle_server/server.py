"""
The server: a listener on the loopback, in a thread of its own, for one database or several.

    with OracleServer(database, service="DWPRD", users={"HEADROOM": "secret"}) as server:
        oracledb.connect(user="HEADROOM", password="secret", dsn=server.dsn)
"""

import asyncio
import hashlib
import re
import secrets
import ssl
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType

from .database import EVERYTHING, Database, DatabaseUser, Instance, Pdb
from .dictionary import OpenState
from .engine import Engine, Here, Result
from .errors import OraError
from .faults import FaultKind, Faults
from .logon import Exchange
from .requests import DESCRIBE_ONLY, Execution
from .session import WireSession

HOST = "127.0.0.1"
STATEMENTS_KEPT = 50_000

UNKNOWN_SERVICE = 12514
UNKNOWN_SID = 12505
NO_HANDLER = 12521


@dataclass(frozen=True)
class Statement:
    """A statement that a client has sent."""

    sql: str
    user: str
    instance: str
    container: str
    module: str
    at: datetime


@dataclass(frozen=True)
class ListenerService:
    """Where a connection leads: an instance, and a container if there are any."""

    name: str
    database: Database
    instance: Instance
    pdb: Pdb | None
    faults: Faults

    def challenge(self, name: str, mode: int) -> Exchange:
        """Begin the sign-in; someone unknown is asked for a password like anyone else."""
        if denial := self.faults.find(FaultKind.DENY):
            raise OraError(denial.code, text=denial.text, limit=300)
        user = self.database.users.get(name)
        is_administrator = user is not None and user.may_sign_in_as(mode)
        if self.database.state < OpenState.OPEN and not is_administrator:
            raise OraError(1033)
        if self.pdb and not self.pdb.is_open and not is_administrator:
            raise OraError(1109, text="database not open")
        if user is None:
            return Exchange(hashlib.sha256(name.encode()).digest()[:16], secrets.token_hex())
        return Exchange(user.salt, user.password)

    def admit(self, name: str, mode: int, is_right: bool) -> None:
        """Let someone in, or raise the error that keeps them out."""
        user = self.database.users.get(name)
        if user is not None and user.is_locked:
            raise OraError(28000)
        if user is None or not is_right or (mode & ~0x101 and not user.may_sign_in_as(mode)):
            raise OraError(1017)
        if user.is_expired:
            raise OraError(28001)

    def parameters(self) -> dict[str, str]:
        """Return what a client is told about the database when it has signed in."""
        a, b, c, d, e = (*self.database.release, 0, 0, 0, 0)[:5]
        return {
            "AUTH_VERSION_NO": str(a << 24 | b << 16 | c << 12 | d << 4 | e),
            "AUTH_SC_DBUNIQUE_NAME": self.database.unique_name,
            "AUTH_SC_SERVICE_NAME": self.name,
            "AUTH_INSTANCENAME": self.instance.name,
            "AUTH_SC_INSTANCE_NAME": self.instance.name,
            "AUTH_DBNAME": self.pdb.name if self.pdb else self.database.name,
            "AUTH_MAX_OPEN_CURSORS": "300",
            "AUTH_MAX_IDEN_LENGTH": "128" if self.database.release >= (12, 2) else "30",
        }


class OracleServer:
    """
    An Oracle server for a test or the demo.

    A service with the database's name, one with each instance's name and one with each container's name exist by
    themselves; `service` is one more name for the database. `latency` is what each statement takes at least. With
    `tls` the listener speaks TCPS.
    """

    def __init__(
        self,
        *databases: Database,
        service: str = "",
        users: Mapping[str, str] | None = None,
        port: int = 0,
        latency: float = 0.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.databases = list(databases)
        self.service = service or databases[0].name
        self.port = port
        self.latency = latency
        self.tls = tls
        self.faults = Faults()
        self.statements: deque[Statement] = deque(maxlen=STATEMENTS_KEPT)
        self.sessions: set[WireSession] = set()
        self.connections = 0  # made since the server was started
        self._engines: dict[tuple[int, int, str], Engine] = {}
        self._turns = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener: asyncio.Server | None = None
        self._thread: threading.Thread | None = None
        for name, password in (users or {}).items():
            for database in databases:
                database.add_user(DatabaseUser(name.upper(), password, EVERYTHING))

    # Life

    def start(self) -> "OracleServer":
        """Begin to listen; `port` is then the port that was found."""
        is_ready = threading.Event()
        self._thread = threading.Thread(target=self._live, args=[is_ready], name="oracle-server", daemon=True)
        self._thread.start()
        is_ready.wait()
        return self

    def stop(self) -> None:
        """Stop listening and drop all connections; a client then finds nobody at the port."""
        if self._loop is None or self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop = self._thread = None

    def __enter__(self) -> "OracleServer":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def restart(self, database: Database | None = None) -> None:
        """Bounce a database: its sessions are cut off, its counters begin at zero."""
        for each in [database] if database else self.databases:
            each.restart()
            self.drop_sessions(each)

    def fail_over(self, database: Database | None = None) -> None:
        """Let a database change its role, which cuts off its sessions."""
        for each in [database] if database else self.databases:
            each.fail_over()
            self.drop_sessions(each)

    def drop_sessions(self, database: Database | None = None) -> None:
        """Cut off the sessions of a database, or all of them."""
        done = threading.Event()

        def drop() -> None:
            for session in list(self.sessions):
                if database is None or (session.service and session.service.database is database):
                    session.close()
            done.set()

        if self._loop is not None:
            self._loop.call_soon_threadsafe(drop)
            done.wait()

    @property
    def dsn(self) -> str:
        return self.dsn_of(self.service)

    def dsn_of(self, service: str) -> str:
        return f"{HOST}:{self.port}/{service}"

    def _live(self, is_ready: threading.Event) -> None:
        loop = asyncio.new_event_loop()
        self._loop = loop
        try:
            listen = asyncio.start_server(self._welcome, HOST, self.port, backlog=1024, ssl=self.tls)
            self._listener = loop.run_until_complete(listen)
            self.port = self._listener.sockets[0].getsockname()[1]
            is_ready.set()
            loop.run_forever()
        finally:
            is_ready.set()
            self._wind_up(loop)

    def _wind_up(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._listener:
            self._listener.close()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks))
        loop.close()
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = WireSession(self, reader, writer)
        self.sessions.add(session)
        self.connections += 1
        try:
            await session.talk()
        except asyncio.CancelledError:
            pass  # the server is stopping
        finally:
            self.sessions.discard(session)

    # Listening

    def find_service(self, connect_data: str) -> ListenerService | int:
        """Return where a connect descriptor leads, or the TNS number of a refusal."""
        if refusal := self.faults.find(FaultKind.REFUSE):
            return refusal.code
        service = descriptor_value(connect_data, "SERVICE_NAME")
        sid = descriptor_value(connect_data, "SID")
        instance_name = descriptor_value(connect_data, "INSTANCE_NAME")
        for database in self.databases:
            instances = [each for each in database.instances if each.is_up]
            if sid:
                instances = [each for each in instances if each.name.upper() == sid]
                if instances:
                    return ListenerService(sid, database, instances[0], None, self.faults)
                continue
            pdb = next((each for each in database.pdbs if each.name == service), None)
            own = [each for each in instances if each.name.upper() == service]
            names = {database.name, database.unique_name.upper()}
            if database is self.databases[0]:
                names.add(self.service.upper())
            if not (pdb or own or service in names):
                continue
            if instance_name:
                instances = [each for each in instances if each.name.upper() == instance_name]
                if not instances:
                    return NO_HANDLER
            if not instances:
                return UNKNOWN_SERVICE
            self._turns += 1
            instance = own[0] if own else instances[self._turns % len(instances)]
            return ListenerService(service, database, instance, pdb, self.faults)
        return UNKNOWN_SID if sid else UNKNOWN_SERVICE

    # Statements

    async def run(self, session: WireSession, sql: str, request: Execution) -> Result | None:
        """Run a statement for a session, with all that has been ordered for it."""
        service = session.service
        assert service is not None
        database = service.database
        application = session.application
        module = (application.module if application else "") or ""
        if not request.options & DESCRIBE_ONLY:
            container = service.pdb.name if service.pdb else ""
            statement = Statement(
                sql, session.user, service.instance.name, container, module, database.clock()
            )
            self.statements.append(statement)
        await self._misbehave(session, sql)
        if match := re.match(r"\s*alter\s+session\s+set\s+container\s*=\s*(\S+)", sql, re.IGNORECASE):
            session.service = enter_container(service, match[1].strip('"').upper())
            return None
        user = database.users[session.user]
        here = Here(user, session.sid, service.name, module, database.clock())
        engine = self.engine(database, service.instance, service.pdb)
        result = None
        for binds in request.binds or [[]]:
            result = engine.run(sql, binds, here)
        return result

    def engine(self, database: Database, instance: Instance, pdb: Pdb | None) -> Engine:
        key = (id(database), instance.number, pdb.name if pdb else "")
        if key not in self._engines:
            self._engines[key] = Engine(database, instance, pdb)
        return self._engines[key]

    async def _misbehave(self, session: WireSession, sql: str) -> None:
        if self.latency:
            await session.wait(self.latency)
        if delay := self.faults.find(FaultKind.DELAY, sql):
            await session.wait(delay.seconds)
        if self.faults.find(FaultKind.HANG, sql):
            await session.wait(None)
        if failure := self.faults.find(FaultKind.FAIL, sql):
            raise OraError(failure.code, text=failure.text)


def enter_container(service: ListenerService, name: str) -> ListenerService:
    """Return the same service as seen from another container."""
    if name == "CDB$ROOT":
        return replace(service, pdb=None)
    for pdb in service.database.pdbs:
        if pdb.name == name:
            return replace(service, pdb=pdb)
    raise OraError(65011, text=f"Pluggable database {name} does not exist.")


def descriptor_value(descriptor: str, name: str) -> str:
    """Return a value of a connect descriptor, in capitals."""
    match = re.search(rf"\({name}=([^()]*)\)", descriptor, re.IGNORECASE)
    return match[1].strip().upper() if match else ""
