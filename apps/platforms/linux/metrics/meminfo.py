"""What the declarations of memory and huge pages share."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric
from apps.platforms.linux.metrics.categories import HOST_FIGURES, KERNEL
from apps.platforms.linux.sections import MEMORY

setting = partial(Metric, source="/proc/meminfo", kind=Kind.SETTING, category=KERNEL, section=MEMORY)
stock = partial(
    Metric,
    source="/proc/meminfo",
    kind=Kind.GAUGE,
    unit="kB",
    display=Display(unit="GB"),
    category=KERNEL,
    section=MEMORY,
)
figure = partial(Metric, source="derived", kind=Kind.RATIO, category=HOST_FIGURES, section=MEMORY)
