"""PGA: memory of sessions for sorting and joining."""

from apps.advisors.engine.finding_rules import Classification, FindingRule
from apps.platforms.oracle.rules.inputs.work import DISK_SORTS_PCT, MULTIPASS, OPTIMAL_PCT, OVER_ALLOCATIONS

PGA_OVERALLOC = FindingRule(
    key="PGA_OVERALLOC",
    title="The PGA target cannot be kept",
    subject="PGA",
    classification=Classification.CAPACITY,
    inputs=(OVER_ALLOCATIONS,),
    condition=lambda inputs: inputs.pga_over_allocation_count_day > 0,
    critical=lambda inputs: inputs.pga_over_allocation_count_day >= 100,
    fires_when="over-allocations > 0 a day; critical ≥ 100",
    meaning="What sessions need at least is more than the target.",
    actions=(
        "Raise pga_aggregate_target; look for large PL/SQL collections; from 12.1 on pga_aggregate_limit.",
    ),
    source="usual practice",
)
PGA_MULTIPASS = FindingRule(
    key="PGA_MULTIPASS",
    title="Work areas run in several passes",
    subject="PGA",
    classification=Classification.CAPACITY,
    inputs=(MULTIPASS, OPTIMAL_PCT),
    condition=lambda inputs: inputs.workarea_multipass_day > 0 or inputs.workarea_optimal_pct < 90,
    fires_when="in several passes > 0 a day, or in memory < 90 %",
    meaning="Sorts and hash joins spill to temp, and read it more than once.",
    actions=(
        "Raise the PGA target, or lower the degree of parallelism.",
        "Waits on direct path read temp and write temp say what it costs.",
    ),
    source="usual practice",
)
DISK_SORTS = FindingRule(
    key="DISK_SORTS",
    title="Many sorts go to disk",
    subject="PGA",
    classification=Classification.PERFORMANCE,
    inputs=(DISK_SORTS_PCT,),
    condition=lambda inputs: inputs.disk_sort_pct >= 5,
    fires_when="sorts on disk ≥ 5 %",
    meaning="They do not fit into their work areas.",
    actions=("See PGA_MULTIPASS.",),
    source="usual practice",
)
