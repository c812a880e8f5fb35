"""Memory nodes: on which of them an SGA lies, and what that costs."""

from apps.advisors.calculators import (
    BadCalculation,
    Calculation,
    CalculationStep,
    Calculator,
    CalculatorInput,
    Inputs,
    Share,
)
from apps.charts.figures import SPACE, figure, whole

ONE_SIDED = 90.0  # percent on one node: from there on it lies on one alone


def _share(inputs: Inputs) -> Calculation:
    before, after = inputs["before"], inputs["after"]
    if len(before) != len(after) or len(before) < 2:
        raise BadCalculation(
            "Give what is free before and after for the same nodes, two at least: 3587 3956."
        )
    amounts = [then - now for then, now in zip(before, after, strict=True)]
    total = sum(amounts)
    if total <= 0:
        raise BadCalculation("Nothing was taken: what is free after the start must be less than before.")
    largest = max(amounts)
    node, share = amounts.index(largest), 100 * largest / total
    is_one_sided = share >= ONE_SIDED
    return Calculation(
        answer=f"{figure(share)}{SPACE}% of what was taken lies on node {node}.",
        rest="One node holds nearly all of it." if is_one_sided else "It is spread over the nodes.",
        advice=(
            f"Processes of other nodes read it from afar, and node {node} has {figure(after[node])}{SPACE}MB left."
            " Start the instance interleaved, or reserve huge pages on every node."
            if is_one_sided
            else "No node holds it alone; nothing needs to be done."
        ),
        figures={
            "percent_on_one_node": share,
            "node": float(node),
            "taken_mb": total,
            "left_mb": after[node],
        },
        steps=[
            CalculationStep(f"node {at}", f"{figure(then)} − {figure(now)}", f"{figure(then - now)}{SPACE}MB")
            for at, (then, now) in enumerate(zip(before, after, strict=True))
        ],
        shares=[
            Share(f"node {at}", max(amount, 0.0), is_idle=at != node) for at, amount in enumerate(amounts)
        ],
    )


def _cost(inputs: Inputs) -> Calculation:
    (far,), (near,) = inputs["far"], inputs["near"]
    figures = {"change_percent": 100 * (near - far) / far}
    steps = [
        CalculationStep(
            "latency",
            f"({figure(near)} − {figure(far)}) ÷ {figure(far)}",
            f"{figure(figures['change_percent'])}{SPACE}%",
        )
    ]
    if inputs["slow"] and inputs["quick"]:
        (slow,), (quick,) = inputs["slow"], inputs["quick"]
        figures["elapsed_percent"] = 100 * (slow - quick) / quick
        steps.append(
            CalculationStep(
                "elapsed",
                f"({figure(slow)} − {figure(quick)}) ÷ {figure(quick)}",
                f"{figure(figures['elapsed_percent'])}{SPACE}%",
            )
        )
    if inputs["nodes"]:
        (nodes,) = inputs["nodes"]
        figures["local_percent"] = 100 / nodes
        steps.append(
            CalculationStep(
                "local when interleaved", f"1 ÷ {whole(nodes)} nodes", f"{figure(100 / nodes)}{SPACE}%"
            )
        )
    return Calculation(
        answer=f"Memory of one's own node answers in {figure(near)}{SPACE}ns, of another in {figure(far)}{SPACE}ns.",
        rest=f"That is {figure(figures['change_percent'])}{SPACE}%.",
        advice="Interleaving makes every access the mean of both: even, and never as bad as all on one node.",
        figures=figures,
        steps=steps,
    )


def _spread(inputs: Inputs) -> Calculation:
    (pages,), (page_kb,), (size,) = inputs["pages"], inputs["page"], inputs["size"]
    pool = pages * page_kb / 1024
    covers = pool >= size
    return Calculation(
        answer=f"{whole(pages)} pages are {figure(pool)}{SPACE}MB and {'cover' if covers else 'do not cover'} {figure(size)}{SPACE}MB.",
        rest="Reserved on every node, the SGA is spread."
        if covers
        else "The rest falls back to small pages.",
        figures={"pool_mb": pool, "left_mb": pool - size},
        steps=[CalculationStep("pool", f"{whole(pages)} × {whole(page_kb)} kB", f"{figure(pool)}{SPACE}MB")],
        shares=[Share("pool", pool)],
        limit=size,
        limit_label="SGA",
    )


NODE_SHARE = Calculator(
    key="numa-share",
    title="Share of an SGA on one memory node",
    question="Does the SGA lie on one node?",
    source="free memory of each node before and after the start",
    inputs=(
        CalculatorInput(
            key="before", label="Free before, by node", unit="MB", example="3587 3956", is_list=True
        ),
        CalculatorInput(
            key="after", label="Free after, by node", unit="MB", example="1331 3951", is_list=True
        ),
    ),
    calculate=_share,
)
NODE_COST = Calculator(
    key="numa-cost",
    title="Cost of far memory",
    question="How much slower is memory of another node?",
    source="latency measured on the same machine",
    inputs=(
        CalculatorInput(key="far", label="Of another node", unit="ns", example="156", least=0.001),
        CalculatorInput(key="near", label="Of one’s own node", unit="ns", example="97", least=0.001),
        CalculatorInput(key="slow", label="Elapsed with far memory", unit="s", example="1.116", is_optional=True, least=0.0001),
        CalculatorInput(key="quick", label="Elapsed with near memory", unit="s", example="0.931", is_optional=True, least=0.0001),
        CalculatorInput(
            key="nodes", label="Nodes", example="4", metric="host_numa_nodes", is_optional=True, is_whole=True, least=1, most=1024
        ),
    ),
    calculate=_cost,
)  # fmt: skip
NODE_SPREAD = Calculator(
    key="numa-spread",
    title="Huge pages spread over nodes",
    question="Do the huge pages of all nodes together cover the SGA?",
    source="pages × page size",
    inputs=(
        CalculatorInput(key="pages", label="Huge pages", unit="pages", example="3800", metric="host_hugepages_total", is_whole=True),
        CalculatorInput(key="page", label="Page size", unit="kB", example="2048", metric="host_hugepage_size_kb", least=1),
        CalculatorInput(key="size", label="SGA", unit="MB", example="7584", metric="sga_max", least=0.01),
    ),
    calculate=_spread,
)  # fmt: skip
