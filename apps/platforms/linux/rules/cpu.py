"""Processors of a host."""

from apps.advisors.engine.finding_rules import Classification, FindingRule
from apps.platforms.linux.rules.inputs import (
    BUSY_PCT,
    CPUS,
    INVOLUNTARY_PCT,
    RUN_QUEUE_P95,
    STEAL_PCT,
    SYSTEM_PCT,
)

CPU_BOTTLENECK = FindingRule(
    key="CPU_BOTTLENECK",
    title="Work waits for CPU",
    subject="CPU",
    classification=Classification.CAPACITY,
    inputs=(RUN_QUEUE_P95, CPUS, INVOLUNTARY_PCT),
    condition=lambda inputs: (
        inputs.host_runq_p95 >= 10 and inputs.host_runq_p95 >= inputs.host_cpus and inputs.host_icsw_pct >= 10
    ),
    fires_when="run queue ≥ 10 and ≥ CPUs, involuntary switches ≥ 10 %",
    meaning="Threads queue for a processor and lose it before they are done. Whether that hurts, response times say.",
    actions=(
        "Find who uses the CPU before adding any: an application, a backup, the system.",
        "Where it is the database: SQL by CPU time, the degree of parallelism, the number of connections.",
        "Spread the load over the day; then add cores.",
    ),
    source="planning method",
)
CPU_SYS_HIGH = FindingRule(
    key="CPU_SYS_HIGH",
    title="The kernel takes much CPU",
    subject="CPU",
    classification=Classification.PERFORMANCE,
    inputs=(SYSTEM_PCT, BUSY_PCT),
    condition=lambda inputs: inputs.host_cpu_sys_pct >= 5 and inputs.host_cpu_busy_pct >= 10,
    critical=lambda inputs: inputs.host_cpu_sys_pct >= 15,
    fires_when="kernel ≥ 5 % of a CPU that is ≥ 10 % busy; critical ≥ 15 %",
    meaning="The kernel should take less than 5 % of the processors.",
    actions=(
        "Look at page tables and process starts first (HP_MISSING, LOGIN_STORM).",
        "Then at swapping, the network, virus scanners and the compaction of transparent huge pages.",
    ),
    source="planning method",
)
CPU_STEAL = FindingRule(
    key="CPU_STEAL",
    title="The hypervisor takes CPU away",
    subject="CPU",
    classification=Classification.CAPACITY,
    inputs=(STEAL_PCT,),
    condition=lambda inputs: inputs.host_cpu_steal_pct >= 5,
    fires_when="CPU stolen ≥ 5 %",
    meaning="The virtual machine asks for processors that it does not get.",
    actions=("Look for an overcommitted server, a limit on CPU, or credits that ran out.",),
    source="usual practice",
)
