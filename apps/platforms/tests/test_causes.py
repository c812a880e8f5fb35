"""What platforms declare of causes: every statistic named is one of theirs, and the first declaration that fits is meant."""

import pytest

from apps.catalog.causes import Driven, Service, Shared, Stored, cause_of
from apps.catalog.registry import get_metric, metrics_of
from apps.catalog.subjects import statistics_on
from apps.platforms.linux.causes import CAUSES as OF_LINUX
from apps.platforms.oracle.causes import CAUSES as OF_ORACLE


@pytest.mark.parametrize(
    ("platform", "metric", "component", "kind"),
    [
        ("oracle", "ts_used_mb", "DATA", Stored),
        ("oracle", "ts_used_pct_max", "PDB1/DATA", Stored),
        ("oracle", "ts_used_mb", "UNDOTBS1", Driven),
        ("oracle", "ts_used_mb", "PDB1/TEMP", Driven),
        ("oracle", "fra_used_pct", "", Driven),
        ("oracle", "wait_time", "log file sync", Service),
        ("oracle", "redo_write_ms_per_write", "", Service),  # an average has its count without a declaration
        ("oracle", "redo_size", "", type(None)),
        ("linux", "host_cpu_busy_pct:p95", "", Shared),
        ("linux", "host_fs_used_pct", "/u03", Stored),
        ("linux", "host_disk_read_await_ms", "sda", Service),
    ],
)
def test_a_figure_has_its_kind_of_cause(platform, metric, component, kind):
    assert type(cause_of(platform, get_metric(metric), component)) is kind


@pytest.mark.parametrize(("platform", "causes"), [("oracle", OF_ORACLE), ("linux", OF_LINUX)])
def test_what_is_declared_is_in_the_catalogue(platform, causes):
    own = {metric.key for metric in metrics_of(platform)}
    for cause in causes:
        match cause:
            case Stored():
                named = [key for key in (cause.used, cause.things) if key]
            case Driven():
                named = [key for key, _ in cause.drivers]
            case Service():
                named = [cause.average, cause.count]
            case Shared():
                assert statistics_on("oracle", cause.users)
                named = []
        assert set(named) <= own
