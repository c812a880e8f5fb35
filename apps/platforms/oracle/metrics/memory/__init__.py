"""Memory of the instance: PGA and its work areas, SGA and its pools."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.memory import buffer_cache, pga, pga_use, sga, sorts, work_areas

METRICS: list[Metric] = [
    *pga.METRICS,
    *pga_use.METRICS,
    *sorts.METRICS,
    *work_areas.METRICS,
    *sga.METRICS,
    *buffer_cache.METRICS,
]
