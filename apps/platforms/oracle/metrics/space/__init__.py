"""Space: tablespaces, temp, undo, the recovery area and ASM."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.space import database, disk_groups, recovery_area, tablespaces, temp

METRICS: list[Metric] = [
    *tablespaces.METRICS,
    *database.METRICS,
    *temp.METRICS,
    *recovery_area.METRICS,
    *disk_groups.METRICS,
]
