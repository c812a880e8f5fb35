"""What Checkmk kept of an instance: the services of its plug-in under our names, of this instance and its containers alone."""

import io

import pytest

from apps.catalog.registry import find_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import store_file
from apps.collection.monitors.checkmk import FORMAT
from apps.inventory.models import Target
from apps.platforms.linux.tests.test_checkmk import answer
from apps.platforms.oracle.monitors import monitor_file
from apps.platforms.oracle.tests.test_zabbix_items import MB, NOW, figures
from apps.snapshots import dictionary
from apps.snapshots.models import Fact

pytestmark = pytest.mark.django_db

METRICS = {
    ("ORA PAYPRD Performance", "oracle_db_time"): lambda step: 2 + step / 10,
    ("ORA PAYPRD Performance", "oracle_db_cpu"): lambda step: 1,
    ("ORA PAYPRD Performance", "oracle_sga_size"): lambda step: 4096 * MB,
    ("ORA PAYPRD Performance", "oracle_physical_reads"): lambda step: 5,
    ("ORA PAYPRD Performance Memory", "oracle_pga_total_pga_allocated"): lambda step: 512 * MB,
    ("ORA PAYPRD Sessions", "running_sessions"): lambda step: 40 + step,
    ("ORA PAYPRD Processes", "processes"): lambda step: 60,
    ("ORA PAYPRD.APP_DATA Tablespace", "tablespace_size"): lambda step: 1000 * MB,
    ("ORA PAYPRD.APP_DATA Tablespace", "used"): lambda step: 700 * MB,
    ("ORA PAYPRD.UNDOTBS1 Tablespace", "tablespace_used"): lambda step: 70 * MB,
    ("ORA PAYPRD.SALES.USERS Tablespace", "tablespace_size"): lambda step: 50 * MB,
    ("ORA PAYPRD.SALES Performance", "oracle_db_time"): lambda step: 99,
    ("ORA CRMPRD Sessions", "running_sessions"): lambda step: 9999,
    ("CPU load", "load1"): lambda step: 1,
}  # fmt: skip


def answers(metrics=METRICS, steps: int = 48, step: int = 1800) -> str:
    return "\n".join(
        answer(service, metric, [mean(place) for place in range(steps)], step=step)
        for (service, metric), mean in metrics.items()
    )


@pytest.fixture
def target() -> Target:
    dictionary.forget()
    return Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )


@pytest.fixture
def named_target(target: Target) -> Target:
    Fact.objects.create(target=target, name="instance_name", component="", since=NOW, value="payprd")
    return target


def store(target: Target, text: str):
    return store_file(target, io.BytesIO(text.encode()), "checkmk.json", NOW)


def test_means_of_steps_become_the_figures_of_a_day(named_target):
    report = store(named_target, answers())

    have = figures()
    assert report.file.host_label == "PAYPRD, db01 in Checkmk"
    assert have["aas", ""] == pytest.approx(2 + 2.35)
    assert have["aas:max", ""] == pytest.approx(2 + 4.65, abs=0.1)
    assert have["db_cpu_share", ""] == pytest.approx(100 / 4.35)
    assert have["sga_max", ""] == pytest.approx(4096)
    assert have["pga_allocated", ""] == pytest.approx(512)
    assert have["sessions_now", ""] == pytest.approx(63.5)
    assert have["processes_now:max", ""] == pytest.approx(60)
    assert have["ts_size_mb", "APP_DATA"] == pytest.approx(1000)
    assert have["ts_used_mb", "APP_DATA"] == pytest.approx(700)
    assert have["ts_size_mb", "SALES/USERS"] == pytest.approx(50)
    assert ("ts_used_mb", "UNDOTBS1") not in have
    assert "Performance: oracle_physical_reads: counts one buffer pool alone" in report.file.ignored
    assert "CPU load: load1" in report.file.ignored


def test_of_steps_beyond_an_hour_a_day_has_its_mean_and_no_maximum(named_target):
    store(named_target, answers(steps=4, step=6 * 3600))

    have = figures()
    assert have["aas", ""] == pytest.approx(2.15)
    assert have["ts_used_mb", "APP_DATA"] == pytest.approx(700)
    assert ("aas:max", "") not in have


def test_the_services_of_several_instances_need_one_that_was_read(target):
    with pytest.raises(UnreadableFile, match="are of CRMPRD, PAYPRD, and PAYPRD was never read"):
        store(target, answers())

    own = {name: mean for name, mean in METRICS.items() if "CRMPRD" not in name[0]}
    assert store(target, answers(own)).outcomes[0].is_stored


def test_the_services_of_another_instance_are_refused(named_target):
    other = {name: mean for name, mean in METRICS.items() if "CRMPRD" in name[0]}

    with pytest.raises(UnreadableFile, match="of CRMPRD, and PAYPRD is payprd"):
        store(named_target, answers(other))


def test_a_file_without_a_service_of_the_plug_in_is_refused(named_target):
    with pytest.raises(UnreadableFile, match="those of Oracle in Checkmk that are read"):
        store(named_target, answer("CPU load", "load1", [1.0] * 48))


def test_each_metric_leads_to_a_statistic_of_ours():
    mapping = monitor_file.SERVERS[FORMAT].mapping
    for name, statistic in mapping.by_name.items():
        metric = find_metric(statistic.statistic)
        assert metric is not None, name
        assert metric.category == statistic.category
        assert bool(metric.component_kind) == ("{}" in name[0])
        assert metric.is_difference == statistic.is_rate
    assert not mapping.left_out.keys() & {name[0] for name in mapping.by_name}
