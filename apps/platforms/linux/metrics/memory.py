"""Memory: how much is left, what holds it, and whether the host pages."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import (
    DAILY,
    Floats,
    either,
    first_known,
    percent,
    rate,
    rate_or_level,
)
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.linux.metrics.meminfo import figure, setting, stock
from apps.platforms.linux.sections import MEMORY

gauge = partial(
    Metric,
    source="/proc/meminfo",
    kind=Kind.GAUGE,
    unit="kB",
    category=KERNEL,
    section=MEMORY,
    is_figure=False,
)
counter = partial(
    Metric,
    source="/proc/vmstat",
    kind=Kind.COUNTER,
    unit="per second",
    category=KERNEL,
    section=MEMORY,
    is_figure=False,
)
averaged = partial(Metric, source="sadf", kind=Kind.GAUGE, category=KERNEL, section=MEMORY, is_figure=False)


def _available(window: Window) -> Floats:
    return first_known(window.level("mem_available_kb"), window.level("sysstat_mem_available_kb"))


def _used(window: Window) -> Floats:
    """Installed memory less what programs could still get; sysstat's own sum only where the kernel was not asked."""
    return first_known(
        window.level("host_mem_total_kb") - _available(window),
        window.level("sysstat_mem_used_kb"),
        window.level("host_mem_total_kb") - window.level("sysstat_mem_free_kb"),
    )


def _used_share(window: Window) -> Floats:
    total = window.level("host_mem_total_kb")
    return first_known(
        percent(total - _available(window), total),
        window.level("sysstat_mem_used_pct"),
        percent(total - window.level("sysstat_mem_free_kb"), total),
    )


def _page_tables(window: Window) -> Floats:
    return first_known(window.level("mem_pagetables_kb"), window.level("sysstat_mem_pagetables_kb"))


def _commit(window: Window) -> Floats:
    promised = window.level("mem_committed_kb")
    there_is = window.level("host_mem_total_kb") + window.level("swap_total_kb")
    return first_known(percent(promised, there_is), window.level("sysstat_mem_commit_pct"))


def _swap_used(window: Window) -> Floats:
    return first_known(
        window.level("swap_total_kb") - window.level("swap_free_kb"), window.level("sysstat_swap_used_kb")
    )


def _swap_used_share(window: Window) -> Floats:
    import numpy as np

    total = window.level("swap_total_kb")
    used = np.where(total == 0, 0.0, percent(total - window.level("swap_free_kb"), total))
    return first_known(used, window.level("sysstat_swap_used_pct"))


def _major_per_minor(window: Window) -> Floats:
    """Linux counts major faults among all faults: the others are the minor ones."""
    counted = percent(
        window.delta("vm_major_faults"), window.delta("vm_faults") - window.delta("vm_major_faults")
    )
    major = window.level("sysstat_majfaults")
    return first_known(counted, percent(major, window.level("sysstat_faults") - major))


def _scanned(window: Window) -> Floats:
    return either(window.level("sysstat_scanned"), rate(window, "vm_scanned_pages"))


METRICS = [
    gauge(key="mem_available_kb", name="MemAvailable", label="memory available, as it stood"),
    gauge(key="mem_free_kb", name="MemFree", label="memory free, as it stood"),
    gauge(key="mem_pagetables_kb", name="PageTables", label="page tables, as they stood"),
    gauge(key="mem_committed_kb", name="Committed_AS", label="memory promised to programs"),
    gauge(key="swap_total_kb", name="SwapTotal", label="swap space"),
    gauge(key="swap_free_kb", name="SwapFree", label="swap space free"),
    counter(
        key="vm_page_in_kb", name="pgpgin", label="read from block devices", reading_unit="kB", unit="kB/s"
    ),
    counter(
        key="vm_page_out_kb", name="pgpgout", label="written to block devices", reading_unit="kB", unit="kB/s"
    ),
    counter(key="vm_swap_in_pages", name="pswpin", label="pages swapped in, by the kernel"),
    counter(key="vm_swap_out_pages", name="pswpout", label="pages swapped out, by the kernel"),
    counter(key="vm_faults", name="pgfault", label="page faults, major ones among them"),
    counter(key="vm_major_faults", name="pgmajfault", label="page faults that needed a disk"),
    counter(key="vm_scanned_pages", name="pgscan_kswapd", label="pages looked at by reclaim"),
    averaged(key="sysstat_mem_available_kb", name="avail", label="memory available, by sysstat", unit="kB"),
    averaged(key="sysstat_mem_free_kb", name="memfree", label="memory free, by sysstat", unit="kB"),
    averaged(key="sysstat_mem_used_kb", name="memused", label="memory used, by sysstat", unit="kB"),
    averaged(
        key="sysstat_mem_used_pct", name="memused-percent", label="memory used, share, by sysstat", unit="%"
    ),
    averaged(key="sysstat_mem_pagetables_kb", name="pgtbl", label="page tables, by sysstat", unit="kB"),
    averaged(
        key="sysstat_mem_commit_pct", name="commit-percent", label="memory promised, by sysstat", unit="%"
    ),
    averaged(key="sysstat_swap_used_kb", name="swpused", label="swap used, by sysstat", unit="kB"),
    averaged(
        key="sysstat_swap_used_pct", name="swpused-percent", label="swap used, share, by sysstat", unit="%"
    ),
    averaged(key="sysstat_page_in_kb", name="pgpgin", label="paged in, by sysstat", unit="kB/s"),
    averaged(key="sysstat_page_out_kb", name="pgpgout", label="paged out, by sysstat", unit="kB/s"),
    averaged(key="sysstat_swap_in", name="pswpin", label="pages swapped in, by sysstat", unit="pages/s"),
    averaged(key="sysstat_swap_out", name="pswpout", label="pages swapped out, by sysstat", unit="pages/s"),
    averaged(key="sysstat_faults", name="fault", label="page faults, by sysstat", unit="per second"),
    averaged(key="sysstat_majfaults", name="majflt", label="major faults, by sysstat", unit="per second"),
    averaged(
        key="sysstat_scanned", name="pgscank + pgscand", label="pages scanned, by sysstat", unit="pages/s"
    ),
    setting(
        key="host_mem_total_kb",
        role="memory",
        name="MemTotal",
        label="memory installed",
        unit="kB",
        display=Display(unit="GB"),
        help="Memory the kernel can hand out: what is fitted, less what firmware and kernel keep.",
    ),
    setting(
        key="host_page_size_kb",
        source="getconf",
        label="page size",
        unit="kB",
        help="Size of an ordinary page. A process that maps an SGA without huge pages needs eight bytes of page"
        " table for each.",
    ),
    stock(
        key="host_mem_anon_kb",
        name="AnonPages",
        label="anonymous memory",
        help="Private memory of programs: PGAs are here, the SGA is not.",
    ),
    stock(
        key="host_mem_cached_kb",
        name="Cached",
        label="page cache",
        help="Cached files, and all shared memory: an SGA without huge pages is counted here.",
    ),
    stock(
        key="host_mem_slab_kb", name="Slab", label="kernel slab", help="Memory of the kernel's own objects."
    ),
    figure(
        key="host_mem_free_kb",
        label="memory free",
        unit="kB",
        display=Display(unit="GB", stands_in_for="host_mem_used_kb"),
        formula=lambda window: first_known(window.level("mem_free_kb"), window.level("sysstat_mem_free_kb")),
        help="Memory nobody uses, not even as a cache. Low is normal; plan with the available memory.",
    ),
    figure(
        key="host_mem_available_kb",
        label="memory available",
        unit="kB",
        display=Display(unit="GB"),
        worse=Worse.LOWER,
        formula=_available,
        help="What programs could get without swapping, as the kernel estimates it. Kernels before 3.14 do not: there"
        " it is free memory, buffers and the caches that can be dropped, without shared memory.",
    ),
    figure(
        key="host_mem_used_kb",
        label="memory used",
        unit="kB",
        display=Display(unit="GB", rows=1),
        worse=Worse.HIGHER,
        formula=_used,
        reductions=DAILY,
        help="Installed memory less the available. The pool of huge pages counts as used even while it is empty.",
    ),
    figure(
        key="host_mem_used_pct",
        label="memory used, share",
        unit="%",
        worse=Worse.HIGHER,
        formula=_used_share,
        reductions=DAILY,
        display=Display(rows=1),
        help="Share of the installed memory that is not available. A host with a large pool of huge pages looks full.",
    ),
    figure(
        key="host_mem_pagetables_kb",
        display=Display(unit="GB", rows=1, is_shown_with_guests=True),
        label="page tables",
        unit="kB",
        worse=Worse.HIGHER,
        formula=_page_tables,
        reductions=("max",),
        help="Memory that only says where memory is. Without huge pages each session that has touched the whole of a"
        " 60 GB SGA costs 120 MB of it.",
    ),
    figure(
        key="host_mem_pagetables_pct",
        label="page tables, share of memory",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda window: percent(_page_tables(window), window.level("host_mem_total_kb")),
        reductions=("max",),
        help="Share of the installed memory that goes into page tables. Above 1 %, look at huge pages.",
    ),
    figure(
        key="host_mem_commit_pct",
        label="memory promised",
        unit="%",
        worse=Worse.HIGHER,
        formula=_commit,
        reductions=DAILY,
        help="Memory promised to programs, against memory and swap together. Above 100 % not all promises can be kept"
        " at once.",
    ),
    figure(
        key="host_swap_used_kb",
        label="swap used",
        unit="kB",
        display=Display(unit="GB"),
        worse=Worse.HIGHER,
        formula=_swap_used,
        reductions=("max",),
        help="Swap space that holds something, perhaps since long ago: the rates show whether it swaps now.",
    ),
    figure(
        key="host_swap_used_pct",
        label="swap used, share",
        unit="%",
        worse=Worse.HIGHER,
        formula=_swap_used_share,
        reductions=("max",),
        display=Display(rows=1),
        help="Share of the swap space that holds something; 0 on a host without swap.",
    ),
    figure(
        key="host_swap_in_per_s",
        label="pages swapped in",
        unit="pages/s",
        worse=Worse.HIGHER,
        formula=rate_or_level("vm_swap_in_pages", "sysstat_swap_in"),
        reductions=("p95", "max"),
        help="Pages fetched back from swap. A database host should not do this at all.",
    ),
    figure(
        key="host_swap_out_per_s",
        label="pages swapped out",
        unit="pages/s",
        worse=Worse.HIGHER,
        formula=rate_or_level("vm_swap_out_pages", "sysstat_swap_out"),
        reductions=("p95", "max"),
        help="Pages written to swap. More than a few over minutes: memory is short now.",
    ),
    figure(
        key="host_page_in_kb_per_s",
        label="paged in",
        unit="kB/s",
        display=Display(unit="MB/s"),
        formula=rate_or_level("vm_page_in_kb", "sysstat_page_in_kb"),
        reductions=DAILY,
        help="Everything read from block devices, files and databases on filesystems included. ASM is not paging.",
    ),
    figure(
        key="host_page_out_kb_per_s",
        label="paged out",
        unit="kB/s",
        display=Display(unit="MB/s"),
        formula=rate_or_level("vm_page_out_kb", "sysstat_page_out_kb"),
        reductions=DAILY,
        help="Everything written to block devices, files included.",
    ),
    figure(
        key="host_faults_per_s",
        label="page faults",
        unit="per second",
        worse=Worse.HIGHER,
        formula=rate_or_level("vm_faults", "sysstat_faults"),
        reductions=DAILY,
        help="Accesses to a page that was not mapped, minor and major ones together: Linux counts them so.",
    ),
    figure(
        key="host_majfaults_per_s",
        label="major page faults",
        unit="per second",
        worse=Worse.HIGHER,
        formula=rate_or_level("vm_major_faults", "sysstat_majfaults"),
        reductions=DAILY,
        help="Faults that had to fetch the page from disk.",
    ),
    figure(
        key="host_major_minor_pct",
        label="major per minor fault",
        unit="%",
        worse=Worse.HIGHER,
        formula=_major_per_minor,
        help="Major faults for each minor one. Below 0.5 % is healthy; above, programs wait for their own pages.",
    ),
    figure(
        key="host_scan_per_s",
        label="pages scanned",
        unit="pages/s",
        worse=Worse.HIGHER,
        formula=_scanned,
        reductions=("p95", "max"),
        help="Pages that reclaim looked at to find memory. Now and then is normal; for hours on end memory is short.",
    ),
]
