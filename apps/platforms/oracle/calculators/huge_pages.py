"""Whether the pool of huge pages holds the SGAs of a machine, to the page."""

from math import ceil

from apps.advisors.calculators import (
    Alternative,
    BadCalculation,
    Calculation,
    CalculationStep,
    Calculator,
    CalculatorInput,
    Inputs,
    Share,
)
from apps.charts.figures import SPACE, figure, whole

KB_OF_GB = 1024 * 1024
RESERVE = 63  # pages kept beside what is needed: a small reserve for the next change of a parameter


def needed_pages(sgas_gb: tuple[float, ...], page_kb: float) -> int:
    """Pages that SGAs take: each rounds up, and each instance takes one more for its fixed part."""
    return sum(ceil(size * KB_OF_GB / page_kb) + 1 for size in sgas_gb)


def _gb(pages: float, page_kb: float) -> str:
    return f"{figure(pages * page_kb / KB_OF_GB)}{SPACE}GB"


def _calculate(inputs: Inputs) -> Calculation:
    sgas, (page_kb,), (pool,) = inputs["sga"], inputs["page"], inputs["pool"]
    (free,), (promised,) = inputs["free"], inputs["promised"]
    if free > pool or promised > free:
        raise BadCalculation("Free pages are part of the pool, and promised ones are part of the free ones.")
    needed, used, surplus = needed_pages(sgas, page_kb), pool - free + promised, free - promised
    spare = pool - needed
    advised = needed + RESERVE
    figures = {
        "needed_pages": float(needed),
        "used_pages": used,
        "used_gb": used * page_kb / KB_OF_GB,
        "surplus_pages": surplus,
        "surplus_gb": surplus * page_kb / KB_OF_GB,
        "spare_pages": spare,
        "advised_pages": float(advised),
        "pool_gb": pool * page_kb / KB_OF_GB,
    }
    total = figure(sum(sgas))
    return Calculation(
        answer=f"{total}{SPACE}GB of SGA need {whole(needed)} huge pages; the pool has {whole(pool)}.",
        rest=_verdict(spare, page_kb),
        advice=_advice(spare, surplus, advised, page_kb),
        figures=figures,
        steps=_steps(inputs, needed, used, surplus),
        alternatives=_alternatives(pool, needed, advised, page_kb),
        alternatives_of="pool, pages",
        shares=[Share("SGA", float(min(needed, pool))), Share("for nobody", max(spare, 0.0), is_idle=True)],
        limit=float(needed),
        limit_label="needed",
    )


def _verdict(spare: float, page_kb: float) -> str:
    if spare == -1:
        return "It is one page short, and one page short is short of all."
    if spare < 0:
        return f"It is {whole(-spare)} pages, {_gb(-spare, page_kb)}, short."
    return f"The surplus is {whole(spare)} pages, {_gb(spare, page_kb)}." if spare else "That fits exactly."


def _advice(spare: float, surplus: float, advised: int, page_kb: float) -> str:
    if spare < 0:
        return (
            f"Set vm.nr_hugepages to {whole(advised)}: releases before 11.2.0.3 fall back to small pages for the whole SGA,"
            " later ones mix both, and with use_large_pages=ONLY the instance does not start."
        )
    if spare > RESERVE:
        back = spare - RESERVE
        return (
            f"The pool holds all SGAs. Set vm.nr_hugepages to {whole(advised)} at the next start: {whole(back)} pages,"
            f" {_gb(back, page_kb)}, come back as usable memory."
        )
    idle = " Nobody uses them now: look at use_large_pages and memlock." if surplus > spare + RESERVE else ""
    return f"The pool holds all SGAs. Compute it anew after each change of sga_max_size.{idle}"


def _steps(inputs: Inputs, needed: int, used: float, surplus: float) -> list[CalculationStep]:
    (page_kb,), (pool,), (free,), (promised,) = (inputs[key] for key in ("page", "pool", "free", "promised"))
    each = " + ".join(f"⌈{figure(size)} GB ÷ {whole(page_kb)} kB⌉ + 1" for size in inputs["sga"])
    steps = [
        CalculationStep("needed", each, f"{whole(needed)} pages = {_gb(needed, page_kb)}"),
        CalculationStep(
            "in use or promised",
            f"{whole(pool)} − {whole(free)} + {whole(promised)}",
            f"{whole(used)} pages = {_gb(used, page_kb)}",
        ),
        CalculationStep(
            "kept for nobody",
            f"{whole(free)} − {whole(promised)}",
            f"{whole(surplus)} pages = {_gb(surplus, page_kb)}",
        ),
    ]
    if inputs["memory"]:
        (memory,) = inputs["memory"]
        share = 100 * surplus * page_kb / (memory * KB_OF_GB)
        formula = f"{whole(surplus)} × {whole(page_kb)} kB ÷ {figure(memory)} GB"
        steps.append(CalculationStep("of memory", formula, f"{figure(share)}{SPACE}%"))
    return steps


def _alternatives(pool: float, needed: int, advised: int, page_kb: float) -> list[Alternative]:
    pools = sorted({pool, float(needed - 1), float(needed), float(advised)})
    return [
        Alternative(
            whole(pages),
            _gb(pages, page_kb),
            "one page short: mixed or small pages"
            if pages == needed - 1
            else "too small: mixed or small pages"
            if pages < needed
            else "fits exactly; any larger SGA falls short"
            if pages == needed
            else "advised: what is needed and a small reserve"
            if pages == advised
            else f"fits; {whole(pages - needed)} pages serve nobody",
            is_present=pages == pool,
        )
        for pages in pools
    ]


HUGE_PAGES = Calculator(
    key="huge-pages",
    title="Huge pages of a machine",
    question="Does the pool hold every SGA, and what does it keep for nobody?",
    source="/proc/meminfo and sga_max_size; an SGA takes ⌈size ÷ page⌉ + 1 pages",
    inputs=(
        CalculatorInput(
            key="sga", label="SGA of each instance", unit="GB", example="60", metric="sga_max", is_list=True,
            least=0.01, most=65536, help="The largest each may grow to; several with spaces between.",
        ),
        CalculatorInput(
            key="pool", label="Pool", unit="pages", example="35893", metric="host_hugepages_total", is_whole=True,
            help="HugePages_Total",
        ),
        CalculatorInput(
            key="free", label="Free", unit="pages", example="5245", metric="host_hugepages_free", is_whole=True,
            help="HugePages_Free",
        ),
        CalculatorInput(
            key="promised", label="Promised", unit="pages", example="73", metric="host_hugepages_rsvd", is_whole=True,
            help="HugePages_Rsvd",
        ),
        CalculatorInput(
            key="page", label="Page size", unit="kB", example="2048", metric="host_hugepage_size_kb", least=1, most=KB_OF_GB * 16,
            help="Hugepagesize",
        ),
        CalculatorInput(
            key="memory", label="Memory", unit="GB", example="94.4", metric="host_mem_total_kb", is_optional=True, least=0.01,
            help="MemTotal",
        ),
    ),
    calculate=_calculate,
)  # fmt: skip
