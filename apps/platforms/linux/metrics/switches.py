"""Context switches and address translation: what files of mpstat, prstat and trapstat say; Linux has no such counters."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Worse
from apps.platforms.linux.metrics.categories import SWITCHES
from apps.platforms.linux.sections import CPU, MEMORY

share = partial(Metric, kind=Kind.GAUGE, unit="%", worse=Worse.HIGHER, category=SWITCHES, section=CPU)

METRICS = [
    share(
        key="host_icsw_pct",
        source="mpstat",
        name="icsw",
        label="involuntary context switches",
        help="Share of the context switches in which a thread lost its CPU before it was done. From 10 % on, together with a"
        " long run queue, work waits for CPU.",
    ),
    share(
        key="host_lgwr_icsw_pct",
        source="prstat",
        name="ICX",
        label="involuntary switches of the log writer",
        help="Share of the log writer's switches in which it lost its CPU. Less than 0.1 % is good, 30 % made commits slow.",
    ),
    share(
        key="host_tlb_miss_pct",
        source="trapstat",
        name="%tim",
        label="CPU in misses of the address translation",
        section=MEMORY,
        help="Processor time spent on finding addresses. Larger pages make it less.",
    ),
]
