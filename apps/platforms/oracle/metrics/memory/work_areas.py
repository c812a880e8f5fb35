"""Work areas, by how often they pass over their rows."""

from apps.catalog.metric import Kind, Worse
from apps.platforms.oracle.categories import SYSSTAT
from apps.platforms.oracle.metrics.memory.sources import ratio, sysstat

METRICS = [
    sysstat(
        key="workarea_multipass",
        name="workarea executions - multipass",
        label="work areas, several passes",
        reading_unit="executions",
        worse=Worse.HIGHER,
        help="Work areas so small that data went through temp more than once. Should be 0.",
    ),
    sysstat(
        key="workarea_onepass",
        name="workarea executions - onepass",
        label="work areas, one pass",
        reading_unit="executions",
        worse=Worse.HIGHER,
        help="Work areas that needed temp once.",
    ),
    sysstat(
        key="workarea_optimal",
        name="workarea executions - optimal",
        label="work areas in memory",
        reading_unit="executions",
        help="Work areas that memory sufficed for.",
    ),
    sysstat(
        key="workarea_memory_allocated",
        name="workarea memory allocated",
        label="work-area memory",
        kind=Kind.GAUGE,
        reading_unit="KB",
        unit="MB",
        help="Memory of work areas at the moment of reading: a level in kilobytes, in a view of counters.",
    ),
    ratio(
        key="workarea_optimal_pct",
        label="work areas in memory, share",
        category=SYSSTAT,
        worse=Worse.LOWER,
        formula=lambda w: (
            100
            * w.delta("workarea_optimal")
            / (w.delta("workarea_optimal") + w.delta("workarea_onepass") + w.delta("workarea_multipass"))
        ),
        help="Share of work areas done wholly in memory.",
    ),
]
