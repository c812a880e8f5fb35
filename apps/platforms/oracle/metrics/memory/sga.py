"""The SGA and its pools."""

from functools import partial

from apps.catalog.metric import Kind, Metric
from apps.platforms.oracle.categories import SGAINFO
from apps.platforms.oracle.sections import MEMORY

sgainfo = partial(
    Metric,
    source="v$sgainfo",
    category=SGAINFO,
    kind=Kind.GAUGE,
    section=MEMORY,
    reading_unit="bytes",
    unit="MB",
    over_instances="sum",
)

METRICS = [
    sgainfo(
        key="sga_buffer_cache",
        name="Buffer Cache Size",
        label="buffer cache",
        help="Under automatic memory management it breathes: what it loses, a pool has taken.",
    ),
    sgainfo(
        key="sga_shared_pool",
        name="Shared Pool Size",
        label="shared pool",
        help="Statements, plans and the dictionary cache. Steady growth often means literals in place of binds.",
    ),
    sgainfo(
        key="sga_large_pool",
        name="Large Pool Size",
        label="large pool",
        help="Buffers of backups, of shared servers and of parallel execution.",
    ),
    sgainfo(
        key="sga_max",
        name="Maximum SGA Size",
        label="SGA ceiling",
        help="What the SGA may grow to, and what must fit into huge pages.",
    ),
    sgainfo(
        key="sga_free",
        name="Free SGA Memory Available",
        label="SGA not given away",
        help="Part of the ceiling that no component holds yet.",
    ),
    sgainfo(
        key="sga_redo_buffers",
        over_instances="min",
        name="Redo Buffers",
        label="log buffer",
        aliases=("log_buffer",),
        help="The log buffer as it was really made: granules round the parameter up.",
    ),
    sgainfo(
        key="sga_inmemory",
        name="In-Memory Area Size",
        label="In-Memory area",
        help="The column store. Since 12.1.0.2, and an option to be licensed.",
    ),
]
