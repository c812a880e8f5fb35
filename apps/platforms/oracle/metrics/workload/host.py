"""The host as the instance sees it."""

from apps.catalog.metric import Kind, Worse
from apps.platforms.oracle.categories import OSSTAT
from apps.platforms.oracle.metrics.workload.sources import derived, osstat

METRICS = [
    osstat(
        key="cpu_count",
        name="NUM_CPUS",
        label="logical CPUs",
        unit="cpus",
        help="Threads the operating system offers. Two threads of a core do not do the work of two cores.",
    ),
    osstat(
        key="os_load",
        reductions=("p95", "max", "busy"),
        over_instances="max",
        name="LOAD",
        label="host load seen by Oracle",
        aliases=("Current OS Load",),
        unit="processes",
        worse=Worse.HIGHER,
        help="Processes running or ready to run at the moment of reading. For its course over the day, watch the host.",
    ),
    osstat(
        key="os_busy_time",
        name="BUSY_TIME",
        label="host CPU busy time",
        kind=Kind.COUNTER,
        reading_unit="centiseconds",
        unit="hours/day",
        help="Busy time of all CPUs together, of every process on the host. It counts from the host's boot, or from"
        " start-up, as the platform pleases.",
    ),
    osstat(
        key="os_idle_time",
        name="IDLE_TIME",
        label="host CPU idle time",
        kind=Kind.COUNTER,
        reading_unit="centiseconds",
        unit="hours/day",
        help="Idle time of all CPUs together; waiting for disks is part of it.",
    ),
    derived(
        key="os_busy_pct",
        reductions=("p95", "max", "busy"),
        label="host CPU busy seen by Oracle",
        category=OSSTAT,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("os_busy_time") / (w.delta("os_busy_time") + w.delta("os_idle_time")),
        help="The host's CPU as the instance sees it: all that is known of a host that is not watched itself.",
    ),
    osstat(
        key="os_physical_memory",
        role="memory",
        name="PHYSICAL_MEMORY_BYTES",
        label="physical memory of the host",
        reading_unit="bytes",
        unit="GB",
        help="Memory of the host as the instance sees it; in a container often that of the whole machine.",
    ),
]
