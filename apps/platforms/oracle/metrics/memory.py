"""Memory of the instance: PGA and its work areas, SGA and its pools."""

from functools import partial

from apps.catalog.metric import Display, Judging, Kind, Metric, Worse
from apps.platforms.oracle.categories import PGASTAT, SGAINFO, SYSSTAT
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import MEMORY

pgastat = partial(
    Metric,
    source="v$pgastat",
    category=PGASTAT,
    kind=Kind.GAUGE,
    section=MEMORY,
    reading_unit="bytes",
    unit="MB",
    over_instances="sum",
)
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
sysstat = partial(sources.sysstat, section=MEMORY, unit="per day")
ratio = partial(Metric, source="derived", kind=Kind.RATIO, section=MEMORY, unit="%", over_instances="ratio")

PGA_ALLOCATED = pgastat(
    key="pga_allocated",
    reductions=("p95", "max", "busy"),
    name="total PGA allocated",
    label="total PGA allocated",
    display=Display(unit="GB", rows=1),
    help="Private memory of all server processes at the moment of reading. It comes on top of the SGA.",
)
PGA_OVER_ALLOCATION_COUNT = pgastat(
    key="pga_over_allocation_count",
    name="over allocation count",
    label="over allocation count",
    kind=Kind.COUNTER,
    reading_unit="events",
    unit="per day",
    worse=Worse.HIGHER,
    display=Display(rows=1),
    help="Times the PGA target could not be kept, because sessions needed more than it allows. Should be 0.",
)

PGA = [
    PGA_ALLOCATED,
    PGA_OVER_ALLOCATION_COUNT,
    pgastat(
        key="pga_target",
        name="aggregate PGA target parameter",
        label="PGA target",
        help="PGA_AGGREGATE_TARGET in force: an aim, not a limit.",
    ),
    pgastat(
        key="pga_auto_target",
        name="aggregate PGA auto target",
        label="PGA left for work areas",
        worse=Worse.LOWER,
        help="What is left of the target for sorts and hash joins, after what cannot be tuned. When it shrinks,"
        " PL/SQL collections or too many sessions eat the rest.",
    ),
    pgastat(
        key="pga_max_allocated",
        judging=Judging(instead="pga_allocated"),
        name="maximum PGA allocated",
        label="most PGA since start-up",
        kind=Kind.HIGH_WATER,
        worse=Worse.HIGHER,
        help="The most the processes ever held together since the instance was started.",
    ),
    pgastat(
        key="pga_global_memory_bound",
        over_instances="min",
        name="global memory bound",
        label="largest work area",
        worse=Worse.LOWER,
        help="The most one sort or hash join may take. Under 1 MB the target must be raised.",
    ),
    pgastat(
        key="pga_auto_workareas",
        name="total PGA used for auto workareas",
        label="PGA in work areas",
        help="Taken by sorts and hash joins at the moment of reading.",
    ),
    pgastat(
        key="pga_cache_hit_pct",
        over_instances="",
        name="cache hit percentage",
        label="PGA cache hit since start-up",
        reading_unit="%",
        unit="%",
        worse=Worse.LOWER,
        help="Oracle's own figure over the whole life of the instance; for a day see the PGA cache hit of the day.",
    ),
    pgastat(
        key="pga_inuse",
        name="total PGA inuse",
        label="PGA in use",
        help="The part of allocated PGA that is really used.",
    ),
    pgastat(
        key="pga_bytes_processed",
        name="bytes processed",
        label="bytes through work areas",
        kind=Kind.COUNTER,
        unit="GB/day",
        help="Bytes that sorts, hash joins and bitmap operations worked on.",
    ),
    pgastat(
        key="pga_extra_bytes",
        name="extra bytes read/written",
        label="bytes of extra passes",
        kind=Kind.COUNTER,
        unit="GB/day",
        worse=Worse.HIGHER,
        help="Bytes that went to temp and back, because a work area was too small.",
    ),
    ratio(
        key="pga_cache_hit_day",
        label="PGA cache hit",
        category=PGASTAT,
        worse=Worse.LOWER,
        formula=lambda w: (
            100
            * w.delta("pga_bytes_processed")
            / (w.delta("pga_bytes_processed") + w.delta("pga_extra_bytes"))
        ),
        help="Share of bytes handled without a further pass over temp, of this day alone.",
    ),
    ratio(
        key="pga_max_vs_target",
        over_instances="max",
        label="most PGA against its target",
        category=PGASTAT,
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.level("pga_max_allocated") / w.level("pga_target"),
        help="Above 100 % the target was exceeded since start-up: count on the peak when memory is planned.",
    ),
]

WORK_AREAS = [
    sysstat(
        key="sorts_disk",
        name="sorts (disk)",
        label="sorts on disk",
        reading_unit="sorts",
        worse=Worse.HIGHER,
        help="Sorts that did not fit into memory and used temp.",
    ),
    sysstat(
        key="sorts_memory",
        name="sorts (memory)",
        label="sorts in memory",
        reading_unit="sorts",
        help="Sorts that memory sufficed for.",
    ),
    sysstat(
        key="sorts_rows",
        name="sorts (rows)",
        label="rows sorted",
        aliases=("sorts(rows)",),
        reading_unit="rows",
        help="Rows in all sorts.",
    ),
    sysstat(
        key="workarea_multipass",
        name="workarea executions - multipass",
        label="work areas, several passes",
        reading_unit="executions",
        worse=Worse.HIGHER,
        help="Work areas so small that data went through temp more than once. Should be 0.",
    ),
    sysstat(
        key="workarea_onepass",
        name="workarea executions - onepass",
        label="work areas, one pass",
        reading_unit="executions",
        worse=Worse.HIGHER,
        help="Work areas that needed temp once.",
    ),
    sysstat(
        key="workarea_optimal",
        name="workarea executions - optimal",
        label="work areas in memory",
        reading_unit="executions",
        help="Work areas that memory sufficed for.",
    ),
    sysstat(
        key="workarea_memory_allocated",
        name="workarea memory allocated",
        label="work-area memory",
        kind=Kind.GAUGE,
        reading_unit="KB",
        unit="MB",
        help="Memory of work areas at the moment of reading: a level in kilobytes, in a view of counters.",
    ),
    ratio(
        key="disk_sort_pct",
        label="sorts on disk, share",
        category=SYSSTAT,
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("sorts_disk") / (w.delta("sorts_disk") + w.delta("sorts_memory")),
        help="Share of sorts that went to disk. A warehouse lives with some; more than 5 % elsewhere is too many.",
    ),
    ratio(
        key="workarea_optimal_pct",
        label="work areas in memory, share",
        category=SYSSTAT,
        worse=Worse.LOWER,
        formula=lambda w: (
            100
            * w.delta("workarea_optimal")
            / (w.delta("workarea_optimal") + w.delta("workarea_onepass") + w.delta("workarea_multipass"))
        ),
        help="Share of work areas done wholly in memory.",
    ),
]

SGA = [
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

METRICS = [*PGA, *WORK_AREAS, *SGA]
