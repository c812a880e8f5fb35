"""Real files of hosts: the figures that stand in them are the figures that are read (HST1 to HST12)."""

import shutil

import pytest

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.metrics.categories import DEVICES, PROCESSORS
from apps.platforms.linux.tests.host_files import figures_by_day, mean, read, read_sample, series
from apps.platforms.linux.tests.measured import sample
from apps.platforms.linux.tests.test_collector import skip_aloud

# sar's own averages come from the counters at both ends; the mean of its rows, each rounded, is a little off
NEAR = 0.15
USER, SYS, IDLE = (f"sysstat_cpu_{state}_pct" for state in ("user", "sys", "idle"))


def ends(records):
    moments = list(records.intervals)
    return f"{moments[0]:%Y-%m-%d %H:%M:%S}", f"{moments[-1]:%Y-%m-%d %H:%M:%S}"


def test_sar_of_rhel_7_with_48_processors():
    records = read_sample("sar/linux_rhel7_sysstat10.1.5_48cpu.txt")
    (figures,) = figures_by_day(records)

    assert len(records.intervals) == 36
    assert ends(records) == ("2016-03-28 09:10:01", "2016-03-28 15:00:01")
    assert [f"{boot:%H:%M:%S}" for boot in records.restarts] == ["08:51:10"]
    assert series(records, "sysstat_mem_free_kb")[0] == 94959832
    assert figures["host_cpus", ""] == 48
    assert figures["host_cpu_idle_pct", ""] == pytest.approx(99.97, abs=0.006)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(0.01, abs=0.006)
    assert figures["host_mem_free_kb", ""] == pytest.approx(94502038, abs=1)
    assert figures["host_mem_used_kb", ""] == pytest.approx(4251662, abs=1)
    assert figures["host_mem_used_pct", ""] == pytest.approx(4.31, abs=0.006)
    assert figures["host_tasks", ""] == pytest.approx(617, abs=0.5)


def test_sar_of_ten_seconds_that_ends_with_remarks():
    records = read_sample("sar/linux_sles_sysstat11.6.1_4cpu.txt")
    (figures,) = figures_by_day(records)

    assert ends(records)[0] == "2018-04-08 16:08:55"
    assert (series(records, USER)[0], series(records, SYS)[0], series(records, IDLE)[0]) == (
        5.47,
        5.39,
        88.99,
    )
    assert figures["host_cpu_user_pct", ""] == pytest.approx(1.12, abs=0.006)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(1.21, abs=NEAR)
    assert figures["host_cpu_iowait_pct", ""] == pytest.approx(0.05, abs=0.006)
    assert figures["host_cpu_idle_pct", ""] == pytest.approx(97.61, abs=0.006)
    assert "08 April 2018, the month first" in records.notes[0]
    assert figures["host_fs_used_pct", "/dev/mapper/system-root"] == pytest.approx(6.24)


def test_hst8_a_host_that_was_started_with_more_memory():
    records = read_sample("sar/linux_sles_sysstat12.0.2_14cpu_restart_memory_change.txt.gz")
    idle, user = series(records, IDLE), series(records, USER)
    installed = [total / 1024**2 for total in series(records, "host_mem_total_kb")]
    after = [at for at in records.intervals if at > next(iter(records.restarts))]
    (figures,) = figures_by_day(records)

    assert len(records.intervals) == 86
    assert ends(records) == ("2018-12-18 00:10:01", "2018-12-18 14:40:01")
    assert [f"{boot:%H:%M:%S}" for boot in records.restarts] == ["13:55:21"]
    assert sum(idle[: -len(after)]) / (86 - len(after)) == pytest.approx(97.77, abs=0.006)
    assert sum(user[: -len(after)]) / (86 - len(after)) == pytest.approx(1.76, abs=0.006)
    assert sum(idle[-len(after) :]) / len(after) == pytest.approx(99.46, abs=0.006)
    assert sum(user[-len(after) :]) / len(after) == pytest.approx(0.40, abs=0.006)
    assert series(records, "sysstat_mem_free_kb")[0] == 353290704
    assert series(records, "sysstat_mem_used_kb")[0] == 169588752
    assert series(records, "sysstat_mem_used_pct")[0] == 32.11
    assert series(records, "sysstat_mem_free_kb")[-1] == 707026764
    assert series(records, "sysstat_mem_used_kb")[-1] == 49937432
    assert series(records, "sysstat_mem_used_pct")[-1] == 6.56
    assert (round(installed[0]), round(installed[-1])) == (504, 726)
    assert figures["host_mem_total_kb", ""] > 0


def test_four_days_with_am_and_pm_and_no_date_at_midnight():
    records = read_sample("sar/linux_rhel4_ampm_4days_midnight.txt")
    forks = series(records, "sysstat_forks")
    days = list(figures_by_day(records))

    assert ends(records)[0] == "2011-07-29 19:58:15"
    assert ends(records)[1] == "2011-08-02 19:58:04"
    assert forks[0] == 168.39
    assert sum(forks) / len(forks) == pytest.approx(151.31, abs=0.006)
    assert mean(records, "sysstat_ctxsw") == pytest.approx(2392.39, abs=NEAR)
    assert [f"{at:%d}" for at in records.intervals if at.hour == at.minute == 0] == ["30", "31", "01", "02"]
    assert len(days) == 5
    assert days[1]["host_ctxsw_per_s", ""] > 0


def test_sar_across_midnight_without_a_new_header():
    records = read_sample("sar/host-a_sar_A_60s.txt")
    first, second = figures_by_day(records)

    assert ends(records) == ("2026-11-20 23:57:29", "2026-11-21 00:25:29")
    assert series(records, USER)[0] == 89.51
    assert mean(records, USER) == pytest.approx(80.52, abs=NEAR)
    assert mean(records, "sysstat_cpu_steal_pct") == pytest.approx(1.45, abs=NEAR)
    assert series(records, "sysstat_processor_interrupts", "1", PROCESSORS)[0] == 1283.63
    assert mean(records, IDLE) == pytest.approx(11.05, abs=NEAR)
    assert first["host_cpu_busy_pct:max", ""] == pytest.approx(100.0, abs=0.02)
    assert 70 < second["host_cpu_busy_pct", ""] < 100
    assert mean(records, SYS) == pytest.approx(
        6.40 + 0.2, abs=NEAR
    )  # with interrupts, which sar prints apart


def test_sar_with_an_iso_date():
    records = read_sample("sar/host-a_sar_iso_10s.txt")

    assert (series(records, USER)[0], series(records, SYS)[0]) == (87.47 + 0.0, 9.60)
    assert mean(records, USER) == pytest.approx(80.96 + 0.05, abs=NEAR)
    assert mean(records, SYS) == pytest.approx(6.52, abs=NEAR)
    assert mean(records, "sysstat_cpu_iowait_pct") == pytest.approx(0.30, abs=NEAR)
    assert mean(records, "sysstat_cpu_steal_pct") == pytest.approx(1.42, abs=NEAR)
    assert mean(records, IDLE) == pytest.approx(10.75, abs=NEAR)
    assert mean(records, "sysstat_mem_free_kb") == pytest.approx(5707374, abs=1)
    assert round(mean(records, "sysstat_runq")) == 5


def test_the_table_of_sadf():
    records = read_sample("sar/host-a_sadf_d_10s.csv")

    assert records.format == "sadf -d"
    assert ends(records)[0] == "2026-11-20 23:56:39"
    assert series(records, IDLE)[0] == 0.0
    assert series(records, USER)[0] == 87.47


@pytest.mark.parametrize(
    ("name", "count", "first", "idle"),
    [
        ("sar/host-a_binary_sa_sysstat12.6.1.xz", 179, "2026-11-20 23:56:39", None),
        ("sar/binary_sa_sysstat11.5.7.xz", 35, "2018-05-08 03:33:47", (94.35, 87.15, 87.249)),
    ],
)
def test_a_binary_file_is_read_through_sadf(name, count, first, idle):
    if shutil.which("sadf") is None:
        skip_aloud("sadf is not installed")
    records = read_sample(name)
    values = series(records, IDLE)

    assert len(records.intervals) == count
    assert ends(records)[0] == first
    if idle:
        assert (values[0], values[-1]) == idle[:2]
        assert sum(values) / len(values) == pytest.approx(idle[2], abs=0.0006)


@pytest.mark.parametrize("release", ["10.1.5", "11.5.7"])
def test_a_binary_file_without_sadf_is_refused_with_the_command(release, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)

    with pytest.raises(UnreadableFile, match="sadf -j FILE -- -A"):
        read_sample(f"sar/binary_sa_sysstat{release}.xz")


def test_a_day_of_sadf_with_a_restart():
    records = read_sample("sysstat-json/sadf_j_8cpu_24h_restart.json", "Asia/Shanghai")
    idle = series(records, IDLE)
    (figures,) = figures_by_day(records, "Asia/Shanghai")

    assert len(records.intervals) == 142
    assert ends(records) == ("2023-11-30 16:10:33", "2023-12-01 15:50:00")
    assert [f"{boot:%H:%M:%S}" for boot in records.restarts] == ["16:12:00"]
    assert (idle[0], idle[-1]) == (99.95, 99.98)
    assert sum(idle) / 142 == pytest.approx(99.982, abs=0.0006)
    assert series(records, "sysstat_mem_free_kb")[0] == 5402672
    assert series(records, "sysstat_mem_used_kb")[0] == 688560
    assert series(records, "sysstat_mem_used_pct")[0] == 9.03
    assert series(records, "sysstat_mem_used_kb")[-1] == 403564
    assert series(records, "sysstat_disk_iops", "dev252-0", DEVICES)[0] == 0.24
    assert series(records, "sysstat_disk_await_ms", "dev252-0", DEVICES)[0] == 1.54
    assert figures["host_cpus", ""] == 8


def test_the_xml_of_rhel_6():
    records = read_sample("sysstat-json/sadf_x_rhel6_sysstat9.0.4_24h.xml")
    first = next(iter(records.intervals.values())).values

    assert records.format == "sadf -x"
    assert len(records.intervals) == 143
    assert ends(records) == ("2012-09-12 04:10:01", "2012-09-13 03:50:01")
    assert series(records, USER)[0] == 0.05
    assert series(records, SYS)[0] == pytest.approx(0.13 + 0.02)  # interrupts are work of the kernel
    assert series(records, IDLE)[0] == 99.71
    assert series(records, "sysstat_mem_used_pct")[0] == 59.12
    assert series(records, "sysstat_swap_used_kb")[0] == 0
    assert first[DEVICES, "sysstat_disk_await_ms", "dev8-0"] == 6.02


def test_all_activities_of_an_invented_host():
    records = read_sample("sysstat-json/sysstat_tests_sadf-j.json")

    assert len(records.intervals) == 4  # of five: the host was started within the last one
    assert ends(records)[0] == "2019-04-18 13:20:19"
    assert series(records, IDLE)[0] == 82.88
    assert series(records, "sysstat_runq")[0] == 3
    assert records.settings["host_cpus"][max(records.restarts)] == 10


def test_sadf_across_midnight():
    records = read_sample("sysstat-json/host-a_sadf_j_10s.json")
    idle = series(records, IDLE)

    assert len(records.intervals) == 179
    assert ends(records) == ("2026-11-20 23:56:39", "2026-11-21 00:26:19")
    assert sum(idle) / 179 == pytest.approx(10.706, abs=0.0006)
    assert series(records, "sysstat_mem_free_kb")[0] == 22532568
    assert series(records, "sysstat_mem_free_kb")[-1] == 211724
    assert series(records, "sysstat_mem_used_kb")[-1] == 2241668
    assert series(records, "sysstat_mem_used_pct")[-1] == 9.08
    assert series(records, "sysstat_disk_iops", "vda", DEVICES)[0] == 239.76
    assert series(records, "sysstat_disk_await_ms", "vda", DEVICES)[0] == 1.79
    assert series(records, "sysstat_disk_util_pct", "vda", DEVICES)[0] == 8.99


def test_empty_objects_of_sadf_are_no_intervals():
    records = read_sample("sysstat-json/host-a_sadf_j_60s.json")

    assert len(records.intervals) == 29
    assert ends(records)[0] == "2026-11-20 23:57:29"
    assert series(records, USER)[0] == 89.51


def test_hst1_hst6_hst10_hst13_solaris_10():
    records = read_sample("solaris/sar_solaris10_sun4u_part_day.txt")
    (figures,) = figures_by_day(records)

    assert (records.host.system, records.host.release, records.host.machine) == ("SunOS", "5.10", "sun4u")
    assert figures["host_cpu_user_pct", ""] == pytest.approx(4, abs=0.5)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(6, abs=0.5)
    assert figures["host_cpu_iowait_pct", ""] == 0
    assert figures["host_cpu_idle_pct", ""] == pytest.approx(90, abs=0.5)
    assert figures["host_runq", ""] == pytest.approx(
        2.2 * 0.03, abs=0.01
    )  # while it was occupied, and how long
    assert figures["host_runq_wait", ""] == figures["host_runq", ""]  # it counts those that wait alone
    assert figures["host_mem_free_kb", ""] / 8 == pytest.approx(172236, abs=2)  # pages of SPARC
    assert mean(records, "swap_free_kb") * 2 == pytest.approx(8380134, abs=200)
    assert figures["host_syscalls_per_s", ""] == pytest.approx(3308, abs=0.5)
    assert figures["host_disk_svctm_ms", "md0"] == pytest.approx(35.8, rel=0.02)  # sar rounds r+w/s
    assert figures["host_ctxsw_per_s", ""] == pytest.approx(826, abs=0.5)
    queue = figures["host_disk_host_queue", "md0"] + figures["host_disk_lun_queue", "md0"]
    assert queue == pytest.approx(
        figures["host_disk_iops", "md0"] * figures["host_disk_await_ms", "md0"] / 1000
    )
    assert not {("host_disk_read_await_ms", "md0"), ("host_interrupts_per_s", "")} & figures.keys()  # never 0


def test_hst1_hst2_hst6_solaris_11():
    records = read_sample("solaris/sar_solaris11.3_sun4v.txt")
    (figures,) = figures_by_day(records)

    assert records.host.name == "host-s11"
    assert figures["host_cpu_user_pct", ""] == pytest.approx(0, abs=0.5)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(2, abs=0.5)
    assert figures["host_cpu_idle_pct", ""] == pytest.approx(98, abs=0.6)
    assert figures["host_runq", ""] == pytest.approx(1.2 * 0.59, abs=0.03)
    assert figures["host_mem_free_kb", ""] / 8 == pytest.approx(369718, abs=2)
    assert mean(records, "swap_free_kb") * 2 == pytest.approx(14075154, abs=200)
    assert figures["host_syscalls_per_s", ""] == pytest.approx(1190, abs=0.5)


def test_hst1_hst2_hst10_aix():
    records = read_sample("aix-hpux/sar_aix7.2_24h_1min.txt.gz")
    (figures,) = figures_by_day(records)
    first = next(iter(records.intervals.values())).values

    assert (records.host.name, records.host.release) == ("host-aix", "7.2")
    assert [series(records, f"sysstat_cpu_{state}_pct")[0] for state in ("user", "sys", "iowait", "idle")] == [
        17, 3, 0, 80,
    ]  # fmt: skip
    assert figures["host_cpus", ""] == 96
    assert figures["host_cpu_user_pct", ""] == pytest.approx(25, abs=0.5)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(3, abs=0.5)
    assert figures["host_cpu_idle_pct", ""] == pytest.approx(73, abs=0.5)
    assert figures["host_runq", ""] == pytest.approx(14.0 * 0.94, abs=0.1)
    assert first[DEVICES, "sysstat_disk_svctm_ms", "hdisk40"] == 2.0  # a row without its time
    assert len(records.intervals) == 1439


def test_hst2_hst10_hp_ux():
    records = read_sample("aix-hpux/sar_hpux_11.31_part_day.txt")
    (figures,) = figures_by_day(records)
    first = next(iter(records.intervals.values())).values

    assert [series(records, f"sysstat_cpu_{state}_pct")[0] for state in ("user", "sys", "iowait", "idle")] == [
        19, 8, 29, 45,
    ]  # fmt: skip
    assert figures["host_cpu_user_pct", ""] == pytest.approx(26, abs=0.5)
    assert figures["host_cpu_sys_pct", ""] == pytest.approx(9, abs=0.5)
    assert figures["host_cpu_iowait_pct", ""] == pytest.approx(34, abs=0.5)
    assert figures["host_cpu_idle_pct", ""] == pytest.approx(31, abs=0.5)
    assert first[DEVICES, "sysstat_disk_util_pct", "disk1"] == 8.35
    assert first[DEVICES, "sysstat_disk_queue", "disk1"] == 10.17


def test_hst10_iostat_in_json_begins_with_what_was_since_boot():
    records = read_sample("sysstat-json/host-a_iostat_x.json")
    first = next(iter(records.intervals.values())).values
    figures = next(figures_by_day(records))

    assert len(records.intervals) == 59  # of 60 reports
    assert ends(records)[0] == "2026-11-20 23:56:59"
    assert 89.99 not in series(records, IDLE)
    assert (series(records, USER)[-1], series(records, IDLE)[-1]) == (95.38, 0.0)
    assert first[DEVICES, "sysstat_disk_read_iops", "vda"] == 3.73
    assert figures["host_disk_read_await_ms", "vda"] < figures["host_disk_write_await_ms", "vda"]


def test_hst2_mpstat_in_json_has_times_without_a_date():
    records = read_sample("sysstat-json/host-a_mpstat_P_ALL.json")

    assert len(records.intervals) == 60
    assert ends(records) == ("2026-11-20 23:56:59", "2026-11-21 00:26:29")
    assert (series(records, USER)[0], series(records, USER)[-1]) == (87.64, 97.6)


def test_hst10_iostat_of_solaris():
    records = read_sample("solaris/iostat_xTd_solaris10.txt")
    (figures,) = figures_by_day(records)

    assert len(records.intervals) == 19  # of 20 reports: the first is since boot
    assert ends(records)[0] == "2011-04-19 21:16:02"
    assert {name for metric, name in figures if metric == "host_disk_iops"} == {"fd0", "sd0", "sd1", "nfs1"}
    assert records.intervals[max(records.intervals)].values[DEVICES, "sysstat_disk_iops", "sd0"] >= 0
    assert 52.6 not in series(records, "sysstat_disk_read_iops", "sd0", DEVICES)


@pytest.mark.parametrize("name", ["vmstat_solaris10.txt", "vmstat_p_solaris10.txt"])
def test_vmstat_without_times_asks_for_them(name):
    with pytest.raises(
        UnreadableFile, match=r"vmstat printed no times, .* belong to no day; run it with -T d"
    ):
        read_sample(f"solaris/{name}")


def dated_sample(name):
    """A sample as -T d would have printed it: a moment before each row."""
    lines = sample(f"solaris/{name}").splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if line.split()[0].isdigit()]
    for place, number in enumerate(rows):
        lines[number] = f"Fri Nov 20 08:{place:02}:00 2026\n{lines[number]}"
    return read("".join(lines))


def test_hst1_hst6_hst8_vmstat_of_solaris():
    records = dated_sample("vmstat_solaris10.txt")
    (figures,) = figures_by_day(records)

    assert len(records.intervals) == 9  # of 10 rows: the first, with 3508896 kB and 95 % idle, is since boot
    assert series(records, "sysstat_mem_free_kb")[0] == 3511396
    assert (series(records, "sysstat_faults")[0], series(records, IDLE)[0]) == (52, 99)
    assert (series(records, "sysstat_syscalls")[0], series(records, SYS)[0]) == (342, 1)
    assert series(records, "sysstat_ctxsw")[:3] == [92, 94, 76]
    assert figures["host_runq", ""] == 0
    assert 0 < figures["host_cpu_busy_pct", ""] < 2


def test_vmstat_by_kinds_of_pages():
    records = dated_sample("vmstat_p_solaris10.txt")

    assert 3732560 not in series(records, "sysstat_mem_free_kb")  # since boot, with 38 scanned
    assert series(records, "sysstat_mem_free_kb")[0] == 3623852
    assert series(records, "sysstat_scanned")[0] == 0
    assert series(records, "sysstat_page_in_kb")[0] == 8


def test_hst2_nmon_of_aix():
    records = read_sample("nmon/nmon_aix7.1_aixlpar.nmon.gz")
    first, second = figures_by_day(records)

    assert (records.format, records.host.name, records.host.system) == ("nmon", "aixlpar", "AIX")
    assert len(records.intervals) == 187
    assert ends(records) == ("2016-02-10 17:28:10", "2016-02-11 08:59:32")
    names = (USER, SYS, "sysstat_cpu_iowait_pct", IDLE)
    assert [series(records, name)[0] for name in names] == [32.2, 29.2, 0.1, 38.5]
    assert [round(mean(records, name), 3) for name in names] == [11.325, 14.407, 0.521, 73.744]
    assert first["host_cpus", ""] == 28
    assert second["host_mem_used_kb", ""] == pytest.approx(
        second["host_mem_total_kb", ""] * second["host_mem_used_pct", ""] / 100
    )


def test_hst2_nmon_of_linux():
    records = read_sample("nmon/host-a_linux.nmon")
    (figures,) = figures_by_day(records)

    assert len(records.intervals) == 40
    assert ends(records) == ("2026-11-21 00:14:49", "2026-11-21 00:21:19")
    assert mean(records, USER) == pytest.approx(91.98, abs=NEAR)
    assert mean(records, SYS) == pytest.approx(5.74, abs=NEAR)
    assert mean(records, "sysstat_cpu_iowait_pct") == pytest.approx(0.023, abs=0.001)
    assert mean(records, IDLE) == pytest.approx(2.062, abs=0.001)
    assert figures["host_cpus", ""] == 2
    assert {name for metric, name in figures if metric == "host_disk_iops"} == {"vda"}
