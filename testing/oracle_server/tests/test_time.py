from datetime import timedelta

import pytest

from testing.oracle_server import OracleServer, instance

from .conftest import ask, complaint, connect

SYSSTAT = "select name, value from v$sysstat"
GAUGES = {
    "logons current",
    "opened cursors current",
    "workarea memory allocated",
    "session cursor cache count",
}


def test_a_hundred_and_twenty_days_pass_in_seconds(server, clock, fetch):
    before = dict(fetch(SYSSTAT))
    redo = []
    for _ in range(120):
        clock.advance(days=1)
        now = dict(fetch(SYSSTAT))
        fallen = [name for name, value in now.items() if value < before[name] and name not in GAUGES]
        redo.append(now["redo size"] - before["redo size"])
        before = now

        assert not [name for name in fallen if not name.startswith("session ")]

    weeks = [sum(redo[start : start + 7]) for start in range(0, 119, 7)]
    assert weeks[-1] > weeks[0]
    assert min(redo) < 0.8 * max(redo)


def test_a_restart_empties_the_counters(server, database, clock):
    clock.advance(hours=1)
    before = dict(ask(server, SYSSTAT))
    server.restart()
    clock.advance(hours=1)
    after = dict(ask(server, SYSSTAT))
    started, now = ask(server, "select startup_time, sysdate from v$instance")[0]

    assert 0 < after["user commits"] < before["user commits"] / 100
    assert now - started == timedelta(hours=1)


def test_a_restart_cuts_off_the_sessions(server, connection):
    server.restart()

    assert complaint(connection.ping).full_code == "DPY-4011"
    assert ask(server, "select 1 from dual") == [(1,)]


def test_a_restart_does_not_empty_the_logs(server, clock):
    sequences = "select max(sequence#) from v$log"
    before = ask(server, sequences)[0][0]
    server.restart()
    clock.advance(days=1)

    assert ask(server, sequences)[0][0] > before


def test_history_rows_follow_the_clock(server, clock, fetch):
    recent = "select count(*), max(end_time) from v$undostat where begin_time > sysdate - 1"
    history = "select count(*) from v$log_history where first_time > sysdate - 1"

    rows, last = fetch(recent)[0]
    (now,) = fetch("select sysdate from dual")[0]
    switches = fetch(history)[0][0]
    clock.advance(days=30)

    assert 143 <= rows <= 145
    assert now - last < timedelta(minutes=10)
    assert 10 < switches < 200
    assert fetch(recent)[0][0] == rows
    assert fetch(history)[0][0] > 10


def test_space_grows_from_day_to_day(clock, fetch):
    sql = "select tablespace_name, used_percent from dba_tablespace_usage_metrics"
    before = dict(fetch(sql))
    clock.advance(days=90)
    after = dict(fetch(sql))

    assert after["SALES_DATA"] > before["SALES_DATA"] + 5
    assert all(0 < percent <= 100 for percent in after.values())


def test_a_failover_changes_the_roles(clock):
    role = "select database_role, open_mode from v$database"
    primary = instance("DWPRD", clock=clock, unique_name="DWPRD_A")
    standby = instance("DWPRD", clock=clock, unique_name="DWPRD_B", is_standby=True)
    with OracleServer(primary, standby, users={"HEADROOM": "secret"}) as server:
        before = ask(server, role, service="DWPRD_A")
        server.fail_over()
        after = ask(server, role, service="DWPRD_B")
        refusal = complaint(connect, server, "DWPRD_A")

    assert before == after == [("PRIMARY", "READ WRITE")]
    assert refusal.full_code == "ORA-01033"


def test_the_same_seed_tells_the_same_story(clock):
    values = []
    for _ in range(2):
        database = instance("DWPRD", clock=clock, seed=7)
        values.append(list(database.rows("v$sysstat", database.instances[0], None, clock())))

    assert values[0] == values[1]


def test_daylight_saving_does_not_turn_counters_back(clock, fetch, server):
    # Clocks in Berlin go forward on 29 March 2026 and back on 25 October.
    for move in (timedelta(days=26, hours=14), timedelta(days=210)):
        clock.advance(days=move.days, seconds=move.seconds)
        values = []
        for _ in range(8):
            clock.advance(minutes=30)
            values.append(fetch("select value from v$sysstat where name = 'redo size'")[0][0])

        assert values == sorted(values)


@pytest.mark.parametrize("view", ["v$osstat", "v$system_event", "v$filestat", "v$segstat"])
def test_counters_of_other_views_only_rise(view, fetch, clock):
    columns = {
        "v$osstat": "stat_name, value from v$osstat where cumulative = 'YES'",
        "v$system_event": "event, time_waited_micro from v$system_event",
        "v$filestat": "file#, phyrds + phywrts + readtim from v$filestat",
        "v$segstat": "obj# || '/' || statistic_name, value from v$segstat",
    }
    before = dict(fetch(f"select {columns[view]}"))
    for _ in range(10):
        clock.advance(hours=7)
        after = dict(fetch(f"select {columns[view]}"))

        assert all(after[name] >= value for name, value in before.items())
        before = after
