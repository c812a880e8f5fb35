"""How much work the instance does, and how much of its time is CPU."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.workload import clients, host, processor, times, workload

METRICS: list[Metric] = [
    *workload.METRICS,
    *times.METRICS,
    *processor.METRICS,
    *host.METRICS,
    *clients.METRICS,
]
