"""
What Headroom knows of Oracle's statistics, a subject per file or, of large subjects, per folder.

redo/  workload/  space/  memory/  sessions/  io/
waits.py  logs.py  undo.py  parallel.py  enqueue.py  tables.py  segments.py  containers.py
configuration.py   numbers somebody chose
other.py           whatever else the views list
sources.py         what all statistics of v$sysstat and of the time model have in common
"""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics import (
    configuration,
    containers,
    enqueue,
    io,
    logs,
    memory,
    other,
    parallel,
    redo,
    segments,
    sessions,
    space,
    tables,
    undo,
    waits,
    workload,
)

# in the order in which a profile shows them
METRICS: list[Metric] = [
    *waits.METRICS,
    *redo.METRICS,
    *logs.METRICS,
    *workload.METRICS,
    *space.METRICS,
    *memory.METRICS,
    *sessions.METRICS,
    *io.METRICS,
    *undo.METRICS,
    *parallel.METRICS,
    *enqueue.METRICS,
    *tables.METRICS,
    *segments.METRICS,
    *containers.METRICS,
    *configuration.METRICS,
    *other.METRICS,
]
