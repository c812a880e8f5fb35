"""Test connection, step by step."""

import pytest

from apps.platforms.oracle import connect, preflight, queries
from apps.platforms.oracle.connect import Login
from apps.platforms.oracle.preflight import test_connection as try_connection
from testing.oracle_server import DatabaseUser


@pytest.fixture(autouse=True)
def _on_any_machine(monkeypatch):
    """How soon a step is given up says how busy the machine is, but where a test is about that."""
    monkeypatch.setattr(preflight, "TEST_SECONDS", 100.0)
    monkeypatch.setattr(preflight, "ANSWER_SECONDS", 90.0)


def address(server):
    return {"host": "127.0.0.1", "port": server.port, "service": "GISPRD"}


def test_all_is_well(server):
    steps = try_connection(address(server), Login("HEADROOM", "secret-of-gis"))

    assert [step.name for step in steps[:4]] == ["Network", "Sign-in", "Release", "Clock"]
    assert steps[2].sentence == (
        "Oracle 19.22.0.0.0, instance GISPRD on dbx-gis01, primary, read write, up 40 days."
    )
    assert {"v$sysstat", "v$system_event", "dba_tablespaces"} <= {step.name for step in steps}
    assert [step for step in steps if not step.is_ok] == []


def test_a_missing_grant_comes_with_its_sql(server, database):
    database.add_user(
        DatabaseUser("LIMITED", "secret", grants=frozenset({"v$instance", "v$database", "v$sysstat"}))
    )

    steps = {step.name: step for step in try_connection(address(server), Login("LIMITED", "secret"))}

    assert steps["v$sysstat"].is_ok
    assert steps["v$pgastat"].sentence == "LIMITED may not read it (ORA-00942)."
    assert steps["v$pgastat"].script == "GRANT READ ON sys.v_$pgastat TO LIMITED;"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(28001, "Its password has expired (ORA-28001)."), (1034, "The instance is down (ORA-01034).")],
)
def test_a_refused_sign_in_ends_the_test(server, code, sentence):
    server.faults.deny(code)

    steps = try_connection(address(server), Login("HEADROOM", "secret-of-gis"))

    assert [step.name for step in steps] == ["Network", "Sign-in"]
    assert (steps[1].is_ok, steps[1].sentence) == (False, sentence)
    assert "secret-of-gis" not in repr(steps)


def test_nobody_at_the_port_ends_it_sooner(server):
    server.stop()

    [step] = try_connection(address(server), Login("HEADROOM", "secret-of-gis"))

    assert (step.name, step.is_ok) == ("Network", False)
    assert step.sentence == "No listener answers there (connection refused)."


def test_a_silent_listener_is_told(server, monkeypatch):
    monkeypatch.setattr(connect, "SIGN_IN_SECONDS", 0.3)
    server.faults.fall_silent()

    steps = try_connection(address(server), Login("HEADROOM", "secret-of-gis"))

    assert steps[-1].sentence == "The listener took the connection and did not answer."


def test_a_view_that_hangs_does_not_hold_the_test(server, monkeypatch):
    monkeypatch.setattr(queries, "PROBE_SECONDS", 0.3)
    server.faults.hang("v$pgastat")

    steps = {step.name: step for step in try_connection(address(server), Login("HEADROOM", "secret-of-gis"))}

    assert not steps["v$pgastat"].is_ok
    assert steps["v$sgainfo"].is_ok
