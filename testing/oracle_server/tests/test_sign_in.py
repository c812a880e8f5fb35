import asyncio
import threading
import time

import oracledb
import pytest

from testing.oracle_server import Database, DatabaseUser, OpenState, OracleServer, instance

from .conftest import ask, complaint, connect


@pytest.mark.parametrize("release", ["11.2.0.4.0", "12.2.0.1.0", "19.22.0.0.0", "21.3.0.0.0", "23.5.0.0.0"])
def test_the_driver_signs_in_to_every_release(release, clock):
    database = instance("DWPRD", release=release, clock=clock)
    with OracleServer(database, users={"HEADROOM": "secret"}) as server, connect(server) as connection:
        connection.ping()

        assert connection.version == release


def test_the_connection_knows_where_it_is(connection):
    assert connection.service_name == "DWPRD"
    assert connection.instance_name == "DWPRD"
    assert connection.db_name == "DWPRD"


@pytest.mark.parametrize(
    ("user", "password"), [("headroom", "wrong"), ("headroom", ""), ("nobody", "secret")]
)
def test_a_wrong_password_is_ora_01017(server, user, password):
    error = complaint(connect, server, user=user, password=password or " ")

    assert error.full_code == "ORA-01017"


def test_a_wrong_service_is_ora_12514(server):
    error = complaint(connect, server, "NOSUCH")

    assert "ORA-12514" in error.message


def test_a_wrong_sid_is_ora_12505(server):
    error = complaint(connect, server, dsn=None, host="127.0.0.1", port=server.port, sid="NOSUCH")

    assert "ORA-12505" in error.message


def test_a_sid_leads_to_its_instance(server):
    place = {"dsn": None, "host": "127.0.0.1", "port": server.port, "sid": "DWPRD"}

    rows = ask(server, "select instance_name from v$instance", **place)

    assert rows == [("DWPRD",)]


def test_a_long_connect_descriptor_comes_in_a_second_packet(server):
    dsn = (
        f"(DESCRIPTION=(CONNECT_TIMEOUT=5)(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT={server.port}))"
        f"(CONNECT_DATA=(SERVICE_NAME=DWPRD)(COLOCATION_TAG={'x' * 300})))"
    )

    assert ask(server, "select dummy from dual", dsn=dsn) == [("X",)]


def test_nobody_listens_after_the_server_has_stopped(database):
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        pass

    assert complaint(connect, server).full_code == "DPY-6005"


@pytest.mark.parametrize(("change", "code"), [("is_expired", "ORA-28001"), ("is_locked", "ORA-28000")])
def test_an_account_can_be_expired_or_locked(server, database, change, code):
    setattr(database.users["HEADROOM"], change, True)

    assert complaint(connect, server).full_code == code


def test_only_administrators_enter_a_mounted_standby(clock):
    database = instance("DWPRD", clock=clock, is_standby=True)
    database.add_user(DatabaseUser("MONITOR", "secret", privileges=frozenset({"SYSDG"})))
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        refusal = complaint(connect, server)
        rows = ask(
            server,
            "select i.status, d.database_role from v$instance i cross join v$database d",
            user="monitor",
            mode=oracledb.AUTH_MODE_SYSDGD,
        )

    assert refusal.full_code == "ORA-01033"
    assert rows == [("MOUNTED", "PHYSICAL STANDBY")]


def test_administration_needs_its_privilege(server):
    error = complaint(connect, server, mode=oracledb.AUTH_MODE_SYSDBA)

    assert error.full_code == "ORA-01017"


def test_a_rac_service_leads_to_any_node_and_an_instance_name_to_one(clock):
    database = instance("SHOP", clock=clock, hosts=["rac1", "rac2"])
    with OracleServer(database, service="SHOP_RW", users={"HEADROOM": "secret"}) as server:
        hosts = {ask(server, "select host_name from v$instance")[0][0] for _ in range(4)}
        dsn = f"127.0.0.1:{server.port}/SHOP_RW/SHOP2"
        second = ask(server, "select instance_number, parallel from v$instance", dsn=dsn)
        database.instances[1].is_up = False
        left = {ask(server, "select host_name from v$instance")[0][0] for _ in range(4)}

    assert hosts == {"rac1", "rac2"}
    assert second == [(2, "YES")]
    assert left == {"rac1"}


def test_a_service_of_a_container_leads_into_it(clock):
    database = instance("CDB1", clock=clock, pdbs=["SALES", "HR"])
    question = "select sys_context('userenv', 'con_name'), sys_context('userenv', 'con_id') from dual"
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        inside = ask(server, question, service="hr")
        above = ask(server, question)

    assert inside == [("HR", "4")]
    assert above == [("CDB$ROOT", "1")]


def test_one_server_serves_several_databases(clock):
    databases = [Database(name, clock=clock) for name in ("ONE", "TWO")]
    with OracleServer(*databases, users={"HEADROOM": "secret"}) as server:
        names = [ask(server, "select name from v$database", service=each)[0][0] for each in ("one", "two")]

    assert names == ["ONE", "TWO"]


def test_an_instance_that_is_not_mounted_shows_its_memory_only(clock):
    database = instance("DWPRD", clock=clock)
    database.state = OpenState.NOMOUNT
    database.add_user(DatabaseUser("SYS", "secret", privileges=frozenset({"SYSDBA"})))
    with OracleServer(database) as server:
        options = {"user": "sys", "mode": oracledb.AUTH_MODE_SYSDBA}
        status = ask(server, "select status from v$instance", **options)
        error = complaint(ask, server, "select name from v$database", **options)

    assert status == [("STARTED",)]
    assert error.full_code == "ORA-01507"


def test_a_pool_hands_out_connections_that_work(server):
    pool = oracledb.create_pool(user="headroom", password="secret", dsn=server.dsn, min=1, max=3)
    for _ in range(5):
        with pool.acquire() as connection, connection.cursor() as cursor:
            assert cursor.execute("select 1 from dual").fetchone() == (1,)
    pool.close()


def test_two_hundred_clients_can_be_connected_at_once(server):
    async def visit() -> int:
        options = {"user": "headroom", "password": "secret", "dsn": server.dsn}
        connections = await asyncio.gather(*(oracledb.connect_async(**options) for _ in range(200)))
        answers = await asyncio.gather(*(each.fetchone("select 1 from dual") for each in connections))
        await asyncio.gather(*(each.close() for each in connections))
        return sum(answer[0] for answer in answers)

    assert asyncio.run(visit()) == 200


def test_threads_share_the_server(server):
    answers = []

    def visit() -> None:
        answers.append(ask(server, "select count(*) from v$sysstat")[0][0])

    threads = [threading.Thread(target=visit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(answers)) == 1
    assert len(answers) == 8


def test_a_session_leaves_nothing_behind(server):
    connect(server).close()
    ask(server, "select 1 from dual")

    deadline = time.monotonic() + 60
    while server.sessions and time.monotonic() < deadline:
        time.sleep(0.01)

    assert not server.sessions
