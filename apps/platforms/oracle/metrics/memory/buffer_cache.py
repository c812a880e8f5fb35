"""What the buffer cache spares, and what ages out of it."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.categories import SYSSTAT
from apps.platforms.oracle.metrics.memory.sources import ratio, sysstat

METRICS = [
    sysstat(
        key="prefetched_aged_out",
        name="prefetched blocks aged out before use",
        label="prefetched blocks never used",
        reading_unit="blocks",
        worse=Worse.HIGHER,
        help="Blocks read ahead and thrown out unused: the cache is too small, or scans are too eager.",
    ),
    sysstat(
        key="free_buffer_inspected",
        name="free buffer inspected",
        label="buffers inspected for a free one",
        reading_unit="blocks",
        worse=Worse.HIGHER,
        help="Buffers passed over in search of a free one: the writers may not keep up, or the cache is small.",
    ),
    sysstat(
        key="physical_reads_cache",
        name="physical reads cache",
        label="blocks read into the cache",
        reading_unit="blocks",
        help="Blocks read from disk into the buffer cache.",
    ),
    sysstat(
        key="consistent_gets_cache",
        name="consistent gets from cache",
        label="consistent gets from the cache",
        reading_unit="blocks",
        help="Blocks visited in the cache as they were at a moment.",
    ),
    sysstat(
        key="db_block_gets_cache",
        name="db block gets from cache",
        label="current gets from the cache",
        reading_unit="blocks",
        help="Blocks visited in the cache as they are now, mostly to change them.",
    ),
    ratio(
        key="buffer_cache_hit_pct",
        label="buffer cache hit",
        category=SYSSTAT,
        formula=lambda w: (
            100
            * (
                1
                - w.delta("physical_reads_cache")
                / (w.delta("consistent_gets_cache") + w.delta("db_block_gets_cache"))
            )
        ),
        help="For information. A wasteful statement improves it, so it is no aim in itself.",
    ),
]
