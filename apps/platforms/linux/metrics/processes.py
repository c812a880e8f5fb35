"""Who uses the processors: processes by their name, and by the account that they belong to."""

from collections.abc import Mapping, Sequence
from functools import partial

from apps.catalog.metric import Kind, Metric, Origin
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import Floats, percent, rate_or_level
from apps.platforms.linux.metrics.categories import PROCESS_FIGURES, PROCESSES
from apps.platforms.linux.sections import CPU

KINDS = ("process", "account")
COUNTED = ("cpu_s", "system_s", "voluntary", "involuntary")  # in the order in which members have them
COUNTERS: Mapping[str, Sequence[str]] = {kind: [f"{kind}_{name}" for name in COUNTED] for kind in KINDS}

REST: Mapping[str, str] = {"process": "other processes", "account": "other accounts"}
LISTED: Mapping[str, Sequence[str]] = {  # what prstat prints of an interval
    kind: [f"listed_{kind}_{name}" for name in ("cpus", "system_cpus", "vcsw", "icsw")] for kind in KINDS
}

_SPARSE = Origin(is_sparse=True)  # one that was not told apart before has counted from nothing


def _counters(kind: str, noun: str) -> list[Metric]:
    """What /proc counts."""
    counter = partial(
        Metric,
        source="/proc/PID/stat",
        kind=Kind.COUNTER,
        category=PROCESSES,
        component_kind=kind,
        origin=_SPARSE,
        section=CPU,
        is_figure=False,
    )
    seconds = partial(counter, unit="s/day", reading_unit="s")
    switches = partial(counter, source="/proc/PID/task/TID/status", unit="per second")
    cpu, system, voluntary, involuntary = COUNTERS[kind]
    return [
        seconds(key=cpu, name="utime, stime", label=f"processor time of {noun}"),
        seconds(key=system, name="stime", label=f"processor time in the kernel of {noun}"),
        switches(key=voluntary, name="voluntary_ctxt_switches", label=f"voluntary switches of {noun}"),
        switches(key=involuntary, name="nonvoluntary_ctxt_switches", label=f"involuntary switches of {noun}"),
    ]


def _listed(kind: str, noun: str) -> list[Metric]:
    """What prstat lists."""
    listed = partial(
        Metric,
        source="prstat",
        kind=Kind.GAUGE,
        category=PROCESSES,
        component_kind=kind,
        section=CPU,
        is_figure=False,
    )
    cpus, system, voluntary, involuntary = LISTED[kind]
    return [
        listed(key=cpus, name="USR, SYS, TRP", unit="CPUs", label=f"CPUs at work of {noun}, listed"),
        listed(
            key=system, name="SYS, TRP", unit="CPUs", label=f"CPUs at work in the kernel of {noun}, listed"
        ),
        listed(key=voluntary, name="VCX", unit="per second", label=f"voluntary switches of {noun}, listed"),
        listed(
            key=involuntary, name="ICX", unit="per second", label=f"involuntary switches of {noun}, listed"
        ),
    ]


def _figures(kind: str, noun: str) -> list[Metric]:
    figure = partial(
        Metric,
        source="derived",
        kind=Kind.RATIO,
        category=PROCESS_FIGURES,
        component_kind=kind,
        section=CPU,
    )
    cpus, system, voluntary, involuntary = (
        rate_or_level(counter, listed) for counter, listed in zip(COUNTERS[kind], LISTED[kind], strict=True)
    )

    def system_share(window: Window) -> Floats:
        return percent(system(window), cpus(window))

    return [
        figure(
            key=f"host_{kind}_cpus",
            label=f"CPUs at work of {noun}",
            unit="CPUs",
            origin=_SPARSE,
            formula=cpus,
            reductions=("max",),
            help="Processor time per second: 1 is one CPU that does nothing else. Processes that begin and end between two"
            " readings are not seen.",
        ),
        figure(
            key=f"host_{kind}_user_pct",
            label=f"user share of {noun}",
            unit="%",
            formula=lambda window: 100.0 - system_share(window),
            help="Share of its processor time that was spent in the program itself; the rest is the kernel's.",
        ),
        figure(
            key=f"host_{kind}_system_pct",
            label=f"system share of {noun}",
            unit="%",
            formula=system_share,
            help="Share of its processor time that was spent in the kernel.",
        ),
        figure(
            key=f"host_{kind}_vcsw_per_s",
            label=f"voluntary switches per second of {noun}",
            unit="per second",
            formula=voluntary,
            help="How often its threads gave their CPU up, to wait for something.",
        ),
        figure(
            key=f"host_{kind}_icsw_per_s",
            label=f"involuntary switches per second of {noun}",
            unit="per second",
            formula=involuntary,
            help="How often its threads lost their CPU before they were done.",
        ),
    ]


METRICS = [
    metric
    for kind, noun in (("process", "a process"), ("account", "an account"))
    for metric in (*_counters(kind, noun), *_listed(kind, noun), *_figures(kind, noun))
]
