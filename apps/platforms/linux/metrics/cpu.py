"""Processors: how busy they are, with what, and how evenly."""

from functools import partial, reduce
from operator import add

from apps.catalog.metric import Display, Formula, Judging, Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import DAILY, Floats, either, first_known, largest, percent
from apps.platforms.linux.metrics.categories import HOST_FIGURES, KERNEL, PROCESSORS
from apps.platforms.linux.sections import CPU

ticks = partial(
    Metric, source="/proc/stat", kind=Kind.COUNTER, unit="per second", category=KERNEL, is_figure=False
)
setting = partial(Metric, source="/proc/cpuinfo", kind=Kind.SETTING, category=KERNEL, section=CPU)
averaged = partial(
    Metric, source="sadf", kind=Kind.GAUGE, unit="%", category=KERNEL, section=CPU, is_figure=False
)
each_processor = partial(
    Metric,
    source="/proc/stat",
    kind=Kind.COUNTER,
    unit="per second",
    category=PROCESSORS,
    component_kind="processor",
    is_figure=False,
)
figure = partial(
    Metric,
    source="derived",
    kind=Kind.RATIO,
    unit="%",
    category=HOST_FIGURES,
    section=CPU,
    reductions=DAILY,
)


def _spent(window: Window, *states: str) -> Floats:
    """Share of processor time spent in these states; guests are inside user and nice."""
    part = reduce(add, (window.delta(f"cpu_{state}_ticks") for state in states))
    return percent(part, window.delta("cpu_total_ticks"))


def _either(average: str, *states: str) -> Formula:
    return lambda window: either(window.level(average), _spent(window, *states))


def _busy(window: Window) -> Floats:
    idle = window.level("sysstat_cpu_idle_pct")
    unused = first_known(idle + window.level("sysstat_cpu_iowait_pct"), idle)  # vmstat counts both as idle
    return (100.0 - either(unused, _spent(window, "unused"))).clip(min=0.0)  # sysstat's shares are rounded


def _busiest_processor(window: Window) -> Floats:
    busy, idle = window.delta("processor_busy_ticks"), window.delta("processor_idle_ticks")
    counted = percent(busy, busy + idle)
    return largest(either(window.level("sysstat_processor_busy_pct"), counted))


METRICS = [
    ticks(key="cpu_user_ticks", name="user", label="ticks in user mode"),
    ticks(key="cpu_nice_ticks", name="nice", label="ticks in user mode, low priority"),
    ticks(key="cpu_system_ticks", name="system", label="ticks in the kernel"),
    ticks(key="cpu_idle_ticks", name="idle", label="ticks idle"),
    ticks(key="cpu_iowait_ticks", name="iowait", label="ticks idle while I/O was outstanding"),
    ticks(key="cpu_irq_ticks", name="irq", label="ticks in hardware interrupts"),
    ticks(key="cpu_softirq_ticks", name="softirq", label="ticks in soft interrupts"),
    ticks(key="cpu_steal_ticks", name="steal", label="ticks taken by the hypervisor"),
    # the kernel says that iowait may count backwards a little; these two hold although it does
    ticks(key="cpu_unused_ticks", label="ticks idle, with or without outstanding I/O"),
    ticks(key="cpu_total_ticks", label="ticks in all states"),
    each_processor(key="processor_busy_ticks", label="busy ticks of one processor"),
    each_processor(key="processor_idle_ticks", label="idle ticks of one processor, I/O wait included"),
    Metric(
        key="sysstat_processor_busy_pct",
        label="busy share of one processor, by sysstat",
        unit="%",
        kind=Kind.GAUGE,
        source="sadf",
        category=PROCESSORS,
        component_kind="processor",
        is_figure=False,
    ),
    averaged(
        key="sysstat_cpu_user_pct", name="usr", aliases=("user",), label="user CPU, as sysstat averaged it"
    ),
    averaged(
        key="sysstat_cpu_sys_pct", name="sys", aliases=("system",), label="kernel CPU, as sysstat averaged it"
    ),
    averaged(key="sysstat_cpu_iowait_pct", name="iowait", label="I/O wait, as sysstat averaged it"),
    averaged(key="sysstat_cpu_steal_pct", name="steal", label="stolen CPU, as sysstat averaged it"),
    averaged(key="sysstat_cpu_idle_pct", name="idle", label="idle CPU, as sysstat averaged it"),
    figure(
        key="host_cpu_busy_pct",
        judging=Judging(strain=85.0),
        role="strain",
        display=Display(rows=1, reduction="p95", is_shown_with_guests=True),
        label="CPU busy",
        worse=Worse.HIGHER,
        formula=_busy,
        help="Processor time that was not idle. Time waiting for I/O is idle time and does not count: another job"
        " could have had it. On a host of databases an average of 30 to 50 % leaves room for the peaks.",
    ),
    figure(
        key="host_cpus_at_work",
        label="CPUs at work",
        unit="cpus",
        worse=Worse.HIGHER,
        formula=lambda window: _busy(window) / 100.0 * window.level("host_cpus"),
        reductions=(),
        help="How many processors were busy on average: what the instances on this host take adds up to no more.",
    ),
    figure(
        key="host_cpu_user_pct",
        label="CPU in user mode",
        formula=_either("sysstat_cpu_user_pct", "user", "nice"),
        help="Processor time spent in programs, at normal and at low priority, guests included. Of a database host"
        " this is where the time should go.",
    ),
    figure(
        key="host_cpu_sys_pct",
        label="CPU in the kernel",
        worse=Worse.HIGHER,
        formula=_either("sysstat_cpu_sys_pct", "system", "irq", "softirq"),
        help="Processor time spent in the kernel, interrupts included. Ideally below 5 %; when it rises, look for"
        " paging, page tables without huge pages, many context switches or a busy network.",
    ),
    figure(
        key="host_cpu_iowait_pct",
        label="I/O wait",
        formula=_either("sysstat_cpu_iowait_pct", "iowait"),
        help="Idle time while some I/O was outstanding. It falls when other work takes the processors and says"
        " nothing about the disks: judge response times instead. Shown, never judged.",
        judging=Judging(
            no_limit="It falls when other work takes the processors, and says nothing about the disks.",
            instead="host_disk_await_ms",
        ),
    ),
    figure(
        key="host_cpu_steal_pct",
        label="CPU stolen",
        worse=Worse.HIGHER,
        formula=_either("sysstat_cpu_steal_pct", "steal"),
        help="Time in which the hypervisor ran somebody else although this host had work. Above 5 % the figures of"
        " this host are not its own doing.",
    ),
    figure(
        key="host_cpu_idle_pct",
        label="CPU idle",
        worse=Worse.LOWER,
        formula=_either("sysstat_cpu_idle_pct", "idle"),
        help="Time in which a processor had nothing to do and no I/O was outstanding.",
    ),
    figure(
        key="host_cpu_percpu_max_pct",
        label="busiest single CPU",
        worse=Worse.HIGHER,
        formula=_busiest_processor,
        reductions=("p95", "max"),
        help="How busy the busiest processor was. Near 100 % while the host as a whole is idle: one process works"
        " alone, or all interrupts go to one processor.",
    ),
    setting(
        key="host_cpus",
        label="logical CPUs",
        unit="cpus",
        help="Processors the scheduler sees, threads of a core counted one by one.",
    ),
    setting(
        key="host_cores",
        role="cores",
        label="cores",
        unit="cores",
        help="Physical cores. Two threads of a core do about 1.3 times the work of one.",
    ),
    setting(
        key="host_sockets", label="sockets", unit="sockets", help="Physical packages, as licences count them."
    ),
]
