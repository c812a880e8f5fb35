"""Reports of Solaris's tools behind their moments, and those without, each with a sentence."""

from contextlib import suppress

import pytest

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.metrics.categories import (
    INTERFACES,
    KERNEL,
    PROCESSES,
    PROCESSORS,
    SWITCHES,
    THREADS,
)
from apps.platforms.linux.tests.host_files import figures_by_day, read, series

MPSTAT = """\
Fri Nov 20 08:00:00 2026
CPU minf mjf xcal  intr ithr  csw icsw migr smtx  srw syscl  usr sys  wt idl
  0  999 999    0   999    0  999  999  999    0    0   999   99   1   0   0
  1  999 999    0   999    0  999  999  999    0    0   999   99   1   0   0
Fri Nov 20 08:05:00 2026
CPU minf mjf xcal  intr ithr  csw icsw migr smtx  srw syscl  usr sys  wt idl
  0  100   2    0   313  103  475   14   34   10    0  5000   23   3   0  74
  1   50   0    0    18    3  474   15   34   10    0  5245   13   1   0  86
"""
VMSTAT = """\
November 20, 2026 08:00:00 AM UTC
 kthr      memory            page            disk          faults      cpu
 r b w   swap  free  re  mf pi po fr de sr s0 s1 -- --   in   sy   cs us sy id
 9 9 9 99999 99999 99 99 99 99  0  0 99 -0  1 -0  0  351  165  103 99  1  0
November 20, 2026 08:05:00 AM UTC
 4 1 0 3630652 3511396 17 52 8  4  0  0  6  0  0  0  0  354 10245   92 23  3 74
"""
KSTAT = """\
{clock}
cpu:0:sys:inv_swtch\t{inv}
cpu:0:sys:pswitch\t{switches}
cpu:0:sys:cpumigrate\t{migrated}
cpu:0:vm:as_fault\t{minor}
cpu:0:vm:maj_fault\t{major}
cpu:0:vm:class\tmisc
e1000g:0:mac:rbytes64\t{received}
unix:0:system_misc:boot_time\t1795046400
unix:0:system_misc:ncpus\t2
"""
TRAPSTAT = """\
{0}
cpu m size| itlb-miss %tim itsb-miss %tim | dtlb-miss %tim dtsb-miss %tim |%tim
----------+-------------------------------+-------------------------------+----
  0 u   8k|      2571  0.3         0  0.0 |     10802  1.3         0  0.0 | 1.6
==========+===============================+===============================+====
      ttl |      2574  0.3         0  0.0 |     37204  4.4      1242  0.3 |{1}
"""
PRSTAT = """\
Fri Nov 20 08:00:00 2026
   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT VCX ICX SCL SIG PROCESS/NLWP
  5221 oracle    99 0.9 0.0 0.0 0.0 0.0 0.0 0.0  99  99  99   0 oracle/1
  5400 oracle    99 0.9 0.0 0.0 0.0 0.0 0.0 0.0  99  99  99   0 oracle/1
Total: 64 processes, 191 lwps, load averages: 7.71, 8.87, 8.86
Fri Nov 20 08:00:05 2026
   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT VCX ICX SCL SIG PROCESS/NLWP
  5221 oracle   100 0.0 0.0 0.0 0.0 0.0 0.0 0.0   0  11   9   0 oracle/1
  5400 oracle    37 3.0 0.0 0.0 0.0 0.0  58 2.0 235  28  3K   0 oracle/1
   611 webservd 1.0 1.0 0.0 0.0 0.0  50  47 0.0 2.5K  1  9K   0 java/40
     1 root       -   -   -   -   -   -   -   -   -   -   -   - init/1
Total: 64 processes, 191 lwps, load averages: 7.71, 8.87, 8.86
"""
PLAIN = """\
1795161600
   PID USERNAME  SIZE   RSS STATE  PRI NICE      TIME  CPU PROCESS/NLWP
  5221 oracle   9216K 7000K cpu1    10    0   1:00:00  25% oracle/1
   611 webservd  900M  700M sleep   59    0   0:10:00 0.1% java/40
 NPROC USERNAME  SWAP   RSS MEMORY      TIME  CPU
    31 oracle     9G    9G    50%  20:03:14  25%
Total: 64 processes, 191 lwps, load averages: 7.71, 8.87, 8.86
1795161900
   PID USERNAME  SIZE   RSS STATE  PRI NICE      TIME  CPU PROCESS/NLWP
  5221 oracle   9216K 7000K cpu1    10    0   1:04:30  25% oracle/1
   700 root      900K  700K run     59    0   0:01:00 0.1% gzip/1
 NPROC USERNAME  SWAP   RSS MEMORY      TIME  CPU
    31 oracle     9G    9G    50%  20:03:14  25%
Total: 64 processes, 191 lwps, load averages: 7.71, 8.87, 8.86
"""


def kstat(clock, counts):
    names = ("inv", "switches", "migrated", "minor", "major", "received")
    return KSTAT.format(clock=clock, **dict(zip(names, counts, strict=True)))


def test_hst3_hst4_mpstat_adds_up_what_it_counts_of_each_processor():
    records = read(MPSTAT)
    (figures,) = figures_by_day(records)

    assert records.format == "mpstat of Solaris"
    assert dict(records.understood) == {"processors and switches": 2}
    assert len(records.intervals) == 1  # the first report is since the host was started
    assert figures["host_ctxsw_per_s", ""] == 949
    assert figures["host_icsw_per_s", ""] == 29
    assert figures["host_icsw_pct", ""] == pytest.approx(100 * 29 / 949)
    assert figures["host_migrations_per_s", ""] == 68
    assert figures["host_migrations_pct", ""] == pytest.approx(7.2, abs=0.05)
    assert figures["host_interrupts_per_s", ""] == 313 + 18
    assert figures["host_syscalls_per_s", ""] == 10245
    assert figures["host_cpu_busy_pct", ""] == 20
    assert figures["host_cpu_percpu_max_pct", ""] == 26
    assert figures["host_cpus", ""] == 2
    assert figures["host_major_minor_pct", ""] == pytest.approx(100 * 2 / 150)
    assert series(records, "sysstat_processor_busy_pct", "1", PROCESSORS) == [14]


def test_hst5_mpstat_tells_the_interrupts_of_each_processor_and_how_uneven_they_are():
    (figures,) = figures_by_day(read(MPSTAT))

    assert figures["host_processor_interrupts_per_s", "0"] == 313
    assert figures["host_processor_interrupts_per_s", "1"] == 18
    assert figures["host_interrupts_imbalance_pct", ""] == pytest.approx(100 * 313 / 165.5)


def test_hst3_one_processor_has_the_share_of_the_method():
    text = "".join(line for line in MPSTAT.splitlines(True) if not line.startswith("  1 "))
    (figures,) = figures_by_day(read(text))

    assert figures["host_icsw_pct", ""] == pytest.approx(2.9, abs=0.05)
    assert figures["host_migrations_pct", ""] == pytest.approx(7.2, abs=0.05)


def test_hst2_hst6_vmstat_is_read_by_the_places_of_its_columns():
    records = read(VMSTAT)
    (figures,) = figures_by_day(records)

    assert len(records.intervals) == 1
    assert (figures["host_cpu_user_pct", ""], figures["host_cpu_sys_pct", ""]) == (23, 3)
    assert (figures["host_cpu_idle_pct", ""], figures["host_cpu_busy_pct", ""]) == (74, 26)
    assert ("host_cpu_iowait_pct", "") not in figures  # it counts as idle there
    assert figures["host_syscalls_per_s", ""] == 10245
    assert figures["host_runq_wait", ""] == 4
    assert figures["host_blocked", ""] == 1
    assert figures["host_mem_free_kb", ""] == 3511396
    assert figures["host_scan_per_s", ""] == 6
    assert figures["host_page_in_kb_per_s", ""] == 8


def test_hst8_kstat_counts_since_the_start_of_the_host():
    text = kstat("1795132800", (0, 0, 0, 0, 0, 0))
    text += kstat("1795132900", (300, 1000, 50, 142199182, 984358, 1024000))
    records = read(text)
    (figures,) = figures_by_day(records)

    assert figures["host_major_minor_pct", ""] == pytest.approx(0.692, abs=0.0005)
    assert figures["host_majfaults_per_s", ""] == pytest.approx(9843.58)
    assert figures["host_icsw_pct", ""] == 30
    assert figures["host_migrations_per_s", ""] == 0.5
    assert figures["host_ctxsw_per_s", ""] == 10
    assert series(records, "sysstat_net_rx_kb", "e1000g0", INTERFACES) == [10]
    assert figures["host_cpus", ""] == 2


def test_what_kstat_counts_anew_has_no_rate():
    text = kstat("1795132800", (100, 200, 5, 7, 7, 7)) + kstat("1795132900", (50, 300, 15, 17, 17, 17))
    records = read(text)

    assert series(records, "thread_involuntary_per_s", category=THREADS) == []
    assert series(records, "thread_voluntary_per_s", category=THREADS) == []
    assert series(records, "sysstat_ctxsw", category=KERNEL) == [1]


def test_hst9_trapstat_tells_the_share_of_the_address_translation():
    text = "".join(
        TRAPSTAT.format(f"Fri Nov 20 08:0{minute}:00 UTC 2026", share)
        for minute, share in enumerate((19.8, 20.2, 99.9))
    )
    records = read(text)
    (figures,) = figures_by_day(records)

    assert series(records, "host_tlb_miss_pct", category=SWITCHES) == [
        19.8,
        20.2,
    ]  # of the last nobody knows its end
    assert figures["host_tlb_miss_pct", ""] == pytest.approx(20)


def without_times(text):
    return "".join(line for line in text.splitlines(True) if "2026" not in line)


def test_cor5_prstat_tells_of_each_process_where_it_spends_its_time_and_how_it_switches():
    """5221 is alone with a processor, which it loses 11 times; 5400 gives it up 235 times and loses it 28 times."""
    records = read(PRSTAT)
    (figures,) = figures_by_day(records)
    seconds = 5

    def of(process):
        names = ("host_process_user_pct", "host_process_vcsw_per_s", "host_process_icsw_per_s")
        share, voluntary, involuntary = (figures[name, process] for name in names)
        return share, voluntary * seconds, involuntary * seconds

    assert records.format == "prstat of Solaris"
    assert of("oracle 5221") == pytest.approx((100, 0, 11))
    assert of("oracle 5400") == pytest.approx((100 * 37 / 40, 235, 28))
    assert figures["host_process_cpus", "oracle 5221"] == 1
    assert figures["host_process_cpus", "java"] == pytest.approx(0.8)  # of each of its 40 threads 2 %
    assert figures["host_process_system_pct", "java"] == 50
    assert of("java")[1] == pytest.approx(2500)
    assert figures["host_account_cpus", "oracle"] == pytest.approx(1.4)
    assert figures["host_account_icsw_per_s", "oracle"] * seconds == pytest.approx(39)


def test_without_microstates_prstat_tells_processor_time_alone():
    records = read(PLAIN)
    (figures,) = figures_by_day(records)

    assert figures["host_process_cpus", "oracle"] == pytest.approx(0.9)
    assert figures["host_account_cpus", "oracle"] == pytest.approx(0.9)
    assert {key.partition(":")[0] for key, _ in figures} == {"host_process_cpus", "host_account_cpus"}
    assert ("host_process_cpus", "gzip") not in figures  # nobody knows since when it runs
    assert records.unreadable_lines == 0


def test_a_process_that_prstat_does_not_list_in_an_interval_had_nothing_of_it():
    later = PRSTAT[PRSTAT.index("Fri Nov 20 08:00:05") :].replace("08:00:05", "08:00:10")
    text = PRSTAT + "".join(line for line in later.splitlines(True) if " 5400 " not in line)

    assert series(read(text), "listed_process_cpus", "oracle 5400", PROCESSES) == [pytest.approx(0.4), 0]


def test_of_many_processes_those_that_use_most_are_told_apart():
    rows = "".join(
        f"  {9000 + number} oracle   {number} 0.0 0.0 0.0 0.0 0.0 0.0 0.0   0   1   9   0 oracle/1\n"
        for number in range(1, 31)
    )
    (figures,) = figures_by_day(read(PRSTAT.replace("Total: 64", f"{rows}Total: 64")))

    components = {component for key, component in figures if key == "host_process_cpus"}
    assert len(components) == 21
    assert {"oracle 9030", "other processes"} <= components
    assert "oracle 9001" not in components
    together = sum(value for (key, _), value in figures.items() if key == "host_process_cpus")
    assert together == pytest.approx(
        figures["host_account_cpus", "oracle"] + figures["host_account_cpus", "webservd"]
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (without_times(MPSTAT), "mpstat printed no times, so its reports belong to no day; run it with -T d."),
        (without_times(VMSTAT), "vmstat printed no times, so its reports belong to no day; run it with -T d."),
        (kstat("", (1, 2, 3, 4, 5, 6)), "kstat printed no times, so its reports belong to no day"),
        (TRAPSTAT.format("", 20.0), "print the date before each report: while date; do trapstat -T 60 1; done"),
        (without_times(PRSTAT), "prstat printed no times, so its reports belong to no day; run it as prstat -mc -d d 300."),
        ("procs -----------memory----------\n r  b   swpd   free\n", "vmstat of Linux prints no days"),
        (MPSTAT[: MPSTAT.index("Fri Nov 20 08:05")], "holds no interval with figures"),
    ],
    ids=["mpstat", "vmstat", "kstat", "trapstat", "prstat", "vmstat of Linux", "one report"],
)  # fmt: skip
def test_what_belongs_to_no_day_is_refused_with_what_would_help(text, sentence):
    with pytest.raises(UnreadableFile) as caught:
        read(text)

    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [MPSTAT, VMSTAT, KSTAT, PRSTAT, PLAIN],
    ids=["mpstat", "vmstat", "kstat", "prstat", "prstat plain"],
)
def test_cut_anywhere_it_is_read_or_refused(text):
    for cut in range(0, len(text), 11):
        with suppress(UnreadableFile):
            assert len(read(text[:cut]).intervals) == 1
