"""Rows tell themselves apart: each is named by what it is of and what it measures, and all names are written by one rule."""

import pytest

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.platforms.apps import PLATFORMS

METRICS = list(  # not those of other tests
    {metric.key: metric for platform in PLATFORMS for metric in metrics_of(platform)}.values()
)
SPELT_WITH_CAPITALS = {"In-Memory"}  # names of the source that are no abbreviations


@pytest.mark.parametrize(
    ("key", "component", "name"),
    [
        ("host_disk_read_await_ms", "dm-2", "dm-2 read response"),
        ("host_disk_write_await_ms:p95", "dm-2", "dm-2 write response, p95"),
        ("host_net_rx_kb", "bond0", "bond0 received"),
        ("host_net_tx_kb", "bond0", "bond0 sent"),
        ("host_fs_used_pct", "/u01", "/u01"),
        ("host_fs_used_pct:max", "/u01", "/u01, max"),
        ("host_fs_free_mb", "/u01", "/u01 free"),
        ("ts_used_mb", "DATA", "DATA"),
        ("ts_free_mb", "DATA", "DATA free"),
        ("temp_used_mb", "TEMP", "TEMP used by sorts"),
        ("asm_usable_mb", "RECO", "disk group RECO"),
        ("segment_logical_reads", "SALES.ORDERS", "SALES.ORDERS logical reads"),
        ("wait_avg_ms", "log file sync", "log file sync"),
        ("wait_time", "log file sync", "log file sync time waited"),
        ("sysstat", "redo size", "redo size"),
        ("redo_size", "", "redo size"),
    ],
)
def test_a_row_says_what_it_is(key, component, name):
    assert get_metric(key).called(component) == name


def test_names_begin_in_lower_case_but_for_abbreviations():
    def is_by_rule(metric: Metric) -> bool:
        first = metric.label.split()[0].rstrip(",")
        return first in SPELT_WITH_CAPITALS or not (first[0].isupper() and first[1:].islower())

    labels = [metric.label for metric in METRICS if not is_by_rule(metric)]

    assert labels == []


def test_no_two_rows_of_a_thing_have_one_name():
    of_things = [metric for metric in METRICS if metric.is_figure and metric.component_kind]
    named: dict[tuple[str, str], list[str]] = {}
    for metric in of_things:
        named.setdefault((metric.component_kind, metric.called("X1")), []).append(metric.key)

    assert {name: keys for name, keys in named.items() if len(keys) > 1} == {}
