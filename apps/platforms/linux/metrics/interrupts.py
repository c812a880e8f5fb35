"""Interrupts of each processor, and how evenly they lie on all."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import Floats, largest, mean, percent, rate_or_level
from apps.platforms.linux.metrics.categories import HOST_FIGURES, PROCESSOR_FIGURES, PROCESSORS
from apps.platforms.linux.sections import CPU

of_processor = partial(
    Metric, unit="per second", category=PROCESSORS, component_kind="processor", section=CPU, is_figure=False
)
_per_processor = rate_or_level("processor_interrupts", "sysstat_processor_interrupts")


def _imbalance(window: Window) -> Floats:
    interrupts = _per_processor(window)
    return percent(largest(interrupts), mean(interrupts))


METRICS = [
    of_processor(
        key="processor_interrupts",
        kind=Kind.COUNTER,
        source="/proc/interrupts",
        label="interrupts that one processor took",
    ),
    of_processor(
        key="sysstat_processor_interrupts",
        kind=Kind.GAUGE,
        source="sadf",
        label="interrupts of one processor, as sysstat averaged them",
    ),
    Metric(
        key="host_processor_interrupts_per_s",
        kind=Kind.RATIO,
        source="derived",
        label="interrupts of a processor",
        unit="per second",
        category=PROCESSOR_FIGURES,
        component_kind="processor",
        section=CPU,
        formula=_per_processor,
        help="Interrupts that one CPU takes. Those of a network card or of a disk adapter often all go to the same one.",
    ),
    Metric(
        key="host_interrupts_imbalance_pct",
        kind=Kind.RATIO,
        source="derived",
        label="imbalance of interrupts",
        unit="%",
        worse=Worse.HIGHER,
        category=HOST_FIGURES,
        section=CPU,
        reductions=("p95", "max"),
        formula=_imbalance,
        help="Interrupts of the CPU that takes most, against the mean of all CPUs: 100 % is even, on two CPUs 200 % means that"
        " one takes them all. What runs on such a CPU is interrupted most.",
    ),
]
