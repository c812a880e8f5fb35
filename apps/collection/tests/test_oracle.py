"""Bad days of an Oracle instance from slot to run, through the real driver and a server that speaks its protocol."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.collection.collect import collect_target
from apps.collection.due_slots import due_collections
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import prepare
from apps.inventory.models import Target
from apps.inventory.register import register_target, set_password
from apps.platforms.oracle.tests.conftest import NOW, fill
from apps.snapshots.models import Snapshot
from testing.oracle_server import Clock, Database, OracleServer

pytestmark = pytest.mark.django_db

SECRET = "secret-of-gis"


@pytest.fixture
def server() -> Iterator[OracleServer]:
    database = fill(Database("GISPRD", clock=Clock(NOW), hosts=["dbx-gis01"]))
    server = OracleServer(database, service="GISPRD", users={"HEADROOM": SECRET}).start()
    yield server
    server.stop()


def registered(server: OracleServer, password: str = SECRET, **address: object) -> Target:
    prepare(NOW.date())
    return register_target(
        "GISPRD",
        kind="instance",
        platform="oracle",
        collector="oracle",
        address={"host": "127.0.0.1", "port": server.port, "service": "GISPRD"} | address,
        now=NOW - timedelta(hours=1),
        username="HEADROOM",
        password=password,
    )


def collected(target: Target, minutes: int = 0) -> CollectionRun:
    at = NOW.replace(second=0) + timedelta(minutes=minutes)
    return collect_target(target, at, timezone.now())


def test_an_instance_is_read_and_its_run_says_how_long_each_source_took(server):
    run = collected(registered(server))

    assert (run.state, run.failed_sources) == ("complete", [])
    assert {"v$sysstat", "v$system_event"} <= {source["name"] for source in run.sources}
    assert run.series == sum(source["series"] for source in run.sources) > 30
    assert Snapshot.objects.exists()


def test_a_wrong_password_is_tried_once_and_the_target_waits_for_another(server):
    target = registered(server, "wrong")

    run = collected(target)

    assert run.state == "failed"
    assert "ORA-01017" in run.reason
    target.refresh_from_db()
    assert target.is_blocked
    assert due_collections(timezone.now() + timedelta(days=1)) == []
    set_password(target, "HEADROOM", SECRET)
    assert collected(target, minutes=1).state == "complete"


def test_an_unreachable_host_and_an_unknown_service_are_told_in_a_sentence(server):
    silent = registered(server, port=1)
    unknown = Target.objects.create(
        name="OTHER", kind="instance", platform="oracle", collector="oracle", registered_at=NOW,
        address={"host": "127.0.0.1", "port": server.port, "service": "NOSUCH"},
    )  # fmt: skip
    set_password(unknown, "HEADROOM", SECRET)

    unreachable, wrong = collected(silent), collected(unknown)

    assert (unreachable.state, unreachable.is_worth_retrying) == ("failed", True)
    assert (wrong.state, wrong.is_worth_retrying) == ("failed", False)
    assert "the listener does not know this service (ORA-12514)" in wrong.reason
    assert not Snapshot.objects.exists()
