"""The detail reports of an instance, in the order of their tabs."""

from apps.catalog.details import Detail, Listing, ListingColumn, Room
from apps.platforms.oracle.places import LIES_ON
from apps.platforms.oracle.sections import (
    IO,
    LOCKS,
    MEMORY,
    PARALLEL,
    REDO,
    SEGMENTS,
    SESSIONS,
    SPACE,
    TABLES,
    UNDO,
    WAITS,
    WORKLOAD,
)

EVENTS = Listing(
    key="events",
    title="Wait events",
    noun="wait event",
    columns=(
        ListingColumn("wait_time", "time waited", "hours/day"),
        ListingColumn("wait_count", "waits"),
        ListingColumn("wait_avg_ms", "average wait"),
        ListingColumn("wait_sessions", "sessions waiting"),
        ListingColumn("wait_busy_pct", "share of the day"),
        ListingColumn("wait_timeouts", "timed out"),
    ),
    by_day=("wait_time", "wait_count", "wait_avg_ms"),
    whole_target=("cpu_time",),
)
TABLESPACES = Listing(
    key="tablespaces",
    title="Tablespaces",
    noun="tablespace",
    columns=(
        ListingColumn("ts_used_mb", "used", "GB"),
        ListingColumn("ts_free_mb", "available", "GB"),
        ListingColumn("ts_size_mb", "size", "GB"),
        ListingColumn("ts_used_pct_size", "used of size"),
        ListingColumn("ts_max_mb", "maximum", "GB"),
        ListingColumn("ts_used_pct_max", "used of maximum"),
    ),
    by_day=("ts_used_mb", "ts_free_mb", "ts_size_mb"),
)
TEMP = Listing(
    key="temp",
    title="Temporary tablespaces",
    noun="temporary tablespace",
    columns=(
        ListingColumn("temp_used_mb", "used", "GB"),
        ListingColumn("temp_free_mb", "free", "GB"),
        ListingColumn("temp_size_mb", "size", "GB"),
        ListingColumn("temp_allocated_mb", "ever touched", "GB"),
        ListingColumn("temp_peak_pct", "high water of maximum"),
    ),
    by_day=("temp_used_mb", "temp_free_mb", "temp_size_mb"),
)
DISK_GROUPS = Listing(
    key="disk-groups",
    title="ASM disk groups",
    noun="disk group",
    columns=(
        ListingColumn("asm_usable_mb", "usable"),
        ListingColumn("asm_free_mb", "raw free"),
        ListingColumn("asm_total_mb", "raw size"),
    ),
)
FILES = Listing(
    key="files",
    title="Data and temp files",
    noun="file",
    columns=(
        ListingColumn("datafile_io_day", "I/O a day", "per day"),
        ListingColumn("datafile_avg_ms", "average response"),
        ListingColumn("datafile_max_ms", "maximum response"),
        ListingColumn("datafile_read_ms", "average read"),
        ListingColumn("datafile_write_ms", "average write"),
        ListingColumn("datafile_size_mb", "size"),
    ),
    by_day=("datafile_io_day", "datafile_avg_ms", "datafile_max_ms"),
)
ASM_DISKS = Listing(
    key="asm-disks",
    title="ASM disks",
    noun="disk",
    columns=(
        ListingColumn("asm_disk_reads", "reads"),
        ListingColumn("asm_disk_writes", "writes"),
        ListingColumn("asm_disk_read_ms", "average read"),
        ListingColumn("asm_disk_write_ms", "average write"),
        ListingColumn("asm_disk_read_bytes", "read"),
        ListingColumn("asm_disk_write_bytes", "written"),
        ListingColumn("asm_disk_read_errors", "failed reads"),
        ListingColumn("asm_disk_write_errors", "failed writes"),
        ListingColumn("asm_disk_total_mb", "size"),
        ListingColumn("asm_disk_free_mb", "free"),
    ),
    by_day=("asm_disk_reads", "asm_disk_read_ms", "asm_disk_write_ms"),
)
GROWTH = Listing(
    key="growth",
    title="Segments by growth",
    noun="segment",
    columns=(ListingColumn("segment_growth_mb_day", "growth"), ListingColumn("segment_mb", "size", "GB")),
)
ACTIVITY = Listing(
    key="activity",
    title="Segments by activity",
    noun="segment",
    columns=(
        ListingColumn("segment_logical_reads", "logical reads"),
        ListingColumn("segment_physical_reads", "blocks read"),
        ListingColumn("segment_physical_writes", "blocks written"),
        ListingColumn("segment_block_changes", "changes"),
        ListingColumn("segment_space_allocated", "space given"),
        ListingColumn("segment_row_lock_waits", "row lock waits"),
        ListingColumn("segment_buffer_busy_waits", "buffer busy waits"),
        ListingColumn("segment_itl_waits", "ITL waits"),
    ),
    by_day=("segment_logical_reads", "segment_physical_reads", "segment_space_allocated"),
)
CONTAINERS = Listing(
    key="containers",
    title="Pluggable databases",
    noun="pluggable database",
    columns=(
        ListingColumn("pdb_db_time", "DB time"),
        ListingColumn("pdb_db_cpu", "DB CPU"),
        ListingColumn("pdb_executions", "executions"),
        ListingColumn("pdb_commits", "commits"),
        ListingColumn("pdb_logical_reads", "logical reads"),
        ListingColumn("pdb_read_bytes", "read"),
        ListingColumn("pdb_redo", "redo"),
    ),
    by_day=("pdb_db_time", "pdb_db_cpu", "pdb_executions"),
)

DETAILS = (
    Detail(
        key="waits",
        title="Waits",
        help="What sessions waited for, longest first, with CPU among them. Idle events and those between parallel"
        " servers are left out.",
        sections=(WAITS, LOCKS),
        listings=(EVENTS,),
    ),
    Detail(
        key="workload",
        title="Workload",
        help="How much work the instance does. Read times beside executions and commits: a time that grows alone is"
        " not growth of work.",
        sections=(WORKLOAD, SESSIONS, PARALLEL, TABLES),
        listings=(CONTAINERS,),
        lead="tm_db_time",
    ),
    Detail(
        key="redo",
        title="Redo",
        help="What is generated, how the log writer copes, and whether the logs are large enough; undo beside it.",
        sections=(REDO, UNDO),
        lead="redo_size",
    ),
    Detail(
        key="memory",
        title="Memory",
        help="PGA and SGA: what is allocated, what the work areas needed, and what the buffer cache spared.",
        sections=(MEMORY,),
        lead="pga_allocated",
    ),
    Detail(
        key="io",
        title="I/O and files",
        help="Requests and response of every file. The maximum is a high-water mark since start-up: only a rise is new.",
        sections=(IO,),
        listings=(FILES, ASM_DISKS),
    ),
    Detail(
        key="space",
        title="Space",
        help="Used and available add up to the size of the files as they are; the maximum is what they may grow to.",
        sections=(SPACE,),
        listings=(TABLESPACES, TEMP, DISK_GROUPS),
        room=Room(
            used="ts_used_mb",
            size="ts_size_mb",
            most="ts_max_mb",
            fact=LIES_ON,
            group_free="asm_usable_mb",
            filesystem_free="host_fs_free_mb",
            filesystem_used="host_fs_used_mb",
        ),
    ),
    Detail(
        key="segments",
        title="Segments",
        help="The largest tables and indexes, and those that are worked on most, are read once a week.",
        sections=(SEGMENTS,),
        listings=(GROWTH, ACTIVITY),
    ),
    Detail(
        key="host",
        title="Host",
        help="The machine below and the instance on it, day beside day.",
        beside_host=(
            "db_cpu_per_core",
            "os_busy_pct",
            "aas",
            "io_iops",
            "io_mb_per_s",
            "pga_allocated",
            "sessions_current",
        ),
    ),
)
