"""What a reading makes of a server that misbehaves: a sentence, and everything else whole."""

import time
from dataclasses import replace

import oracledb
import pytest

from apps.collection.collector import CollectionError, SourceRun
from apps.platforms.oracle import connect, queries
from apps.platforms.oracle.categories import OSSTAT
from apps.platforms.oracle.collector import OracleSource, Run
from apps.platforms.oracle.connect import Login
from apps.platforms.oracle.errors import code_of, is_loss, is_silence
from apps.platforms.oracle.grants import views_read
from apps.platforms.oracle.guard import views_in
from apps.platforms.oracle.lacking import MOST_GRANTS
from apps.platforms.oracle.tests.conftest import LOGIN, read, source, target_of
from apps.platforms.oracle.versions import SCOPES, Scope
from testing.oracle_server import DatabaseUser


def make_impatient(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Wait a second for these, which hang: the driver gives the server as long again to break off."""
    for name in names:
        monkeypatch.setattr(queries, name, replace(getattr(queries, name), seconds=1.0))


class ShortRun(Run):
    """A reading whose time is nearly over when it comes to v$osstat."""

    def read(self, source: OracleSource) -> SourceRun:
        if source.category == OSSTAT:
            self.ends_at = self.reader.connection.ends_at = time.monotonic() + 1
        return super().read(source)


@pytest.mark.parametrize(
    ("code", "sentence", "is_worth_retrying", "needs_a_person"),
    [
        (
            28001,
            "its password has expired (ORA-28001). Give a new one on its page.",
            False,
            True,
        ),
        (
            28000,
            "its account is locked (ORA-28000). Have it unlocked (ALTER USER … ACCOUNT UNLOCK), then save its page again.",
            False,
            True,
        ),
        (
            18,
            "all its sessions are taken (ORA-00018). Raise SESSIONS, or find who holds them.",
            True,
            False,
        ),
        (
            20,
            "all its processes are taken (ORA-00020). Raise PROCESSES, or find who holds them.",
            True,
            False,
        ),
        (
            1033,
            "it is starting, stopping or only mounted (ORA-01033). A standby that stays mounted is read with a second account, one with SYSDG: give it under “New password”.",
            True,
            False,
        ),
        (
            1034,
            "the instance is down (ORA-01034). Start it, or pause it here while it is meant to be down.",
            True,
            False,
        ),
    ],
)
def test_a_refused_sign_in_is_told(server, code, sentence, is_worth_retrying, needs_a_person):
    server.faults.deny(code)

    with pytest.raises(CollectionError) as caught:
        read(server)

    assert str(caught.value) == f"GISPRD was not read: {sentence}"
    assert caught.value.is_worth_retrying is is_worth_retrying
    assert caught.value.needs_a_person is needs_a_person


def test_a_wrong_password_is_tried_once_and_never_shown(server):
    with pytest.raises(CollectionError, match=r"its user name or password is wrong \(ORA-01017\)") as caught:
        read(server, Login("HEADROOM", "a wrong secret"))

    assert caught.value.needs_a_person
    assert not caught.value.is_worth_retrying
    assert "a wrong secret" not in repr(caught.value) + repr(Login("HEADROOM", "a wrong secret"))


@pytest.mark.parametrize("address", [{"service": "NOSUCH"}, {"service": "", "sid": "NOSUCH"}])
def test_an_unknown_service_is_told(server, address):
    with pytest.raises(CollectionError, match=r"the listener does not know this S|service") as caught:
        Run(target_of(server, **address), [LOGIN]).collect()

    assert "ORA-125" in str(caught.value)
    assert not caught.value.is_worth_retrying


def test_a_listener_without_a_free_process_may_be_tried_again(server):
    server.faults.refuse(12516)

    with pytest.raises(CollectionError, match="no free server process") as caught:
        read(server)

    assert caught.value.is_worth_retrying


def test_nobody_at_the_port_is_told(server):
    server.stop()

    with pytest.raises(CollectionError, match=r"no listener answers there \(connection refused\)") as caught:
        read(server)

    assert caught.value.is_worth_retrying


def test_an_unknown_host_is_told(server):
    with pytest.raises(CollectionError, match="its host name is not known") as caught:
        Run(target_of(server, host="no-such-host.invalid"), [LOGIN]).collect()

    assert not caught.value.is_worth_retrying


def test_a_listener_that_takes_the_connection_and_never_answers_is_left(server, monkeypatch):
    monkeypatch.setattr(connect, "SIGN_IN_SECONDS", 0.4)
    server.faults.fall_silent()

    with pytest.raises(CollectionError, match="took the connection and did not answer") as caught:
        read(server)

    assert caught.value.is_worth_retrying


def test_no_more_than_a_few_connections_wait_for_a_silent_listener(server, monkeypatch):
    monkeypatch.setattr(connect, "SIGN_IN_SECONDS", 0.1)
    server.faults.fall_silent()
    for _ in range(connect.MOST_LEFT_BEHIND + 2):
        with pytest.raises(CollectionError):
            read(server)

    assert max(connect._left_behind.values()) == connect.MOST_LEFT_BEHIND


def test_a_missing_grant_names_the_grant_and_leaves_the_rest_whole(database, serve):
    server = serve(database)
    everything = {
        view for scope in SCOPES for _, sql in queries.statements_for(scope) for view in views_in(sql)
    }
    database.add_user(DatabaseUser("LIMITED", "secret", grants=frozenset(everything - {"v$pgastat"})))

    collected = read(server, Login("LIMITED", "secret"))

    [failed] = collected.failed
    assert failed.error == ("v$pgastat cannot be read (ORA-00942). GRANT READ ON sys.v_$pgastat TO LIMITED;")
    assert not failed.readings
    assert source(collected, "v$sgainfo").readings


def test_O11_several_missing_grants_are_told_in_one_sentence_with_all_of_them(database, serve):
    server = serve(database)
    everything = {
        view for scope in SCOPES for _, sql in queries.statements_for(scope) for view in views_in(sql)
    }
    lacking = {"v$pgastat", "v$sgainfo", "v$osstat"}
    database.add_user(DatabaseUser("LIMITED", "secret", grants=frozenset(everything - lacking)))

    (note, *_) = read(server, Login("LIMITED", "secret")).notes

    assert note == (
        "3 views may not be read by LIMITED: v$osstat, v$pgastat, v$sgainfo. GRANT READ ON sys.v_$osstat TO LIMITED;"
        " GRANT READ ON sys.v_$pgastat TO LIMITED; GRANT READ ON sys.v_$sgainfo TO LIMITED;"
    )


def test_without_v_instance_nothing_can_be_read(database, serve):
    server = serve(database)
    database.add_user(DatabaseUser("NOBODY", "secret", grants=frozenset()))

    with pytest.raises(CollectionError, match=r"GRANT READ ON sys\.v_\$instance TO NOBODY;"):
        read(server, Login("NOBODY", "secret"))


def test_an_account_without_any_grant_is_told_how_many_it_lacks(database, serve):
    """O11: the sentence named one view, and the next one when that was granted."""
    server = serve(database)
    database.add_user(DatabaseUser("NOBODY", "secret", grants=frozenset({"v$sysstat"})))

    with pytest.raises(CollectionError) as caught:
        read(server, Login("NOBODY", "secret"))

    views = len(views_read([Scope((19, 22))]))
    assert f"v$instance and {views - 2} more views cannot be read (ORA-00942)" in str(caught.value)
    assert str(caught.value).count("GRANT READ ON") == MOST_GRANTS
    assert f"{views - 1 - MOST_GRANTS} more grants stand in the script" in str(caught.value)
    assert "v_$sysstat" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "because"),
    [
        (28, "because the session was killed (ORA-00028)"),
        (600, "because the server met an internal error (ORA-00600)"),
        (3113, "(ORA-03113)"),
        (45, "because your session has been terminated with no replay (ORA-00045)"),
    ],
)
def test_a_lost_connection_is_told_with_its_cause_and_the_rest_is_read(server, code, because):
    """O4: the driver says that the connection was lost, and the reason in its second line."""
    text = "ORA-00045: your session has been terminated with no replay" if code == 45 else ""
    server.faults.fail("v$osstat", code, text=text, times=1)

    collected = read(server)

    [failed] = collected.failed
    assert failed.error == f"The connection was lost while v$osstat was read {because}."
    assert source(collected, "v$pgastat").readings


def test_a_connection_lost_after_signing_in_says_nothing_of_encryption(server):
    """O4: what hangs up before anybody signed in may want TCPS; this one took the password."""
    server.faults.drop("v$instance")

    with pytest.raises(CollectionError) as caught:
        read(server)

    assert str(caught.value) == (
        "GISPRD was not read: the connection was lost (DPY-4011). Look at the alert log, and at the network."
    )


def test_a_view_that_hangs_is_given_up_and_the_rest_is_read(server, monkeypatch):
    make_impatient(monkeypatch, "PGASTAT")
    server.faults.hang("v$pgastat")

    collected = read(server)

    [failed] = collected.failed
    assert failed.error == "v$pgastat did not answer within 1 s (DPY-4024)."
    assert failed.seconds >= 1


def test_an_instance_that_hangs_altogether_is_given_up_soon(server, monkeypatch):
    make_impatient(monkeypatch, "TIME_MODEL", "SYSTEM_EVENT", "OSSTAT", "PGASTAT")
    for view in ("v$sys_time_model", "v$system_event", "v$osstat", "v$pgastat"):
        server.faults.hang(view)

    collected = read(server)

    assert source(collected, "v$sysstat").readings
    assert source(collected, "tablespaces").error == "Not read: 3 sources before it did not answer."


def test_a_reading_ends_when_its_time_is_over(server):
    server.faults.hang("v$osstat")

    collected = ShortRun(target_of(server), [LOGIN]).collect()

    assert source(collected, "v$sysstat").readings
    assert "did not answer" in source(collected, "v$osstat").error
    assert source(collected, "v$pgastat").error.startswith("Not read:")


def test_a_connection_that_breaks_in_mid_row_is_made_anew(server):
    server.faults.drop("v$system_event", after_rows=1, times=1)

    collected = read(server)

    [failed] = collected.failed
    assert failed.error.startswith("The connection was lost while v$system_event was read")
    assert not failed.readings


def test_an_error_of_one_view_stays_with_it(server):
    server.faults.fail("v$osstat", 4031, text="ORA-04031: unable to allocate 40 bytes of shared memory")

    [failed] = read(server).failed

    assert failed.error == "v$osstat was not read: ORA-04031: unable to allocate 40 bytes of shared memory."


def test_a_view_without_rows_is_no_reading_of_zero(database, serve):
    database.set_rows("v$system_event", [])
    database.set_rows("v$resource_limit", [])

    collected = read(serve(database))

    assert source(collected, "v$system_event").error == "v$system_event shows no rows to this account."
    assert source(collected, "v$resource_limit").readings == []
    assert any("v$resource_limit is empty here" in note for note in collected.notes)


def test_a_mounted_standby_is_read_with_its_own_account(database, serve):
    server = serve(database)
    database.add_user(DatabaseUser("SB", "secret", privileges=frozenset({"SYSDG"})))
    database.fail_over()

    collected = read(server, LOGIN, Login("SB", "secret", oracledb.AuthMode.SYSDGD))

    assert collected.facts["role"] == "PHYSICAL STANDBY"
    assert source(collected, "v$sysstat").readings
    assert not [run for run in collected.sources if run.name == "tablespaces"]
    assert "The database is mounted, not open: its tablespaces were not read." in collected.notes


def test_a_mounted_standby_without_such_an_account_is_told(database, serve):
    server = serve(database)
    database.fail_over()

    with pytest.raises(CollectionError, match="only mounted"):
        read(server)


def test_an_unanswered_break_counts_as_silence():
    error = oracledb.DatabaseError(
        "DPY-4011: the database or network closed the connection\n"
        "socket timed out while recovering from previous socket timeout"
    )

    assert is_silence(error)
    assert is_loss(error)


def test_oracles_number_is_found_in_what_the_driver_makes_of_it():
    error = oracledb.OperationalError(
        "DPY-6005: cannot connect to database (CONNECTION_ID=x).\n"
        'DPY-6001: Service "X" is not registered with the listener at host "h" port 1521. (Similar to ORA-12514)'
    )

    assert code_of(error) == "ORA-12514"
