import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import oracledb
import pytest

from testing.oracle_server import OracleServer

from .conftest import ask, complaint, connect

LIMIT = (
    1000  # milliseconds, of the question that hangs; the driver gives the server as long again to break off
)


@contextmanager
def limited(connection: oracledb.Connection | oracledb.AsyncConnection) -> Iterator[None]:
    """The time limit is for what is asked in the block alone."""
    connection.call_timeout = LIMIT
    yield
    connection.call_timeout = 0


@contextmanager
def hanging(server: OracleServer, connection: oracledb.Connection, view: str) -> Iterator[list[Any]]:
    """While a question hangs that a thread has asked; it has its complaint once the block is over."""
    hang = server.faults.hang(view, times=1)
    complaints: list[Any] = []
    thread = threading.Thread(
        target=lambda: complaints.append(complaint(connection.cursor().execute, f"select * from {view}"))
    )
    thread.start()
    while hang.times and thread.is_alive():
        time.sleep(0.01)
    yield complaints
    thread.join(60)


def test_the_listener_refuses_on_order(server):
    with server.faults.refuse(12516):
        error = complaint(connect, server)

    assert "12516" in error.message
    assert ask(server, "select 1 from dual") == [(1,)]


def test_a_silent_listener_keeps_a_client_waiting(server):
    async def visit() -> None:
        options = {"user": "headroom", "password": "secret", "dsn": server.dsn}
        await asyncio.wait_for(oracledb.connect_async(**options), 0.3)

    with server.faults.fall_silent(), pytest.raises(TimeoutError):
        asyncio.run(visit())


@pytest.mark.parametrize(("code", "message"), [(18, "ORA-00018"), (20, "ORA-00020"), (28001, "ORA-28001")])
def test_the_sign_in_is_denied_on_order(server, code, message):
    server.faults.deny(code, times=1)

    assert message in complaint(connect, server).message
    assert ask(server, "select 1 from dual") == [(1,)]


def test_one_view_answers_with_an_error(server, connection):
    with server.faults.fail("v$filestat", 1555), connection.cursor() as cursor:
        error = complaint(cursor.execute, "select * from V$FILESTAT")
        others = cursor.execute("select count(*) from v$tempstat").fetchone()

    assert error.full_code == "ORA-01555"
    assert others == (1,)


def test_an_error_may_have_its_own_words(server, connection):
    server.faults.fail("v$log", 600, text="ORA-00600: internal error code, arguments: [kcbz]")

    with connection.cursor() as cursor:
        error = complaint(cursor.execute, "select * from v$log")

    assert "kcbz" in error.message


def test_an_order_can_be_for_a_number_of_times(server, connection):
    server.faults.fail("v$log", 1013, times=2)
    with connection.cursor() as cursor:
        for _ in range(2):
            complaint(cursor.execute, "select * from v$log")

        assert cursor.execute("select count(*) from v$log").fetchone() == (3,)


def test_a_hanging_view_runs_into_the_time_limit(server, connection):
    with server.faults.hang("dba_free_space"), limited(connection), connection.cursor() as cursor:
        error = complaint(cursor.execute, "select * from dba_free_space")

    assert error.full_code == "DPY-4024"


def test_the_session_goes_on_after_the_time_limit(server, connection):
    server.faults.hang("dba_free_space", times=1)
    with connection.cursor() as cursor:
        with limited(connection):
            complaint(cursor.execute, "select * from dba_free_space")

        assert cursor.execute("select count(*) from v$log").fetchone() == (3,)


def test_the_time_limit_works_for_asyncio_too(server):
    async def visit() -> tuple[str, object]:
        options = {"user": "headroom", "password": "secret", "dsn": server.dsn}
        async with oracledb.connect_async(**options) as connection:
            with limited(connection), pytest.raises(oracledb.Error) as caught:
                await connection.fetchall("select * from dba_free_space")
            return caught.value.args[0].full_code, await connection.fetchone("select 1 from dual")

    server.faults.hang("dba_free_space")

    assert asyncio.run(visit()) == ("DPY-4024", (1,))


def test_a_client_can_cancel_what_it_asked(server, connection):
    with hanging(server, connection, "dba_free_space") as complaints:
        connection.cancel()

    assert complaints[0].full_code == "ORA-01013"
    connection.ping()


def test_a_late_answer_is_late(server, connection):
    server.faults.delay("v$log", 0.3, times=1)
    began = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("select * from v$log")

    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize("arraysize", [10, 1000])
def test_the_connection_drops_in_the_middle_of_a_row(server, connection, arraysize):
    server.faults.drop("v$sysstat", after_rows=25)
    with connection.cursor() as cursor:
        cursor.arraysize = arraysize
        error = complaint(lambda: cursor.execute("select * from v$sysstat").fetchall())

    assert error.full_code == "DPY-4011"
    assert not connection.is_healthy()
    assert ask(server, "select 1 from dual") == [(1,)]


def test_a_hanging_session_does_not_hold_up_the_others(server, connection):
    with hanging(server, connection, "dba_free_space") as complaints:
        assert ask(server, "select count(*) from v$log") == [(3,)]
        assert not complaints
        connection.cancel()

    assert complaints


def test_all_orders_are_lifted_at_once(server):
    server.faults.refuse()
    server.faults.deny(20)

    server.faults.clear()

    assert ask(server, "select 1 from dual") == [(1,)]


def test_a_hanging_client_is_cut_off_when_the_server_stops(database, server, connection):
    with hanging(server, connection, "v$log") as complaints:
        server.stop()

    assert complaints[0].full_code == "DPY-4011"
