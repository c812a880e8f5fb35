"""One figure between each two readings of a target, finer than its daily figures; for patterns of the day."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric
from apps.inventory.models import Target
from apps.snapshots.engine.day_readings import interval_figures
from apps.snapshots.roll_up import shots_of
from apps.snapshots.vectors import vector_cursor


def read_samples(
    target: Target, metric: Metric, component: str, since: datetime, until: datetime
) -> tuple[list[datetime], NDArray[np.float64]]:
    """
    The beginning of every interval between two readings, and the figure over it, in the stored unit.

    NaN where it cannot be told. Reductions have no samples: give the metric that is reduced. One query for the
    readings of its categories, one for who answered.
    """
    sources = [source for source in map(find_metric, sorted(metric.ingredients)) if source is not None]
    with vector_cursor() as cursor:
        cursor.execute(
            'SELECT category, bucket, captured_at, started_at, layout_id, "values" FROM snapshot'
            " WHERE target_id = %s AND bucket BETWEEN %s AND %s AND category = ANY(%s)"
            " ORDER BY category, bucket, part",
            [target.pk, since, until, sorted({source.category for source in sources})],
        )
        rows = cursor.fetchall()
    slots, values = interval_figures(
        shots_of(target, rows), metric, component, find_metric, slot_seconds=target.interval_minutes * 60.0
    )
    return slots, values
