"""Reads and writes: of the instance as a whole, per data file, and per disk of ASM."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.io import asm_disks, data_files, direct, file_counters, rates, requests

METRICS: list[Metric] = [
    *requests.METRICS,
    *direct.METRICS,
    *rates.METRICS,
    *data_files.METRICS,
    *file_counters.METRICS,
    *asm_disks.METRICS,
]
