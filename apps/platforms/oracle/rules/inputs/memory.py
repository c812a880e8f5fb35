"""Memory: SGAs, huge pages, page tables and nodes."""

from math import ceil

from apps.advisors.engine.rule_inputs import DerivedInput, FigureInput, Whose
from apps.platforms.oracle.rules.inputs.sources import of_host


def count_needed_pages(sgas_mb: tuple[float, ...], page_kb: float) -> float | None:
    """Huge pages that SGAs take: each rounds up, and each instance takes one more for its fixed part."""
    return sum(ceil(size * 1024 / page_kb) + 1 for size in sgas_mb) if page_kb > 0 else None


_SGAS = FigureInput(
    key="sga_of_instances",
    label="SGA of each instance",
    unit="MB",
    metric="sga_max",
    whose=Whose.INSTANCES,
    is_each=True,
)
SGA = FigureInput(key="sga_gb", label="SGA, at most", unit="GB", metric="sga_max")
SGAS = DerivedInput(
    key="sgas_gb",
    label="SGA of all instances on the host",
    unit="GB",
    inputs=(_SGAS,),
    compute=lambda sgas: sum(sgas) / 1024,
    is_total=True,
)
PAGE_KB = of_host(
    key="host_hugepage_size_kb", label="huge page size", unit="kB", metric="host_hugepage_size_kb"
)
PAGES = of_host(
    key="host_hugepages_total", label="huge pages in the pool", unit="pages", metric="host_hugepages_total"
)
PAGES_USED = of_host(
    key="host_hugepages_used", label="huge pages in use", unit="pages", metric="host_hugepages_used"
)
PAGES_NEEDED = DerivedInput(
    key="hugepages_needed",
    label="huge pages that all SGAs need",
    unit="pages",
    inputs=(_SGAS, PAGE_KB),
    compute=count_needed_pages,
    is_total=True,
)
PAGE_TABLES = of_host(key="page_tables_gb", label="page tables", unit="GB", metric="host_mem_pagetables_kb")
MEMORY_TARGET = FigureInput(
    key="memory_target_gb", label="memory_target", unit="GB", metric="cfg_memory_target"
)
NODES = of_host(key="host_numa_nodes", label="memory nodes", unit="nodes", metric="host_numa_nodes")
NODES_APART = of_host(
    key="host_numa_imbalance_pct",
    label="fullest node less emptiest",
    unit="%",
    metric="host_numa_imbalance_pct",
)
NODE_SIZE = of_host(
    key="node_gb", label="size of the fullest node", unit="GB", metric="host_numa_fullest_node_mb"
)
