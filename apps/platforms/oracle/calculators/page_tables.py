"""What small pages cost: page tables of every process, and entries of the address translation."""

from apps.advisors.calculators import (
    Alternative,
    Calculation,
    CalculationStep,
    Calculator,
    CalculatorInput,
    Inputs,
    Share,
)
from apps.charts.figures import SPACE, figure, whole

GB = 1024**3
MB = 1024**2
ENTRY = 8  # bytes of a page table entry
TSB_ENTRY = 16  # bytes of an entry of the translation storage buffer
HUGE_KB = 2048


def table_bytes(sga_gb: float, page_kb: float) -> float:
    """Page tables of one process that has touched the whole SGA."""
    return sga_gb * GB / (page_kb * 1024) * ENTRY


def _page_tables(inputs: Inputs) -> Calculation:
    (sessions,), (sga,), (page_kb,) = inputs["sessions"], inputs["sga"], inputs["page"]
    each = table_bytes(sga, page_kb)
    total, huge = each * sessions, table_bytes(sga, HUGE_KB) * sessions
    figures = {"bytes_per_process": each, "total_gb": total / GB, "with_huge_pages_gb": huge / GB}
    steps = [
        CalculationStep(
            "of one process",
            f"{figure(sga)} GB ÷ {figure(page_kb)} kB × {ENTRY} bytes",
            f"{figure(each / MB)}{SPACE}MB",
        ),
        CalculationStep(
            "of all",
            f"{whole(sessions)} × {figure(each / MB)} MB",
            f"{figure(total / GB)}{SPACE}GB",
        ),
    ]
    rest = ""
    if inputs["memory"]:
        (memory,) = inputs["memory"]
        figures["percent_of_memory"] = 100 * total / GB / memory
        rest = (
            f"That is {figure(figures['percent_of_memory'])}{SPACE}% of {figure(memory)}{SPACE}GB of memory."
        )
    if inputs["measured"] and each:
        (measured,) = inputs["measured"]
        figures["processes_of_measured"] = measured * GB / each
        steps.append(
            CalculationStep(
                "what is there now",
                f"{figure(measured)} GB ÷ {figure(each / MB)} MB",
                f"about {whole(figures['processes_of_measured'])} processes that mapped all of it",
            )
        )
    return Calculation(
        answer=f"{whole(sessions)} sessions take {figure(total / GB)}{SPACE}GB of page tables for an SGA of {figure(sga)}{SPACE}GB.",
        rest=rest,
        advice=(
            f"With huge pages of 2 MB it is {figure(huge / MB)}{SPACE}MB for all of them together."
            if page_kb < HUGE_KB
            else "These are huge pages already."
        ),
        figures=figures,
        steps=steps,
        alternatives=[
            Alternative(
                f"{whole(size)} kB",
                f"{figure(table_bytes(sga, size) * sessions / MB)}{SPACE}MB",
                f"{figure(table_bytes(sga, size) / 1024)}{SPACE}kB a process",
                is_present=size == page_kb,
            )
            for size in sorted({4.0, 64.0, float(HUGE_KB), float(1024 * 1024), page_kb})
        ],
        alternatives_of="page size",
        shares=[Share("page tables", total / GB)],
        limit=inputs["memory"][0] if inputs["memory"] else None,
        limit_label="memory",
    )


def _translations(inputs: Inputs) -> Calculation:
    (size,), (page_kb,), (buffer_mb,) = inputs["size"], inputs["page"], inputs["buffer"]
    mappings = size * GB / (page_kb * 1024)
    entries = buffer_mb * MB / TSB_ENTRY
    needed = mappings * TSB_ENTRY
    reach = entries * page_kb / 1024 / 1024
    steps = [
        CalculationStep("mappings", f"{figure(size)} GB ÷ {figure(page_kb)} kB", whole(mappings)),
        CalculationStep(
            "entries of the buffer", f"{figure(buffer_mb)} MB ÷ {TSB_ENTRY} bytes", whole(entries)
        ),
        CalculationStep(
            "buffer for all", f"{whole(mappings)} × {TSB_ENTRY} bytes", f"{figure(needed / 1024)}{SPACE}kB"
        ),
    ]
    figures = {"mappings": mappings, "entries": entries, "needed_kb": needed / 1024, "reach_gb": reach}
    if inputs["rss_factor"]:
        (factor,) = inputs["rss_factor"]
        figures["filled_percent"] = 100 * factor / 512
        steps.append(
            CalculationStep(
                "buffer grows when filled to",
                f"{whole(factor)} ÷ 512",
                f"{figure(figures['filled_percent'])}{SPACE}%",
            )
        )
    fits = entries >= mappings
    return Calculation(
        answer=f"{figure(size)}{SPACE}GB in pages of {figure(page_kb)}{SPACE}kB are {whole(mappings)} mappings.",
        rest=f"The buffer of {figure(buffer_mb)}{SPACE}MB holds {'all of them' if fits else f'{whole(entries)}, {figure(reach)} GB'}.",
        advice=""
        if fits
        else "Larger pages need fewer entries: look at the misses of the address translation before and after.",
        figures=figures,
        steps=steps,
        alternatives=[
            Alternative(
                f"{whole(pages)} kB",
                whole(size * GB / (pages * 1024)),
                f"{figure(size * GB / (pages * 1024) * TSB_ENTRY / 1024)}{SPACE}kB of entries",
                is_present=pages == page_kb,
            )
            for pages in sorted({4.0, 8.0, 64.0, 512.0, 2048.0, 4096.0, page_kb})
        ],
        alternatives_of="page size",
        shares=[Share("mappings", mappings)],
        limit=entries,
        limit_label="the buffer holds",
    )


def _start_up(inputs: Inputs) -> Calculation:
    (size,), (page_kb,) = inputs["size"], inputs["page"]
    faults = size * GB / (page_kb * 1024)
    figures = {"faults": faults}
    steps = [CalculationStep("faults", f"{figure(size)} GB ÷ {figure(page_kb)} kB", whole(faults))]
    rest = ""
    if inputs["before"] and inputs["after"]:
        (before,), (after,) = inputs["before"], inputs["after"]
        figures["change_percent"] = 100 * (after - before) / before
        change = f"{figure(figures['change_percent'])}{SPACE}%"
        steps.append(
            CalculationStep("start-up", f"({figure(after)} − {figure(before)}) ÷ {figure(before)}", change)
        )
        rest = f"Starting took {figure(before)}{SPACE}s and takes {figure(after)}{SPACE}s: {change}."
    return Calculation(
        answer=f"Touching {figure(size)}{SPACE}GB takes {whole(faults)} page faults.",
        rest=rest,
        advice="Kernels that fault huge pages one at a time make them in a row; newer ones make several at once.",
        figures=figures,
        steps=steps,
    )


_SGA = CalculatorInput(
    key="sga", label="SGA", unit="GB", example="60", metric="sga_max", least=0.01, most=65536
)
_SIZE = CalculatorInput(
    key="size", label="SGA", unit="GB", example="12", metric="sga_max", least=0.001, most=65536
)
_MEMORY = CalculatorInput(
    key="memory", label="Memory", unit="GB", example="94.4", metric="host_mem_total_kb", is_optional=True, least=0.01
)  # fmt: skip

PAGE_TABLES = Calculator(
    key="page-tables",
    title="Page tables by sessions",
    question="How much memory do page tables take when every session maps the SGA?",
    source="sessions × SGA ÷ page size × 8 bytes",
    inputs=(
        CalculatorInput(
            key="sessions", label="Sessions", unit="", example="625", metric="sessions_day_max", is_whole=True, least=1
        ),
        _SGA,
        CalculatorInput(key="page", label="Page size", unit="kB", example="4", least=1, most=16 * MB),
        _MEMORY,
        CalculatorInput(
            key="measured", label="Page tables now", unit="GB", example="3.51", metric="host_mem_pagetables_kb",
            is_optional=True, help="PageTables of /proc/meminfo",
        ),
    ),
    calculate=_page_tables,
)  # fmt: skip
TRANSLATIONS = Calculator(
    key="tlb-reach",
    title="Reach of the address translation",
    question="How many mappings does memory take, and how many does the buffer of translations hold?",
    source="mappings = memory ÷ page size; an entry of the buffer has 16 bytes",
    inputs=(
        _SIZE,
        CalculatorInput(key="page", label="Page size", unit="kB", example="8", least=1, most=16 * MB),
        CalculatorInput(key="buffer", label="Buffer", unit="MB", example="1", least=0.001, most=65536, help="TSB; 1 MB is usual"),
        CalculatorInput(
            key="rss_factor", label="tsb_rss_factor", example="384", is_optional=True, is_whole=True, most=512,
            help="Of 512: from how full on the buffer grows",
        ),
    ),
    calculate=_translations,
)  # fmt: skip
START_UP = Calculator(
    key="start-up-faults",
    title="Page faults at start-up",
    question="How many page faults does touching the whole SGA take, and what did a change win?",
    source="faults = SGA ÷ page size",
    inputs=(
        _SIZE,
        CalculatorInput(key="page", label="Page size", unit="kB", example="2048", metric="host_hugepage_size_kb", least=1, most=16 * MB),
        CalculatorInput(key="before", label="Start-up before", unit="s", example="37.5", is_optional=True, least=0.001),
        CalculatorInput(key="after", label="Start-up after", unit="s", example="25.7", is_optional=True),
    ),
    calculate=_start_up,
)  # fmt: skip
