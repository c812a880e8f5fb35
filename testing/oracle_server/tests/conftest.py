"""Scenes: a clock that a test moves, a database in progress, a server for it and a way to ask."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import oracledb
import pytest

from testing.oracle_server import Clock, Database, OracleServer, instance

Ask = Callable[..., list[tuple[Any, ...]]]


def connect(server: OracleServer, service: str = "", **options: Any) -> oracledb.Connection:
    dsn = server.dsn_of(service) if service else server.dsn
    return oracledb.connect(**{"user": "headroom", "password": "secret", "dsn": dsn, **options})


def ask(server: OracleServer, sql: str, binds: Any = None, **options: Any) -> list[tuple[Any, ...]]:
    """Connect, ask one question and leave."""
    with connect(server, **options) as connection, connection.cursor() as cursor:
        cursor.execute(sql, binds)
        return list(cursor.fetchall())


def complaint(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the error that a call ends with."""
    with pytest.raises(oracledb.Error) as caught:
        call(*arguments, **options)
    return caught.value.args[0]


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 3, 2, 10, 0, tzinfo=UTC))


@pytest.fixture
def database(clock: Clock) -> Database:
    return instance("DWPRD", clock=clock, time_zone="Europe/Berlin")


@pytest.fixture
def server(database: Database) -> Iterator[OracleServer]:
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        yield server


@pytest.fixture
def connection(server: OracleServer) -> Iterator[oracledb.Connection]:
    with connect(server) as connection:
        yield connection


@pytest.fixture
def fetch(connection: oracledb.Connection) -> Ask:
    def fetch(sql: str, binds: Any = None) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, binds)
            return list(cursor.fetchall())

    return fetch


def at(text: str) -> datetime:
    """Return a moment as a DATE has it, without a zone."""
    return datetime.fromisoformat(text)
