"""What several statistics of memory have in common."""

from functools import partial

from apps.catalog.metric import Kind, Metric
from apps.platforms.oracle.categories import PGASTAT
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import MEMORY

pgastat = partial(
    Metric,
    source="v$pgastat",
    category=PGASTAT,
    kind=Kind.GAUGE,
    section=MEMORY,
    reading_unit="bytes",
    unit="MB",
    over_instances="sum",
)
sysstat = partial(sources.sysstat, section=MEMORY, unit="per day")
ratio = partial(Metric, source="derived", kind=Kind.RATIO, section=MEMORY, unit="%", over_instances="ratio")
