"""What the rules of hosts ask for."""

from apps.advisors.engine.rule_inputs import FactInput, FigureInput, Whose

SWITCHES = (
    "Let the host be read over SSH, by an account that /proc shows all processes: no file of sar has them."
)


def is_linux(text: str) -> float:
    """1 for the name of a Linux system, 0 for any other."""
    return float("linux" in text.lower())


IS_LINUX = FactInput(
    key="is_linux",
    label="Linux",
    needs="Let the host be read: its operating system is not known.",
    facts=((Whose.TARGET, "operating_system"),),
    read=is_linux,
)
SURPLUS_PAGES = FigureInput(
    key="surplus_pages", label="huge pages idle", unit="pages", metric="host_hugepages_surplus_pages"
)
PAGE_KB = FigureInput(
    key="host_hugepage_size_kb", label="huge page size", unit="kB", metric="host_hugepage_size_kb"
)
MEMORY_KB = FigureInput(
    key="host_mem_total_kb", label="memory installed", unit="kB", metric="host_mem_total_kb"
)
NODES = FigureInput(key="host_numa_nodes", label="memory nodes", unit="nodes", metric="host_numa_nodes")
SOCKETS = FigureInput(key="host_sockets", label="sockets", unit="sockets", metric="host_sockets")
NODE_FREE_MB = FigureInput(
    key="host_numa_node_min_free_mb",
    label="free memory of the emptiest node",
    unit="MB",
    metric="host_numa_node_min_free_mb",
)
NODE_MB = FigureInput(
    key="numa_node_mb",
    label="size of the node with least free memory",
    unit="MB",
    metric="host_numa_least_free_node_mb",
)
RUN_QUEUE_P95 = FigureInput(
    key="host_runq_p95", label="run queue, 95 % of the day below", unit="threads", metric="host_runq:p95"
)
CPUS = FigureInput(key="host_cpus", label="logical CPUs", unit="cpus", metric="host_cpus")
INVOLUNTARY_PCT = FigureInput(
    key="host_icsw_pct",
    label="involuntary context switches",
    unit="%",
    metric="host_icsw_pct",
    needs=SWITCHES,
)
SYSTEM_PCT = FigureInput(
    key="host_cpu_sys_pct", label="CPU in the kernel", unit="%", metric="host_cpu_sys_pct"
)
BUSY_PCT = FigureInput(key="host_cpu_busy_pct", label="CPU busy", unit="%", metric="host_cpu_busy_pct")
STEAL_PCT = FigureInput(key="host_cpu_steal_pct", label="CPU stolen", unit="%", metric="host_cpu_steal_pct")
TLB_PCT = FigureInput(
    key="host_tlb_miss_pct",
    label="CPU in misses of the address translation",
    unit="%",
    metric="host_tlb_miss_pct",
    needs="Import trapstat of the host; it exists on SPARC alone.",
)
MAJOR_SHARE = FigureInput(
    key="host_major_minor_pct", label="major per minor fault", unit="%", metric="host_major_minor_pct"
)
MAJOR_RATE = FigureInput(
    key="host_majfaults_per_s", label="major page faults", unit="per second", metric="host_majfaults_per_s"
)
SWAP_IN = FigureInput(
    key="host_swap_in_per_s", label="pages swapped in", unit="pages/s", metric="host_swap_in_per_s"
)
SWAP_OUT = FigureInput(
    key="host_swap_out_per_s", label="pages swapped out", unit="pages/s", metric="host_swap_out_per_s"
)
HOST_QUEUE = FigureInput(
    key="host_disk_host_queue",
    label="queue on the host",
    unit="requests",
    metric="host_disk_host_queue",
    is_each=True,
)
LUN_QUEUE = FigureInput(
    key="host_disk_lun_queue",
    label="queue on the device",
    unit="requests",
    metric="host_disk_lun_queue",
    is_each=True,
)
DISK_QUEUE = FigureInput(
    key="host_disk_queue",
    label="requests outstanding",
    unit="requests",
    metric="host_disk_queue",
    is_each=True,
)
QUEUE_DEPTH = FigureInput(
    key="host_disk_queue_depth",
    label="queue depth",
    unit="requests",
    metric="host_disk_queue_depth",
    is_each=True,
)
FILESYSTEM_PCT = FigureInput(
    key="host_fs_used_pct", label="used", unit="%", metric="host_fs_used_pct", is_each=True
)
