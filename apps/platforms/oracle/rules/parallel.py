"""Parallel operations."""

from apps.advisors.engine.finding_rules import Classification, FindingRule
from apps.platforms.oracle.rules.inputs.work import DOWNGRADED_PCT, PARALLEL_OPERATIONS

PX_DOWNGRADE = FindingRule(
    key="PX_DOWNGRADE",
    title="Parallel operations are cut down",
    subject="parallel",
    classification=Classification.CAPACITY,
    inputs=(DOWNGRADED_PCT, PARALLEL_OPERATIONS),
    condition=lambda inputs: inputs.px_downgrade_pct >= 5 and inputs.px_operations_day >= 20,
    critical=lambda inputs: inputs.px_downgrade_pct >= 20,
    fires_when="cut down ≥ 5 % of ≥ 20 a day; critical ≥ 20 %",
    meaning="Queries get fewer servers than planned: how long they take depends on who else runs.",
    actions=("Statement queuing, a resource plan, parallel_max_servers against the cores.",),
    source="usual practice",
)
