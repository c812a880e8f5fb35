"""Segments: which tables and indexes are large, which grow, and which are worked on most."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric, Origin, Worse
from apps.platforms.oracle import sections
from apps.platforms.oracle.categories import FREE_SPACE, SEGMENTS, SEGSTAT

segment = partial(
    Metric,
    source="dba_segments",
    category=SEGMENTS,
    section=sections.SEGMENTS,
    component_kind="segment",
    origin=Origin(is_seldom=True),
)
activity = partial(
    segment,
    source="v$segstat",
    category=SEGSTAT,
    kind=Kind.COUNTER,
    reading_unit="blocks",
    unit="blocks/day",
    over_instances="sum",
)

METRICS = [
    segment(
        key="segment_mb",
        name="BYTES",
        label="size of the segment",
        kind=Kind.GAUGE,
        reading_unit="bytes",
        unit="MB",
        display=Display(unit="GB"),
        help="Space allocated to a table, an index or a LOB with all its partitions. The 200 largest are read once a"
        " week.",
    ),
    segment(
        key="segment_growth_mb_day",
        label="growth of the segment",
        kind=Kind.RATIO,
        unit="MB/day",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("segment_mb") / 1024**2 / w.seconds * 86400,
        help="What the segment gained a day since the reading before; what one that shrank lost stands with a minus.",
    ),
    activity(
        key="segment_logical_reads",
        name="logical reads",
        label="logical reads of the segment",
        help="Blocks of the segment visited in the cache; Oracle counts a sample of them.",
    ),
    activity(
        key="segment_physical_reads",
        name="physical reads",
        label="blocks of the segment read",
        help="Blocks of the segment read from disk.",
    ),
    activity(
        key="segment_physical_writes",
        name="physical writes",
        label="blocks of the segment written",
        help="Blocks of the segment written to disk.",
    ),
    activity(
        key="segment_block_changes",
        name="db block changes",
        label="changes of the segment",
        reading_unit="changes",
        unit="changes/day",
        help="Changes made to blocks of the segment: who makes the redo.",
    ),
    activity(
        key="segment_space_allocated",
        name="space allocated",
        label="space given to the segment",
        reading_unit="bytes",
        unit="MB/day",
        worse=Worse.HIGHER,
        help="Space the segment was given a day. It finds what grows among small segments too.",
    ),
    activity(
        key="segment_row_lock_waits",
        name="row lock waits",
        label="row lock waits on the segment",
        reading_unit="waits",
        unit="waits/day",
        worse=Worse.HIGHER,
        help="Waits for a row that another session had changed and not yet committed.",
    ),
    activity(
        key="segment_buffer_busy_waits",
        name="buffer busy waits",
        label="buffer busy waits on the segment",
        reading_unit="waits",
        unit="waits/day",
        worse=Worse.HIGHER,
        help="Waits for a block that another session was changing in the cache.",
    ),
    activity(
        key="segment_itl_waits",
        name="ITL waits",
        label="ITL waits on the segment",
        reading_unit="waits",
        unit="waits/day",
        worse=Worse.HIGHER,
        help="Waits for a free entry in a block's list of transactions: INITRANS is too small.",
    ),
    Metric(
        key="ts_free_extents_mb",
        label="free extents",
        source="dba_free_space",
        category=FREE_SPACE,
        kind=Kind.GAUGE,
        section=sections.SPACE,
        component_kind="tablespace",
        reading_unit="bytes",
        unit="MB",
        worse=Worse.LOWER,
        origin=Origin(is_seldom=True),
        help="Room in the files as the list of free extents has it, the recycle bin included: a weekly check on what"
        " is otherwise read.",
    ),
]
