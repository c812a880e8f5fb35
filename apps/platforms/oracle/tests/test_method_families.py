"""The families of statistics, figure by figure, from the server's counters to the rows of the profile."""

from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from apps.catalog.metric import Kind, Metric
from apps.catalog.registry import get_metric
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.tests.conftest import MiB
from apps.platforms.oracle.tests.families import ALL, SPACES, families_begun
from apps.platforms.oracle.tests.golden import (
    DATA_FILES,
    DERIVED,
    GIB,
    TABLESPACE_DAYS,
    TEMP_FILE,
    Golden,
)
from apps.platforms.oracle.tests.lives import DAY, Life
from apps.profiles.build import ProfileRow, build_profile
from apps.snapshots.presence import Presence
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.register import add_threshold


def metric_of(golden: Golden) -> Metric:
    [metric] = [
        m for m in METRICS if m.source == golden.view and m.name == golden.name and not m.component_kind
    ]
    return metric


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: Any) -> SimpleNamespace:
    """The rows of the profile by statistic and component, and more figures of the same days, as plain data."""
    with django_db_blocker.unblock(), families_begun() as life:
        return _lived(life)


def _lived(life: Life) -> SimpleNamespace:
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
        waits=[row for row in profile.rows if row.metric.section.title == "Waits"],
        states={row.row.key: row.state for row in judged.rows},
        times_cpu=[
            row.metric.key for row in build_profile(life.target(), DAY, also=[("cpu_time", "")]).rows
        ].count("cpu_time"),
        figures=life.figures(),
        week=life.figures(DAY + timedelta(days=6)),
        spaces=spaces,
        runs=[(run.state, run.reason) for run in runs],
    )


@pytest.mark.django_db  # asks for the database to be made
def test_every_day_of_the_scene_was_read_in_full(scene):
    assert scene.runs == [("complete", "")] * 7


@pytest.mark.parametrize("golden", [pytest.param(golden, id=f"{row} {golden.name}") for row, golden in ALL])
def test_a_statistic_has_its_golden_figure(scene, golden):
    metric = metric_of(golden)

    row: ProfileRow = scene.rows[metric.key, ""]

    assert row.today.presence is Presence.PRESENT
    assert row.today.value == pytest.approx(golden.displayed, rel=1e-6)
    assert row.today.day == DAY


@pytest.mark.parametrize(
    ("key", "value"), [pytest.param(key, value, id=f"{row} {key}") for row, key, value in DERIVED]
)
def test_a_figure_that_follows_has_its_golden_value(scene, key, value):
    assert scene.rows[key, ""].today.value == pytest.approx(value, rel=1e-3)


def test_fam9_a_deadlock_must_not_occur(scene):
    assert scene.states["enq_deadlocks", ""] is FigureState.VIOLATED


def test_fam11_temp_files_have_their_activity_and_response(scene):
    name, ios, average, longest = TEMP_FILE

    assert scene.figures["datafile_io_day", name] == pytest.approx(ios)
    assert scene.figures["datafile_avg_ms", name] == pytest.approx(average, rel=1e-3)
    assert scene.figures["datafile_max_ms", name] == pytest.approx(longest)


@pytest.mark.parametrize(
    ("number", "used", "available"),
    [
        pytest.param(at, used, available, id=f"FAM12 day {at + 1}")
        for at, (used, available) in enumerate(TABLESPACE_DAYS)
    ],
)
def test_used_and_available_of_a_tablespace_are_those_of_the_day(scene, number, used, available):
    figures = scene.spaces[number] if number < 4 else {}

    assert figures["ts_used_mb", "Tablespace2"] == used
    assert figures["ts_free_mb", "Tablespace2"] == available
    for name in SPACES:
        assert figures["ts_used_mb", name] + figures["ts_free_mb", name] == 35_000


def test_fam13_the_largest_segments_have_size_and_growth_with_their_partitions_together(scene):
    week = scene.week

    assert week["segment_mb", "SALES.ORDERS"] == pytest.approx(9700)
    assert week["segment_growth_mb_day", "SALES.ORDERS"] == pytest.approx(100)
    growth = {name: value for (key, name), value in week.items() if key == "segment_growth_mb_day"}
    assert sorted(growth, key=lambda name: -growth[name])[:3] == [
        "SALES.ORDERS", "SALES.AUDIT_TRAIL", "SALES.ORDERS_PK",
    ]  # fmt: skip


def test_fam13_segments_have_their_activity(scene):
    assert scene.week["segment_logical_reads", "SALES.ORDERS"] == pytest.approx(4e6)
    assert scene.week["segment_physical_reads", "SALES.OLD"] == pytest.approx(5e4)
    assert scene.week["segment_space_allocated", "SALES.ORDERS"] == pytest.approx(10)
    assert scene.week["segment_row_lock_waits", "SALES.ORDERS_PK"] == pytest.approx(7)


def test_fam13_segments_are_read_once_a_week(scene):
    read = [number for number, figures in scene.spaces.items() if ("segment_mb", "SALES.ORDERS") in figures]

    assert read == [6]


@pytest.mark.parametrize("name", [pytest.param(name, id=f"FAM14 {name}") for name in DATA_FILES])
def test_a_data_file_has_its_activity_and_response(scene, name):
    ios, average, longest = DATA_FILES[name]

    assert scene.figures["datafile_io_day", name] == pytest.approx(ios)
    assert scene.figures["datafile_avg_ms", name] == pytest.approx(average, rel=1e-3)
    assert scene.figures["datafile_max_ms", name] == pytest.approx(longest)


def test_fam15_cpu_of_the_time_model_stands_among_the_waits(scene):
    first, second, *_ = scene.waits

    assert (first.metric.key, first.today.value) == ("cpu_time", pytest.approx(62))
    assert (second.component, second.metric.key) == ("db file sequential read", "wait_avg_ms")
    assert scene.rows["tm_db_time", ""].today.value == pytest.approx(121)


def test_cpu_time_stands_once_in_a_profile_that_asks_for_it_too(scene):
    """O10: a threshold on it brought it in a second time."""
    assert scene.times_cpu == 1


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


def test_the_scene_is_in_gigabytes_where_the_slides_are(scene):
    assert scene.figures["redo_size", ""] == pytest.approx(9.45 * MiB * 86400 / GIB)
