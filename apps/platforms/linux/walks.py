"""The short way of a suspected CPU bottleneck, step by step."""

from apps.advisors.engine.finding_rules import Classification
from apps.advisors.engine.walks import Walk, WalkFigure, WalkStep

ACTIVE = WalkFigure("active", subject="active sessions")
OF_INSTANCES = WalkFigure("instances", subject="processors at work")
WORK = WalkFigure("work", subject="statements")
AT_WORK = WalkFigure("at_work", "host_cpus_at_work")
CPUS = WalkFigure("cpus", "host_cpus")

SHORT_OF_CPU = Walk(
    "Short of CPU?",
    (
        WalkStep(
            question="Does the application wait?",
            figures=(ACTIVE,),
            condition=lambda now, before: now["active"] >= 1.1 * before["active"],
            rule="10 % more active sessions than 30 days before",
            if_yes="More sessions work or wait than 30 days before: go on.",
            if_no="Sessions do not pile up. Ask users which function is slow before looking at processors.",
            ends_on_no=True,
            missing="Instances on this host that are read give it. Ask users, and go on.",
        ),
        WalkStep(
            question="Is it the databases rather than a system process?",
            figures=(OF_INSTANCES, AT_WORK),
            condition=lambda now, before: now["instances"] >= 0.5 * now["at_work"],
            rule="instances take half of the CPUs at work",
            if_yes="The instances take most of what is at work: go on.",
            if_no="Something else takes the processors: backup, virus scanner, monitoring, cron. Look at CPU by process.",
            ends_on_no=True,
            missing="Instances on this host that are read give it. Look at CPU by process, and go on.",
        ),
        WalkStep(
            question="What does the load average say?",
            figures=(WalkFigure("load", "host_load1"), CPUS),
            if_yes="Linux counts what waits for disks too: the number stands here and decides nothing.",
        ),
        WalkStep(
            question="Does work queue for processors?",
            figures=(
                WalkFigure("queue", "host_runq:p95"),
                CPUS,
                WalkFigure("involuntary", "host_icsw_pct"),
            ),
            condition=lambda now, before: now["queue"] >= now["cpus"],
            rule="run queue, 95th percentile, of at least the CPUs",
            if_yes="Threads queue; an involuntary share of 10 % or more says that they lose their processor too: go on.",
            if_no="Processors are not short. Look at what the sessions wait for.",
            ends_on_no=True,
            missing="Reading the host every 5 minutes gives it.",
        ),
        WalkStep(
            question="Who takes the CPU?",
            figures=(OF_INSTANCES, WalkFigure("busiest", "host_cpu_percpu_max_pct")),
            if_yes="The largest instance first. One processor near 100 % while the host is not: one process alone.",
        ),
        WalkStep(
            question="Does the kernel take it?",
            figures=(
                WalkFigure("kernel", "host_cpu_sys_pct"),
                WalkFigure("calls", "host_syscalls_per_s"),
            ),
            condition=lambda now, before: now["kernel"] >= 5,
            rule="5 % of the CPU in the kernel",
            if_yes="Count system calls (strace -c, perf); page tables, process starts and the network come first.",
            if_no="The time goes to programs: go on to SQL.",
            yes_means=Classification.PERFORMANCE,
            missing="sar -u gives it.",
        ),
        WalkStep(
            question="Does a statement cost more CPU than before?",
            figures=(OF_INSTANCES, WORK),
            condition=lambda now, before: (
                now["instances"] / now["work"] >= 1.1 * before["instances"] / before["work"]
            ),
            rule="10 % more CPU for each statement than 30 days before",
            if_yes="Find the SQL behind it: sessions by CPU, and what changed about them.",
            if_no="There is more work and each piece costs what it did: spread the load, move the batch, or add cores.",
            yes_means=Classification.PERFORMANCE,
            no_means=Classification.CAPACITY,
            missing="30 days of the instances give it.",
        ),
    ),
)
