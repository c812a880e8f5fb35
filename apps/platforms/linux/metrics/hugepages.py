"""Huge pages: how large the pool is, who uses it, and what lies idle in it."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import Floats
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.linux.metrics.meminfo import figure, setting, stock
from apps.platforms.linux.sections import MEMORY

pages = partial(
    Metric, source="/proc/meminfo", kind=Kind.GAUGE, unit="pages", category=KERNEL, section=MEMORY
)


def _promised_huge_pages(window: Window) -> Floats:
    promised: Floats = window.level("host_hugepages_total") - _idle_huge_pages(window)
    return promised


def _idle_huge_pages(window: Window) -> Floats:
    idle: Floats = window.level("host_hugepages_free") - window.level("host_hugepages_rsvd")
    return idle


METRICS = [
    setting(
        key="host_hugepage_size_kb",
        name="Hugepagesize",
        label="huge page size",
        unit="kB",
        help="Size of one huge page.",
    ),
    stock(
        key="host_thp_kb",
        name="AnonHugePages",
        label="transparent huge pages",
        help="Private memory the kernel has put into huge pages by itself. Oracle asks to switch this off.",
    ),
    pages(
        key="host_hugepages_total",
        name="HugePages_Total",
        label="huge pages in the pool",
        help="Huge pages taken out of ordinary memory, used or not.",
    ),
    pages(
        key="host_hugepages_free",
        name="HugePages_Free",
        label="huge pages not touched",
        help="Pages of the pool nobody has touched yet. Reserved ones are among them, so this is not what is spare.",
    ),
    pages(
        key="host_hugepages_rsvd",
        name="HugePages_Rsvd",
        label="huge pages reserved",
        help="Pages promised to a program that has not touched them yet.",
    ),
    pages(
        key="host_hugepages_surp",
        name="HugePages_Surp",
        label="huge pages above the pool",
        help="Pages beyond the configured pool; they go back when they are freed.",
    ),
    figure(
        key="host_hugepages_used",
        label="huge pages in use",
        unit="pages",
        worse=Worse.NEITHER,
        formula=_promised_huge_pages,
        help="Pages touched or promised: total less free, plus reserved. It should be the SGAs of this host, to the page.",
    ),
    figure(
        key="host_hugepages_used_kb",
        label="memory in huge pages in use",
        unit="kB",
        display=Display(unit="GB"),
        worse=Worse.NEITHER,
        formula=lambda window: _promised_huge_pages(window) * window.level("host_hugepage_size_kb"),
        help="The memory of the huge pages touched or promised. It should be the SGAs of this host.",
    ),
    figure(
        key="host_hugepages_surplus_pages",
        label="huge pages idle",
        unit="pages",
        worse=Worse.HIGHER,
        formula=_idle_huge_pages,
        help="Pages neither touched nor promised: locked away, and of use to nobody.",
    ),
    figure(
        key="host_hugepages_surplus_kb",
        label="memory in idle huge pages",
        unit="kB",
        display=Display(unit="GB"),
        worse=Worse.HIGHER,
        formula=lambda window: _idle_huge_pages(window) * window.level("host_hugepage_size_kb"),
        help="The memory that idle huge pages keep from everybody.",
    ),
]
