from collections import Counter
from datetime import UTC, datetime

import oracledb
import pytest

from testing.oracle_server import Database, DatabaseUser, OracleServer, PlayedTablespace, Wait, instance
from testing.oracle_server.dictionary import known_columns

from .conftest import ask, at, complaint, connect


@pytest.mark.parametrize(
    ("release", "column", "is_there"),
    [
        ("11.2.0.4.0", "cdb from v$database", False),
        ("12.1.0.2.0", "cdb from v$database", True),
        ("12.2.0.1.0", "version_full from v$instance", False),
        ("18.3.0.0.0", "version_full from v$instance", True),
        ("11.2.0.4.0", "con_id from v$sysstat", False),
        ("12.1.0.1.0", "block_size from v$pdbs", False),
        ("12.1.0.2.0", "block_size from v$pdbs", True),
        ("21.3.0.0.0", "allocation_size from dba_tablespace_usage_metrics", False),
        ("23.5.0.0.0", "allocation_size from dba_tablespace_usage_metrics", True),
    ],
)
def test_a_view_has_the_columns_of_the_release_that_is_played(release, column, is_there):
    with OracleServer(Database(release=release), users={"HEADROOM": "secret"}) as server:
        if is_there:
            ask(server, f"select {column}")
        else:
            assert complaint(ask, server, f"select {column}").full_code == "ORA-00904"


def test_release_11_has_no_containers():
    with OracleServer(Database(release="11.2.0.4.0"), users={"HEADROOM": "secret"}) as server:
        error = complaint(ask, server, "select name from v$pdbs")

    assert error.full_code == "ORA-00942"


@pytest.mark.parametrize("release", ["11.2.0.4.0", "12.1.0.2.0", "19.22.0.0.0", "23.5.0.0.0"])
def test_a_view_without_rows_is_empty_but_has_its_columns(release):
    database = Database(release=release)
    with OracleServer(database, users={"HEADROOM": "secret"}) as server, connect(server) as connection:
        cursor = connection.cursor()
        for name, view in database.views.items():
            cursor.execute(f"select * from {name}")

            assert [column[0] for column in cursor.description] == [column.name for column in view.columns]


def test_the_usual_instance_keeps_to_the_documented_columns(clock):
    database = instance("CDB1", clock=clock, hosts=["a", "b"], pdbs=["SALES"])
    for view in database.views:
        if view.startswith(("gv$", "cdb_")):
            continue
        for pdb in (None, *database.pdbs):
            rows = database.rows(view, database.instances[1], pdb, clock())

            assert {column.upper() for row in rows for column in row} <= known_columns(view)


def test_a_missing_grant_hides_a_view(server, database):
    database.add_user(
        DatabaseUser(
            "LIMITED",
            "secret",
            grants=frozenset({"V_$INSTANCE", "v$sysstat", "dba_data_files"}),
            forbidden=frozenset({"dba_segments"}),
        )
    )

    def look(view: str) -> int:
        return len(ask(server, f"select * from {view}", user="limited"))

    assert [look("v$instance"), look("sys.v_$instance"), look("dual"), look("session_privs")] == [1, 1, 1, 1]
    assert look("dba_data_files") > 1
    assert complaint(look, "v$system_event").full_code == "ORA-00942"
    assert complaint(look, "gv$instance").full_code == "ORA-00942"
    assert complaint(look, "dba_segments").full_code == "ORA-01031"


def test_a_mounted_database_shows_its_fixed_views_only(clock):
    database = instance("DWPRD", clock=clock, is_standby=True)
    database.add_user(DatabaseUser("MONITOR", "secret", privileges=frozenset({"SYSBACKUP"})))
    with OracleServer(database) as server:

        def count(view: str) -> int:
            mode = oracledb.AUTH_MODE_SYSBKP
            return int(ask(server, f"select count(*) from {view}", user="monitor", mode=mode)[0][0])

        assert count("v$datafile") > 0
        assert count("v$undostat") == 0
        assert complaint(count, "dba_tablespaces").full_code == "ORA-01219"


def test_gv_views_show_all_nodes_that_are_up(clock):
    database = instance("SHOP", clock=clock, hosts=["rac1", "rac2"])
    sql = "select inst_id, host_name from gv$instance order by inst_id"
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        both = ask(server, sql)
        redo = dict(ask(server, "select inst_id, value from gv$sysstat where name = 'redo size'"))
        database.instances[0].is_up = False
        survivor = ask(server, sql)

        threads = ask(server, "select thread#, count(*) from v$log group by thread# order by thread#")

    assert both == [(1, "rac1"), (2, "rac2")]
    assert threads == [(1, 3), (2, 3)]
    assert redo[1] != redo[2]
    assert survivor == [(2, "rac2")]


def test_a_container_sees_itself_and_the_root_sees_all(clock):
    database = instance("CDB1", clock=clock, pdbs=["SALES", "HR"])
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        names = "select con_id, name from v$pdbs order by con_id"
        from_root = ask(server, names)
        from_pdb = ask(server, names, service="hr")
        containers = ask(
            server, "select con_id, count(*) from cdb_data_files group by con_id order by con_id"
        )
        commits = "select value from {} where name = 'user commits'"
        in_root = ask(server, commits.format("v$sysstat"))[0][0]
        in_pdb = ask(server, commits.format("v$sysstat"), service="hr")[0][0]
        parts = [row[0] for row in ask(server, commits.format("v$con_sysstat"))]
        limits = ask(server, "select * from v$resource_limit", service="hr")

    assert from_root == [(2, "PDB$SEED"), (3, "SALES"), (4, "HR")]
    assert from_pdb == [(4, "HR")]
    assert [con_id for con_id, _ in containers] == [1, 3, 4]
    assert in_pdb < sum(parts) < in_root
    assert limits == []


def test_a_session_can_enter_a_container(clock):
    database = instance("CDB1", clock=clock, pdbs=["SALES"])
    with OracleServer(database, users={"HEADROOM": "secret"}) as server, connect(server) as connection:
        cursor = connection.cursor()
        cursor.execute("alter session set container = sales")

        assert cursor.execute("select sys_context('userenv', 'con_name') from dual").fetchone() == ("SALES",)


def test_licensed_views_exist_and_reading_them_is_on_record(server):
    with connect(server) as connection:
        connection.module = "curious"
        connection.cursor().execute("select count(*) from dba_hist_sysstat, v$active_session_history")

    statement = server.statements[-1]

    assert "dba_hist_sysstat" in statement.sql
    assert (statement.user, statement.module, statement.instance) == ("HEADROOM", "curious", "DWPRD")


def test_a_view_shows_the_rows_it_is_given(server, database):
    database.set_rows("v$asm_diskgroup_stat", [{"NAME": "DATA", "total_mb": 1000, "usable_file_mb": 250.5}])
    database.set_rows("dba_users", lambda now: [{"username": "APP", "created": now}])

    groups = ask(server, "select name, usable_file_mb, free_mb from v$asm_diskgroup_stat")
    users = ask(server, "select username, created from dba_users")

    assert groups == [("DATA", 250.5, None)]
    assert users == [("APP", at("2026-03-02 11:00"))]


def test_a_mistaken_view_or_column_is_refused(database):
    with pytest.raises(ValueError, match="no column SIZE_MB"):
        database.set_rows("v$asm_diskgroup_stat", [{"size_mb": 1}])
    with pytest.raises(ValueError, match="no view v\\$asm_discgroup"):
        database.set_rows("v$asm_discgroup", [])


def test_the_usual_instance_hangs_together(server):
    used, files, metrics = (
        ask(server, sql)[0][0]
        for sql in (
            "select sum(bytes) from dba_segments where tablespace_name = 'SALES_DATA'",
            "select sum(bytes) from dba_data_files where tablespace_name = 'SALES_DATA'",
            "select used_space * 8192 from dba_tablespace_usage_metrics where tablespace_name = 'SALES_DATA'",
        )
    )
    classes = Counter(row[0] for row in ask(server, "select wait_class from v$event_name"))
    time = dict(ask(server, "select stat_name, value from v$sys_time_model"))
    orphans = ask(
        server, "select count(*) from v$system_event where event not in (select name from v$event_name)"
    )
    joined = ask(server, "select count(*) from v$filestat f join v$datafile d on d.file# = f.file#")
    statistics = ask(server, "select count(*) from v$sysstat where value > 0")[0][0]

    assert used <= metrics < files
    assert classes["Idle"] > 100
    assert classes["Commit"] == 5
    assert 0 < time["DB CPU"] < time["DB time"]
    assert orphans == [(0,)]
    assert joined == ask(server, "select count(*) from dba_data_files")
    assert statistics > 250


def test_what_a_test_needs_otherwise_it_says(clock):
    database = instance(
        "DWPRD",
        clock=clock,
        started_at=datetime(2026, 3, 1, 10, tzinfo=UTC),
        noise=0,
        daily_growth=0,
        rates={"redo size": 5e6},
        waits={"log file sync": Wait(100, 20_000)},
        parameters={"processes": "150"},
        tablespaces=[PlayedTablespace("ONLY", 2**30)],
    )
    with OracleServer(database, users={"HEADROOM": "secret"}) as server:
        redo = ask(server, "select value from v$sysstat where name = 'redo size'")[0][0]
        wait = ask(
            server, "select time_waited_micro / total_waits from v$system_event where event = 'log file sync'"
        )
        processes = ask(server, "select value from v$system_parameter where name = 'processes'")
        tablespaces = ask(server, "select tablespace_name from dba_tablespaces")

    # The first of March 2026 is a Sunday: less is done than on average.
    assert 1e11 < redo < 5e6 * 86400
    assert 15_000 < wait[0][0] < 25_000
    assert processes == [("150",)]
    assert tablespaces == [("ONLY",)]
