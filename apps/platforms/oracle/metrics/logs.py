"""Log files: how often they switch, how large they are, and what of them is archived."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Origin, Worse
from apps.platforms.oracle.categories import ARCHIVED_LOG, DERIVED, LOG, LOG_HISTORY
from apps.platforms.oracle.sections import REDO

log = partial(Metric, source="v$log", category=LOG, kind=Kind.GAUGE, section=REDO, over_instances="min")
log_history = partial(
    Metric,
    source="v$log_history",
    category=LOG_HISTORY,
    kind=Kind.GAUGE,
    section=REDO,
    origin=Origin(is_seldom=True),
)
archived_log = partial(
    Metric,
    source="v$archived_log",
    category=ARCHIVED_LOG,
    kind=Kind.GAUGE,
    section=REDO,
    origin=Origin(is_seldom=True),
)

METRICS = [
    log_history(
        key="log_switches_per_day",
        over_instances="sum",
        label="log switches",
        unit="switches/day",
        worse=Worse.HIGHER,
        help="Switches of this thread in the 24 hours before the reading.",
    ),
    log_history(
        key="log_switches_peak_hour",
        over_instances="max",
        label="log switches, busiest hour",
        unit="switches/hour",
        worse=Worse.HIGHER,
        help="Most switches within one clock hour of the 24 hours before the reading. Three or four are comfortable;"
        " at twenty the log files are far too small.",
    ),
    log_history(
        key="log_switch_min_interval_s",
        over_instances="min",
        label="shortest gap between switches",
        unit="seconds",
        worse=Worse.LOWER,
        help="Shortest life of a log file in the 24 hours before the reading; a manual switch counts too.",
    ),
    archived_log(
        key="redo_peak_mb_s",
        over_instances="max",
        label="redo rate, busiest hour",
        reading_unit="bytes/s",
        unit="MB/s",
        worse=Worse.HIGHER,
        help="Mean rate of redo in the clock hour with most of it, of the 24 hours before the reading, by the archived logs.",
    ),
    Metric(
        key="redo_log_fill_s",
        over_instances="min",
        label="time to fill a log at peak",
        source="derived",
        category=DERIVED,
        kind=Kind.RATIO,
        section=REDO,
        unit="seconds",
        worse=Worse.LOWER,
        formula=lambda w: w.level("redo_log_member_bytes") / w.level("redo_peak_mb_s"),
        help="Size of the smallest log member over the redo rate of the busiest hour. Known where logs are archived. Twenty"
        " minutes and more let checkpoints keep up.",
    ),
    log(
        key="redo_log_member_bytes",
        name="BYTES",
        label="size of the smallest log member",
        reading_unit="bytes",
        unit="MB",
        help="Size of an online log file; the smallest, should they differ.",
    ),
    log(
        key="redo_log_groups",
        name="GROUP#",
        label="log groups",
        unit="count",
        worse=Worse.LOWER,
        help="Online log groups of this thread. With three of them a slow archiver is soon in the way.",
    ),
    log(
        key="redo_log_members",
        name="MEMBERS",
        label="members of a log group",
        unit="count",
        help="Copies of each group, the smallest number. One copy is one disk away from losing commits.",
    ),
    log(
        key="redo_log_devices",
        source="v$logfile",
        label="places of the online logs",
        unit="count",
        worse=Worse.LOWER,
        help="Different directories or disk groups among the members: with one, log writer and archiver share a device.",
    ),
    log(
        key="redo_log_total_bytes",
        over_instances="max",
        label="size of all online logs",
        reading_unit="bytes",
        unit="GB",
        help="All members of all groups of the database.",
    ),
    archived_log(
        key="archive_lag_s",
        over_instances="max",
        name="COMPLETION_TIME - NEXT_TIME",
        label="time to archive a log",
        unit="seconds",
        worse=Worse.HIGHER,
        help="Longest time from a log's switch to the end of its archiving, in the 24 hours before the reading.",
    ),
    archived_log(
        key="archived_redo_gb_day",
        over_instances="sum",
        name="BLOCKS x BLOCK_SIZE",
        label="redo archived",
        reading_unit="bytes/day",
        unit="GB/day",
        worse=Worse.HIGHER,
        help="Redo archived in the 24 hours before the reading, each log once however many copies were made.",
    ),
]
