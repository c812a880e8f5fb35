"""What Checkmk kept of a host: means of its services by step under our names, and a sentence for what goes wrong."""

import json

import pytest

from apps.catalog.registry import find_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.monitors.checkmk import FORMAT
from apps.platforms.linux.files.monitor_items import MAPPINGS
from apps.platforms.linux.tests.host_files import figures_by_day, read

MIDNIGHT = "2026-11-18T00:00:00+00:00"
HALF_HOUR = 1800
METRICS = {  # service and metric: its mean in a step
    ("CPU utilization", "user"): lambda step: 20 + step / 2,
    ("CPU utilization", "system"): lambda step: 5,
    ("CPU utilization", "wait"): lambda step: 2,
    ("CPU utilization", "util"): lambda step: 27 + step / 2,
    ("CPU load", "load1"): lambda step: 3.5,
    ("Kernel Performance", "context_switches"): lambda step: 9000,
    ("Memory", "mem_available"): lambda step: 4 * 2**30,
    ("Memory", "mem_used"): lambda step: 1,
    ("Disk IO sda", "disk_read_ios"): lambda step: 100,
    ("Disk IO sda", "disk_write_ios"): lambda step: 50,
    ("Disk IO SUMMARY", "disk_read_ios"): lambda step: 9999,
    ("Disk IO SUMMARY", "disk_write_ios"): lambda step: 9999,
    ("Disk IO sdb", "disk_read_ios"): lambda step: 7,
    ("Interface eth0", "if_in_bps"): lambda step: 8 * 1024 * 300,
    ("Interface 2", "if_in_bps"): lambda step: 8 * 1024 * 300,
    ("Filesystem /u01/my data", "fs_size"): lambda step: 100 * 2**30,
    ("Filesystem /u01/my data", "fs_free"): lambda step: 40 * 2**30,
    ("Filesystem /u01/my data", "fs_used"): lambda step: 60 * 2**30,
    ("Check_MK", "execution_time"): lambda step: 1,
}


def answer(service: str, metric: str, points, *, step: int = HALF_HOUR, **more) -> str:
    question = {
        "host_name": "db01", "service_description": service, "type": "single_metric", "metric_id": metric, "reduce": "average",
    }  # fmt: skip
    response = {
        "time_range": {"start": MIDNIGHT, "end": MIDNIGHT},
        "step": step,
        "metrics": [{"color": "#87cefa", "data_points": points, "line_type": "area", "title": "of no use"}],
    }
    return json.dumps(question | response | more)


def answers(steps: int = 48, step: int = HALF_HOUR) -> str:
    return "\n".join(
        answer(service, metric, [mean(place) for place in range(steps)], step=step)
        for (service, metric), mean in METRICS.items()
    )


def test_means_of_steps_become_the_figures_of_a_day():
    records = read(answers())
    [figures] = figures_by_day(records)

    assert (records.format, records.host.name) == (FORMAT, "db01")
    assert figures["host_cpu_user_pct", ""] == pytest.approx(31.75)
    assert figures["host_cpu_busy_pct", ""] == pytest.approx(36.75)
    assert figures["host_cpu_busy_pct:max", ""] == pytest.approx(25 + 23.5)
    assert figures["host_load1", ""] == pytest.approx(3.5)
    assert figures["host_disk_iops", "sda"] == pytest.approx(150)
    assert figures["host_net_rx_kb", "eth0"] == pytest.approx(300)
    assert figures["host_fs_size_mb", "/u01/my data"] == pytest.approx(100 * 1024)
    assert figures["host_fs_free_mb", "/u01/my data"] == pytest.approx(40 * 1024)


def test_what_means_something_else_or_has_another_name_has_no_figure():
    records = read(answers())
    [figures] = figures_by_day(records)

    assert {name for key, name in figures if key == "host_disk_iops"} == {"sda"}
    assert {name for key, name in figures if key == "host_net_rx_kb"} == {"eth0"}
    assert ("host_fs_used_mb", "/u01/my data") not in figures
    assert set(records.ignored) == {
        "Memory: mem_used: counts otherwise what could be freed",
        "Filesystem {}: fs_used: counts what is reserved for root as used",
        "Check_MK: execution_time",
    }


def test_a_point_is_the_mean_of_the_step_that_ends_behind_it():
    records = read(answer("CPU load", "load1", [None, 1.0, None, 3.0]))

    assert [moment.isoformat() for moment in records.intervals] == [
        "2026-11-18T01:00:00+00:00",
        "2026-11-18T02:00:00+00:00",
    ]


def test_of_steps_beyond_an_hour_a_day_has_its_mean_and_no_maximum():
    [figures] = figures_by_day(read(answers(steps=4, step=6 * 3600)))

    assert figures["host_cpu_user_pct", ""] == pytest.approx(20.75)
    assert figures["host_disk_iops", "sda"] == pytest.approx(150)
    assert ("host_cpu_busy_pct:max", "") not in figures


def test_a_question_that_was_refused_is_named_beside_those_that_were_not():
    refused = {"title": "Bad Request", "status": 400, "detail": "Unknown metric", "host_name": "db01"}
    refused |= {"service_description": "Memory", "metric_id": "mem_total"}

    records = read(answers() + json.dumps(refused))

    assert "Memory: mem_total: Unknown metric" in records.ignored


def test_each_metric_leads_to_a_statistic_of_ours():
    mapping = MAPPINGS[FORMAT]
    for name, statistic in mapping.by_name.items():
        metric = find_metric(statistic.statistic)
        assert metric is not None, name
        assert metric.category == statistic.category
        assert bool(metric.component_kind) == ("{}" in name[0])
    assert not mapping.left_out.keys() & {name[0] for name in mapping.by_name}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (answers().replace('"service_description": "CPU load", ', ""), "does not say what it is of"),
        (answer("CPU load", "load1", [None, None]), "hold no point"),
        (answer("CPU load", "load1", [1], reduce="max"), "the max of each step: ask with reduce average"),
        (answer("CPU load", "load1", [1]) + answer("CPU load", "load5", [1], step=300), "steps of 1,800 and of 300 seconds"),
        (answer("CPU load", "load1", [1], step=10**6), "no day can be made of them"),
        (answer("CPU load", "load1", [1]) + answer("CPU load", "load1", [1], host_name="db02"), "several hosts, db01 and db02"),
        (answer("CPU load", "load1", [1], metrics=[{"data_points": []}] * 2), "a graph of several metrics"),
        (answer("CPU load", "load1", [1], metrics=7), "These are not answers of Checkmk"),
        (answer("CPU load", "load1", ["much"]), "These are not answers of Checkmk"),
        (answer("CPU load", "load1", [1], time_range={"start": "soon"}), "These are not answers of Checkmk"),
        (answer("CPU load", "load1", [1], time_range={"start": 10**12}), "a moment that is none"),
        (answers()[:-40], "ends in the middle"),
        (answer("Check_MK", "execution_time", [1]), "no interval with figures"),
        (
            '{"title":"Unauthorized","status":401,"detail":"Bad credentials","host_name":"db01","service_description":"CPU load","metric_id":"load1"}',
            "Checkmk refused the question about CPU load: load1: Bad credentials",
        ),
        ('{"time_range":{"start":"1970-01-01T00:00:00+00:00"},"step":60,"metrics":[]}', "put its question beside it"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(UnreadableFile, match=sentence):
        read(text)
