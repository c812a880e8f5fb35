"""What several statistics of the workload have in common."""

from functools import partial

from apps.catalog.metric import Kind, Metric
from apps.platforms.oracle.categories import OSSTAT
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import WORKLOAD

sysstat = partial(sources.sysstat, section=WORKLOAD)
time_model = partial(sources.time_model, section=WORKLOAD)
osstat = partial(
    Metric, source="v$osstat", category=OSSTAT, kind=Kind.GAUGE, section=WORKLOAD, over_instances="sum"
)
derived = partial(Metric, source="derived", kind=Kind.RATIO, section=WORKLOAD, over_instances="ratio")
