"""Redo written, and waits for room in the log."""

from apps.catalog.metric import Display, Worse
from apps.platforms.oracle.metrics.redo.sources import ratio, sysstat

REDO_SIZE = sysstat(
    key="redo_size",
    role="work",
    name="redo size",
    label="redo size",
    reading_unit="bytes",
    unit="GB/day",
    display=Display(rows=1),
    help="Redo generated: every change, once. It has to be written, archived, shipped to standbys and backed up.",
)

REDO_LOG_SPACE_REQUESTS = sysstat(
    key="redo_log_space_requests",
    reductions=("p95", "max", "busy"),
    name="redo log space requests",
    label="redo log space requests",
    reading_unit="requests",
    unit="requests/s",
    display=Display(unit="per day", rows=1),
    worse=Worse.HIGHER,
    help="Times a session found the log file full and waited for a switch. The log files are too small, or the"
    " archiver is too slow. It is not about the log buffer.",
)

REDO_WASTAGE_PCT = ratio(
    key="redo_wastage_pct",
    label="redo wastage",
    unit="% of size",
    worse=Worse.HIGHER,
    display=Display(rows=1),
    formula=lambda w: 100 * w.delta("redo_wastage") / w.delta("redo_size"),
    help="Bytes left empty in redo blocks, because a commit could not wait until they were full. Many tiny commits"
    " drive it up.",
)

METRICS = [
    REDO_SIZE,
    REDO_LOG_SPACE_REQUESTS,
    REDO_WASTAGE_PCT,
    sysstat(
        key="redo_buffer_allocation_retries",
        name="redo buffer allocation retries",
        label="redo buffer allocation retries",
        reading_unit="retries",
        unit="retries/s",
        worse=Worse.HIGHER,
        help="Sessions that found the log buffer full and had to try again. Should be nothing: enlarge the buffer, or"
        " give the log writer a faster disk.",
    ),
    sysstat(
        key="redo_log_space_wait_time",
        name="redo log space wait time",
        label="redo log space wait time",
        reading_unit="centiseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time sessions lost waiting for a log switch to make room.",
    ),
    sysstat(
        key="redo_blocks_written",
        name="redo blocks written",
        label="redo blocks written",
        reading_unit="blocks",
        unit="blocks/day",
        help="Blocks of the log file, mostly of 512 bytes: not blocks of the database.",
    ),
    sysstat(
        key="redo_entries",
        name="redo entries",
        label="redo entries",
        aliases=("redo entries generated",),
        reading_unit="entries",
        unit="entries/s",
        help="Records copied into the log buffer. Redo size over entries tells how large a change is.",
    ),
    sysstat(
        key="redo_writes",
        name="redo writes",
        label="redo writes",
        reading_unit="writes",
        unit="writes/s",
        help="Writes of the log writer. One of them can carry the commits of many sessions.",
    ),
    sysstat(
        key="background_checkpoints_completed",
        name="background checkpoints completed",
        label="checkpoints completed",
        aliases=("background checkpoint completed",),
        reading_unit="checkpoints",
        unit="per day",
        help="Checkpoints of the whole thread that were finished, mostly one after each log switch.",
    ),
]
