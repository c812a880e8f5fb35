"""Reports of Solaris's tools behind their moments, and those without, each with a sentence."""

from contextlib import suppress

import pytest

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.metrics.categories import INTERFACES, KERNEL, PROCESSORS, SWITCHES, THREADS
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


def kstat(clock, counts):
    names = ("inv", "switches", "migrated", "minor", "major", "received")
    return KSTAT.format(clock=clock, **dict(zip(names, counts, strict=True)))


def test_hst3_hst4_mpstat_adds_up_what_it_counts_of_each_processor():
    records = read(MPSTAT)
    (figures,) = figures_by_day(records)

    assert records.format == "mpstat of Solaris"
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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (without_times(MPSTAT), "mpstat printed no times, so its reports belong to no day; run it with -T d."),
        (without_times(VMSTAT), "vmstat printed no times, so its reports belong to no day; run it with -T d."),
        (kstat("", (1, 2, 3, 4, 5, 6)), "kstat printed no times, so its reports belong to no day"),
        (TRAPSTAT.format("", 20.0), "print the date before each report: while date; do trapstat -T 60 1; done"),
        ("   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT VCX ICX SCL SIG PROCESS/NLWP\n", "prstat is not read"),
        ("procs -----------memory----------\n r  b   swpd   free\n", "vmstat of Linux prints no days"),
        (MPSTAT[: MPSTAT.index("Fri Nov 20 08:05")], "holds no interval with figures"),
    ],
    ids=["mpstat", "vmstat", "kstat", "trapstat", "prstat", "vmstat of Linux", "one report"],
)  # fmt: skip
def test_what_belongs_to_no_day_is_refused_with_what_would_help(text, sentence):
    with pytest.raises(UnreadableFile) as caught:
        read(text)

    assert sentence in str(caught.value)


@pytest.mark.parametrize("text", [MPSTAT, VMSTAT, KSTAT], ids=["mpstat", "vmstat", "kstat"])
def test_cut_anywhere_it_is_read_or_refused(text):
    for cut in range(0, len(text), 11):
        with suppress(UnreadableFile):
            assert len(read(text[:cut]).intervals) == 1
