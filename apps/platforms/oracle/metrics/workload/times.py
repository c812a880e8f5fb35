"""Further times and changes of the day."""

from apps.platforms.oracle.metrics.workload.sources import sysstat, time_model

METRICS = [
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
]
