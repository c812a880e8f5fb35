"""Memory nodes of a host."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, Weight
from apps.platforms.linux.rules.inputs import NODE_FREE_MB, NODE_MB, NODES, SOCKETS

NUMA_NODE_EMPTY = FindingRule(
    key="NUMA_NODE_EMPTY",
    title="A memory node is nearly full",
    subject="NUMA",
    classification=Classification.CAPACITY,
    inputs=(NODES, NODE_FREE_MB, NODE_MB),
    condition=lambda inputs: (
        inputs.host_numa_nodes >= 2 and inputs.host_numa_node_min_free_mb < 0.02 * inputs.numa_node_mb
    ),
    fires_when="nodes ≥ 2, least free < 2 % of its node",
    meaning="Processes of this node take memory from afar or fail, although the host as a whole has enough.",
    actions=("Spread the SGA over the nodes (NUMA_CYCLOPS).", "Look that zone_reclaim_mode is 0."),
    source="NUMA",
)
NUMA_SUMA = FindingRule(
    key="NUMA_SUMA",
    title="NUMA is switched off on a host of several sockets",
    subject="NUMA",
    classification=Classification.PERFORMANCE,
    weight=Weight.INFO,
    inputs=(SOCKETS, NODES),
    condition=lambda inputs: inputs.host_sockets >= 2 and inputs.host_numa_nodes == 1,
    fires_when="sockets ≥ 2, nodes = 1",
    meaning="The firmware deals memory out in turn, or numa=off is set. No node runs full alone, but nothing is near either:"
    " not even the memory of a single process.",
    actions=(
        "Prefer NUMA with huge pages that are spread over the nodes: fair for the SGA, near for the PGA.",
        "Leave it where the maker of the system asks for it, and write that into the notes of the host.",
    ),
    source="NUMA",
)
