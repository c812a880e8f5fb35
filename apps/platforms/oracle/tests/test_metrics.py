"""The declarations hold together: units, names, formulas, and what a profile shows."""

import numpy as np
import pytest

from apps.catalog.metric import Kind
from apps.catalog.units import convert, parse_unit
from apps.platforms.oracle.categories import CATEGORIES, DERIVED
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.metrics.waits import hides

BY_KEY = {metric.key: metric for metric in METRICS}


class ScriptedWindow:
    """Answers with numbers given by key, and notes what it was asked for."""

    def __init__(self, readings=None, seconds=86400.0):
        self.readings = readings or {}
        self.asked = set()
        self.seconds = np.array([[seconds]])

    def delta(self, key):
        self.asked.add(key)
        return np.array([np.atleast_1d(self.readings.get(key, 1.0))], dtype=float)

    level = delta


def figure(key, seconds=86400.0, **readings):
    formula = BY_KEY[key].formula
    assert formula is not None
    with np.errstate(all="ignore"):
        return formula(ScriptedWindow(readings, seconds))[0].tolist()


def test_every_key_is_used_once():
    assert len(BY_KEY) == len(METRICS)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_units_can_be_parsed_and_converted(metric):
    parse_unit(metric.unit)

    assert np.isfinite(metric.to_display_unit(1.0))
    if metric.kind is Kind.COUNTER:
        assert convert(1.0, f"{metric.reading_unit}/s", metric.unit) > 0
    elif metric.reading_unit:
        assert convert(1.0, metric.reading_unit, metric.unit) > 0


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_every_statistic_says_what_it_is(metric):
    assert metric.label
    assert metric.section.title
    assert metric.help.endswith(".")
    assert metric.category in CATEGORIES


@pytest.mark.parametrize("metric", [m for m in METRICS if m.formula], ids=lambda metric: metric.key)
def test_a_ratio_is_stored_with_its_ingredients(metric):
    window = ScriptedWindow()

    metric.formula(window)

    kinds = {BY_KEY[key].kind for key in window.asked}
    assert kinds.isdisjoint({Kind.RATIO})
    categories = {BY_KEY[key].category for key in window.asked}
    assert metric.category == (categories.pop() if len(categories) == 1 else DERIVED)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_a_statistic_refers_to_others_that_exist(metric):
    assert {
        metric.ranking.by or metric.key,
        metric.judging.weight or metric.key,
        metric.same_as or metric.key,
        *metric.ranking.rivals,
    } <= set(BY_KEY)


def test_oracles_names_are_told_apart_within_a_source():
    names = [(m.category, m.name) for m in METRICS if m.name and not m.component_kind]
    twice = {name for name in names if names.count(name) > 1}

    assert {name for _, name in twice} <= {"UNDOBLKS"}


def test_average_wait_is_time_over_waits_of_the_interval():
    assert figure("wait_avg_ms", wait_time=[6e6, 0], wait_count=[1000, 0])[0] == 6.0


def test_cpu_time_competes_with_time_waited_in_the_same_unit():
    assert figure("cpu_time", tm_db_cpu=3e9, tm_background_cpu=1e9, seconds=43200) == [8000.0]
    assert BY_KEY["cpu_time"].unit == BY_KEY["wait_time"].unit
    assert BY_KEY["wait_avg_ms"].ranking.rivals == ("cpu_time",)


def test_database_size_adds_up_its_parts():
    gib = 1024.0**3

    assert figure("db_size_gb", ts_size_mb=[3 * gib, np.nan, gib], redo_log_total_bytes=gib) == [5.0]
    assert np.isnan(figure("db_size_gb", ts_size_mb=[np.nan], redo_log_total_bytes=gib))


def test_used_and_free_of_a_tablespace_add_up_to_its_size():
    mib = 1024.0**2

    assert figure("ts_free_mb", ts_size_mb=[35000 * mib], ts_used_mb=[32001 * mib]) == [2999.0]


def test_downgraded_parallel_operations_are_shared_out_over_all():
    bands = {f"px_down_{band}": 1.0 for band in ("1_25", "25_50", "50_75", "75_99", "serial")}

    assert figure("px_downgrade_pct", px_not_downgraded=15.0, **bands) == [25.0]


@pytest.mark.parametrize(
    ("event", "wait_class", "is_hidden"),
    [
        ("db file sequential read", "User I/O", False),
        ("SQL*Net message from client", "Idle", True),
        ("PX Deq: Execution Msg", "Other", True),
        ("PX Queuing: statement queue", "Scheduler", False),
        ("SQL*Net message to client", "Network", True),
        ("SQL*Net message from dblink", "Network", False),
        ("resmgr:cpu quantum", "Scheduler", False),
        ("PL/SQL lock timer", "Idle", True),
        ("null event", "Other", True),
    ],
)
def test_a_profile_leaves_idle_and_parallel_waits_out(event, wait_class, is_hidden):
    assert hides(event, wait_class) is is_hidden


def test_the_default_profile():
    profile = [(m.section.title, m.key, m.display.rows) for m in METRICS if m.display.rows]

    assert profile == [
        ("Waits", "wait_avg_ms", 10),
        ("Redo", "redo_size", 1),
        ("Redo", "redo_log_space_requests", 1),
        ("Redo", "redo_wastage_pct", 1),
        ("Workload", "tm_db_time", 1),
        ("Workload", "execute_count", 1),
        ("Workload", "user_commits", 1),
        ("Workload", "session_logical_reads", 1),
        ("Space", "ts_used_mb", 4),
        ("Memory", "pga_allocated", 1),
        ("Memory", "pga_over_allocation_count", 1),
        ("Memory", "processes_max", 1),
    ]
