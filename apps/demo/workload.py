"""
What an instance counts per unit of work: the statistics of v$sysstat and the usual wait events.

A statistic follows one driver (executions, commits, logical reads, redo) at so many per unit: the first number is that of
a warehouse, the second that of transaction processing.
"""

from dataclasses import dataclass

PER_UNIT: dict[str, tuple[str, float, float]] = {
    "db_block_changes": ("redo", 1 / 260, 1 / 190),
    "user_calls": ("executions", 0.22, 0.85),
    "recursive_calls": ("executions", 2.9, 0.9),
    "sqlnet_bytes_to_client": ("executions", 2600.0, 740.0),
    "sqlnet_bytes_from_client": ("executions", 310.0, 410.0),
    "sqlnet_roundtrips": ("executions", 0.21, 0.83),
    "redo_buffer_allocation_retries": ("redo", 2e-9, 3e-9),
    "redo_log_space_requests": ("redo", 8e-11, 2e-10),
    "redo_log_space_wait_time": ("redo", 9e-10, 2e-9),
    "redo_entries": ("redo", 1 / 820, 1 / 410),
    "background_checkpoints_completed": ("redo", 1.0e-10, 1.2e-10),
    "redo_synch_long_waits": ("commits", 0.002, 0.004),
    "commit_wait_requested": ("commits", 0.0, 0.0002),
    "commit_wait_performed": ("commits", 0.0, 0.0002),
    "opened_cursors_cumulative": ("executions", 0.12, 0.2),
    "parse_count_failures": ("executions", 2e-6, 8e-6),
    "parse_count_hard": ("executions", 0.0021, 0.0009),
    "parse_count_total": ("executions", 0.09, 0.31),
    "parse_time_cpu": ("executions", 0.0009, 0.0004),
    "parse_time_elapsed": ("executions", 0.0014, 0.0006),
    "logons_cumulative": ("commits", 0.022, 0.004),
    "user_commits": ("commits", 1.0, 1.0),
    "user_rollbacks": ("commits", 0.004, 0.021),
    "session_cursor_cache_hits": ("executions", 0.04, 0.16),
    "sorts_disk": ("executions", 8e-5, 1e-7),
    "sorts_memory": ("executions", 0.06, 0.09),
    "sorts_rows": ("logical_reads", 0.09, 0.03),
    "workarea_multipass": ("executions", 0.0, 0.0),
    "workarea_onepass": ("executions", 1e-4, 2e-7),
    "workarea_optimal": ("executions", 0.04, 0.05),
    "undo_change_vector_size": ("redo", 0.21, 0.36),
    "consistent_changes": ("logical_reads", 0.0021, 0.0084),
    "dbwr_undo_block_writes": ("redo", 1 / 52000, 1 / 36000),
    "transaction_rollbacks": ("commits", 0.003, 0.016),
    "px_ddl": ("executions", 4e-6, 0.0),
    "px_dfo": ("executions", 9e-4, 1e-6),
    "px_dml": ("executions", 3e-5, 0.0),
    "px_down_1_25": ("executions", 2e-6, 0.0),
    "px_down_25_50": ("executions", 4e-6, 0.0),
    "px_down_50_75": ("executions", 2e-6, 0.0),
    "px_down_75_99": ("executions", 5e-7, 0.0),
    "px_down_serial": ("executions", 6e-6, 1e-8),
    "px_not_downgraded": ("executions", 8.6e-4, 9e-7),
    "px_queries": ("executions", 7.5e-4, 8e-7),
    "enq_timeouts": ("commits", 0.008, 0.0006),
    "enq_waits": ("commits", 0.011, 0.0012),
    "enq_deadlocks": ("commits", 0.0, 0.0),
    "enq_requests": ("commits", 38.0, 7.4),
    "enq_conversions": ("commits", 0.7, 0.06),
    "enq_releases": ("commits", 37.9, 7.39),
    "scan_short": ("executions", 0.05, 0.021),
    "scan_long": ("executions", 0.0011, 4e-6),
    "scan_rowid": ("executions", 0.0006, 1e-6),
    "scan_direct": ("executions", 0.0009, 1e-6),
    "scan_rows": ("logical_reads", 7.4, 1.3),
    "fetch_rowid": ("logical_reads", 0.18, 0.41),
    "fetch_continued": ("logical_reads", 0.0007, 0.0016),
    "ffs_full": ("executions", 0.0009, 0.0001),
    "ffs_rowid": ("executions", 0.0004, 0.0),
    "ffs_direct": ("executions", 0.0002, 0.0),
    "index_fetch_key": ("logical_reads", 0.08, 0.27),
}


@dataclass(frozen=True)
class Shares:
    """How the work of a mix is made up."""

    column: int  # of the figures in this module
    synced: float  # of its commits that wait for the log writer
    log_writes: float  # of the log writer, for each commit
    written_alone: float  # requests of the database writers for each block they write
    current: float  # of logical reads that take a block as it is now


SHARES = {
    "warehouse": Shares(column=1, synced=0.9, log_writes=1.08, written_alone=0.45, current=0.05),
    "oltp": Shares(column=2, synced=0.97, log_writes=0.82, written_alone=0.85, current=0.085),
}


@dataclass(frozen=True)
class UsualEvent:
    """
    A wait event of every instance: its share of what users wait (foreground) or its waits in a day, and its length.

    Where it waits for a `device`, a field of `Responses`, its length is that beyond the response of the device.
    """

    name: str
    wait_class: str
    warehouse: float
    oltp: float
    micros: float
    device: str = ""


# share of what users wait; 0: as often as the work demands
FOREGROUND = (
    UsualEvent("db file sequential read", "User I/O", 0.14, 0.25, 45, "data_read"),
    UsualEvent("db file scattered read", "User I/O", 0.10, 0.03, 1180, "data_read"),
    UsualEvent("direct path read", "User I/O", 0.11, 0.012, 2380, "data_read"),
    UsualEvent("direct path read temp", "User I/O", 0.06, 0.006, 1580, "data_read"),
    UsualEvent("direct path write temp", "User I/O", 0.04, 0.004, 2100, "data_write"),
    UsualEvent("read by other session", "User I/O", 0.02, 0.008, 180, "data_read"),
    UsualEvent("db file parallel read", "User I/O", 0.004, 0.014, 1880, "data_read"),
    UsualEvent("direct path write", "User I/O", 0.006, 0.001, 900, "data_write"),
    UsualEvent("local write wait", "User I/O", 0.0001, 0.0001, 1400, "data_write"),
    UsualEvent("Disk file operations I/O", "User I/O", 0.0004, 0.0007, 310),
    UsualEvent("log file sync", "Commit", 0, 0, 420, "redo_write"),
    UsualEvent("log buffer space", "Configuration", 3e-6, 3e-6, 9200),
    UsualEvent("log file switch completion", "Configuration", 0.0002, 0.0004, 21000),
    UsualEvent("undo segment extension", "Configuration", 0.0001, 0.00005, 8800),
    UsualEvent("enq: HW - contention", "Configuration", 0.0006, 0.0002, 5400),
    UsualEvent("enq: TX - row lock contention", "Application", 0.0005, 0.014, 46000),
    UsualEvent("enq: TM - contention", "Application", 0.0003, 0.0001, 61000),
    UsualEvent("SQL*Net break/reset to client", "Application", 0.0001, 0.0002, 640),
    UsualEvent("buffer busy waits", "Concurrency", 0.002, 0.006, 420),
    UsualEvent("latch: cache buffers chains", "Concurrency", 0.0015, 0.003, 230),
    UsualEvent("latch: shared pool", "Concurrency", 0.0004, 0.0006, 880),
    UsualEvent("library cache: mutex X", "Concurrency", 0.0007, 0.0026, 96),
    UsualEvent("library cache lock", "Concurrency", 0.0004, 0.0003, 1800),
    UsualEvent("library cache load lock", "Concurrency", 0.0002, 0.0001, 14000),
    UsualEvent("cursor: pin S", "Concurrency", 0.0001, 0.0004, 58),
    UsualEvent("cursor: pin S wait on X", "Concurrency", 0.0002, 0.0002, 11000),
    UsualEvent("row cache lock", "Concurrency", 0.0003, 0.0002, 930),
    UsualEvent("enq: TX - index contention", "Concurrency", 0.0003, 0.0018, 2700),
    UsualEvent("os thread startup", "Concurrency", 0.0004, 0.00005, 21000),
    UsualEvent("SQL*Net message to client", "Network", 0, 0, 2),
    UsualEvent("SQL*Net more data to client", "Network", 0.008, 0.004, 95),
    UsualEvent("SQL*Net more data from client", "Network", 0.0004, 0.0016, 140),
    UsualEvent("SQL*Net message from dblink", "Network", 0.004, 0.001, 3900),
    UsualEvent("resmgr:cpu quantum", "Scheduler", 0.006, 0.0003, 24000),
    UsualEvent("latch free", "Other", 0.0003, 0.0003, 410),
    UsualEvent("reliable message", "Other", 0.0002, 0.0001, 700),
    UsualEvent("asynch descriptor resize", "Other", 0.00005, 0.00005, 3),
    UsualEvent("PX Deq Credit: send blkd", "Other", 0.011, 0.0001, 640),
    UsualEvent("PX Deq: Slave Session Stats", "Other", 0.0006, 0.0001, 260),
)
# waits in a day; 0: as often as the work demands
BACKGROUND = (
    UsualEvent("log file parallel write", "System I/O", 0, 0, 30, "redo_write"),
    UsualEvent("db file parallel write", "System I/O", 0, 0, 160, "data_write"),
    UsualEvent("control file parallel write", "System I/O", 34_000, 32_000, 240, "data_write"),
    UsualEvent("control file sequential read", "System I/O", 160_000, 190_000, 380),
    UsualEvent("log file sequential read", "System I/O", 0, 0, 1400, "redo_read"),
    UsualEvent("Log archive I/O", "System I/O", 0, 0, 1500, "data_write"),
    UsualEvent("LGWR wait for redo copy", "Other", 9_000, 31_000, 21),
    UsualEvent("rdbms ipc reply", "Other", 4_200, 3_100, 1400),
    UsualEvent("ASM background timer", "Idle", 17_000, 17_000, 4_900_000),
    UsualEvent("DIAG idle wait", "Idle", 172_000, 172_000, 1_000_300),
    UsualEvent("Space Manager: slave idle wait", "Idle", 86_000, 80_000, 5_000_900),
    UsualEvent("Streams AQ: qmn coordinator idle wait", "Idle", 6_170, 6_170, 14_000_800),
    UsualEvent("jobq slave wait", "Idle", 190_000, 120_000, 500_400),
    UsualEvent("pmon timer", "Idle", 57_000, 57_000, 3_000_200),
    UsualEvent("rdbms ipc message", "Idle", 510_000, 640_000, 2_300_000),
    UsualEvent("smon timer", "Idle", 288, 288, 300_000_000),
    UsualEvent("PX Deq: Execution Msg", "Idle", 9_400_000, 6_000, 31_000),
    UsualEvent("PX Idle Wait", "Idle", 240_000, 20_000, 2_100_000),
)
IDLE_OF_CLIENTS = UsualEvent("SQL*Net message from client", "Idle", 0.0, 0.0, 0.0)
