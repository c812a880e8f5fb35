"""The kernel's files, by small texts and by real ones of other machines."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.collection.collector import Reading
from apps.platforms.linux.facts import booted_at, read_facts
from apps.platforms.linux.proc import (
    meminfo_fields,
    parse_cpuinfo,
    parse_interrupts,
    parse_loadavg,
    parse_meminfo,
    parse_node,
    parse_pressure,
    parse_processors,
    parse_stat,
    parse_tcp,
    parse_vmstat,
)
from apps.platforms.linux.sources import SUM_INTERRUPTS
from apps.platforms.linux.tests.measured import figure, figures, sample, value

STAT = """cpu  6574 10 3634 179650 666 5 90 53 7 0
cpu0 1523 10 1331 92380 43 5 16 31 7 0
cpu1 5051 0 2303 87270 623 0 74 22 0 0
intr 332064 0 0 1 15
ctxt 640306
btime 1795225926
processes 10958
procs_running 4
procs_blocked 2
"""


def test_the_states_of_the_processors_add_up_and_guests_are_not_counted_twice():
    readings = parse_stat(STAT)

    assert value(readings, "cpu_total_ticks") == 6574 + 10 + 3634 + 179650 + 666 + 5 + 90 + 53
    assert value(readings, "cpu_unused_ticks") == 179650 + 666
    assert value(readings, "host_cpus") == 2
    assert value(readings, "context_switches") == 640306
    assert value(readings, "interrupts") == 332064
    assert (value(readings, "procs_running"), value(readings, "procs_blocked")) == (4, 2)


def test_each_processor_is_told_apart():
    readings = parse_processors(STAT)

    assert value(readings, "processor_busy_ticks", "1") == 5051 + 2303 + 74 + 22
    assert value(readings, "processor_idle_ticks", "0") == 92380 + 43


def test_a_kernel_that_knows_fewer_states_spent_no_time_in_the_others():
    readings = parse_stat("cpu  10 0 5 100\ncpu0 10 0 5 100\nbtime 1\n")

    assert value(readings, "cpu_total_ticks") == 115
    assert value(readings, "cpu_steal_ticks") == 0


def test_the_start_of_the_machine_is_read_by_its_own_clock():
    started_at = booted_at(STAT)

    assert started_at is not None
    assert started_at.isoformat() == "2026-11-21T01:52:06+00:00"
    assert booted_at("cpu 1 2 3 4\n") is None


def test_hst8_available_memory_of_an_old_kernel_is_estimated_without_shared_memory():
    text = "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 20 kB\nCached: 500 kB\nSReclaimable: 30 kB\nShmem: 400 kB\n"

    assert value(parse_meminfo(text), "mem_available_kb") == 100 + 20 + 500 + 30 - 400


def test_real_meminfo_of_a_kernel_without_memavailable():
    readings = parse_meminfo(sample("meminfo/meminfo_node_exporter_fixture.txt"))

    assert value(readings, "host_mem_total_kb") == 3742148
    assert value(readings, "mem_free_kb") == 225472
    assert value(readings, "host_mem_cached_kb") == 930888
    assert (value(readings, "swap_total_kb"), value(readings, "swap_free_kb")) == (4194300, 3155360)
    assert value(readings, "mem_pagetables_kb") == 75212
    assert 225472 <= (value(readings, "mem_available_kb") or 0) < 3742148


@pytest.mark.parametrize(
    ("name", "total", "available"),
    [("meminfo_jc_fixture.txt", 3997272, 3386876), ("meminfo_pcp_128GB_2node.txt", 131831052, 118425544)],
)
def test_real_meminfo_says_what_is_available(name, total, available):
    readings = parse_meminfo(sample(f"meminfo/{name}"))

    values = figures(readings, readings)

    assert values["host_mem_total_kb", ""] == total
    assert values["host_mem_used_kb", ""] == total - available
    assert values["host_mem_used_pct", ""] == pytest.approx(100 * (total - available) / total)


def test_real_meminfo_of_a_machine_whose_cache_grows_is_not_running_out_of_memory():
    blocks = sample("meminfo/host-a_meminfo_series_60s.txt").split("zzz ***")[1:]
    fields = [meminfo_fields(block.partition("\n")[2]) for block in blocks]

    first, last = parse_meminfo(blocks[0].partition("\n")[2]), parse_meminfo(blocks[-1].partition("\n")[2])

    assert len(blocks) == 28
    assert {block["MemTotal"] for block in fields} == {24682416}
    assert (value(first, "mem_free_kb"), value(last, "mem_free_kb")) == (22921664, 640828)
    assert figures(last, last)["host_mem_used_pct", ""] < 20


def test_real_memory_nodes():
    halves = sample("meminfo/node_meminfo_pcp_128GB_2node.txt").split("Node 1 MemTotal")

    readings = parse_node("0", halves[0])

    assert value(readings, "node_mem_total_kb", "0") == 67077488
    assert value(readings, "node_mem_free_kb", "0") == 42911652


def test_scanned_pages_are_added_up_over_zones_and_throttling_is_no_page():
    old = "pgscan_kswapd_dma 1\npgscan_kswapd_normal 20\npgscan_direct_normal 300\npgscan_direct_throttle 4000\n"
    new = "pgpgin 7\npgscan_kswapd 5\npgscan_direct 6\npgscan_anon 11\npgscan_file 0\n"

    assert value(parse_vmstat(old), "vm_scanned_pages") == 321
    assert value(parse_vmstat(new), "vm_scanned_pages") == 11
    assert value(parse_vmstat(new), "vm_page_in_kb") == 7


def test_load_pressure_and_tcp_are_read_by_their_names():
    snmp = "Ip: A B\nIp: 1 2\nTcp: ActiveOpens OutSegs RetransSegs\nTcp: 102 8797 3\n"

    assert [r.value for r in parse_loadavg("7.71 8.87 8.86 4/551 10961\n")] == [7.71, 8.87, 8.86, 551]
    assert (
        value(
            parse_pressure("io", "some avg10=0.1 avg60=0.2 avg300=0.3 total=6092675\nfull total=5\n"),
            "psi_io_some_us",
        )
        == 6092675
    )
    assert parse_pressure("cpu", "") == []
    assert value(parse_tcp(snmp, "TcpExt: X ListenDrops\nTcpExt: 1 9\n"), "tcp_listen_drops") == 9
    assert value(parse_tcp(snmp, ""), "tcp_listen_drops") is None


def test_cores_are_counted_once_for_all_their_threads():
    text = "\n\n".join(
        f"processor\t: {n}\nphysical id\t: {n // 4}\ncore id\t\t: {n // 2 % 2}\n" for n in range(8)
    )

    assert value(parse_cpuinfo(text), "host_cores") == 4
    assert value(parse_cpuinfo(text), "host_sockets") == 2
    assert parse_cpuinfo("processor : 0\nBogoMIPS : 50\n") == []


def test_a_container_is_told_from_a_virtual_machine_made_of_its_image():
    overlay = "23 1 0:30 / / rw - overlay overlay rw,lowerdir=/x\n"
    disk = "23 1 254:0 / / rw - ext4 /dev/vda rw\n"

    assert read_facts({"/.dockerenv": "", "/proc/self/mountinfo": overlay})["container"] == "Docker"
    assert read_facts({"/.dockerenv": "", "/proc/self/mountinfo": disk})["container"] == "no"
    assert read_facts({"/run/systemd/container": "lxc\n"})["container"] == "lxc"


@given(
    st.dictionaries(
        st.sampled_from(["MemFree", "Buffers", "Cached", "SReclaimable", "Shmem"]), st.integers(0, 10**12)
    )
)
def test_an_estimate_of_available_memory_is_never_less_than_what_is_free(fields):
    fields.setdefault("MemFree", 0)
    text = "\n".join(f"{name}: {number} kB" for name, number in fields.items())

    assert (value(parse_meminfo(text), "mem_available_kb") or 0) >= fields["MemFree"]


INTERRUPTS = """\
           CPU0       CPU1
  0:         36          0   IO-APIC   2-edge      timer
 24:          5       1000   PCI-MSI 512000-edge      nvme0q0
NMI:          1          1   Non-maskable interrupts
LOC:        271         17   Local timer interrupts
ERR:          7
MIS:          0
"""


def test_hst5_each_processor_has_the_interrupts_that_it_took():
    readings = parse_interrupts(INTERRUPTS)

    assert readings == [
        Reading("processor_interrupts", 313, "0"),
        Reading("processor_interrupts", 1018, "1"),
    ]


def test_what_a_host_adds_up_itself_is_the_same(tmp_path):
    place = tmp_path / "interrupts"
    place.write_text(INTERRUPTS)

    summed = subprocess.run(
        ["sh", "-c", f"{SUM_INTERRUPTS} {place}"], capture_output=True, text=True, check=True
    ).stdout

    assert summed == "CPU0 CPU1 \nsum: 313 1018\n"
    assert parse_interrupts(summed) == parse_interrupts(INTERRUPTS)


def test_processors_that_are_switched_off_have_their_own_numbers():
    assert [reading.component for reading in parse_interrupts("  CPU0  CPU2\n 1: 4 5 x\n")] == ["0", "2"]
    assert parse_interrupts("") == []


def test_hst5_the_processor_that_takes_most_stands_against_the_mean():
    shots = (
        [Reading("processor_interrupts", 0, "0"), Reading("processor_interrupts", 0, "1")],
        [Reading("processor_interrupts", 313 * 300, "0"), Reading("processor_interrupts", 18 * 300, "1")],
    )

    assert figure("host_processor_interrupts_per_s", *shots, component="0") == 313
    assert figure("host_interrupts_imbalance_pct", *shots) == pytest.approx(189.1, abs=0.05)
