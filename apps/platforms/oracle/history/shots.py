"""Readings of a moment in the past, as the core reduces those of a collector."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from apps.collection.collector import Reading
from apps.snapshots.engine.readings import Shot


def shot_of(collected: Sequence[Reading], at: datetime, started_at: datetime | None) -> Shot:
    """What was read at a moment; counters count since `started_at`."""
    keys = [(reading.metric, reading.component) for reading in collected]
    values = np.array([reading.value for reading in collected], dtype=np.float64)
    return Shot(at, started_at, keys, values)
