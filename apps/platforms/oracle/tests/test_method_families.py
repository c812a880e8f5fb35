"""The families of statistics, figure by figure, from the server's counters to the rows of the profile."""

from collections import Counter
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import get_metric
from apps.demo.oracle import Clock, Database
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.tests.conftest import MiB, event, fill
from apps.platforms.oracle.tests.golden import (
    DATA_FILES,
    DERIVED,
    FAMILIES,
    GIB,
    TABLESPACE_DAYS,
    TEMP_FILE,
    Golden,
)
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.profiles.build import Presence, Row, build_profile
from apps.thresholds.judge import State, profile_of
from apps.thresholds.register import add_threshold

ALL = [(row, golden) for row, family in FAMILIES.items() for golden in family]
SPACES = ("Tablespace1", "Tablespace2", "Tablespace3", "Tablespace4")


def days(now: datetime) -> float:
    return (now - MIDNIGHT) / timedelta(days=1)


def metric_of(golden: Golden) -> Metric:
    [metric] = [
        m for m in METRICS if m.source == golden.view and m.name == golden.name and not m.component_kind
    ]
    return metric


def value_at(golden: Golden, now: datetime) -> int | float:
    if golden.is_level:
        return golden.read
    return round(1_000_000 + golden.read * (days(now) + 5))


def rows_of(view: str, columns: tuple[str, str], now: datetime) -> list[dict[str, Any]]:
    return [
        dict(zip(columns, (golden.name, value_at(golden, now)), strict=True))
        for _, golden in ALL
        if golden.view == view
    ]


def files(now: datetime, names: dict[str, tuple[int, int, int]]) -> list[dict[str, Any]]:
    found = []
    for number, (ios, average, longest) in enumerate(names.values(), start=1):
        done = round(ios * (days(now) + 5))
        reads = done * 7 // 10
        spent = round(done * average / 10)  # centiseconds
        found.append(
            {
                "file#": number, "phyrds": reads, "phywrts": done - reads, "singleblkrds": reads,
                "readtim": spent * 7 // 10, "writetim": spent - spent * 7 // 10, "singleblkrdtim": 0,
                "maxiortm": longest / 10, "maxiowtm": 1,
            }
        )  # fmt: skip
    return found


def play(database: Database) -> None:
    """Let the views show what the method's slides do."""
    database.set_rows("v$sysstat", lambda now: rows_of("v$sysstat", ("name", "value"), now))
    database.set_rows("v$pgastat", lambda now: rows_of("v$pgastat", ("name", "value"), now))
    database.set_rows("v$sgainfo", lambda now: rows_of("v$sgainfo", ("name", "bytes"), now))
    database.set_rows(
        "v$sys_time_model",
        lambda now: [
            {"stat_name": "DB time", "value": round(121 * 3600e6 * (days(now) + 5))},
            {"stat_name": "DB CPU", "value": round(60 * 3600e6 * (days(now) + 5))},
            {"stat_name": "background cpu time", "value": round(2 * 3600e6 * (days(now) + 5))},
        ],
    )
    database.set_rows(
        "v$system_event",
        lambda now: [
            event("db file sequential read", "User I/O", round(1e6 * (days(now) + 5)), round(8e10 * (days(now) + 5))),
            event("log file sync", "Commit", round(1e6 * (days(now) + 5)), round(9e9 * (days(now) + 5))),
        ],
    )  # fmt: skip
    database.set_rows("v$filestat", lambda now: files(now, DATA_FILES))
    names = enumerate(DATA_FILES, start=1)
    database.set_rows("v$datafile", [{"file#": at, "name": name, "bytes": MiB} for at, name in names])
    database.set_rows("v$tempstat", lambda now: files(now, {TEMP_FILE[0]: TEMP_FILE[1:]}))
    database.set_rows("v$tempfile", [{"file#": 1, "name": TEMP_FILE[0], "bytes": MiB}])
    database.set_rows(
        "dba_tablespaces",
        [{"tablespace_name": name, "contents": "PERMANENT", "block_size": 8192} for name in SPACES],
    )
    database.set_rows(
        "dba_data_files",
        [{"tablespace_name": name, "bytes": 35_000 * MiB, "maxbytes": 0} for name in SPACES],
    )
    database.set_rows(
        "dba_tablespace_usage_metrics",
        lambda now: [
            {
                "tablespace_name": name,
                "used_space": TABLESPACE_DAYS[min(3, max(0, round(days(now)) - 1))][0] * 128 - 128 * at,
            }
            for name, at in zip(SPACES, (500, 0, 1000, 1500), strict=True)
        ],
    )
    segments = {"ORDERS": (9000, 100), "ORDERS_PK": (3000, 40), "AUDIT_TRAIL": (800, 60), "OLD": (50, 0)}
    database.set_rows(
        "dba_segments",
        lambda now: [
            {
                "owner": "SALES",
                "segment_name": name,
                "partition_name": part,
                "segment_type": "TABLE",
                "tablespace_name": "Tablespace2",
                "bytes": round((size + growth * days(now)) * MiB / 2),
            }
            for name, (size, growth) in segments.items()
            for part in ("P1", "P2")
        ],
    )
    database.set_rows(
        "dba_objects",
        [{"owner": "SALES", "object_name": name, "object_id": 70 + at} for at, name in enumerate(segments)],
    )
    database.set_rows(
        "v$segstat",
        lambda now: [
            {"obj#": 70 + at, "statistic_name": name, "value": round(rate * (days(now) + 5))}
            for at in range(len(segments))
            for name, rate in (
                ("logical reads", 1e6 * (4 - at)),
                ("physical reads", 5e4),
                ("space allocated", 10 * MiB),
                ("row lock waits", 7),
                ("segment scans", 3),
            )
        ],
    )


@pytest.fixture(scope="module")
def told(django_db_setup: None, django_db_blocker: Any) -> SimpleNamespace:
    """The rows of the profile by statistic and component, and more figures of the same days, as plain data."""
    with django_db_blocker.unblock():
        clock = Clock(MIDNIGHT)
        database = fill(Database("GISPRD", clock=clock, started_at=MIDNIGHT - timedelta(days=5)))
        play(database)
        with life_of(database, clock) as life:
            return _lived(life)


def _lived(life: Life) -> SimpleNamespace:
    life.collect()
    add_threshold("enq_deadlocks", "0", now=life.clock())
    runs = []
    spaces = {}
    for number in range(7):
        life.clock.advance(days=1)
        runs.append(life.collect())
        spaces[number] = life.figures(DAY + timedelta(days=number))
    keys = [(metric_of(golden).key, "") for _, golden in ALL] + [(key, "") for _, key, _ in DERIVED]
    judged = profile_of(life.target(), DAY)
    profile = build_profile(life.target(), DAY, also=keys)
    return SimpleNamespace(
        rows={row.key: row for row in profile.rows},
        waits=[row for row in profile.rows if row.metric.section == "Waits"],
        states={row.row.key: row.state for row in judged.rows},
        figures=life.figures(),
        week=life.figures(DAY + timedelta(days=6)),
        spaces=spaces,
        runs=[(run.state, run.reason) for run in runs],
    )


@pytest.mark.django_db  # asks for the database to be made
def test_every_day_of_the_scene_was_read_in_full(told):
    assert told.runs == [("complete", "")] * 7


@pytest.mark.parametrize("golden", [pytest.param(golden, id=f"{row} {golden.name}") for row, golden in ALL])
def test_a_statistic_has_its_golden_figure(told, golden):
    metric = metric_of(golden)

    row: Row = told.rows[metric.key, ""]

    assert row.today.presence is Presence.PRESENT
    assert row.today.value == pytest.approx(golden.shown, rel=1e-6)
    assert row.today.day == DAY


@pytest.mark.parametrize(
    ("key", "value"), [pytest.param(key, value, id=f"{row} {key}") for row, key, value in DERIVED]
)
def test_a_figure_that_follows_has_its_golden_value(told, key, value):
    assert told.rows[key, ""].today.value == pytest.approx(value, rel=1e-3)


def test_fam9_a_deadlock_must_not_occur(told):
    assert told.states["enq_deadlocks", ""] is State.VIOLATED


def test_fam11_temp_files_have_their_activity_and_response(told):
    name, ios, average, longest = TEMP_FILE

    assert told.figures["datafile_io_day", name] == pytest.approx(ios)
    assert told.figures["datafile_avg_ms", name] == pytest.approx(average, rel=1e-3)
    assert told.figures["datafile_max_ms", name] == pytest.approx(longest)


@pytest.mark.parametrize(
    ("number", "used", "available"),
    [
        pytest.param(at, used, available, id=f"FAM12 day {at + 1}")
        for at, (used, available) in enumerate(TABLESPACE_DAYS)
    ],
)
def test_used_and_available_of_a_tablespace_are_those_of_the_day(told, number, used, available):
    figures = told.spaces[number] if number < 4 else {}

    assert figures["ts_used_mb", "Tablespace2"] == used
    assert figures["ts_free_mb", "Tablespace2"] == available
    for name in SPACES:
        assert figures["ts_used_mb", name] + figures["ts_free_mb", name] == 35_000


def test_fam13_the_largest_segments_have_size_and_growth_with_their_partitions_together(told):
    found = told.week

    assert found["segment_mb", "SALES.ORDERS"] == pytest.approx(9700)
    assert found["segment_growth_mb_day", "SALES.ORDERS"] == pytest.approx(100)
    growth = {name: value for (key, name), value in found.items() if key == "segment_growth_mb_day"}
    assert sorted(growth, key=lambda name: -growth[name])[:3] == [
        "SALES.ORDERS", "SALES.AUDIT_TRAIL", "SALES.ORDERS_PK",
    ]  # fmt: skip


def test_fam13_segments_have_their_activity(told):
    assert told.week["segment_logical_reads", "SALES.ORDERS"] == pytest.approx(4e6)
    assert told.week["segment_physical_reads", "SALES.OLD"] == pytest.approx(5e4)
    assert told.week["segment_space_allocated", "SALES.ORDERS"] == pytest.approx(10)
    assert told.week["segment_row_lock_waits", "SALES.ORDERS_PK"] == pytest.approx(7)


def test_fam13_segments_are_read_once_a_week(told):
    read = [number for number, figures in told.spaces.items() if ("segment_mb", "SALES.ORDERS") in figures]

    assert read == [6]


@pytest.mark.parametrize("name", [pytest.param(name, id=f"FAM14 {name}") for name in DATA_FILES])
def test_a_data_file_has_its_activity_and_response(told, name):
    ios, average, longest = DATA_FILES[name]

    assert told.figures["datafile_io_day", name] == pytest.approx(ios)
    assert told.figures["datafile_avg_ms", name] == pytest.approx(average, rel=1e-3)
    assert told.figures["datafile_max_ms", name] == pytest.approx(longest)


def test_fam15_cpu_of_the_time_model_stands_among_the_waits(told):
    first, second, *_ = told.waits

    assert (first.metric.key, first.today.value) == ("cpu_time", pytest.approx(62))
    assert (second.component, second.metric.key) == ("db file sequential read", "wait_avg_ms")
    assert told.rows["tm_db_time", ""].today.value == pytest.approx(121)


def test_fam16_86_statistics_are_collected_and_each_is_in_one_family():
    names = Counter((golden.view, golden.name) for _, golden in ALL)

    assert len(names) == 86
    assert set(names.values()) == {1}
    assert len({metric_of(golden).key for _, golden in ALL}) == 86


@pytest.mark.parametrize(
    ("key", "kind", "unit"),
    [
        pytest.param("redo_size", Kind.COUNTER, "bytes", id="COL6 redo size"),
        pytest.param("redo_synch_time", Kind.COUNTER, "centiseconds", id="COL6 redo synch time"),
        pytest.param("tm_db_time", Kind.COUNTER, "microseconds", id="COL6 DB time"),
        pytest.param("pga_max_allocated", Kind.HIGH_WATER, "bytes", id="COL6 maximum PGA allocated"),
        pytest.param("pga_cache_hit_day", Kind.RATIO, "", id="COL6 cache hit of the day"),
        pytest.param("workarea_memory_allocated", Kind.GAUGE, "KB", id="COL6 workarea memory"),
        pytest.param("file_read_time", Kind.COUNTER, "centiseconds", id="COL6 READTIM"),
        pytest.param("redo_wastage_pct", Kind.RATIO, "", id="COL6 redo wastage"),
    ],
)
def test_a_statistic_has_its_kind_and_its_native_unit(key, kind, unit):
    metric = get_metric(key)

    assert (metric.kind, metric.reading_unit) == (kind, unit)


def test_the_scene_is_in_gigabytes_where_the_slides_are(told):
    assert told.figures["redo_size", ""] == pytest.approx(9.45 * MiB * 86400 / GIB)
