"""Memory of a host: huge pages that nobody uses, faults, swapping, address translation."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter
from apps.platforms.linux.rules.inputs import (
    IS_LINUX,
    MAJOR_RATE,
    MAJOR_SHARE,
    MEMORY_KB,
    PAGE_KB,
    SURPLUS_PAGES,
    SWAP_IN,
    SWAP_OUT,
    TLB_PCT,
)

KB_OF_GB = 1024 * 1024

HP_WASTE = FindingRule(
    key="HP_WASTE",
    title="Huge pages are kept for nobody",
    subject="memory",
    classification=Classification.CAPACITY,
    inputs=(IS_LINUX, SURPLUS_PAGES, PAGE_KB, MEMORY_KB),
    parameters=(
        RuleParameter(
            key="min_waste", label="idle pages, at least", default=1, least=0, most=65536, unit="GB"
        ),
        RuleParameter(
            key="waste_share", label="idle pages, share of memory", default=5, least=0, most=100, unit="%"
        ),
    ),
    condition=lambda inputs: bool(
        inputs.is_linux
        and inputs.surplus_pages * inputs.host_hugepage_size_kb >= inputs.min_waste * KB_OF_GB
        and inputs.surplus_pages * inputs.host_hugepage_size_kb
        >= inputs.waste_share / 100 * inputs.host_mem_total_kb
    ),
    fires_when="idle huge pages ≥ {min_waste} and ≥ {waste_share} of memory",
    meaning="Memory in the pool serves SGAs alone. What no SGA takes is lost to everything else.",
    actions=(
        "Lower vm.nr_hugepages to what is used and reserved, and a small reserve.",
        "Look first whether an instance was started without huge pages: use_large_pages, memlock, memory_target.",
    ),
    source="huge pages",
)
TLB_MISS = FindingRule(
    key="TLB_MISS",
    title="Address translation takes much CPU",
    subject="memory",
    classification=Classification.PERFORMANCE,
    inputs=(TLB_PCT,),
    condition=lambda inputs: inputs.host_tlb_miss_pct >= 20,
    fires_when="CPU in misses of the address translation ≥ 20 %",
    meaning="A fifth of the processor time or more goes into finding addresses.",
    actions=(
        "Larger pages for the SGA; on Solaris for the heap of the PGA too (_realfree_heap_pagesize_hint).",
        "A larger translation buffer, and fewer threads that move between CPUs.",
    ),
    source="planning method",
)
MAJOR_FAULTS = FindingRule(
    key="MAJOR_FAULTS",
    title="Many page faults need a disk",
    subject="memory",
    classification=Classification.CAPACITY,
    inputs=(MAJOR_SHARE, MAJOR_RATE),
    parameters=(
        RuleParameter(
            key="min_major", label="major faults, at least", default=1, least=0, most=1e6, unit="per second"
        ),
    ),
    condition=lambda inputs: (
        inputs.host_major_minor_pct >= 0.5 and inputs.host_majfaults_per_s >= inputs.min_major
    ),
    fires_when="major faults ≥ 0.5 % of minor ones and ≥ {min_major}",
    meaning="Pages come back from disk: memory is short, or the file system caches data files a second time.",
    actions=(
        "Look at swapping and at the memory that is available.",
        "Read data files past the file system's cache (filesystemio_options=SETALL, ASM).",
        "Make SGA and PGA smaller until all of it fits.",
    ),
    source="planning method",
)
SWAPPING = FindingRule(
    key="SWAPPING",
    title="The host swaps",
    subject="memory",
    classification=Classification.CAPACITY,
    inputs=(SWAP_IN, SWAP_OUT),
    condition=lambda inputs: inputs.host_swap_in_per_s + inputs.host_swap_out_per_s >= 1,
    critical=lambda inputs: inputs.host_swap_in_per_s >= 100,
    fires_when="swapped in and out ≥ 1 page/s; critical: in ≥ 100 pages/s",
    meaning="Memory is short.",
    actions=("Make PGA or SGA smaller, take back idle huge pages (HP_WASTE), or add memory.",),
    source="usual practice",
)
