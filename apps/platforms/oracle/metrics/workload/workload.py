"""What the instance is asked for, and the time it takes."""

from apps.catalog.metric import Display
from apps.platforms.oracle.metrics.workload.sources import sysstat, time_model

TM_DB_TIME = time_model(
    key="tm_db_time",
    name="DB time",
    label="DB time",
    display=Display(rows=1),
    help="Time that sessions of users spent inside the database, on CPU or waiting. It rises with load and with"
    " slowness alike, so read it beside executions and commits.",
)

TM_DB_CPU = time_model(
    key="tm_db_cpu",
    name="DB CPU",
    label="DB CPU",
    aliases=("CPU Time", "CPU time"),
    help="The part of DB time spent on CPU. Background processes are not in it.",
)

TM_BACKGROUND_CPU = time_model(
    key="tm_background_cpu",
    name="background cpu time",
    label="background CPU time",
    help="CPU of the background processes: log writer, database writers, archivers and their like.",
)

EXECUTE_COUNT = sysstat(
    key="execute_count",
    reductions=("p95", "max", "busy"),
    role="work",
    name="execute count",
    label="execute count",
    unit="per second",
    display=Display(unit="M/day", rows=1),
    help="SQL statements executed, those the database runs for itself included. The plainest measure of load.",
)

USER_COMMITS = sysstat(
    key="user_commits",
    reductions=("p95", "max", "busy"),
    role="work",
    name="user commits",
    label="user commits",
    unit="per second",
    display=Display(unit="k/day", rows=1),
    help="Commits by users: each of them waits for the log writer.",
)

SESSION_LOGICAL_READS = sysstat(
    key="session_logical_reads",
    reductions=("p95", "max", "busy"),
    role="work",
    name="session logical reads",
    label="session logical reads",
    reading_unit="blocks",
    unit="blocks/day",
    display=Display(unit="G/day", rows=1),
    help="Blocks visited, in the buffer cache or directly. It costs CPU: when it grows faster than executions,"
    " statements have become more expensive.",
)

METRICS = [
    TM_DB_TIME,
    EXECUTE_COUNT,
    USER_COMMITS,
    SESSION_LOGICAL_READS,
    TM_DB_CPU,
    TM_BACKGROUND_CPU,
]
