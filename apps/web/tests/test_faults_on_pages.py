"""Every way in which a reading can go wrong has its sentence, and a next step, on the pages about collection."""

import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from apps.collection.collect import collect_target
from apps.collection.models import CollectionRun
from apps.inventory.models import Credential, Target
from apps.inventory.register import point_at, set_password
from apps.platforms.linux.tests.test_ssh import sshd as sshd  # a real one, on loopback
from apps.platforms.oracle import collector, connect, queries
from apps.platforms.oracle.grants import views_read
from apps.platforms.oracle.tests.certificates import certify, listener, wallet
from apps.platforms.oracle.tests.conftest import fill
from apps.platforms.oracle.tests.lives import MIDNIGHT, Life, life_of
from apps.platforms.oracle.tests.test_faults import ShortRun
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Clock, Database, DatabaseUser, OracleServer

pytestmark = pytest.mark.django_db
Misbehave = Callable[[Life, pytest.MonkeyPatch], object]


@pytest.fixture
def life() -> Iterator[Life]:
    clock = Clock(MIDNIGHT)
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10)))
    with life_of(database, clock) as life:
        life.target()
        yield life


@pytest.fixture
def client() -> Client:
    return signed_in(is_planner=True)


def hurry(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for name in names:
        monkeypatch.setattr(queries, name, replace(getattr(queries, name), seconds=1.0))


def without(life: Life, *views: str) -> None:
    """Let the account read everything but these."""
    life.database.users["HEADROOM"] = DatabaseUser(
        "HEADROOM", "secret-of-gis", grants=frozenset(set(views_read()) - set(views))
    )


def with_password(life: Life, password: str) -> None:
    set_password(life.target(), "HEADROOM", password)


def at(life: Life, **address: object) -> None:
    target = life.target()
    point_at(target, target.address | address)
    with_password(life, "secret-of-gis")


def silent(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "SIGN_IN_SECONDS", 0.3)
    life.server.faults.fall_silent()


def hanging(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, "PGASTAT")
    life.server.faults.hang("v$pgastat")


def endless(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "Run", ShortRun)
    life.server.faults.hang("v$osstat")


def hanging_altogether(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, "TIME_MODEL", "SYSTEM_EVENT", "OSSTAT")
    for view in ("v$sys_time_model", "v$system_event", "v$osstat"):
        life.server.faults.hang(view)


RUNS, PASSWORD = "Look at its runs", "Give a new password"
NOT_READ: dict[str, tuple[Misbehave, str, str]] = {
    "unknown service": (lambda x, m: at(x, service="NOSUCH"), "the listener does not know this service (ORA-12514)", RUNS),
    "unknown SID": (lambda x, m: at(x, service="", sid="NOSUCH"), "the listener does not know this SID (ORA-12505)", RUNS),
    "unknown host": (lambda x, m: at(x, host="no-such-host.invalid"), "its host name is not known to this machine", RUNS),
    "nobody at the port": (lambda x, m: x.server.stop(), "no listener answers there", RUNS),
    "no process": (lambda x, m: x.server.faults.refuse(12516), "the listener has no free server process (ORA-12516)", RUNS),
    "starting": (lambda x, m: x.server.faults.refuse(12528), "the listener admits nobody while the instance starts", RUNS),
    "silent": (silent, "the listener took the connection and did not answer", RUNS),
    "sessions": (lambda x, m: x.server.faults.run_out_of_sessions(), "all its sessions are taken (ORA-00018)", RUNS),
    "processes": (lambda x, m: x.server.faults.run_out_of_processes(), "all its processes are taken (ORA-00020)", RUNS),
    "down": (lambda x, m: x.server.faults.deny(1034), "the instance is down (ORA-01034)", RUNS),
    "mounted": (lambda x, m: x.database.fail_over(), "starting, stopping or only mounted (ORA-01033). A standby that stays", RUNS),
    "for administrators": (lambda x, m: x.server.faults.deny(1035), "open to administrators only (ORA-01035)", RUNS),
    "no right to sign in": (lambda x, m: x.server.faults.deny(1045, text="user HEADROOM lacks CREATE SESSION privilege; logon denied"), "GRANT CREATE SESSION", RUNS),
    "wrong password": (lambda x, m: with_password(x, "wrong"), "its user name or password is wrong (ORA-01017)", PASSWORD),
    "expired": (lambda x, m: x.server.faults.deny(28001), "its password has expired (ORA-28001)", PASSWORD),
    "locked": (lambda x, m: x.server.faults.deny(28000), "its account is locked (ORA-28000)", PASSWORD),
    "no account": (lambda x, m: Credential.objects.all().delete(), "nobody gave a user name and password", PASSWORD),
    "v$instance": (lambda x, m: without(x, "v$instance"), "GRANT READ ON sys.v_$instance TO HEADROOM;", RUNS),
}  # fmt: skip

READ_IN_PART: dict[str, tuple[Misbehave, str]] = {
    "a missing grant": (lambda x, m: without(x, "v$pgastat"), "v$pgastat cannot be read (ORA-00942). GRANT READ ON sys.v_$pgastat TO HEADROOM;"),
    "an error": (lambda x, m: x.server.faults.fail("v$osstat", 4031, text="ORA-04031: no memory"), "v$osstat was not read: ORA-04031: no memory."),
    "a view that hangs": (hanging, "v$pgastat did not answer within 1 s (DPY-4024)."),
    "a connection that breaks": (lambda x, m: x.server.faults.drop("v$system_event", after_rows=1, times=1), "The connection was lost while v$system_event was read"),
    "an empty view": (lambda x, m: x.database.set_rows("v$system_event", []), "v$system_event shows no rows to this account."),
    "no more time": (endless, "did not answer"),
    "three views that hang": (hanging_altogether, "v$sys_time_model did not answer"),
}  # fmt: skip

NOTED: dict[str, tuple[Misbehave, str]] = {
    "another clock": (lambda x, m: None, "behind this machine's: figures of its host do not line up."),
    "a pluggable database's limits": (lambda x, m: x.database.set_rows("v$resource_limit", []), "v$resource_limit is empty here"),
    "usage without a grant": (lambda x, m: without(x, "dba_tablespace_usage_metrics"), "Used space comes from dba_free_space"),
    "role unknown": (lambda x, m: without(x, "v$database"), "v$database cannot be read (ORA-00942)"),
}  # fmt: skip


def pages(client: Client, target: Target) -> tuple[str, str]:
    """The page about all targets' collection, and the one about this target's."""
    addresses = (reverse("collection"), reverse("target_collection", args=[target.pk]))
    bodies = [client.get(address).content.decode() for address in addresses]
    texts = [page.replace("&#x27;", "'").replace("&quot;", '"') for page in bodies]
    return texts[0], texts[1]


@pytest.mark.parametrize(("misbehave", "sentence", "step"), NOT_READ.values(), ids=NOT_READ)
def test_what_was_not_read_says_why_and_what_to_do(life, client, monkeypatch, misbehave, sentence, step):
    misbehave(life, monkeypatch)

    run = life.collect()
    of_all, of_target = pages(client, life.target())

    assert run.state == CollectionRun.State.FAILED
    assert sentence in of_all
    assert sentence in of_target
    assert step in of_all
    assert "secret-of-gis" not in of_all + of_target


@pytest.mark.parametrize(("misbehave", "sentence"), READ_IN_PART.values(), ids=READ_IN_PART)
def test_a_source_that_failed_says_why_and_the_others_what_they_cost(
    life, client, monkeypatch, misbehave, sentence
):
    misbehave(life, monkeypatch)

    run = life.collect()
    of_all, of_target = pages(client, life.target())

    assert run.state == CollectionRun.State.PARTIAL
    assert sentence in of_all
    assert sentence in of_target
    assert '<th scope="row">v$sysstat</th>' in of_all  # among what reading costs
    assert '<th scope="row">v$sysstat</th>' in of_target


@pytest.mark.parametrize(("misbehave", "sentence"), NOTED.values(), ids=NOTED)
def test_what_is_worth_knowing_of_a_whole_reading_is_noted(life, client, monkeypatch, misbehave, sentence):
    misbehave(life, monkeypatch)

    run = life.collect()
    of_all, of_target = pages(client, life.target())

    assert run.has_snapshot
    assert sentence in of_all
    assert sentence in of_target


def test_a_change_of_role_a_restart_and_another_instance_are_told(life, client):
    life.collect()
    life.clock.advance(days=1)
    life.database.role = "SNAPSHOT STANDBY"
    life.server.restart()
    life.collect()
    role, _ = pages(client, life.target())
    life.clock.advance(days=1)
    life.database.dbid += 1
    life.collect()
    other, _ = pages(client, life.target())

    assert "Its role changed from primary to snapshot standby." in role
    assert "Another instance answers" in other


def test_a_certificate_that_nobody_trusts_is_told(life, client, tmp_path: Path):
    authority, stranger = certify("The authority"), certify("Another")
    tls: ssl.SSLContext = listener(tmp_path, certify("gis", authority))
    with OracleServer(life.database, service="GISPRD", tls=tls) as server:
        at(life, host="localhost", port=server.port, protocol="tcps", wallet=wallet(tmp_path, stranger))
        life.collect()
        of_all, _ = pages(client, life.target())

    assert "its certificate is signed by nobody whom the wallet trusts" in of_all


OTHER_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7c+qVvE1H9gOJlX7V0nCzHlyVKFB3MEr4wGvUPtTtm"


@pytest.mark.parametrize(
    ("address", "password", "sentence", "step"),
    [
        (
            {"host_key": OTHER_KEY},
            "x",
            "presents another host key than the stored one",
            "Look at its address",
        ),
        ({"host_key": ""}, "x", "No host key is stored for web1", "Look at its address"),
        ({"key_file": "/nowhere/key"}, "", "The private key /nowhere/key", "Look at its address"),
        ({}, "certainly wrong", "refused to sign in", "Give a new password"),
        ({"port": 1}, "x", "127.0.0.1:1 cannot be reached", "Look at its runs"),
    ],
)
def test_a_host_that_was_not_read_says_why_and_what_to_do(
    life, client, sshd, address, password, sentence, step
):
    fields = {"host": "127.0.0.1", "port": sshd.port, "user": sshd.user, "host_key": sshd.host_key} | address
    target = Target.objects.create(
        name="web1", kind="host", platform="linux", collector="linux-ssh", address=fields, registered_at=MIDNIGHT
    )  # fmt: skip
    Credential.objects.create(target=target, username=sshd.user, password=password)

    collect_target(target, MIDNIGHT, MIDNIGHT)
    of_all, of_target = pages(client, target)

    assert sentence in of_all
    assert sentence in of_target
    assert step in of_all
