"""The SGA and the memory nodes of its host."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter
from apps.platforms.oracle.rules.inputs.memory import NODE_SIZE, NODES, NODES_APART, SGA

NUMA_CYCLOPS = FindingRule(
    key="NUMA_CYCLOPS",
    title="The SGA lies on one memory node",
    subject="NUMA",
    classification=Classification.PERFORMANCE,
    inputs=(NODES, NODES_APART, SGA, NODE_SIZE),
    parameters=(RuleParameter(key="points", label="nodes apart", default=50, least=1, most=100, unit="pt"),),
    condition=lambda inputs: (
        inputs.host_numa_nodes >= 2
        and inputs.host_numa_imbalance_pct >= inputs.points
        and inputs.sga_gb >= 0.25 * inputs.node_gb
    ),
    fires_when="nodes ≥ 2, apart ≥ {points}, SGA ≥ a quarter of a node",
    meaning="All of it was taken from one node: processes on the other sockets reach across for it, and this node runs out first.",
    actions=(
        "Use huge pages: the kernel spreads their pool over the nodes.",
        "Or start the instance under numactl --interleave=all.",
        "Switching NUMA off is no answer: the PGA is then far away too.",
        "Look whether the pool of huge pages itself is spread evenly.",
    ),
    source="NUMA",
)
