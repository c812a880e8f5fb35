"""This machine is read: from a small tree of files, from the real ones, and from sysstat's records where it collects."""

import shutil
import subprocess
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from apps.catalog.registry import get_metric
from apps.collection.collector import CollectionError
from apps.inventory.models import Target
from apps.platforms.linux.collector import LocalCollector
from apps.platforms.linux.metrics.categories import CATEGORIES, DEVICES, FILESYSTEMS, KERNEL, SYSSTAT
from apps.platforms.linux.tests.measured import value
from apps.platforms.linux.tests.test_devices import DISKSTATS, NET
from apps.platforms.linux.tests.test_proc import STAT

SLOT = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)
FILES = {
    "proc/stat": STAT,
    "proc/meminfo": "MemTotal: 8388608 kB\nMemFree: 10 kB\nMemAvailable: 4194304 kB\nHugePages_Total: 0\n",
    "proc/loadavg": "0.1 0.2 0.3 1/99 7\n",
    "proc/diskstats": DISKSTATS,
    "proc/net/dev": NET,
    "proc/net/snmp": "Tcp: OutSegs RetransSegs\nTcp: 100 1\n",
    "proc/self/mountinfo": "1 0 254:0 / / rw - ext4 /dev/vda rw\n",
    "proc/sys/kernel/hostname": "dbhost1\n",
    "proc/sys/kernel/osrelease": "5.14.0\n",
    "proc/sys/kernel/random/boot_id": "94bffb36\n",
    "etc/os-release": 'NAME="Rocky"\nPRETTY_NAME="Rocky Linux 9.4"\n',
    "sys/block/dm-0/dm/name": "vg-data\n",
    "sys/block/sda/device/queue_depth": "32\n",
}


@pytest.fixture
def tree(tmp_path):
    """A machine made of a few files, without sysstat."""
    for path, text in FILES.items():
        place = tmp_path / "root" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    (tmp_path / "records").mkdir()
    return tmp_path


def host() -> Target:
    return Target(name="here", kind=Target.Kind.HOST, platform="linux", collector="linux", interval_minutes=5)


def collect(tree: Path):
    return LocalCollector(str(tree / "root"), [str(tree / "records")]).collect(host(), SLOT)


def source(collected, category):
    return next(run for run in collected.sources if run.category == category)


def test_a_machine_is_read_source_by_source(tree):
    collected = collect(tree)

    assert collected.failed == []
    assert collected.started_at == datetime(2026, 11, 21, 1, 52, 6, tzinfo=UTC)
    assert abs(collected.captured_at - datetime.now(UTC)) < timedelta(minutes=1)
    assert value(source(collected, KERNEL).readings, "mem_available_kb") == 4194304
    assert value(source(collected, DEVICES).readings, "host_disk_reads", "vg-data") == 7
    assert value(source(collected, DEVICES).readings, "host_disk_queue_depth", "sda") == 32
    assert {r.component for r in source(collected, FILESYSTEMS).readings} == {"/"}


def test_the_facts_name_the_machine_and_its_start_up(tree):
    facts = collect(tree).facts

    assert facts["hostname"] == "dbhost1"
    assert facts["distribution"] == "Rocky Linux 9.4"
    assert facts["boot_id"] == "94bffb36"
    assert facts["cpus"] == "2"
    assert facts["memory"] == "8.0 GB"
    assert facts["container"] == "no"


def test_a_source_that_fails_takes_no_other_with_it(tree):
    (tree / "root/proc/diskstats").write_text("8 0 sda x y z 1 2 3 4 5 6 7 8 9\n")
    (tree / "root/proc/net/snmp").unlink()

    collected = collect(tree)

    assert {run.name: run.error for run in collected.failed} == {
        "/proc/diskstats": "/proc/diskstats does not look as expected: ValueError(\"could not convert string to float: 'x'\").",
        "/proc/net/snmp": "/proc/net/snmp could not be read.",
    }
    assert source(collected, KERNEL).readings


def test_a_machine_without_proc_is_told_in_a_sentence(tmp_path):
    with pytest.raises(CollectionError, match="no /proc to read"):
        LocalCollector(str(tmp_path), [str(tmp_path)]).collect(host(), SLOT)


def test_records_of_a_newer_sysstat_are_a_failure_of_sysstat_alone(tree):
    if not shutil.which("sadf"):
        skip_aloud("sysstat is not installed")
    (tree / "records/sa21").write_text("these are not records")

    collected = collect(tree)

    assert [run.category for run in collected.failed] == [SYSSTAT]
    assert "sadf printed" in source(collected, SYSSTAT).error
    assert source(collected, KERNEL).readings


def test_a_sadf_that_hangs_is_left_behind(tree, monkeypatch):
    def hangs(*args, **kwargs):
        raise subprocess.TimeoutExpired("sh", 20)

    monkeypatch.setattr(subprocess, "run", hangs)

    collected = collect(tree)

    assert (
        source(collected, SYSSTAT).error
        == "sadf did not finish within 20 seconds; the figures come from /proc alone."
    )
    assert source(collected, KERNEL).readings


def test_hst13_every_reading_of_this_machine_is_in_the_catalogue_and_in_its_category(tmp_path):
    collected = LocalCollector(records=[str(tmp_path)]).collect(host(), SLOT)

    assert collected.failed == []
    for run in collected.sources:
        assert run.category in CATEGORIES
        keys = [(reading.metric, reading.component) for reading in run.readings]
        assert len(keys) == len(set(keys)), run.name
        for reading in run.readings:
            metric = get_metric(reading.metric)
            assert metric.category == run.category, reading
            assert bool(metric.component_kind) == bool(reading.component), reading


def skip_aloud(reason: str):
    warnings.warn(f"not tested: {reason}", stacklevel=2)
    pytest.skip(reason)


def test_where_sysstat_collects_its_averages_lie_beside_the_counters(tmp_path):
    sadc = next((path for path in ("/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc") if Path(path).exists()), "")
    if not sadc:
        skip_aloud("sysstat is not installed")
    subprocess.run([sadc, "-S", "XALL", "1", "2", str(tmp_path / "sa21")], check=True)

    collected = LocalCollector(records=[str(tmp_path)]).collect(host(), SLOT)

    kernel = source(collected, KERNEL)
    assert collected.failed == []
    assert kernel.name == "/proc: stat, meminfo, vmstat, loadavg; sadf"
    assert value(kernel.readings, "sysstat_cpu_idle_pct") is not None
    assert value(kernel.readings, "cpu_total_ticks") is not None
    assert value(kernel.readings, "sysstat_mem_used_kb") is not None
    assert collected.facts["sysstat"]
    watched = {r.component for r in source(collected, DEVICES).readings if r.metric == "host_disk_reads"}
    averaged = {r.component for r in source(collected, DEVICES).readings if r.metric == "sysstat_disk_iops"}
    assert watched <= averaged
