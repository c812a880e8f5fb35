"""How much work the instance does, and how much of its time is CPU."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric, Worse
from apps.platforms.oracle.categories import DERIVED, OSSTAT, TIME_MODEL
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import WORKLOAD

sysstat = partial(sources.sysstat, section=WORKLOAD)
time_model = partial(sources.time_model, section=WORKLOAD)
osstat = partial(
    Metric, source="v$osstat", category=OSSTAT, kind=Kind.GAUGE, section=WORKLOAD, over_instances="sum"
)
derived = partial(Metric, source="derived", kind=Kind.RATIO, section=WORKLOAD, over_instances="ratio")

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
CPU_CORES = osstat(
    key="cpu_cores",
    role="cores",
    name="NUM_CPU_CORES",
    label="CPU cores",
    unit="cores",
    help="Physical cores that the instance sees. Where the platform does not tell, its CPUs are taken.",
)

METRICS = [
    TM_DB_TIME,
    EXECUTE_COUNT,
    USER_COMMITS,
    SESSION_LOGICAL_READS,
    TM_DB_CPU,
    TM_BACKGROUND_CPU,
    time_model(
        key="tm_background_elapsed",
        name="background elapsed time",
        label="background elapsed time",
        help="Time the background processes were busy, waiting included. It is no part of DB time.",
    ),
    time_model(
        key="tm_rman_cpu",
        name="RMAN cpu time (backup/restore)",
        label="RMAN CPU time",
        help="CPU that backups took. It is part of the background's, and competes with users when backups run late.",
    ),
    time_model(
        key="tm_sql_execute",
        name="sql execute elapsed time",
        label="SQL execution time",
        help="DB time spent running statements, as opposed to parsing them or signing in.",
    ),
    sysstat(
        key="db_block_changes",
        name="db block changes",
        label="block changes",
        unit="changes/day",
        help="Changes made to blocks in the buffer cache. It leads redo and undo: when they grow, look here first.",
    ),
    sysstat(
        key="db_time",
        name="DB time",
        label="DB time by v$sysstat",
        reading_unit="centiseconds",
        unit="hours/day",
        help="The same as DB time of the time model, in coarser units; kept to check one against the other.",
    ),
    sysstat(
        key="cpu_used_by_this_session",
        name="CPU used by this session",
        label="CPU used by all sessions",
        aliases=("CPU used by this sessions", "CPU wait"),
        reading_unit="centiseconds",
        unit="hours/day",
        help="Despite its name the CPU of every session, added when a call ends. Calls under 10 ms may count as none.",
    ),
    derived(
        key="aas",
        reductions=("p95", "max", "busy"),
        label="average active sessions",
        category=TIME_MODEL,
        unit="sessions",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("tm_db_time") / 1e6 / w.seconds,
        help="DB time over the time that passed: how many sessions were working or waiting at any moment. Steadily"
        " above the number of cores means a queue.",
    ),
    derived(
        key="cpus_at_work",
        label="CPUs at work for the instance",
        category=TIME_MODEL,
        unit="cpus",
        worse=Worse.HIGHER,
        formula=lambda w: (w.delta("tm_db_cpu") + w.delta("tm_background_cpu")) / 1e6 / w.seconds,
        help="CPU of this instance, foreground and background, over the time that passed: how many processors it kept"
        " busy. Of all instances on a host it adds up to what they take of it.",
    ),
    derived(
        key="db_cpu_share",
        label="CPU share of DB time",
        category=TIME_MODEL,
        unit="%",
        formula=lambda w: 100 * w.delta("tm_db_cpu") / w.delta("tm_db_time"),
        help="How much of DB time was work. The rest was spent waiting, or ready to run with no CPU free.",
    ),
    derived(
        key="db_cpu_per_core",
        reductions=("p95", "max", "busy"),
        label="database CPU of the host",
        category=DERIVED,
        unit="% of cores",
        worse=Worse.HIGHER,
        formula=lambda w: (
            100
            * (w.delta("tm_db_cpu") + w.delta("tm_background_cpu"))
            / 1e6
            / (w.seconds * w.level("cpu_cores"))
        ),
        help="CPU of this instance, foreground and background, against all cores of its host. An average day of 60 %"
        " leaves little for the busy hours.",
    ),
    CPU_CORES,
    osstat(
        key="cpu_count",
        name="NUM_CPUS",
        label="logical CPUs",
        unit="cpus",
        help="Threads the operating system offers. Two threads of a core do not do the work of two cores.",
    ),
    osstat(
        key="os_load",
        reductions=("p95", "max", "busy"),
        over_instances="max",
        name="LOAD",
        label="host load seen by Oracle",
        aliases=("Current OS Load",),
        unit="processes",
        worse=Worse.HIGHER,
        help="Processes running or ready to run at the moment of reading. For its course over the day, watch the host.",
    ),
    osstat(
        key="os_busy_time",
        name="BUSY_TIME",
        label="host CPU busy time",
        kind=Kind.COUNTER,
        reading_unit="centiseconds",
        unit="hours/day",
        help="Busy time of all CPUs together, of every process on the host. It counts from the host's boot, or from"
        " start-up, as the platform pleases.",
    ),
    osstat(
        key="os_idle_time",
        name="IDLE_TIME",
        label="host CPU idle time",
        kind=Kind.COUNTER,
        reading_unit="centiseconds",
        unit="hours/day",
        help="Idle time of all CPUs together; waiting for disks is part of it.",
    ),
    derived(
        key="os_busy_pct",
        reductions=("p95", "max", "busy"),
        label="host CPU busy seen by Oracle",
        category=OSSTAT,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("os_busy_time") / (w.delta("os_busy_time") + w.delta("os_idle_time")),
        help="The host's CPU as the instance sees it: all that is known of a host that is not watched itself.",
    ),
    osstat(
        key="os_physical_memory",
        role="memory",
        name="PHYSICAL_MEMORY_BYTES",
        label="physical memory of the host",
        reading_unit="bytes",
        unit="GB",
        help="Memory of the host as the instance sees it; in a container often that of the whole machine.",
    ),
    sysstat(
        key="user_calls",
        reductions=("p95", "max", "busy"),
        name="user calls",
        label="user calls",
        unit="calls/s",
        help="Calls that clients made: sign in, parse, fetch, execute. Many calls for few rows mean small fetches.",
    ),
    sysstat(
        key="recursive_calls",
        name="recursive calls",
        label="recursive calls",
        unit="calls/day",
        help="Calls the database makes for itself: dictionary look-ups, space management, PL/SQL's own SQL.",
    ),
    sysstat(
        key="sqlnet_bytes_to_client",
        name="bytes sent via SQL*Net to client",
        label="sent to clients",
        reading_unit="bytes",
        unit="GB/day",
        help="What went over the network to clients. Two hundred columns where three are shown end up here.",
    ),
    sysstat(
        key="sqlnet_bytes_from_client",
        name="bytes received via SQL*Net from client",
        label="received from clients",
        reading_unit="bytes",
        unit="GB/day",
        help="What clients sent: statements, bind values, loads.",
    ),
    sysstat(
        key="sqlnet_roundtrips",
        name="SQL*Net roundtrips to/from client",
        label="round trips with clients",
        reading_unit="trips",
        unit="per second",
        help="Each costs the client one network delay: a chatty application is slow on a distant network.",
    ),
    sysstat(
        key="non_idle_wait_time",
        name="non-idle wait time",
        label="time in waits",
        reading_unit="centiseconds",
        unit="hours/day",
        worse=Worse.HIGHER,
        help="Time in all waits that are not idle: a check on the sum of the wait events. Since 11.1.",
    ),
]
