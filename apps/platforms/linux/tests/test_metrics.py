"""Golden figures of the method (HST, STU) through the formulas, and the order of the catalogue."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.metric import Kind
from apps.catalog.registry import get_metric
from apps.catalog.units import parse_unit
from apps.platforms.linux.metrics import METRICS
from apps.platforms.linux.metrics.categories import CATEGORIES
from apps.platforms.linux.not_measurable import NOT_MEASURABLE, STATISTICS
from apps.platforms.linux.tests.measured import counted, figure, figures

KEYS = {metric.key for metric in METRICS}


def test_every_metric_has_a_key_of_its_own_a_known_unit_and_a_category():
    assert len(KEYS) == len(METRICS)
    for metric in METRICS:
        assert metric.category in CATEGORIES, metric.key
        for unit in (metric.unit, metric.display_unit, metric.native_unit):
            parse_unit(unit)


def test_every_figure_says_what_it_means_and_where_it_is_listed():
    assert [m.key for m in METRICS if m.is_figure and not (m.help and m.section.title and m.label)] == []


def test_formulas_ask_for_readings_that_exist_and_every_ingredient_is_used():
    ingredients = {key for metric in METRICS if metric.formula for key in metric.ingredients}

    assert ingredients - KEYS == set()
    assert {m.key for m in METRICS if not m.is_figure} - ingredients == set()


def test_ranks_and_weights_name_metrics_of_the_catalogue():
    named = {key for metric in METRICS for key in (metric.ranking.by, metric.judging.weight) if key}

    assert named - KEYS == set()


def test_figures_need_one_category_so_that_a_missing_source_takes_no_slots_from_another():
    for metric in METRICS:
        if metric.formula:
            assert len({get_metric(key).category for key in metric.ingredients}) == 1, metric.key


def test_the_default_profile_has_the_rows_of_the_method_in_its_sections():
    rows = {(m.section.title, m.key, m.display.reduction, m.display.rows) for m in METRICS if m.display.rows}

    assert rows == {
        ("CPU", "host_cpu_busy_pct", "p95", 1),
        ("CPU", "host_runq", "p95", 1),
        ("Memory", "host_mem_used_kb", "", 1),
        ("Memory", "host_mem_used_pct", "", 1),
        ("Memory", "host_mem_pagetables_kb", "", 1),
        ("Memory", "host_swap_used_pct", "", 1),
        ("Disk", "host_disk_read_await_ms", "p95", 1),
        ("Disk", "host_disk_write_await_ms", "p95", 1),
        ("Space", "host_fs_used_pct", "", 4),
        ("Network", "host_net_rx_kb", "", 1),
        ("Network", "host_net_tx_kb", "", 1),
    }
    stand_ins = {m.key: get_metric(m.display.stands_in_for) for m in METRICS if m.display.stands_in_for}
    assert {key: principal.key for key, principal in stand_ins.items()} == {
        "host_disk_await_ms": "host_disk_read_await_ms",
        "host_mem_free_kb": "host_mem_used_kb",
    }
    assert all(get_metric(key).section == principal.section for key, principal in stand_ins.items())


def ticks(user=0, nice=0, system=0, idle=0, iowait=0, irq=0, softirq=0, steal=0):
    states = {
        "user": user,
        "nice": nice,
        "system": system,
        "idle": idle,
        "iowait": iowait,
        "irq": irq,
        "softirq": softirq,
        "steal": steal,
    }
    readings = counted("", **{f"cpu_{state}_ticks": float(value) for state, value in states.items()})
    return readings + counted(
        cpu_unused_ticks=float(idle + iowait), cpu_total_ticks=float(sum(states.values()))
    )


def test_hst2_processor_time_is_user_system_and_idle():
    values = figures(ticks(user=1000, system=500, idle=9000), ticks(user=1023, system=503, idle=9074))

    assert values["host_cpu_user_pct", ""] == 23
    assert values["host_cpu_sys_pct", ""] == 3
    assert values["host_cpu_idle_pct", ""] == 74
    assert values["host_cpu_busy_pct", ""] == 26
    assert values["host_cpu_busy_pct:p95", ""] == 26


def test_hst2_waiting_for_io_is_not_busy():
    values = figures(ticks(), ticks(user=20, system=2, idle=40, iowait=38))

    assert values["host_cpu_iowait_pct", ""] == 38
    assert values["host_cpu_busy_pct", ""] == 22


def test_an_iowait_that_counts_backwards_does_not_lose_the_interval():
    values = figures(ticks(user=0, idle=100, iowait=50), ticks(user=30, idle=171, iowait=49))

    assert values["host_cpu_busy_pct", ""] == 30
    assert ("host_cpu_iowait_pct", "") not in values


def test_hst2_averages_of_sysstat_lead_to_the_same_figure():
    averages = counted(
        sysstat_cpu_user_pct=23.0,
        sysstat_cpu_sys_pct=3.0,
        sysstat_cpu_iowait_pct=38.0,
        sysstat_cpu_idle_pct=36.0,
    )

    values = figures(averages, averages)

    assert values["host_cpu_busy_pct", ""] == 26
    assert values["host_cpu_user_pct", ""] == 23


@settings(max_examples=40)
@given(st.lists(st.integers(0, 10_000), min_size=8, max_size=8).filter(lambda grown: sum(grown) > 0))
def test_busy_is_what_is_neither_idle_nor_waiting_whichever_way_it_was_read(grown):
    before = [1_000_000 + 7 * n for n in range(8)]
    share = [100 * value / sum(grown) for value in grown]
    expected = share[0] + share[1] + share[2] + share[5] + share[6] + share[7]
    averages = counted(sysstat_cpu_iowait_pct=share[4], sysstat_cpu_idle_pct=share[3])

    counted_by_kernel = figure(
        "host_cpu_busy_pct", ticks(*before), ticks(*map(sum, zip(before, grown, strict=True)))
    )
    averaged_by_sysstat = figure("host_cpu_busy_pct", averages, averages)

    assert counted_by_kernel == pytest.approx(expected, abs=1e-6)
    assert averaged_by_sysstat == pytest.approx(expected, abs=1e-6)


def test_the_busiest_single_processor_is_told():
    def of(first, second):
        return [
            *counted("0", processor_busy_ticks=first, processor_idle_ticks=100 - first),
            *counted("1", processor_busy_ticks=second, processor_idle_ticks=100 - second),
        ]

    start = [
        *counted("0", processor_busy_ticks=0.0, processor_idle_ticks=0.0),
        *counted("1", processor_busy_ticks=0.0, processor_idle_ticks=0.0),
    ]

    assert figure("host_cpu_percpu_max_pct", start, of(5.0, 97.0)) == 97


def test_hst1_the_run_queue_leaves_out_who_counts():
    values = figures(*[counted(procs_running=13.0, host_cpus=8.0)] * 2)

    assert values["host_runq", ""] == 12
    assert values["host_runq_wait", ""] == 4
    assert values["host_runq:p95", ""] == 12


def test_hst7_load_averages_are_told_as_they_stood():
    values = figures(*[counted(load_1=7.71, load_5=8.87, load_15=8.86)] * 2)

    assert [values[f"host_load{minutes}", ""] for minutes in (1, 5, 15)] == pytest.approx([7.71, 8.87, 8.86])


def test_hst8_major_faults_per_minor_fault():
    major, minor = 16504390.0, 2377024933.0

    share = figure(
        "host_major_minor_pct",
        counted(vm_faults=0.0, vm_major_faults=0.0),
        counted(vm_faults=major + minor, vm_major_faults=major),
    )

    assert share == pytest.approx(0.694, abs=0.0005)


def test_hst8_the_same_from_the_rates_of_sysstat():
    rates = counted(sysstat_faults=(984358 + 142199182) / 3600, sysstat_majfaults=984358 / 3600)

    assert figure("host_major_minor_pct", rates, rates) == pytest.approx(0.692, abs=0.0005)


def test_hst8_memory_used_is_what_is_not_available():
    values = figures(*[counted(host_mem_total_kb=24682416.0, mem_available_kb=23587064.0)] * 2)

    assert values["host_mem_used_kb", ""] == 1095352
    assert values["host_mem_used_pct", ""] == pytest.approx(4.438, abs=0.001)


def test_hst8_swapping_is_a_rate_and_a_host_without_swap_uses_none_of_it():
    values = figures(
        counted(vm_swap_in_pages=100.0, vm_swap_out_pages=0.0, swap_total_kb=0.0, swap_free_kb=0.0),
        counted(vm_swap_in_pages=700.0, vm_swap_out_pages=0.0, swap_total_kb=0.0, swap_free_kb=0.0),
    )

    assert values["host_swap_in_per_s", ""] == 2
    assert values["host_swap_out_per_s", ""] == 0
    assert values["host_swap_used_pct", ""] == 0


def test_stu11_page_tables_in_kb_and_as_a_share_of_memory():
    memory = 3679796 / 0.037
    without, with_huge_pages = (
        figures(*[counted(mem_pagetables_kb=kb, host_mem_total_kb=memory)] * 2) for kb in (3679796.0, 14368.0)
    )

    assert without["host_mem_pagetables_kb", ""] / with_huge_pages[
        "host_mem_pagetables_kb", ""
    ] == pytest.approx(256, abs=0.5)
    assert without["host_mem_pagetables_pct", ""] == pytest.approx(3.7)
    assert get_metric("host_mem_pagetables_kb").to_display_unit(3679796) == pytest.approx(3.51, abs=0.005)


def test_stu12_huge_pages_in_use_and_idle():
    pool = counted(
        host_hugepages_total=35893.0,
        host_hugepages_free=5245.0,
        host_hugepages_rsvd=73.0,
        host_hugepage_size_kb=2048.0,
    )

    values = figures(pool, pool)

    assert values["host_hugepages_used", ""] == 30721
    assert values["host_hugepages_used", ""] * 2048 / 1024**2 == pytest.approx(60.0, abs=0.01)
    assert values["host_hugepages_surplus_pages", ""] == 5172
    assert get_metric("host_hugepages_surplus_kb").to_display_unit(
        values["host_hugepages_surplus_kb", ""]
    ) == pytest.approx(10.1, abs=0.01)


def test_stu12_a_pool_that_nobody_uses_is_idle_as_a_whole():
    pool = counted(
        host_hugepages_total=1000.0,
        host_hugepages_free=1000.0,
        host_hugepages_rsvd=0.0,
        host_hugepage_size_kb=2048.0,
    )

    values = figures(pool, pool)

    assert values["host_hugepages_used", ""] == 0
    assert values["host_hugepages_surplus_kb", ""] / 1024 == 2000


def test_stu17_an_sga_on_one_memory_node_shows_as_imbalance():
    def node(number, free):
        return counted(
            number,
            node_mem_total_kb=8000.0,
            node_mem_free_kb=free,
            node_file_cache_kb=0.0,
            node_hugepages=free / 10,
        )

    values = figures(*[node("0", 200.0) + node("1", 7800.0)] * 2)

    assert values["host_numa_node_used_pct", "0"] == 97.5
    assert values["host_numa_imbalance_pct", ""] == 95
    assert values["host_numa_hp_node_share_pct", ""] == 97.5


DISK = {
    "host_disk_reads": 0.0,
    "host_disk_writes": 0.0,
    "disk_read_sectors": 0.0,
    "disk_write_sectors": 0.0,
    "disk_read_ms": 0.0,
    "disk_write_ms": 0.0,
    "disk_busy_ms": 0.0,
    "disk_weighted_ms": 0.0,
    "host_disk_queue_depth": 8.0,
}


def test_hst10_a_device_tells_requests_response_size_and_queue():
    later = DISK | {
        "host_disk_reads": 30_000.0,
        "host_disk_writes": 6_000.0,
        "disk_read_sectors": 480_000.0,
        "disk_write_sectors": 96_000.0,
        "disk_read_ms": 150_000.0,
        "disk_write_ms": 12_000.0,
        "disk_busy_ms": 60_000.0,
        "disk_weighted_ms": 3_600_000.0,
    }

    values = figures(counted("sda", **DISK), counted("sda", **later))

    assert values["host_disk_read_iops", "sda"] == 100
    assert values["host_disk_iops", "sda"] == 120
    assert values["host_disk_read_await_ms", "sda"] == 5
    assert values["host_disk_write_await_ms", "sda"] == 2
    assert values["host_disk_await_ms", "sda"] == 4.5
    assert values["host_disk_read_kb", "sda"] == 800
    assert values["host_disk_avg_kb", "sda"] == 8
    assert values["host_disk_util_pct", "sda"] == 20
    assert values["host_disk_reads", "sda"] == 100 * 86400


DATABASE_BLOCK_KB = 8


@pytest.mark.parametrize(("sectors", "size"), [(32, 16), (128, 64)], ids=["STU8 single blocks", "STU8 scans"])
def test_the_size_of_reads_is_what_the_database_asks_for_on_blocks_of_1_kb_and_of_8_kb(sectors, size):
    reads = 10_000.0
    of_volumes = {}
    for volume in ("blocks of 1 KB", "blocks of 8 KB"):
        later = DISK | {"host_disk_reads": reads, "disk_read_sectors": reads * sectors}
        values = figures(counted(volume, **DISK), counted(volume, **later))
        of_volumes[volume] = values["host_disk_avg_kb", volume]

    assert of_volumes == {"blocks of 1 KB": size, "blocks of 8 KB": size}
    assert min(of_volumes.values()) >= DATABASE_BLOCK_KB


def test_hst10_the_queue_on_the_host_and_the_queue_on_the_device_are_the_whole_queue():
    values = figures(counted("sda", **DISK), counted("sda", **DISK | {"disk_weighted_ms": 3_600_000.0}))

    assert values["host_disk_host_queue", "sda"] == 4
    assert values["host_disk_lun_queue", "sda"] == 8
    assert (
        values["host_disk_host_queue", "sda"] + values["host_disk_lun_queue", "sda"]
        == values["host_disk_queue", "sda"]
    )


def test_a_device_nobody_asked_has_no_response_time_rather_than_a_good_one():
    values = figures(counted("sda", **DISK), counted("sda", **DISK))

    assert ("host_disk_read_await_ms", "sda") not in values
    assert values["host_disk_iops", "sda"] == 0


def test_the_days_response_weighs_every_request_alike():
    first = DISK | {"host_disk_reads": 10.0, "disk_read_ms": 1000.0}
    second = DISK | {"host_disk_reads": 1000.0, "disk_read_ms": 1990.0}

    values = figures(*(counted("sda", **reading) for reading in (DISK, first, second)))

    assert values["host_disk_read_await_ms", "sda"] == 1.99
    assert values["host_disk_read_await_ms:max", "sda"] == 100


def test_hst12_interfaces_tell_throughput_errors_and_use_of_the_link():
    start = {
        "net_rx_bytes": 0.0,
        "net_tx_bytes": 0.0,
        "net_rx_packets": 0.0,
        "net_tx_packets": 0.0,
        "net_errors": 0.0,
        "net_drops": 0.0,
    }
    later = {
        "net_rx_bytes": 300 * 62.5e6,
        "net_tx_bytes": 300 * 1024.0,
        "net_rx_packets": 3e5,
        "net_tx_packets": 3e3,
        "net_errors": 300.0,
        "net_drops": 600.0,
    }

    values = figures(*(counted("eth0", net_speed_mbit=1000.0, **reading) for reading in (start, later)))

    assert values["host_net_tx_kb", "eth0"] == 1
    assert values["host_net_rx_packets", "eth0"] == 1000
    assert values["host_net_util_pct", "eth0"] == pytest.approx(50)
    assert values["host_net_errors", "eth0"] == 3
    assert values["host_net_drops", "eth0"] == 2


def test_hst12_retransmissions_are_a_rate_and_a_share():
    values = figures(
        counted(tcp_retransmitted=0.0, tcp_sent=0.0, tcp_listen_drops=0.0),
        counted(tcp_retransmitted=300.0, tcp_sent=60_000.0, tcp_listen_drops=0.0),
    )

    assert values["host_tcp_retrans", ""] == 1
    assert values["host_tcp_retrans_pct", ""] == 0.5


def test_pressure_is_a_share_of_the_time():
    values = figures(counted(psi_cpu_some_us=0.0), counted(psi_cpu_some_us=30e6))

    assert values["host_psi_cpu_some", ""] == 10


def test_a_day_in_which_sysstat_began_is_measured_as_a_whole():
    by_kernel = [ticks(user=10 * n, idle=90 * n) for n in range(4)]
    begun = [*by_kernel[3], *counted(sysstat_cpu_iowait_pct=0.0, sysstat_cpu_idle_pct=50.0)]

    values = figures(*by_kernel[:3], begun)

    assert values["host_cpu_busy_pct", ""] == 10
    assert values["host_cpu_busy_pct:max", ""] == 50
    assert values["host_cpu_busy_pct:p95", ""] == pytest.approx(np.percentile([10, 10, 50], 95))


def test_settings_and_gauges_are_read_and_counters_are_not_shown_as_they_are():
    kinds = {metric.kind for metric in METRICS if metric.is_figure}

    assert kinds == {Kind.RATIO, Kind.GAUGE, Kind.SETTING, Kind.COUNTER}
    assert {m.key for m in METRICS if m.is_figure and m.kind is Kind.COUNTER} == {
        "host_disk_reads",
        "host_disk_writes",
    }


def test_what_is_not_measurable_names_the_statistics_that_would_give_it():
    listed = {what for by_system in NOT_MEASURABLE.values() for what in by_system}

    assert set(STATISTICS) <= listed
    assert {what for what in listed if what not in STATISTICS} == {"Devices of a volume"}
    assert all(get_metric(key).is_figure for keys in STATISTICS.values() for key in keys)
