"""Redo: what is generated, how the log writer copes, and whether the logs are large enough."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Worse
from apps.platforms.oracle.categories import ARCHIVED_LOG, LOG, LOG_HISTORY, SYSSTAT

SECTION = "Redo"

sysstat = partial(
    Metric, source="v$sysstat", category=SYSSTAT, kind=Kind.COUNTER, section=SECTION, reading_unit="count"
)
ratio = partial(Metric, source="derived", category=SYSSTAT, kind=Kind.RATIO, section=SECTION)
log = partial(Metric, source="v$log", category=LOG, kind=Kind.GAUGE, section=SECTION)
log_history = partial(Metric, source="v$log_history", category=LOG_HISTORY, kind=Kind.GAUGE, section=SECTION)
archived_log = partial(
    Metric, source="v$archived_log", category=ARCHIVED_LOG, kind=Kind.GAUGE, section=SECTION
)

REDO_SIZE = sysstat(
    key="redo_size",
    role="work",
    name="redo size",
    label="redo size",
    reading_unit="bytes",
    unit="GB/day",
    profile_rows=1,
    help="Redo generated: every change, once. It has to be written, archived, shipped to standbys and backed up.",
)
REDO_LOG_SPACE_REQUESTS = sysstat(
    key="redo_log_space_requests",
    name="redo log space requests",
    label="redo log space requests",
    reading_unit="requests",
    unit="requests/s",
    shown_in="per day",
    worse=Worse.HIGHER,
    profile_rows=1,
    help="Times a session found the log file full and waited for a switch. The log files are too small, or the"
    " archiver is too slow. It is not about the log buffer.",
)
REDO_WASTAGE_PCT = ratio(
    key="redo_wastage_pct",
    label="redo wastage",
    unit="% of size",
    worse=Worse.HIGHER,
    profile_rows=1,
    formula=lambda w: 100 * w.delta("redo_wastage") / w.delta("redo_size"),
    help="Bytes left empty in redo blocks, because a commit could not wait until they were full. Many tiny commits"
    " drive it up.",
)

STATISTICS = [
    REDO_SIZE,
    REDO_LOG_SPACE_REQUESTS,
    REDO_WASTAGE_PCT,
    sysstat(
        key="redo_buffer_allocation_retries",
        name="redo buffer allocation retries",
        label="Redo buffer allocation retries",
        reading_unit="retries",
        unit="retries/s",
        worse=Worse.HIGHER,
        help="Sessions that found the log buffer full and had to try again. Should be nothing: enlarge the buffer, or"
        " give the log writer a faster disk.",
    ),
    sysstat(
        key="redo_log_space_wait_time",
        name="redo log space wait time",
        label="Redo log space wait time",
        reading_unit="centiseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time sessions lost waiting for a log switch to make room.",
    ),
    sysstat(
        key="redo_blocks_written",
        name="redo blocks written",
        label="Redo blocks written",
        reading_unit="blocks",
        unit="blocks/day",
        help="Blocks of the log file, mostly of 512 bytes: not blocks of the database.",
    ),
    sysstat(
        key="redo_entries",
        name="redo entries",
        label="Redo entries",
        aliases=("redo entries generated",),
        reading_unit="entries",
        unit="entries/s",
        help="Records copied into the log buffer. Redo size over entries tells how large a change is.",
    ),
    sysstat(
        key="redo_writes",
        name="redo writes",
        label="Redo writes",
        reading_unit="writes",
        unit="writes/s",
        help="Writes of the log writer. One of them can carry the commits of many sessions.",
    ),
    sysstat(
        key="background_checkpoints_completed",
        name="background checkpoints completed",
        label="Checkpoints completed",
        aliases=("background checkpoint completed",),
        reading_unit="checkpoints",
        unit="per day",
        help="Checkpoints of the whole thread that were finished, mostly one after each log switch.",
    ),
    sysstat(
        key="redo_synch_writes",
        name="redo synch writes",
        label="Redo synch writes",
        aliases=("redo sync writes", "redo synch write"),
        reading_unit="requests",
        unit="requests/s",
        help="Times redo was forced to disk while a session waited: nearly always a commit.",
    ),
    sysstat(
        key="redo_synch_time",
        name="redo synch time",
        label="Redo synch time",
        aliases=("redo sync time",),
        reading_unit="centiseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time sessions waited for their forced writes. Where there is a statistic in microseconds, trust that.",
    ),
    sysstat(
        key="redo_synch_time_usec",
        name="redo synch time (usec)",
        label="Redo synch time, exact",
        reading_unit="microseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time sessions waited for their forced writes, counted in microseconds. Since 11.2.",
    ),
    sysstat(
        key="redo_synch_overhead_usec",
        name="redo synch time overhead (usec)",
        label="Redo synch overhead",
        reading_unit="microseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="From the end of the log writer's write until the session ran again. Long on hosts short of CPU. Since 12.1.",
    ),
    sysstat(
        key="redo_synch_long_waits",
        name="redo synch long waits",
        label="Redo synch long waits",
        reading_unit="waits",
        unit="per day",
        worse=Worse.HIGHER,
        help="Forced writes that Oracle itself calls long. Since 11.2.",
    ),
    sysstat(
        key="redo_write_time",
        name="redo write time",
        label="Redo write time",
        reading_unit="centiseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time the log writer took to write. Releases disagree about its unit: compare with log file parallel"
        " write, and prefer the exact one.",
    ),
    sysstat(
        key="redo_write_time_usec",
        name="redo write time (usec)",
        label="Redo write time, exact",
        reading_unit="microseconds",
        unit="seconds/day",
        worse=Worse.HIGHER,
        help="Time the log writer took to write, in microseconds. Since 12.2.",
    ),
    sysstat(
        key="redo_wastage",
        name="redo wastage",
        label="Redo wasted",
        reading_unit="bytes",
        unit="MB/day",
        worse=Worse.HIGHER,
        help="Bytes left empty at the end of redo blocks that a commit forced out early.",
    ),
    sysstat(
        key="commit_wait_requested",
        name="commit wait requested",
        label="Commits that asked to wait",
        reading_unit="requests",
        unit="requests/s",
        help="Commits whose session wanted to wait for the write to disk.",
    ),
    sysstat(
        key="commit_wait_performed",
        name="commit wait performed",
        label="Commits that waited",
        reading_unit="requests",
        unit="requests/s",
        help="Commits that did wait for the write to disk.",
    ),
]

RATIOS = [
    ratio(
        key="redo_gb_per_day",
        label="Redo per day",
        unit="GB/day",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("redo_size") / 1024**3 * 86400 / w.seconds,
        help="Redo size scaled to 24 hours: what archive destination and standby line must swallow every day.",
    ),
    ratio(
        key="redo_mb_per_s",
        label="Redo rate",
        unit="MB/s",
        worse=Worse.HIGHER,
        reductions=("p95", "max", "busy"),
        formula=lambda w: w.delta("redo_size") / 1024**2 / w.seconds,
        help="Mean rate of redo. The peak of the day shows in the busiest hour of log switches.",
    ),
    ratio(
        key="lgwr_mb_per_s",
        label="Log writer throughput",
        unit="MB/s",
        formula=lambda w: (w.delta("redo_size") + w.delta("redo_wastage")) / 1024**2 / w.seconds,
        help="What the log writer really wrote: redo and the wasted ends of its blocks.",
    ),
    ratio(
        key="redo_bytes_per_write",
        label="Redo per write",
        unit="KB",
        formula=lambda w: w.delta("redo_size") / 1024 / w.delta("redo_writes"),
        help="Size of an average write of the log writer. Larger when commits share a write.",
    ),
    ratio(
        key="redo_synch_ms_per_write",
        label="Redo synch response",
        aliases=("redo sync response time",),
        unit="ms",
        worse=Worse.HIGHER,
        weight="redo_synch_writes",
        enough=100,
        formula=lambda w: 10 * w.delta("redo_synch_time") / w.delta("redo_synch_writes"),
        help="What a commit waits for its redo, as users feel it. Under 5 ms is good, 10 ms is felt.",
    ),
    ratio(
        key="redo_write_ms_per_write",
        label="Redo write response",
        aliases=("redo write response time",),
        unit="ms",
        worse=Worse.HIGHER,
        weight="redo_writes",
        enough=100,
        formula=lambda w: 10 * w.delta("redo_write_time") / w.delta("redo_writes"),
        help="What a write of the log writer takes: the disk's share of a commit.",
    ),
    ratio(
        key="redo_space_wait_ms",
        label="Wait per log space request",
        unit="ms",
        worse=Worse.HIGHER,
        formula=lambda w: 10 * w.delta("redo_log_space_wait_time") / w.delta("redo_log_space_requests"),
        help="How long a session was held up each time the log file was full.",
    ),
    ratio(
        key="redo_retries_per_s",
        label="Buffer allocation retries per second",
        unit="per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("redo_buffer_allocation_retries") / w.seconds,
        help="Pressure on the log buffer. Anything lasting calls for a larger buffer or a faster log disk.",
    ),
    ratio(
        key="redo_retries_per_entry",
        label="Buffer allocation retries per entry",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("redo_buffer_allocation_retries") / w.delta("redo_entries"),
        help="Share of redo records that found no room at first. Textbooks allow 1 %, a quiet system has none.",
    ),
    ratio(
        key="redo_space_requests_per_s",
        label="Redo log space requests per second",
        unit="per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("redo_log_space_requests") / w.seconds,
        help="How often sessions ran into a full log file.",
    ),
    ratio(
        key="redo_synch_overhead_ms",
        label="Commit wake-up overhead",
        unit="ms",
        worse=Worse.HIGHER,
        weight="redo_synch_writes",
        enough=100,
        formula=lambda w: w.delta("redo_synch_overhead_usec") / 1000 / w.delta("redo_synch_writes"),
        help="Part of a commit that no faster disk will cure: the session waiting to be woken. Look at the host's CPU.",
    ),
]

LOGS = [
    log_history(
        key="log_switches_per_day",
        label="Log switches",
        unit="switches/day",
        worse=Worse.HIGHER,
        help="Switches of this thread in the 24 hours before the reading.",
    ),
    log_history(
        key="log_switches_peak_hour",
        label="Log switches, busiest hour",
        unit="switches/hour",
        worse=Worse.HIGHER,
        help="Most switches within one clock hour of the 24 hours before the reading. Three or four are comfortable;"
        " at twenty the log files are far too small.",
    ),
    log_history(
        key="log_switch_min_interval_s",
        label="Shortest gap between switches",
        unit="seconds",
        worse=Worse.LOWER,
        help="Shortest life of a log file in the 24 hours before the reading; a manual switch counts too.",
    ),
    Metric(
        key="redo_log_fill_s",
        label="Time to fill a log at peak",
        source="derived",
        category=LOG_HISTORY,
        kind=Kind.RATIO,
        section=SECTION,
        unit="seconds",
        worse=Worse.LOWER,
        formula=lambda w: 3600 / w.level("log_switches_peak_hour"),
        help="How long one log file lasts in the busiest hour. Seven minutes and more let checkpoints keep up.",
    ),
    log(
        key="redo_log_member_bytes",
        name="BYTES",
        label="Size of the smallest log member",
        reading_unit="bytes",
        unit="MB",
        help="Size of an online log file; the smallest, should they differ.",
    ),
    log(
        key="redo_log_groups",
        name="GROUP#",
        label="Log groups",
        unit="count",
        worse=Worse.LOWER,
        help="Online log groups of this thread. With three of them a slow archiver is soon in the way.",
    ),
    log(
        key="redo_log_members",
        name="MEMBERS",
        label="Members of a log group",
        unit="count",
        help="Copies of each group, the smallest number. One copy is one disk away from losing commits.",
    ),
    log(
        key="redo_log_devices",
        source="v$logfile",
        label="Places of the online logs",
        unit="count",
        worse=Worse.LOWER,
        help="Different directories or disk groups among the members: with one, log writer and archiver share a device.",
    ),
    log(
        key="redo_log_total_bytes",
        label="Size of all online logs",
        reading_unit="bytes",
        unit="GB",
        help="All members of all groups of the database.",
    ),
    archived_log(
        key="archive_lag_s",
        name="COMPLETION_TIME - NEXT_TIME",
        label="Time to archive a log",
        unit="seconds",
        worse=Worse.HIGHER,
        help="Longest time from a log's switch to the end of its archiving, in the 24 hours before the reading.",
    ),
    archived_log(
        key="archived_redo_gb_day",
        name="BLOCKS x BLOCK_SIZE",
        label="Redo archived",
        reading_unit="bytes/day",
        unit="GB/day",
        worse=Worse.HIGHER,
        help="Redo archived in the 24 hours before the reading, each log once however many copies were made.",
    ),
]

METRICS = [*STATISTICS, *RATIOS, *LOGS]
