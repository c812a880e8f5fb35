"""One reading of an instance, through the real driver, from a server that can misbehave."""

import gc
import time
from collections.abc import Callable
from datetime import UTC, timedelta

import pytest

from apps.collection.collector import Collected, CollectionError
from apps.inventory.models import Credential, Target
from apps.platforms.oracle import collector
from apps.platforms.oracle.categories import CATEGORIES, CONTAINERS, DERIVED, LOGINS
from apps.platforms.oracle.collector import SOURCES, OracleCollector, Run
from apps.platforms.oracle.connect import Login
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.tests.conftest import LOGIN, NOW, MiB, fill, read, source, target_of
from testing.oracle_server import Clock, Database, OracleServer
from testing.oracle_server.clock import wall_clock

METRIC_BY_KEY = {metric.key: metric for metric in METRICS}


def values(collected: Collected) -> dict[tuple[str, str], float]:
    return {(each.metric, each.component): each.value for run in collected.sources for each in run.readings}


def test_an_instance_is_read_through_the_driver(server):
    collected = read(server)

    assert collected.failed == []
    read_values = values(collected)
    assert read_values["redo_size", ""] == 5e12
    assert read_values["sysstat", "something of this release"] == 12
    assert read_values["sysstat_level", "session pga memory"] == -4096
    assert read_values["wait_time", "log file sync"] == 2e6
    assert read_values["cpu_cores", ""] == 16
    assert read_values["pga_allocated", ""] == 24 * 1024 * MiB
    assert read_values["processes_limit", ""] == 500
    assert ("sessions_limit", "") not in read_values
    assert read_values["ts_used_mb", "DATA"] == 1280 * 8192
    assert read_values["ts_max_mb", "DATA"] == 40 * MiB
    assert read_values["ts_used_mb", "TEMP"] == 2 * MiB
    assert read_values["redo_log_devices", ""] == 2
    assert read_values["redo_log_total_bytes", ""] == 3000 * MiB
    assert read_values["login_time_ms", ""] > 0


def test_every_reading_belongs_to_its_source(server):
    for run in read(server).sources:
        for reading in run.readings:
            metric = METRIC_BY_KEY[reading.metric]
            assert metric.category == run.category
            assert bool(metric.component_kind) == bool(reading.component)


def test_each_category_is_filled_by_one_source(server):
    categories = [run.category for run in read(server).sources]

    assert len(categories) == len(set(categories))
    assert set(categories) == set(CATEGORIES) - {DERIVED, CONTAINERS, LOGINS}


def test_waits_carry_their_class_and_those_that_did_not_occur_are_absent(server):
    waits = source(read(server), "v$system_event")

    assert waits.classes["log file sync"] == "Commit"
    assert 'ges: it\'s "odd" & <strange> µ' in waits.classes
    assert "never waited for" not in {reading.component for reading in waits.readings}


def test_facts_and_the_proposed_host(server):
    collected = read(server)

    assert collected.proposed_host == "dbx-gis01"
    facts = collected.facts
    assert (facts["version"], facts["role"], facts["open_mode"]) == ("19.22.0.0.0", "PRIMARY", "READ WRITE")
    assert (facts["parameter/sga_target"], facts["parameter/db_block_size"]) == ("8G", "8192")
    assert "parameter/nothing_special" not in facts


def test_moments_are_utc_whatever_the_hosts_clock_shows(serve):
    started = NOW - timedelta(days=3)
    server = serve(fill(Database("GISPRD", clock=Clock(NOW), time_zone="Asia/Kolkata", started_at=started)))

    collected = read(server)

    assert (collected.captured_at, collected.started_at) == (NOW, started)
    assert values(collected)["instance_uptime_s", ""] == 3 * 86400
    assert collected.captured_at.tzinfo is UTC


def test_a_clock_that_is_off_is_noted(serve):
    server = serve(fill(Database("GISPRD", clock=lambda: wall_clock() + timedelta(minutes=5))))

    [note] = read(server).notes

    assert "ahead of this machine's" in note


def test_the_hosts_counters_outlive_a_restart_of_the_instance(server):
    before = source(read(server), "v$osstat")
    server.restart()
    after = source(read(server), "v$osstat")

    assert before.started_at == after.started_at is not None


def test_the_session_says_who_it_is_and_reads_only(server):
    read(server)

    assert server.statements[0].module == "Headroom"
    assert all(statement.sql.startswith("select ") for statement in server.statements)


def test_a_reading_leaves_nothing_of_the_driver_to_the_garbage_collector(server):
    read(server)
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        read(server)
        gc.collect()
        left = [type(each).__name__ for each in gc.garbage if type(each).__module__.startswith("oracledb")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()

    assert left == []


def test_the_session_is_closed(server):
    read(server)

    deadline = time.monotonic() + 60
    while server.sessions and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not server.sessions


@pytest.mark.parametrize(
    ("release", "pdbs"),
    [
        ("11.2.0.4.0", []),
        ("12.1.0.2.0", []),
        ("12.1.0.2.0", ["SALESPDB"]),
        ("12.2.0.1.0", ["SALESPDB"]),
        ("18.14.0.0.0", []),
        ("19.22.0.0.0", ["SALESPDB", "HRPDB"]),
        ("21.13.0.0.0", ["SALESPDB"]),
        ("23.5.0.24.7", ["SALESPDB"]),
    ],
)
def test_every_release_is_read(serve, release, pdbs):
    server = serve(fill(Database("GISPRD", release=release, clock=wall_clock, pdbs=pdbs)))

    collected = read(server)

    assert [(run.name, run.error) for run in collected.failed] == []
    assert collected.facts["version"] == release
    for pdb in pdbs:
        assert ("ts_used_mb", f"{pdb}/DATA") in values(collected)


def test_a_pluggable_database_that_is_closed_is_noted(serve):
    database = fill(Database("GISPRD", clock=wall_clock, pdbs=["SALESPDB"]))
    database.pdbs[0].open_mode = "MOUNTED"

    collected = read(serve(database))

    assert collected.notes == ["SALESPDB is not open (MOUNTED): its tablespaces were not read."]


def test_each_instance_of_a_cluster_is_read_as_itself(serve):
    server = serve(fill(Database("GISPRD", clock=wall_clock, hosts=["n1", "n2"])))

    collected = Run(target_of(server, service="GISPRD2"), [LOGIN]).collect()

    assert (collected.facts["instance_number"], collected.proposed_host) == ("2", "n2")


def test_a_descriptor_leads_there_too(server):
    descriptor = f"(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT={server.port}))(CONNECT_DATA=(SERVICE_NAME=GISPRD)))"
    target = target_of(server)
    target.address = {"descriptor": descriptor}

    assert Run(target, [LOGIN]).collect().failed == []


def test_sources_are_read_cheap_ones_first():
    names = [CATEGORIES[each.category] for each in SOURCES]

    assert names.index("v$sysstat") == 0
    assert (
        names.index("v$system_event") < names.index("v$filestat and v$tempstat") < names.index("tablespaces")
    )


@pytest.fixture
def saved(server: OracleServer) -> Callable[[], Target]:
    def save() -> Target:
        target = target_of(server)
        target.registered_at = NOW
        target.save()
        return target

    return save


@pytest.mark.django_db
def test_the_password_comes_from_the_target_encrypted(saved):
    target = saved()
    Credential.objects.create(target=target, username="HEADROOM", password="secret-of-gis")

    collected = OracleCollector().collect(Target.objects.get(pk=target.pk), NOW)

    assert collected.failed == []


@pytest.mark.django_db
def test_a_target_without_a_sign_in_waits_for_a_person(saved):
    with pytest.raises(CollectionError, match="nobody gave a user name and password") as caught:
        OracleCollector().collect(saved(), NOW)

    assert caught.value.needs_a_person


@pytest.mark.django_db
def test_our_own_connection_is_given_up_once_the_sign_in_is_known(saved, monkeypatch):
    target = saved()
    Credential.objects.create(target=target, username="HEADROOM", password="secret-of-gis")
    order: list[str] = []
    read_logins, collect = collector.logins_of, Run.collect

    def noting_logins(target: Target, address: object) -> list[Login]:
        order.append("sign-in")
        return read_logins(target, target.address)

    def noting_collect(run: Run) -> Collected:
        order.append("asked")
        return collect(run)

    monkeypatch.setattr(collector, "release_connection", lambda: order.append("released"))
    monkeypatch.setattr(collector, "logins_of", noting_logins)
    monkeypatch.setattr(Run, "collect", noting_collect)

    OracleCollector().collect(Target.objects.get(pk=target.pk), NOW)

    assert order == ["sign-in", "released", "asked"]


def test_in_the_root_the_whole_counts_where_a_view_lists_containers_beside_it(serve):
    database = fill(Database("GISPRD", clock=wall_clock, pdbs=["SALESPDB"]))
    rows: list[dict[str, str | int]] = [
        {"name": "total PGA allocated", "value": value * MiB, "unit": "bytes", "con_id": con_id}
        for con_id, value in ((0, 900), (1, 300), (3, 600))
    ]
    database.set_rows("v$pgastat", rows)

    read_of = source(read(serve(database)), "v$pgastat").readings

    by_metric = {reading.metric: reading.value for reading in read_of}  # as a snapshot keeps them
    assert by_metric["pga_allocated"] == 900 * MiB
