"""Memory nodes: whether memory is used evenly over the sockets, or one of them carries a whole SGA."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import Floats, largest, percent, rate, smallest, where_largest
from apps.platforms.linux.metrics.categories import HOST_FIGURES, KERNEL, NODE_FIGURES, NODES
from apps.platforms.linux.sections import MEMORY

gauge = partial(
    Metric,
    source="/sys/devices/system/node",
    kind=Kind.GAUGE,
    unit="kB",
    category=NODES,
    component_kind="node",
    section=MEMORY,
    is_figure=False,
)
figure = partial(Metric, source="derived", kind=Kind.RATIO, category=HOST_FIGURES, section=MEMORY)


def _used(window: Window) -> Floats:
    """Used share of each node. Cached files fill nodes unevenly and can go, so they do not count as used."""
    total = window.level("node_mem_total_kb")
    return percent(total - window.level("node_mem_free_kb") - window.level("node_file_cache_kb"), total)


def _largest_share_of_huge_pages(window: Window) -> Floats:
    pages = window.level("node_hugepages")
    return percent(largest(pages), pages.sum(axis=1, keepdims=True))


METRICS = [
    gauge(key="node_mem_total_kb", name="MemTotal", label="memory of the node"),
    gauge(key="node_mem_free_kb", name="MemFree", label="memory free on the node"),
    gauge(
        key="node_file_cache_kb", name="FilePages", label="files cached on the node, without shared memory"
    ),
    gauge(key="node_hugepages", name="HugePages_Total", label="huge pages on the node", unit="pages"),
    Metric(
        key="numa_miss",
        name="numa_miss",
        label="allocations that landed on another node",
        unit="per second",
        kind=Kind.COUNTER,
        source="/proc/vmstat",
        category=KERNEL,
        section=MEMORY,
        is_figure=False,
    ),
    Metric(
        key="host_numa_nodes",
        label="memory nodes",
        unit="nodes",
        kind=Kind.SETTING,
        source="/sys/devices/system/node",
        category=KERNEL,
        section=MEMORY,
        help="Nodes the kernel knows. One, on a host with several sockets: the firmware hides them.",
    ),
    figure(
        key="host_numa_node_used_pct",
        label="memory used on a node",
        unit="%",
        worse=Worse.HIGHER,
        category=NODE_FIGURES,
        component_kind="node",
        formula=_used,
        reductions=("max",),
        help="Share of a node's memory that is in use, cached files left out.",
    ),
    figure(
        key="host_numa_imbalance_pct",
        label="imbalance of the memory nodes",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda window: largest(_used(window)) - smallest(_used(window)),
        help="The fullest node less the emptiest, in points. An SGA that lies on one node makes every other socket"
        " reach across for it.",
    ),
    figure(
        key="host_numa_hp_node_share_pct",
        label="huge pages on one node",
        unit="%",
        worse=Worse.HIGHER,
        formula=_largest_share_of_huge_pages,
        help="Largest share of the huge pages that lies on one node. Spread evenly over two nodes it is 50 %.",
    ),
    figure(
        key="host_numa_node_min_free_mb",
        label="free memory of the emptiest node",
        unit="MB",
        worse=Worse.LOWER,
        formula=lambda window: smallest(window.level("node_mem_free_kb")) / 1024.0,
        help="A node that runs out pages and swaps although others have memory left.",
    ),
    figure(
        key="host_numa_fullest_node_mb",
        label="size of the fullest node",
        unit="MB",
        formula=lambda window: where_largest(window.level("node_mem_total_kb"), _used(window)) / 1024.0,
        help="Memory of the node of which the largest share is used: an SGA that is large beside it fills it alone.",
    ),
    figure(
        key="host_numa_least_free_node_mb",
        label="size of the emptiest node",
        unit="MB",
        formula=lambda window: (
            where_largest(window.level("node_mem_total_kb"), -window.level("node_mem_free_kb")) / 1024.0
        ),
        help="Memory of the node that has least free.",
    ),
    figure(
        key="host_numa_miss_per_s",
        label="allocations on the wrong node",
        unit="per second",
        worse=Worse.HIGHER,
        formula=lambda window: rate(window, "numa_miss"),
        reductions=("p95", "max"),
        help="Memory given from another node than the one that was wanted, because that one had none.",
    ),
]
