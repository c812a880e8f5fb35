"""Reads and writes: of the instance as a whole, and per data file."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.io import data_files, direct, file_counters, rates, requests

METRICS: list[Metric] = [
    *requests.METRICS,
    *direct.METRICS,
    *rates.METRICS,
    *data_files.METRICS,
    *file_counters.METRICS,
]
