"""What is read of a member through the real driver is what its loaded history says; and the server's own world adds up too."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.catalog.registry import get_metric
from apps.collection.collector import Collected
from apps.demo.estate import INSTANCES
from apps.demo.generator import read
from apps.demo.parts import DemoInstance
from apps.demo.traffic import BLOCK, REDO_BLOCK
from apps.inventory.models import Target
from apps.platforms.oracle.collector import Run
from apps.platforms.oracle.connect import Login
from testing.oracle_server import Clock, Database, OracleServer, instance
from testing.oracle_server.database import Row

LAST_DAY = date(2026, 2, 17)
MOMENT = datetime(2026, 2, 12, 23, 5, tzinfo=UTC)
LOGIN = Login("HEADROOM", "secret")
Values = dict[tuple[str, str], float]


def values_of(collected: Collected) -> Values:
    return {
        (reading.metric, reading.component): reading.value
        for source in collected.sources
        for reading in source.readings
    }


def read_through_the_driver(database: Database) -> Values:
    with OracleServer(database, users={LOGIN.username: LOGIN.password}) as server:
        address = {"host": "127.0.0.1", "port": server.port, "service": database.name}
        target = Target(
            name=database.name, kind="instance", platform="oracle", collector="oracle", address=address
        )
        return values_of(Run(target, [LOGIN]).collect())


def named(name: str) -> Callable[[str, float], Row]:
    return lambda statistic, value: {name: statistic, "value": value}


VIEWS: Mapping[str, Callable[[str, float], Row]] = {
    "v$sysstat": named("name"),
    "v$sys_time_model": named("stat_name"),
    "v$osstat": named("stat_name"),
    "v$pgastat": named("name"),
}


def play(instance: DemoInstance, collected: Collected) -> Database:
    """A database whose views show what the history of a member says of a moment."""
    database = Database(
        instance.name, release=instance.version, clock=Clock(collected.captured_at), hosts=[instance.host]
    )
    for view, row in VIEWS.items():
        (source,) = (source for source in collected.sources if source.name == view)
        rows = {get_metric(reading.metric).name: reading.value for reading in source.readings}
        database.set_rows(view, [row(name, value) for name, value in rows.items()])
    (waits,) = (source for source in collected.sources if source.name == "v$system_event")
    columns = {
        "wait_count": "total_waits",
        "wait_time": "time_waited_micro",
        "wait_timeouts": "total_timeouts",
    }
    events: dict[str, dict[str, str | float]] = {}
    for reading in waits.readings:
        event = events.setdefault(
            reading.component, {"event": reading.component, "wait_class": waits.classes[reading.component]}
        )
        column = columns[reading.metric.removesuffix("_fg")]
        event[f"{column}_fg" if reading.metric.endswith("_fg") else column] = reading.value
    database.set_rows("v$system_event", list(events.values()))
    return database


@pytest.mark.parametrize("instance", INSTANCES, ids=[instance.name for instance in INSTANCES])
def test_the_driver_reads_of_a_moment_what_the_history_says_of_it(instance: DemoInstance):
    collected = read(instance.name, MOMENT, first_day=LAST_DAY - timedelta(days=60), last_day=LAST_DAY)

    read_values = read_through_the_driver(play(instance, collected))

    history = values_of(collected)
    shared = history.keys() & read_values.keys() - {("login_time_ms", "")}
    of_views = {
        key for source in collected.sources if source.name in (*VIEWS, "v$system_event")
        for key in ((reading.metric, reading.component) for reading in source.readings)
    }  # fmt: skip
    assert of_views - shared == set()
    assert len(shared) > 250
    different = {
        key: (read_values[key], history[key])
        for key in of_views
        if read_values[key] != pytest.approx(history[key])
    }
    assert different == {}


def a_day_of_the_server() -> Values:
    clock = Clock(datetime(2026, 2, 10, tzinfo=UTC))
    database = instance("LIVE", clock=clock, started_at=clock() - timedelta(days=9), scale=0.6)
    before = read_through_the_driver(database)
    clock.advance(hours=15)
    after = read_through_the_driver(database)
    return {key: after[key] - value for key, value in before.items() if key in after}


def test_the_world_of_the_server_adds_up_as_the_history_does():
    day = a_day_of_the_server()

    def same(*keys: str) -> object:
        return pytest.approx(sum(day[key, ""] for key in keys), rel=0.002)

    past_the_cache = day["io_reads_direct", ""] - day["io_reads_direct_temp", ""]
    assert day["consistent_gets_cache", ""] + past_the_cache == same("consistent_gets")
    assert day["session_logical_reads", ""] - day["consistent_gets", ""] > day["db_block_gets_cache", ""] > 0
    assert day["io_phys_reads", ""] == same("physical_reads_cache", "io_reads_direct")
    assert day["io_phys_reads", ""] * BLOCK == same("io_app_read_bytes")
    assert day["io_phys_writes", ""] * BLOCK == same("io_app_write_bytes")
    assert day["io_read_bytes", ""] > day["io_app_read_bytes", ""]
    assert day["redo_blocks_written", ""] * (REDO_BLOCK - 16) == same("redo_size", "redo_wastage")
    assert day["wait_count", "log file parallel write"] == same("redo_writes")
    assert day["wait_time", "log file parallel write"] == same("redo_write_time_usec")
    assert day["wait_count", "log file sync"] == same("redo_synch_writes")
    assert day["wait_count", "log file sync"] <= day["user_commits", ""] + day["user_rollbacks", ""]
    assert day["wait_time", "log file sync"] == same("redo_synch_time_usec")
    of_files = sum(amount for (metric, _), amount in day.items() if metric == "file_reads")
    assert 0.8 * day["io_read_requests", ""] < of_files <= day["io_read_requests", ""]
    waited = sum(amount for (metric, _), amount in day.items() if metric == "wait_time_fg")
    assert 0 < day["tm_db_cpu", ""] < day["tm_db_time", ""] < day["tm_db_cpu", ""] + waited
