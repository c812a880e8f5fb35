"""The queue for processors, and what makes processors change hands."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import (
    DAILY,
    Floats,
    either,
    first_known,
    level_or_level,
    rate,
    rate_or_level,
)
from apps.platforms.linux.metrics.categories import HOST_FIGURES, KERNEL
from apps.platforms.linux.sections import CPU

counter = partial(
    Metric,
    source="/proc/stat",
    kind=Kind.COUNTER,
    unit="per second",
    category=KERNEL,
    section=CPU,
    is_figure=False,
)
gauge = partial(
    Metric, source="/proc/loadavg", kind=Kind.GAUGE, category=KERNEL, section=CPU, is_figure=False
)
averaged = partial(Metric, source="sadf", kind=Kind.GAUGE, category=KERNEL, section=CPU, is_figure=False)
figure = partial(
    Metric, source="derived", kind=Kind.RATIO, category=HOST_FIGURES, section=CPU, reductions=DAILY
)


def _run_queue(window: Window) -> Floats:
    """Runnable threads without the one that did the counting; Unix counts those that wait alone."""
    counted = either(window.level("sysstat_runq"), window.level("procs_running"))
    others: Floats = (counted - 1.0).clip(min=0.0)
    return first_known(others, window.level("sysstat_runq_waiting"))


def _waiting_for_cpu(window: Window) -> Floats:
    """Linux counts the running threads too: as many as there are processors do not wait."""
    waiting: Floats = (_run_queue(window) - window.level("host_cpus")).clip(min=0.0)
    return first_known(window.level("sysstat_runq_waiting"), waiting)


def _stalled(resource: str) -> partial[Floats]:
    return partial(_stalled_share, f"psi_{resource}_some_us", f"sysstat_psi_{resource}_some_pct")


def _stalled_share(counter: str, average: str, window: Window) -> Floats:
    """Microseconds of stalling per second, in percent."""
    return either(window.level(average), rate(window, counter) / 1e6 * 100.0)


METRICS = [
    counter(key="context_switches", name="ctxt", label="context switches since boot"),
    counter(key="interrupts", name="intr", label="interrupts since boot"),
    counter(key="forks", name="processes", label="processes begun since boot"),
    counter(key="psi_cpu_some_us", source="/proc/pressure/cpu", label="time some task waited for a CPU"),
    counter(key="psi_io_some_us", source="/proc/pressure/io", label="time some task waited for I/O"),
    counter(
        key="psi_memory_some_us", source="/proc/pressure/memory", label="time some task waited for memory"
    ),
    gauge(
        key="procs_running",
        name="procs_running",
        source="/proc/stat",
        label="runnable threads",
        unit="threads",
    ),
    gauge(
        key="procs_blocked",
        name="procs_blocked",
        source="/proc/stat",
        label="blocked tasks",
        unit="processes",
    ),
    gauge(key="load_1", label="load average, 1 minute, as it stood", unit="processes"),
    gauge(key="load_5", label="load average, 5 minutes, as it stood", unit="processes"),
    gauge(key="load_15", label="load average, 15 minutes, as it stood", unit="processes"),
    gauge(key="tasks", label="threads and processes, as they stood", unit="threads"),
    averaged(key="sysstat_runq", name="runq-sz", label="runnable threads, by sysstat", unit="threads"),
    averaged(key="sysstat_blocked", name="blocked", label="blocked tasks, by sysstat", unit="processes"),
    averaged(
        key="sysstat_load_1", name="ldavg-1", label="load average, 1 minute, by sysstat", unit="processes"
    ),
    averaged(
        key="sysstat_load_5", name="ldavg-5", label="load average, 5 minutes, by sysstat", unit="processes"
    ),
    averaged(
        key="sysstat_load_15", name="ldavg-15", label="load average, 15 minutes, by sysstat", unit="processes"
    ),
    averaged(key="sysstat_tasks", name="plist-sz", label="threads and processes, by sysstat", unit="threads"),
    averaged(key="sysstat_ctxsw", name="cswch", label="context switches, by sysstat", unit="per second"),
    averaged(key="sysstat_interrupts", name="intr", label="interrupts, by sysstat", unit="per second"),
    averaged(key="sysstat_forks", name="proc", label="new processes, by sysstat", unit="per second"),
    averaged(
        key="sysstat_runq_waiting",
        name="runq-sz × %runocc",
        label="threads waiting for a CPU, by sar of Unix",
        unit="threads",
    ),
    averaged(key="sysstat_syscalls", name="scall", label="system calls, by sar", unit="per second"),
    averaged(key="sysstat_psi_cpu_some_pct", name="psi-cpu", label="CPU pressure, by sysstat", unit="%"),
    averaged(key="sysstat_psi_io_some_pct", name="psi-io", label="I/O pressure, by sysstat", unit="%"),
    averaged(
        key="sysstat_psi_memory_some_pct", name="psi-mem", label="memory pressure, by sysstat", unit="%"
    ),
    figure(
        key="host_runq",
        display=Display(rows=1, reduction="p95", is_shown_with_guests=True),
        label="run queue",
        unit="threads",
        worse=Worse.HIGHER,
        formula=_run_queue,
        help="Threads that run or want to run, without the one that counts. What a host stands depends on the host:"
        " ten or more for hours, with many involuntary switches, is a bottleneck; a limit per CPU is no rule.",
    ),
    figure(
        key="host_runq_wait",
        label="threads waiting for a CPU",
        unit="threads",
        worse=Worse.HIGHER,
        formula=_waiting_for_cpu,
        help="The run queue beyond the number of processors. This is what Solaris calls the run queue; compare hosts"
        " of both kinds by this one.",
    ),
    figure(
        key="host_load1",
        label="load average, 1 minute",
        unit="processes",
        worse=Worse.HIGHER,
        formula=level_or_level("load_1", "sysstat_load_1"),
        help="Runnable tasks and tasks in uninterruptible sleep, averaged over a minute. On Linux slow disks raise it"
        " while processors idle: read it beside the run queue and the blocked tasks.",
    ),
    figure(
        key="host_load5",
        label="load average, 5 minutes",
        unit="processes",
        worse=Worse.HIGHER,
        formula=level_or_level("load_5", "sysstat_load_5"),
        help="The same, averaged over five minutes.",
    ),
    figure(
        key="host_load15",
        label="load average, 15 minutes",
        unit="processes",
        worse=Worse.HIGHER,
        formula=level_or_level("load_15", "sysstat_load_15"),
        help="The same, averaged over a quarter of an hour: the one that trends best.",
    ),
    figure(
        key="host_blocked",
        label="tasks blocked on I/O",
        unit="processes",
        worse=Worse.HIGHER,
        formula=level_or_level("procs_blocked", "sysstat_blocked"),
        help="Tasks that can do nothing until an I/O returns. It explains a load average above the run queue.",
    ),
    figure(
        key="host_tasks",
        label="threads and processes",
        unit="threads",
        worse=Worse.NEITHER,
        formula=level_or_level("tasks", "sysstat_tasks"),
        help="Everything the scheduler knows of. Sessions on dedicated servers are processes: compare it with them.",
    ),
    figure(
        key="host_ctxsw_per_s",
        label="context switches",
        unit="per second",
        worse=Worse.HIGHER,
        formula=rate_or_level("context_switches", "sysstat_ctxsw"),
        help="How often a processor changed from one thread to another, wanted or not: Linux does not count the two"
        " kinds apart for the host as a whole.",
    ),
    figure(
        key="host_interrupts_per_s",
        label="interrupts",
        unit="per second",
        worse=Worse.HIGHER,
        formula=rate_or_level("interrupts", "sysstat_interrupts"),
        help="Hardware interrupts, mostly of disks, network cards and timers.",
    ),
    figure(
        key="host_forks_per_s",
        label="new processes",
        unit="per second",
        worse=Worse.HIGHER,
        formula=rate_or_level("forks", "sysstat_forks"),
        help="Processes and threads begun. With dedicated servers each logon is one: a storm of them is a storm of"
        " logons, or a script that calls a program for every line.",
    ),
    figure(
        key="host_syscalls_per_s",
        label="system calls",
        unit="per second",
        formula=lambda window: window.level("sysstat_syscalls"),
        help="Calls of programs into the kernel. Solaris, AIX and HP-UX count them; Linux does not.",
    ),
    figure(
        key="host_psi_cpu_some",
        label="CPU pressure",
        unit="%",
        worse=Worse.HIGHER,
        formula=_stalled("cpu"),
        help="Share of time in which at least one task waited for a processor. It tells more than the load average"
        " and needs Linux 4.20.",
    ),
    figure(
        key="host_psi_io_some",
        label="I/O pressure",
        unit="%",
        worse=Worse.HIGHER,
        formula=_stalled("io"),
        help="Share of time in which at least one task waited for I/O. It needs Linux 4.20.",
    ),
    figure(
        key="host_psi_memory_some",
        label="memory pressure",
        unit="%",
        worse=Worse.HIGHER,
        formula=_stalled("memory"),
        help="Share of time in which at least one task waited for memory, reclaim and swap included. It rises before"
        " swapping is seen. It needs Linux 4.20.",
    ),
]
