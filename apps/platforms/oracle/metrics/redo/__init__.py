"""Redo: what the log writer writes, and who waits for it."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.redo import commits, delays, rates, redo

METRICS: list[Metric] = [
    *redo.METRICS,
    *commits.METRICS,
    *rates.METRICS,
    *delays.METRICS,
]
