"""Memory of instances on their host: huge pages, page tables, AMM."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter, Weight
from apps.platforms.oracle.rules.inputs.facts import IS_LINUX, KERNEL, PRE_PAGE_SGA
from apps.platforms.oracle.rules.inputs.memory import (
    MEMORY_TARGET,
    PAGE_KB,
    PAGE_TABLES,
    PAGES,
    PAGES_NEEDED,
    PAGES_USED,
    SGA,
    SGAS,
)
from apps.platforms.oracle.rules.inputs.sources import KB_OF_GB

HP_MISSING = FindingRule(
    key="HP_MISSING",
    title="The SGA is not in huge pages",
    subject="memory",
    classification=Classification.PERFORMANCE,
    inputs=(IS_LINUX, SGAS, PAGES_USED, PAGE_KB, PAGE_TABLES),
    parameters=(
        RuleParameter(key="min_sga", label="SGA, at least", default=4, least=0, most=65_536, unit="GB"),
        RuleParameter(key="min_cover", label="in huge pages", default=95, least=0, most=100, unit="%"),
    ),
    condition=lambda inputs: bool(
        inputs.is_linux
        and inputs.sgas_gb >= inputs.min_sga
        and inputs.host_hugepages_used * inputs.host_hugepage_size_kb
        < inputs.min_cover / 100 * inputs.sgas_gb * KB_OF_GB
    ),
    critical=lambda inputs: inputs.page_tables_gb >= 0.01 * inputs.sgas_gb,
    fires_when="SGA ≥ {min_sga}, less than {min_cover} of it in huge pages; critical: page tables ≥ 1 % of it",
    meaning="The SGA is mapped in pages of 4 kB. Each server process builds a page table of its own, about 2 MB for a GB of SGA:"
    " memory is lost, the kernel takes CPU, and processes start slowly.",
    actions=(
        "Reserve huge pages for all SGAs of the host (HP_SIZE says how many), and raise memlock for the owner of the software.",
        "Set use_large_pages=ONLY, from 11.2.0.2 on: a start without them then fails instead of passing unseen.",
        "Use sga_target instead of memory_target: automatic memory management has no huge pages on Linux.",
        "Do it before buying memory: what the page tables take comes back.",
    ),
    source="huge pages",
)
HP_SIZE = FindingRule(
    key="HP_SIZE",
    title="The pool of huge pages is smaller than the SGAs",
    subject="memory",
    classification=Classification.CAPACITY,
    inputs=(IS_LINUX, PAGES, PAGES_NEEDED),
    condition=lambda inputs: bool(
        inputs.is_linux and 0 < inputs.host_hugepages_total < inputs.hugepages_needed
    ),
    fires_when="pool > 0 and < pages that all SGAs need",
    meaning="The pool cannot hold every SGA. From 11.2.0.3 on an instance then mixes both kinds of pages; before, all of its SGA"
    " falls back to small ones.",
    actions=(
        "Set vm.nr_hugepages to what all SGAs need, each rounded up to whole pages and one more, and a few beside.",
        "Reserve them at boot: a host that has run for long may not find them in one piece.",
        "Count again after each change of sga_max_size and for each new instance.",
    ),
    source="huge pages",
)
HP_UNUSED = FindingRule(
    key="HP_UNUSED",
    title="Nobody uses the pool of huge pages",
    subject="memory",
    classification=Classification.PERFORMANCE,
    inputs=(IS_LINUX, PAGES, PAGES_USED, SGAS),
    condition=lambda inputs: bool(
        inputs.is_linux
        and inputs.host_hugepages_total > 0
        and inputs.host_hugepages_used == 0
        and inputs.sgas_gb > 0
    ),
    fires_when="pool > 0, in use 0, an instance runs",
    meaning="Huge pages are reserved, and the instance was started without them.",
    actions=(
        "Look, in this order, at memlock, the user's group, use_large_pages and memory_target.",
        "Read the alert log: from 11.2.0.3 on it lists the page sizes of each start.",
    ),
    source="huge pages",
)
HP_FAULT_SERIAL = FindingRule(
    key="HP_FAULT_SERIAL",
    title="An old kernel touches huge pages one at a time",
    subject="memory",
    classification=Classification.PERFORMANCE,
    weight=Weight.INFO,
    inputs=(IS_LINUX, KERNEL, SGAS, PRE_PAGE_SGA),
    condition=lambda inputs: bool(
        inputs.is_linux
        and inputs.kernel_major_minor < 3.08
        and inputs.sgas_gb * 1024 >= 8000
        and inputs.cfg_pre_page_sga
    ),
    fires_when="kernel before 3.8, SGA ≥ 8,000 MB, pre_page_sga=TRUE",
    meaning="Faults of huge pages stand in line in such a kernel: a large SGA is slow to start.",
    actions=(
        "Plan the change to a kernel of 3.8.13 or later.",
        "Count on longer failovers until then.",
    ),
    source="start-up",
)
AMM_LINUX = FindingRule(
    key="AMM_LINUX",
    title="memory_target is set on Linux",
    subject="memory",
    classification=Classification.PERFORMANCE,
    inputs=(IS_LINUX, MEMORY_TARGET, SGA),
    parameters=(
        RuleParameter(key="min_sga", label="SGA, at least", default=2, least=0, most=65_536, unit="GB"),
    ),
    condition=lambda inputs: bool(
        inputs.is_linux and inputs.memory_target_gb > 0 and inputs.sga_gb >= inputs.min_sga
    ),
    fires_when="memory_target > 0, SGA ≥ {min_sga}",
    meaning="The SGA then lies in files of /dev/shm: without huge pages, and on the node that touches it first.",
    actions=("Set sga_target and pga_aggregate_target instead, with huge pages.",),
    source="NUMA",
)
