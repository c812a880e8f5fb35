"""sysstat's records, by small texts and by real ones of several releases."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.platforms.linux.metrics.categories import DEVICES, INTERFACES, KERNEL, PROCESSORS, SYSSTAT, TCP
from apps.platforms.linux.sadf import SarSample, UnreadableRecords, averages, read_samples, stretch
from apps.platforms.linux.sources import add_sysstat
from apps.platforms.linux.tests.measured import figures, sample, value

T0 = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def records(*statistics, restarts=()):
    return json.dumps({"sysstat": {"hosts": [{"statistics": list(statistics), "restarts": list(restarts)}]}})


def stamp(time="12:00:00", interval=600, **zone):
    return {"date": "2026-11-20", "time": time, "interval": interval, **(zone or {"utc": 1})}


def all_of(sample, metric, component="", category=KERNEL):
    return sample.values[category, metric, component]


def mean(samples, metric):
    return sum(all_of(s, metric) for s in samples) / len(samples)


def test_a_real_day_with_a_restart():
    samples = read_samples(sample("sysstat-json/sadf_j_8cpu_24h_restart.json"))

    assert len(samples) == 142
    assert (samples[0].ended_at.isoformat(), samples[0].seconds) == ("2023-11-30T16:10:33+00:00", 631)
    assert samples[-1].ended_at.isoformat() == "2023-12-01T15:50:00+00:00"
    assert all_of(samples[0], "sysstat_cpu_idle_pct") == 99.95
    assert all_of(samples[-1], "sysstat_cpu_idle_pct") == 99.98
    assert mean(samples, "sysstat_cpu_idle_pct") == pytest.approx(99.982, abs=0.0005)
    assert all_of(samples[0], "sysstat_mem_free_kb") == 5402672
    assert all_of(samples[0], "sysstat_mem_used_kb") == 688560
    assert all_of(samples[0], "sysstat_mem_used_pct") == 9.03
    assert all_of(samples[-1], "sysstat_mem_used_kb") == 403564
    assert all_of(samples[0], "sysstat_disk_iops", "dev252-0", DEVICES) == 0.24
    assert all_of(samples[0], "sysstat_disk_await_ms", "dev252-0", DEVICES) == 1.54


def test_real_records_of_ten_seconds_across_midnight():
    samples = read_samples(sample("sysstat-json/host-a_sadf_j_10s.json"))

    assert len(samples) == 179
    assert samples[0].ended_at.isoformat() == "2026-11-20T23:56:39+00:00"
    assert samples[-1].ended_at.isoformat() == "2026-11-21T00:26:19+00:00"
    assert mean(samples, "sysstat_cpu_idle_pct") == pytest.approx(10.706, abs=0.0005)
    assert (all_of(samples[0], "sysstat_mem_free_kb"), all_of(samples[-1], "sysstat_mem_free_kb")) == (
        22532568,
        211724,
    )
    assert all_of(samples[-1], "sysstat_mem_used_kb") == 2241668
    assert all_of(samples[-1], "sysstat_mem_used_pct") == 9.08
    assert all_of(samples[0], "sysstat_disk_iops", "vda", DEVICES) == 239.76
    assert all_of(samples[0], "sysstat_disk_await_ms", "vda", DEVICES) == 1.79
    assert all_of(samples[0], "sysstat_disk_util_pct", "vda", DEVICES) == 8.99
    assert all_of(samples[0], "sysstat_net_rx_kb", "eth0", INTERFACES) == 8182.58
    assert not any(component == "lo" for _, _, component in samples[0].values)


def test_real_records_asked_for_in_wider_steps_have_empty_objects_between():
    text = sample("sysstat-json/host-a_sadf_j_60s.json")

    samples = read_samples(text)

    assert len(json.loads(text)["sysstat"]["hosts"][0]["statistics"]) == 179
    assert len(samples) == 29
    assert samples[0].ended_at.isoformat() == "2026-11-20T23:57:29+00:00"
    assert all_of(samples[0], "sysstat_cpu_user_pct") == 89.51


def test_real_records_of_all_activities_lose_the_interval_of_the_restart():
    samples = read_samples(sample("sysstat-json/sysstat_tests_sadf-j.json"))

    assert len(samples) == 4  # of five: the machine was started within the last one
    assert samples[0].ended_at.isoformat() == "2019-04-18T13:20:19+00:00"
    assert all_of(samples[0], "sysstat_cpu_idle_pct") == 82.88
    assert all_of(samples[0], "sysstat_cpu_user_pct") == pytest.approx(2.15 + 12.5)
    assert all_of(samples[0], "sysstat_cpu_sys_pct") == pytest.approx(1.84 + 0.34 + 0.19)
    assert all_of(samples[0], "sysstat_runq") == 3
    assert all_of(samples[0], "sysstat_ctxsw") == 68409.3
    assert all_of(samples[0], "sysstat_interrupts") == 31915.3
    assert samples[0].values[PROCESSORS, "sysstat_processor_interrupts", "1"] == 11829.29
    assert (KERNEL, "sysstat_psi_cpu_some_pct", "") in samples[0].values
    assert (TCP, "sysstat_tcp_retransmitted", "") in samples[0].values


def test_hst2_real_records_lead_to_the_figures_of_the_host():
    samples = read_samples(sample("sysstat-json/host-a_sadf_j_10s.json"))

    readings = [reading for run in averages(samples).values() for reading in run]
    values = figures(readings, readings)

    idle, iowait = mean(samples, "sysstat_cpu_idle_pct"), mean(samples, "sysstat_cpu_iowait_pct")
    assert values["host_cpu_busy_pct", ""] == pytest.approx(100 - idle - iowait)
    assert values["host_disk_iops", "vda"] > 0
    assert values["host_runq", ""] > 0


def test_both_names_of_user_and_kernel_time_are_known():
    long = {"cpu": "all", "usr": 10.0, "nice": 1.0, "sys": 2.0, "iowait": 3.0, "steal": 0.5, "idle": 80.0}
    long |= {"irq": 0.25, "soft": 0.25, "guest": 2.0, "gnice": 1.0}
    short = {
        "cpu": "all",
        "user": 13.0,
        "nice": 1.0,
        "system": 2.5,
        "iowait": 3.0,
        "steal": 0.5,
        "idle": 80.0,
    }

    samples = read_samples(
        records(
            {"timestamp": stamp(), "cpu-load": [long]}, {"timestamp": stamp("12:10:00"), "cpu-load": [short]}
        )
    )

    assert samples[0].values == samples[1].values
    assert all_of(samples[0], "sysstat_cpu_user_pct") == 14


def test_older_names_of_devices_fields_are_converted():
    disk = {
        "disk-device": "sda",
        "tps": 5.0,
        "rd_sec": 100.0,
        "wr_sec": 40.0,
        "avgrq-sz": 28.0,
        "avgqu-sz": 0.5,
        "await": 3.0,
    }

    first = read_samples(records({"timestamp": stamp(), "disk": [disk]}))[0]

    assert all_of(first, "sysstat_disk_read_kb", "sda", DEVICES) == 50
    assert all_of(first, "sysstat_disk_size_kb", "sda", DEVICES) == 14
    assert all_of(first, "sysstat_disk_queue", "sda", DEVICES) == 0.5


def test_times_are_taken_with_their_zone_and_never_without():
    zoned = read_samples(records({"timestamp": stamp(tz="Europe/Berlin"), "queue": {"runq-sz": 1}}))

    assert zoned[0].ended_at == datetime(2026, 11, 20, 11, 0, tzinfo=UTC)
    with pytest.raises(UnreadableRecords, match="without a zone"):
        read_samples(records({"timestamp": stamp(utc=0), "queue": {"runq-sz": 1}}))


@pytest.mark.parametrize(
    "text", ["", "Invalid system activity file: sa21\n", "[]", '{"sysstat": {}}', '{"sysstat": ']
)
def test_anything_else_than_records_is_told_in_a_sentence(text):
    with pytest.raises(UnreadableRecords, match="could not be read"):
        read_samples(text)


def sampled(minute: float, seconds: float = 60.0, **values: float) -> SarSample:
    readings = {(KERNEL, metric, ""): number for metric, number in values.items()}
    return SarSample(T0 + timedelta(minutes=minute), seconds, readings)


def test_a_mean_is_weighted_by_the_length_of_the_intervals():
    readings = averages([sampled(0, 600, sysstat_runq=1.0), sampled(1, 60, sysstat_runq=12.0)])[KERNEL]

    assert value(readings, "sysstat_runq") == 2


def test_a_mean_response_is_weighted_by_requests():
    busy = {(DEVICES, "sysstat_disk_iops", "sda"): 99.0, (DEVICES, "sysstat_disk_await_ms", "sda"): 2.0}
    quiet = {(DEVICES, "sysstat_disk_iops", "sda"): 1.0, (DEVICES, "sysstat_disk_await_ms", "sda"): 102.0}

    readings = averages([SarSample(T0, 60, busy), SarSample(T0, 60, quiet)], {"sda": "vg-data"})[DEVICES]

    assert value(readings, "sysstat_disk_await_ms", "vg-data") == 3
    assert value(readings, "sysstat_disk_iops", "vg-data") == 50


def test_devices_that_are_not_watched_are_left_out():
    partition = {(DEVICES, "sysstat_disk_iops", "sda1"): 1.0}

    assert averages([SarSample(T0, 60, partition)], {"sda": "sda"}) == {}


def test_the_stretch_is_what_ended_in_the_last_slot():
    samples = [sampled(minute) for minute in range(-9, 1)]

    recent = stretch(samples, T0, timedelta(minutes=5))

    assert [s.ended_at for s in recent] == [T0 + timedelta(minutes=minute) for minute in range(-4, 1)]


def test_a_slower_sysstat_speaks_with_its_newest_sample_while_that_is_fresh():
    slow = [sampled(-18, 600), sampled(-8, 600)]

    assert stretch(slow, T0, timedelta(minutes=5)) == slow[1:]
    assert stretch(slow, T0 + timedelta(minutes=13), timedelta(minutes=5)) == []


def test_records_of_the_future_say_nothing_about_now():
    assert stretch([sampled(30)], T0, timedelta(minutes=5)) == []


def test_records_that_cannot_be_read_are_a_failure_that_leaves_the_rest_alone():
    runs = add_sysstat(
        [], {"/var/log/sysstat/sa20": "Invalid system activity file"}, T0, timedelta(minutes=5), 0.1
    )

    assert [(run.category, run.error[:38]) for run in runs] == [
        (SYSSTAT, "/var/log/sysstat/sa20: sysstat's recor")
    ]


@given(st.lists(st.tuples(st.integers(1, 1000), st.floats(0, 1e6)), min_size=1, max_size=20))
def test_a_mean_lies_among_what_it_is_made_of(parts):
    samples = [sampled(i, seconds, sysstat_runq=number) for i, (seconds, number) in enumerate(parts)]

    mean = value(averages(samples)[KERNEL], "sysstat_runq")

    numbers = [number for _, number in parts]
    assert mean is not None
    assert min(numbers) - 1e-6 <= mean <= max(numbers) * (1 + 1e-9) + 1e-6
