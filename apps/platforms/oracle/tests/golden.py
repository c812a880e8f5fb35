"""
The method's statistics, family by family: what the server counts in a day, and the figure the profile must show.

Numbers are those of the method's examples where it has some (rates of redo, sizes of PGA and SGA), else plain
ones. A counter is given by its growth in a day in the view's own unit, a level by what is read.
"""

from typing import NamedTuple

KIB, MIB, GIB = 1024.0, 1024.0**2, 1024.0**3
DAY = 86400
HOUR_CS = 360_000  # centiseconds


class Golden(NamedTuple):
    """A statistic: its view, its name there, what is read, and what is shown in the profile's unit."""

    view: str
    name: str
    read: float
    displayed: float
    is_level: bool = False


def counter(name: str, read: float, displayed: float) -> Golden:
    return Golden("v$sysstat", name, read, displayed)


def of_pga(name: str, megabytes: float) -> Golden:
    return Golden("v$pgastat", name, megabytes * MIB, megabytes, is_level=True)


def of_sga(name: str, size: float, megabytes: float) -> Golden:
    return Golden("v$sgainfo", name, size, megabytes, is_level=True)


FAMILIES: dict[str, list[Golden]] = {
    "FAM1": [
        counter("db block changes", 4_000_000, 4_000_000),
        counter("DB time", 121 * HOUR_CS, 121),
        counter("CPU used by this session", 60 * HOUR_CS, 60),
    ],
    "FAM2": [
        counter("redo buffer allocation retries", 2 * DAY, 2),
        counter("redo log space requests", 37, 37),
        counter("redo log space wait time", 5000, 50),
        counter("redo blocks written", 1_200_000, 1_200_000),
        counter("redo entries", 13326 * DAY, 13326),
        counter("redo size", 9.45 * MIB * DAY, 797.34375),
        counter("redo writes", 74 * DAY, 74),
        counter("background checkpoints completed", 12, 12),
        counter("redo synch writes", 72 * DAY, 72),
        counter("redo synch time", 72 * DAY * 2.7, 167_961.6),
        counter("redo write time", 74 * DAY * 1.2, 76_723.2),
        counter("redo wastage", 0.35 * MIB * DAY, 30_240),
    ],
    "FAM3": [
        counter("opened cursors cumulative", 500_000, 500_000),
        counter("parse count (failures)", 12, 12),
        counter("parse count (hard)", 2 * DAY, 2),
        counter("parse count (total)", 100 * DAY, 100),
        counter("parse time cpu", 36_000, 360),
        counter("execute count", 2500 * DAY, 216),
        counter("logons cumulative", 8640, 8640),
        counter("user commits", 72 * DAY, 6220.8),
        counter("user rollbacks", 3 * DAY, 3),
    ],
    "FAM4": [
        of_pga("aggregate PGA target parameter", 6144),
        of_pga("aggregate PGA auto target", 5120),
        of_pga("maximum PGA allocated", 7168),
        of_pga("global memory bound", 700),
        of_pga("total PGA used for auto workareas", 512),
        Golden("v$pgastat", "over allocation count", 4, 4),
        Golden("v$pgastat", "cache hit percentage", 97.5, 97.5, is_level=True),
        counter("sorts (disk)", 100, 100),
        counter("sorts (memory)", 99_900, 99_900),
        counter("sorts (rows)", 5_000_000, 5_000_000),
        counter("workarea executions - multipass", 2, 2),
        counter("workarea executions - onepass", 38, 38),
        counter("workarea executions - optimal", 7960, 7960),
        Golden("v$sysstat", "workarea memory allocated", 2048, 2, is_level=True),
    ],
    "FAM5": [
        of_sga("Buffer Cache Size", 1_694_498_816, 1616),
        of_sga("Shared Pool Size", 400 * MIB, 400),
        of_sga("Large Pool Size", 16 * MIB, 16),
        of_sga("Maximum SGA Size", 2_276_634_624, 2171.1679077148438),
        of_sga("Free SGA Memory Available", 48 * MIB, 48),
        counter("prefetched blocks aged out before use", 25, 25),
    ],
    "FAM6": [
        counter("consistent gets", 1_000_000_000, 1_000_000_000),
        counter("undo change vector size", 12 * GIB, 12),
        counter("consistent changes", 5_000_000, 5_000_000),
        counter("DBWR undo block writes", 40_000, 40_000),
        counter("transaction rollbacks", 50, 50),
    ],
    "FAM7": [
        counter("queries parallelized", 300, 300),
        counter("DDL statements parallelized", 4, 4),
        counter("DML statements parallelized", 10, 10),
        counter("DFO trees parallelized", 320, 320),
        counter("Parallel operations not downgraded", 900, 900),
        counter("Parallel operations downgraded 1 to 25 pct", 40, 40),
        counter("Parallel operations downgraded 25 to 50 pct", 30, 30),
        counter("Parallel operations downgraded 50 to 75 pct", 20, 20),
        counter("Parallel operations downgraded 75 to 99 pct", 5, 5),
        counter("Parallel operations downgraded to serial", 5, 5),
    ],
    "FAM8": [
        counter("physical read total bytes", 500 * GIB, 500),
        counter("physical read total IO requests", 100 * DAY, 100),
        counter("physical read total multi block requests", 20 * DAY, 20),
        counter("physical reads direct", 1_000_000, 1_000_000),
        counter("physical reads direct temporary tablespace", 200_000, 200_000),
        counter("physical write total bytes", 191 * GIB, 191),
        counter("physical write total IO requests", 60 * DAY, 60),
        counter("physical write total multi block requests", 5 * DAY, 5),
        counter("physical writes direct", 300_000, 300_000),
        counter("physical writes direct temporary tablespace", 250_000, 250_000),
        counter("user I/O wait time", 20 * HOUR_CS, 20),
    ],
    "FAM9": [
        counter("enqueue timeouts", 20, 20),
        counter("enqueue waits", 500, 500),
        counter("enqueue deadlocks", 1, 1),
        counter("enqueue requests", 1_000_000, 1_000_000),
        counter("enqueue conversions", 2000, 2000),
        counter("enqueue releases", 999_500, 999_500),
    ],
    "FAM10": [
        counter("table scans (short tables)", 100_000, 100_000),
        counter("table scans (long tables)", 432, 432),
        counter("table scans (rowid ranges)", 40, 40),
        counter("table scans (direct read)", 30, 30),
        counter("table fetch by rowid", 20_000_000, 20_000_000),
        counter("table fetch continued row", 1000, 1000),
        counter("index fast full scans (full)", 10, 10),
        counter("index fast full scans (rowid ranges)", 5, 5),
        counter("index fast full scans (direct read)", 3, 3),
        counter("index fetch by key", 3_000_000, 3_000_000),
    ],
}

# what follows from them: row of the checklist, key of the figure, the figure
DERIVED = [
    ("FAM2", "redo_bytes_per_entry", 743.6),  # printed: 744 bytes an entry
    ("FAM2", "lgwr_kb_per_write", 135.6),  # printed: 136 KB a write
    ("FAM2", "lgwr_above_redo_pct", 3.571),  # printed: 3.6 %
    ("FAM2", "lgwr_mb_per_s", 9.8),
    ("FAM3", "commits_per_s", 72),
    ("FAM4", "disk_sort_pct", 0.1),
    ("FAM4", "workarea_optimal_pct", 99.5),
    ("FAM7", "px_downgrade_pct", 10),
    ("FAM8", "io_avg_kb", 52.413),
    ("FAM9", "enq_wait_pct", 0.05),
    ("FAM10", "long_scans_per_execution", 0.002),
    ("COL6", "redo_synch_ms_per_write", 27),  # a centisecond is ten milliseconds: multiplied, not divided
    ("COL6", "redo_write_ms_per_write", 12),
]

# a file: IOs in a day, average and maximum response in ms
DATA_FILES = {
    "file1": (35_000, 10, 24),
    "file2": (120_000, 12, 15),
    "file3": (68_461, 15, 18),
    "file4": (58_799, 8, 10),
}
TEMP_FILE = ("dwtmp0", 130_000, 30, 68)

# tablespace space in MB, day by day: used, and what is left of 35000
TABLESPACE_DAYS = [(31_000, 4000), (32_001, 2999), (32_150, 2850), (33_000, 2000)]

# average wait in centiseconds 90, 30 and 7 days ago and today, the limit, what the page says, and the changes in %
NOTHING = None
PROFILE = [
    ("read by other session", "User I/O", (2, 2.1, 3, 2), "2", "comfortable", (0, -4.8, -33.3)),
    ("db file sequential read", "User I/O", (0.6, 0.5, 0.5, 0.6), "0.5", "violated", (0, 20, 20)),
    ("db file scattered read", "User I/O", (0.8, 0.76, 0.81, 0.8), "<1", "comfortable", (0, 5.3, -1.2)),
    ("direct path read temp", "User I/O", (1.56, 1.8, 1.6, 1.6), "<1.5", "violated", (2.6, -11.1, 0)),
    ("log file sync", "Commit", (NOTHING, NOTHING, 0.5, 1), "0", "violated", ("new", "new", 100)),
    ("log file parallel write", "System I/O", (NOTHING, NOTHING, 0.12, 0.2), "0", "violated", ("new", "new", 66.7)),
    ("direct path write temp", "User I/O", (1.73, 1.5, 1.32, 1.7), "<1", "violated", (-1.7, 13.3, 28.8)),
    ("db file parallel write", "System I/O", (0.16, 0.12, 0.15, 0.15), "<0.1", "violated", (-6.2, 25, 0)),
    ("control file parallel write", "System I/O", (NOTHING, NOTHING, 0.98, 1), "0", "violated", ("new", "new", 2)),
    ("os thread startup", "Concurrency", (18, 14, 18, 18), "<12", "violated", (0, 28.6, 0)),
]  # fmt: skip
