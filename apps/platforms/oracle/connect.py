"""
Signing in, with a deadline for everything.

The driver's own limit on connecting ends with the TCP handshake: a listener that accepts and never answers would hold
it for ever. So it connects in a thread of its own, which is left behind when the time is up. A few such threads for an
address are enough to know that it does not answer; no more are started until one of them ends.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import oracledb
from django.conf import settings

from apps.platforms.oracle.errors import explain_error
from apps.platforms.oracle.guard import check
from apps.platforms.oracle.queries import Query
from apps.platforms.oracle.versions import Scope
from apps.platforms.oracle.wallet import check_wallet

MODULE = "Headroom"
HANDSHAKE_SECONDS = 10.0
SIGN_IN_SECONDS = 20.0
KEEPALIVE_MINUTES = 1  # a peer that is gone is noticed
SIGN_OUT_MILLISECONDS = 2000
ROWS_PER_TRIP = 2500
MOST_LEFT_BEHIND = 3

# {"host", "port", "service"}, {"host", "port", "sid"} or {"descriptor"}; with {"protocol": "tcps"} the connection is
# encrypted, "wallet" names the directory of its wallet and "server_dn" whom its certificate must be of
Address = Mapping[str, Any]

_left_behind: Counter[str] = Counter()  # threads that still wait, by where they connect to
_lock = threading.Lock()


@dataclass(frozen=True)
class Login:
    """Who signs in; the password is never printed."""

    username: str
    password: str = field(repr=False)
    mode: oracledb.AuthMode = oracledb.AuthMode.DEFAULT
    wallet_password: str = field(default="", repr=False)


class OutOfTime(Exception):
    """The whole reading has taken as long as it may."""


class Connection:
    """A session that sends nothing the guard has not seen, and waits for nothing longer than it may."""

    def __init__(self, raw: oracledb.Connection, ends_at: float) -> None:
        self.raw = raw
        self.ends_at = ends_at
        self.version = raw.version
        self.warning = str(raw.warning) if raw.warning else ""  # such as a password that expires soon
        raw.module = MODULE

    def rows(
        self, query: Query, scope: Scope, names: Sequence[str] = (), span: Sequence[int] = ()
    ) -> list[Sequence[Any]]:
        """
        All rows of a query, with `names` and, before them, `span` bound where it asks for some.

        Raises OutOfTime, and the driver's errors.
        """
        sql, binds = with_names(check(query.sql(scope)), names)
        binds = [*span, *binds]
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise OutOfTime
        if not self.raw.is_healthy():
            raise ConnectionError("the connection was lost")
        self.raw.call_timeout = max(1, round(min(query.seconds, left) * 1000))
        self.raw.action = query.name[:32]
        with self.raw.cursor() as cursor:
            cursor.arraysize = cursor.prefetchrows = ROWS_PER_TRIP
            cursor.execute(sql, binds)
            rows: list[Sequence[Any]] = cursor.fetchall()
            return rows

    def close(self) -> None:
        """Sign out if the server still listens; a broken connection is just dropped."""
        if self.raw.is_healthy():  # else the driver stumbles over its own closed socket
            with suppress(oracledb.Error, OSError):
                self.raw.call_timeout = SIGN_OUT_MILLISECONDS
                self.raw.close()


def with_names(sql: str, names: Sequence[str]) -> tuple[str, list[str | int | None]]:
    """The statement with one bind for each name in place of `:names`; with none for nobody, which equals nothing."""
    if ":names" not in sql:
        return sql, []
    binds: list[str | int | None] = [*names] or [None]
    return sql.replace(":names", ", ".join(f":{place}" for place in range(1, len(binds) + 1))), binds


class Silence(TimeoutError):
    """The listener took the connection and did not answer."""


def sign_in(name: str, address: Address, login: Login, ends_at: float) -> Connection:
    """Open a session within the deadline. Raises CollectionError, whose sentence begins with `name`."""
    try:
        return Connection(connect(address, login, ends_at - time.monotonic()), ends_at)
    except (oracledb.Error, OSError) as error:
        raise explain_error(name, error) from None


def connect(address: Address, login: Login, seconds: float = SIGN_IN_SECONDS) -> oracledb.Connection:
    """Connect within so many seconds. Raises Silence, and what the driver raises."""
    attempt = _Attempt(address, login)
    if _left_behind[attempt.place] >= MOST_LEFT_BEHIND or not attempt.make(min(SIGN_IN_SECONDS, seconds)):
        raise Silence
    if attempt.error is not None:
        raise attempt.error
    assert attempt.connection is not None
    return attempt.connection


class _Attempt:
    """One try to connect, made by a thread that somebody may have stopped waiting for."""

    def __init__(self, address: Address, login: Login) -> None:
        self.place = json.dumps(dict(address), sort_keys=True)
        self.connection: oracledb.Connection | None = None
        self.error: Exception | None = None
        self._address = address
        self._login = login
        self._is_done = threading.Event()
        self._is_left = False

    def make(self, seconds: float) -> bool:
        """Whether the try came to an end in time; if not, it is left to itself."""
        threading.Thread(target=self._run, name="sign in", daemon=True).start()
        self._is_done.wait(max(0.0, seconds))
        with _lock:
            if not self._is_done.is_set():
                self._is_left = True
                _left_behind[self.place] += 1
        return not self._is_left

    def _run(self) -> None:
        try:
            use_client_libraries()
            self.connection = open_connection(self._address, self._login)
        except Exception as error:
            self.error = error
        with _lock:
            self._is_done.set()
            if self._is_left:
                _left_behind[self.place] -= 1
        if self._is_left and self.connection is not None:
            self.connection.close()


def open_connection(address: Address, login: Login) -> oracledb.Connection:
    """Connect, without any deadline but that of the TCP handshake."""
    where: dict[str, Any]
    if address.get("descriptor"):
        where = {"dsn": address["descriptor"]}
    else:
        where = {"host": address["host"], "port": int(address.get("port") or 1521)}
        where |= {"sid": address["sid"]} if address.get("sid") else {"service_name": address.get("service")}
        if address.get("instance"):
            where["instance_name"] = address["instance"]
        where["protocol"] = address.get("protocol") or "tcp"
    if oracledb.is_thin_mode():
        # never none at all: OpenSSL would then ask for it at the terminal, and wait
        where["wallet_password"] = login.wallet_password or "none"
    if address.get("wallet"):
        if oracledb.is_thin_mode():
            check_wallet(address["wallet"], login.wallet_password)
        where["wallet_location"] = address["wallet"]
    if address.get("server_dn"):
        where["ssl_server_cert_dn"] = address["server_dn"]
    return oracledb.connect(
        user=login.username,
        password=login.password,
        mode=login.mode,
        tcp_connect_timeout=HANDSHAKE_SECONDS,
        retry_count=0,
        expire_time=KEEPALIVE_MINUTES,
        program=MODULE,
        stmtcachesize=0,  # no statement is sent twice, and the driver's cache keeps the rows of each
        **where,
    )


def place_of(address: Address) -> str:
    """Where an address leads, for people: host and port, or the whole descriptor."""
    if address.get("descriptor"):
        return str(address["descriptor"])
    return f"{address.get('host')}:{address.get('port') or 1521}"


def use_client_libraries() -> None:
    """Take Oracle's own libraries where HEADROOM_ORACLE_CLIENT names their directory; a process has one mode."""
    if settings.HEADROOM_ORACLE_CLIENT:
        with _lock:
            if oracledb.is_thin_mode():
                oracledb.init_oracle_client(lib_dir=settings.HEADROOM_ORACLE_CLIENT)
