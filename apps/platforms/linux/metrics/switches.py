"""Context switches by kind, of the threads that /proc shows, and address translation by trapstat."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Origin, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import DAILY, Floats, percent
from apps.platforms.linux.metrics.categories import HOST_FIGURES, SWITCHES, THREADS
from apps.platforms.linux.sections import CPU, MEMORY

_STATUS = "/proc/PID/task/TID/status"
sampled = partial(
    Metric,
    source=_STATUS,
    kind=Kind.GAUGE,
    unit="per second",
    category=THREADS,
    section=CPU,
    is_figure=False,
)
counter = partial(
    Metric,
    source=_STATUS,
    kind=Kind.COUNTER,
    unit="per second",
    category=THREADS,
    component_kind="log writer",
    origin=Origin(is_sparse=True),  # one that was not there before has counted from its start
    section=CPU,
    is_figure=False,
)
figure = partial(
    Metric, source="derived", kind=Kind.RATIO, category=HOST_FIGURES, section=CPU, worse=Worse.HIGHER
)


def _involuntary_share(window: Window) -> Floats:
    involuntary = window.level("thread_involuntary_per_s")
    return percent(involuntary, involuntary + window.level("thread_voluntary_per_s"))


def _migrated_share(window: Window) -> Floats:
    switches = window.level("thread_voluntary_per_s") + window.level("thread_involuntary_per_s")
    return percent(window.level("thread_migrations_per_s"), switches)


def _involuntary_share_of_log_writers(window: Window) -> Floats:
    """Of all log writers of the host together; one that ended within an interval is left out of it."""
    import numpy as np

    involuntary = window.delta("log_writer_involuntary")
    both = involuntary + window.delta("log_writer_voluntary")
    return percent(
        np.nansum(involuntary, axis=1, keepdims=True),
        np.nansum(both, axis=1, keepdims=True),
    )


METRICS = [
    sampled(
        key="thread_voluntary_per_s", name="voluntary_ctxt_switches", label="voluntary switches, sampled"
    ),
    sampled(
        key="thread_involuntary_per_s",
        name="nonvoluntary_ctxt_switches",
        label="involuntary switches, sampled",
    ),
    sampled(
        key="thread_migrations_per_s",
        source="mpstat",
        name="migr",
        label="threads that came back on another CPU, as mpstat has it",
    ),
    counter(
        key="log_writer_voluntary",
        name="voluntary_ctxt_switches",
        label="voluntary switches of a log writer",
    ),
    counter(
        key="log_writer_involuntary",
        name="nonvoluntary_ctxt_switches",
        label="involuntary switches of a log writer",
    ),
    figure(
        key="host_vcsw_per_s",
        label="voluntary context switches",
        unit="per second",
        worse=Worse.NEITHER,
        reductions=DAILY,
        formula=lambda window: window.level("thread_voluntary_per_s"),
        help="How often threads gave their CPU up, to wait for something. Sampled for a second at each reading, over the"
        " threads that lived through it.",
    ),
    figure(
        key="host_icsw_per_s",
        label="involuntary context switches per second",
        unit="per second",
        reductions=DAILY,
        formula=lambda window: window.level("thread_involuntary_per_s"),
        help="How often threads lost their CPU before they were done. Sampled for a second at each reading, over the"
        " threads that lived through it.",
    ),
    figure(
        key="host_icsw_pct",
        label="involuntary context switches",
        unit="%",
        reductions=("p95", "max"),
        formula=_involuntary_share,
        help="Share of the context switches in which a thread lost its CPU before it was done. From 10 % on, together with a"
        " long run queue, work waits for CPU.",
    ),
    figure(
        key="host_migrations_per_s",
        label="thread migrations",
        unit="per second",
        reductions=DAILY,
        formula=lambda window: window.level("thread_migrations_per_s"),
        help="How often a thread came back on another CPU than it ran on before, whose caches know nothing of it. mpstat and"
        " kstat of Solaris count it; Linux keeps no count for the host as a whole.",
    ),
    figure(
        key="host_migrations_pct",
        label="thread migrations per switch",
        unit="%",
        reductions=("max",),
        formula=_migrated_share,
        help="Share of the context switches after which a thread ran on another CPU. It falls where threads are bound to CPUs.",
    ),
    figure(
        key="host_lgwr_icsw_pct",
        label="involuntary switches of the log writer",
        unit="%",
        reductions=("max",),
        formula=_involuntary_share_of_log_writers,
        help="Share of the log writer's switches in which it lost its CPU, of all log writers of the host together. Less than"
        " 0.1 % is good, 30 % made commits slow.",
    ),
    Metric(
        key="host_tlb_miss_pct",
        kind=Kind.GAUGE,
        unit="%",
        worse=Worse.HIGHER,
        category=SWITCHES,
        source="trapstat",
        name="%tim",
        label="CPU in misses of the address translation",
        section=MEMORY,
        help="Processor time spent on finding addresses. Larger pages make it less.",
    ),
]
