"""From the server's counters to the figures of a day: driver, collector, snapshot, roll-up."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.collection.collect import collect_target
from apps.collection.models import CollectionRun
from apps.inventory.models import Credential, Target
from apps.platforms.oracle.tests.conftest import event, fill, target_of
from apps.snapshots import dictionary
from apps.snapshots.history import read_days
from apps.snapshots.retention import ensure_partitions
from testing.oracle_server import Clock, Database, OracleServer
from testing.oracle_server.scenario import instance

MIDNIGHT = datetime(2026, 2, 17, 0, 5, tzinfo=UTC)
DAY = date(2026, 2, 17)
GIB = 1024**3


@pytest.fixture
def clock(db: None) -> Iterator[Clock]:
    """A clock for tests that store what they read."""
    dictionary.forget()  # series of a test before went with its transaction
    ensure_partitions([DAY - timedelta(days=1), DAY, DAY + timedelta(days=1)])
    yield Clock(MIDNIGHT)
    dictionary.forget()


@pytest.fixture
def collect(serve: Callable[[Database], OracleServer], clock: Clock) -> Callable[..., CollectionRun]:
    """Reads the target now; the first time for a server it registers it."""
    targets: dict[int, Target] = {}

    def read(database: Database) -> CollectionRun:
        if id(database) not in targets:
            target = target_of(serve(database), service=database.instances[0].name)
            target.registered_at = clock()
            target.save()
            Credential.objects.create(target=target, username="HEADROOM", password="secret-of-gis")
            targets[id(database)] = target
        return collect_target(targets[id(database)], clock(), clock())

    return read


def figures(target: Target) -> dict[tuple[str, str], float]:
    frame = read_days(target, [DAY])
    return {(metric, component): value for (_, metric, component), value in frame[DAY].items()}


def test_a_days_counters_become_its_figures(collect, clock):
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10)))

    def days(now: datetime) -> float:
        return (now - MIDNIGHT) / timedelta(days=1)

    database.set_rows(
        "v$sysstat",
        lambda now: [
            {"name": "redo size", "value": round(9 * GIB + 47 * GIB * days(now))},
            {"name": "redo wastage", "value": round(4.7 * GIB * days(now))},
            {"name": "logons current", "value": 31},
        ],
    )
    database.set_rows(
        "v$sys_time_model",
        lambda now: [
            {"stat_name": "DB time", "value": round(121 * 3600e6 * days(now))},
            {"stat_name": "DB CPU", "value": round(60.5 * 3600e6 * days(now))},
        ],
    )
    database.set_rows(
        "v$system_event",
        lambda now: [
            event("log file sync", "Commit", 5000 + round(10_000 * days(now)), round(100e6 * days(now))),
            *([event("os thread startup", "Concurrency", 200, 36_000_000)] if days(now) else []),
        ],
    )

    first = collect(database)
    clock.advance(days=1)
    second = collect(database)

    assert [(run.state, run.reason) for run in (first, second)] == [("complete", "")] * 2
    day = figures(second.target)
    assert day["redo_size", ""] == pytest.approx(47)
    assert day["redo_wastage_pct", ""] == pytest.approx(10)
    assert day["tm_db_time", ""] == pytest.approx(121)
    assert day["aas", ""] == pytest.approx(121 / 24)
    assert day["db_cpu_share", ""] == pytest.approx(50)
    assert day["wait_avg_ms", "log file sync"] == pytest.approx(10)
    assert day["wait_avg_ms", "os thread startup"] == pytest.approx(180)
    assert day["logons_current", ""] == 31
    assert day["ts_used_mb", "DATA"] == pytest.approx(10)
    assert day["ts_used_pct_max", "DATA"] == pytest.approx(25)
    assert day["pga_allocated", ""] == pytest.approx(24 * 1024)
    assert day["processes_pct", ""] == pytest.approx(40)


@pytest.mark.parametrize(
    "options",
    [
        {"release": "11.2.0.4.0"},
        {"release": "19.22.0.0.0", "pdbs": ["SALESPDB"]},
        {"release": "19.22.0.0.0", "hosts": ["n1", "n2"]},
        {"release": "23.5.0.24.7", "pdbs": ["SALESPDB", "HRPDB"]},
    ],
    ids=["11.2", "19 with a PDB", "cluster", "23ai"],
)
def test_a_lifelike_instance_has_every_figure_of_the_profile(collect, clock, options):
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10), **options)

    collect(database)
    clock.advance(days=1)
    run = collect(database)

    assert (run.state, [each for each in run.sources if each["error"]]) == ("complete", [])
    day = figures(run.target)
    plain = (
        "redo_size redo_log_space_requests redo_wastage_pct tm_db_time execute_count user_commits"
        " session_logical_reads pga_allocated pga_over_allocation_count processes_max cpu_time db_cpu_per_core"
        " log_switches_per_day undo_blocks_day db_size_gb db_used_gb"
    )
    assert [key for key in plain.split() if not day.get((key, ""), -1) >= 0] == []
    assert 0.1 < day["wait_avg_ms", "db file sequential read"] < 100
    used = {component: value for (key, component), value in day.items() if key == "ts_used_mb"}
    assert used["SALES_DATA"] > 100_000
    for component in used:
        assert day["ts_used_mb", component] + day["ts_free_mb", component] == pytest.approx(
            day["ts_size_mb", component]
        )
    for pdb in options.get("pdbs", []):
        assert f"{pdb}/SALES_DATA" in used


def test_after_a_restart_a_counter_begins_anew(collect, clock):
    database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=10)))
    collect(database)
    clock.advance(hours=12)
    database.restart()
    database.set_rows("v$sysstat", [{"name": "redo size", "value": 10 * GIB}])

    clock.advance(hours=12)
    run = collect(database)

    assert figures(run.target)["redo_size", ""] == pytest.approx(20)
