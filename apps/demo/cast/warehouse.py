"""
The warehouse: ten wait events under limits, eight of them over; a tablespace that is full in about 25 days.

A month ago no snapshot was taken, so that the comparison falls back to the day before; the knots of the 30th day are
given for that day and its neighbours.
"""

from dataclasses import replace
from datetime import time

from apps.demo.cast.people import LINDQVIST
from apps.demo.parts import (
    DemoEvent,
    DemoInstance,
    DemoLimit,
    DemoSetting,
    DemoTablespace,
    DemoWorkload,
    DiskGroup,
    Restart,
    Trouble,
)
from apps.demo.rhythm import HARDLY, NIGHTLY_LOADS
from apps.demo.trajectory import Trajectory, flow, stock, through

ZONE = "Europe/Berlin"
GB = 1024.0**3


def _ago(
    ninety: float, thirty: float, seven: float, today: float, *others: tuple[int, float], noise: float = 0.03
) -> Trajectory:
    """A figure told by the four days of a profile, and by others between."""
    knots = [(-90, ninety), (-31, thirty), (-30, thirty), (-29, thirty), (-7, seven), (0, today), *others]
    return through(*sorted(knots), noise=noise, week=NIGHTLY_LOADS if noise > 0.03 else ())


def _micros(
    ninety: float, thirty: float, seven: float, today: float, *others: tuple[int, float]
) -> Trajectory:
    """An average wait in centiseconds as microseconds."""
    knots = [(-90, ninety), (-31, thirty), (-30, thirty), (-29, thirty), (-7, seven), (0, today), *others]
    return through(*((age, round(wait * 10_000)) for age, wait in sorted(knots)), noise=0.022)


def _in_centiseconds(*knots: tuple[int, float]) -> Trajectory:
    """An average wait by its own days."""
    return through(*((age, round(wait * 10_000)) for age, wait in knots), noise=0.015)


def _single_days(usual: float, others: dict[int, float]) -> list[tuple[int, float]]:
    """The knots of a figure that is as usual but for single days."""
    around = {age + offset: usual for age in others for offset in (-1, 1)}
    return sorted((around | others | {200: usual}).items())


def _often(waits: float) -> Trajectory:
    return flow(waits, growth=0.0015, noise=0.05, week=NIGHTLY_LOADS)


EVENTS = (
    DemoEvent(
        name="read by other session",
        wait_class="User I/O",
        waits=_often(300_000),
        # a full load, when there is one, reads the same blocks from many sessions
        micros=_in_centiseconds(*_single_days(1.12, {-90: 2, -31: 2.1, -7: 3, 0: 2})),
    ),
    DemoEvent(
        name="db file sequential read",
        wait_class="User I/O",
        waits=_often(4_000_000),
        micros=_micros(
            0.6,
            0.5,
            0.5,
            0.6,
            (-80, 0.58),
            (-62, 0.46),
            (-32, 0.46),
            (-28, 0.46),
            (-8, 0.47),
            (-6, 0.48),
            (-3, 0.49),
            (-2, 0.53),
            (-1, 0.57),
            (40, 0.61),
        ),
    ),
    DemoEvent(
        name="db file scattered read",
        wait_class="User I/O",
        waits=_often(2_400_000),
        micros=_micros(0.8, 0.76, 0.81, 0.8, (-60, 0.74), (-18, 0.78), (40, 0.82)),
    ),
    DemoEvent(
        name="direct path read temp",
        wait_class="User I/O",
        waits=_often(1_600_000),
        micros=_micros(1.56, 1.8, 1.6, 1.6, (-120, 1.62), (-60, 1.7), (-20, 1.72), (40, 1.63)),
    ),
    DemoEvent(
        name="log file sync",
        wait_class="Commit",
        micros=_in_centiseconds((-8, 0.46), (-7, 0.5), (-4, 0.68), (-2, 0.84), (0, 1.0), (40, 0.94)),
        since=-8,
    ),
    DemoEvent(
        name="log file parallel write",
        wait_class="System I/O",
        micros=_in_centiseconds((-8, 0.11), (-7, 0.12), (-3, 0.16), (0, 0.2), (40, 0.19)),
        since=-8,
        is_foreground=False,
    ),
    DemoEvent(
        name="direct path write temp",
        wait_class="User I/O",
        waits=_often(600_000),
        micros=_micros(1.73, 1.5, 1.32, 1.7, (-60, 1.58), (-18, 1.4), (-3, 1.46), (40, 1.66)),
    ),
    DemoEvent(
        name="db file parallel write",
        wait_class="System I/O",
        waits=_often(2_240_000),
        micros=_micros(0.16, 0.12, 0.15, 0.15, (-60, 0.14), (-15, 0.13), (40, 0.15)),
        is_foreground=False,
    ),
    DemoEvent(
        name="control file parallel write",
        wait_class="System I/O",
        waits=_often(31_200),
        micros=_in_centiseconds((-8, 0.97), (-7, 0.98), (0, 1.0), (40, 0.99)),
        since=-8,
        is_foreground=False,
    ),
    DemoEvent(
        name="os thread startup",
        wait_class="Concurrency",
        waits=_often(8_900),
        micros=_micros(18, 14, 18, 18, (-60, 16), (-18, 15), (40, 17.5)),
    ),
)

REDO = through(
    *((age, round(gb * GB)) for age, gb in _single_days(40.6, {-90: 41, -31: 46.2, -7: 44.9, 0: 47.3})),
    noise=0.02,
    week=HARDLY,
    month_end=1.12,
    bumps=((-75, 1.31), (-74, 1.38), (-62, 1.27)),
)


def _wait_limit(event: str, notation: str, plan: str, lead_time: int = 30) -> DemoLimit:
    return DemoLimit(metric="wait_avg_ms", component=event, notation=notation, plan=plan, lead_time=lead_time)


_STORAGE_PATH = (
    "Compare read response per file with that of the LUNs on dbx-dw01 (storage, 2 days).\n"
    "Move the busiest files off the shared array group (DBA, 5 days).\n"
    "Decide on flash for the hot partitions (planner, 30 days)."
)
_TEMP_PATH = (
    "Find the statements with one-pass and multi-pass work areas (DBA, 2 days).\n"
    "Raise pga_aggregate_target if memory of the host allows it (DBA, 1 day).\n"
    "Give the temporary tablespace LUNs of its own (storage, 10 days)."
)
_REDO_PATH = (
    "Find what commits, and why row by row: sessions by commits (DBA, 1 day).\n"
    "Check log writer, redo LUN writes below 2 ms, and the log buffer (storage, 5 days).\n"
    "Decide: batch the commits of the load, or a faster redo path (planner, 10 days)."
)

LIMITS = (
    replace(
        _wait_limit(
            "read by other session",
            "2",
            "Find the blocks several sessions read at once; spread the load jobs.",
        ),
        leaves_out_peaks=True,  # of the full loads
    ),
    _wait_limit("db file sequential read", "0.5", _STORAGE_PATH),
    _wait_limit("db file scattered read", "<1", _STORAGE_PATH),
    _wait_limit("direct path read temp", "<1.5", _TEMP_PATH),
    _wait_limit("log file sync", "0", _REDO_PATH, 10),
    _wait_limit("log file parallel write", "0", _REDO_PATH, 10),
    _wait_limit("direct path write temp", "<1", _TEMP_PATH),
    _wait_limit(
        "db file parallel write", "<0.1", "Check asynchronous I/O, then the number of database writers."
    ),
    _wait_limit("control file parallel write", "0", "Move one control file to another disk group.", 10),
    _wait_limit("os thread startup", "<12", "Keep parallel servers: raise parallel_min_servers."),
    DemoLimit(
        metric="redo_size",
        notation="<=50 GB/day",
        fires_on=2,
        fires_of=3,
        plan="Find what wrote: redo by segment and by service (DBA, 2 days).\n"
        "Check member size and switch interval (DBA, 3 days).\n"
        "Check redo LUN writes on dbx-dw01, target below 2 ms (storage, 5 days).\n"
        "Decide: spread the load, or more redo throughput (planner, 10 days).",
    ),
    DemoLimit(metric="tm_db_time", notation="<192", plan="Find the statements that grew; then cores."),
    DemoLimit(
        metric="ts_used_mb",
        component="DATA",
        notation="<1800 GB",
        lead_time=14,
        plan="Order 600 GB for +DATA (storage, 14 days).\n"
        "Or move SALES_2024 to the archive (DBA, 5 days).\n"
        "Add two files and watch the growth for a week (DBA, 1 day).",
    ),
    DemoLimit(
        metric="ts_used_mb",
        component="INDX",
        notation="<720 GB",
        plan="Rebuild the local indexes compressed.",
    ),
    DemoLimit(
        metric="ts_used_mb",
        component="TEMP",
        notation="<300 GB",
        plan="Find the sorts; then add files to TEMP.",
    ),
    DemoLimit(
        metric="ts_used_mb",
        component="UNDOTBS1",
        notation="<90 GB",
        plan="Find the longest query of the night.",
    ),
    DemoLimit(metric="redo_log_space_requests", notation="<10", plan="Enlarge the redo members."),
    DemoLimit(metric="redo_wastage_pct", notation="<5", plan="See what commits so often."),
    DemoLimit(
        metric="pga_allocated", notation="<32 GB", plan="Find the sessions with the largest work areas."
    ),
    DemoLimit(metric="pga_over_allocation_count", notation="0", plan="Raise pga_aggregate_target."),
    DemoLimit(
        metric="processes_now", notation="<450", lead_time=2, plan="Limit the pools of the load servers."
    ),
)

DWPRD = DemoInstance(
    name="DWPRD",
    group="Warehouse",
    owner=LINDQVIST,
    time_zone=ZONE,
    host="dbx-dw01",
    version="19.24.0.0.0",
    cores=16,
    sga_gb=52,
    pga_target_gb=40,
    pga=_ago(21.4, 22, 23.8, 24.1, (60, 24.6), noise=0.02),
    processes_limit=600,
    notes="Patched to 19.24 on the night of its last restart; SALES_2026 is loaded since the day after.",
    restarts=(Restart(-37, time(6, 12, 40)),),
    troubles=(
        Trouble(
            first_age=-29,
            last_age=-29,
            sentence="The listener of DWPRD did not answer within 20 s (ORA-12170).",
        ),
    ),
    limits=LIMITS,
    settings=(
        DemoSetting(-1500, "version", "19.23.0.0.0"),
        DemoSetting(-37, "version", "19.24.0.0.0"),
        DemoSetting(-1500, "parameter/db_writer_processes", "2"),
        DemoSetting(-8, "parameter/db_writer_processes", "4"),
        DemoSetting(-1500, "parameter/parallel_min_servers", "16"),
        DemoSetting(-8, "parameter/parallel_min_servers", "8"),
        DemoSetting(-8, "force_logging", "YES"),
    ),
    recovery_share=flow(63, noise=0.06),
    workload=DemoWorkload(
        mix="warehouse",
        executions=_ago(18.2e6, 19e6, 19.4e6, 19.6e6, (60, 20e6), noise=0.05),
        commits=_ago(412e3, 421e3, 430e3, 428e3, (60, 431e3), noise=0.05),
        logical_reads=_ago(8.1e9, 8.8e9, 9.7e9, 9.9e9, (60, 10.3e9), noise=0.05),
        redo=REDO,
        redo_wastage=through(*_single_days(3.3, {-90: 2.9, -31: 3.1, -7: 3.6, 0: 3.6}), noise=0.02),
        db_time=_ago(96, 104, 118, 121, (60, 126), noise=0.04),
        sessions=_ago(298, 311, 329, 333, (-120, 291), (90, 340), noise=0.0),
        counters={
            "redo_log_space_requests": _ago(3, 2, 2, 4, (60, 4), noise=0.02),
        },
    ),
    events=EVENTS,
    disk_groups=(
        DiskGroup(
            name="DATA", used=stock((-120, 2730), (0, 3010), (400, 4010), relief=(32, 45, 120)), size=3600
        ),
        DiskGroup(name="RECO", used=flow(610, noise=0.05), size=1200),
    ),
    recovery_gb=1024,
    tablespaces=(
        DemoTablespace(
            name="DATA",
            used=stock(
                (-460, 260),
                (-120, 1229),
                (-90, 1310),
                (-36, 1463),
                (-31, 1490),
                (-7, 1623),
                (-1, 1656.5),
                (0, 1662),
                (400, 1662 + 5.5 * 400),
                relief=(32, 45, 247.5),
            ),
            most=1800,
            added=(24, 96),
        ),
        DemoTablespace(
            name="INDX",
            used=stock((-120, 601), (-90, 612), (-31, 633), (-7, 641), (0, 643), (400, 705)),
            most=760,
        ),
        DemoTablespace(name="HIST_2019", used=stock((-120, 38), (400, 38), noise=0.0), most=48),
        DemoTablespace(name="STAGE", used=_ago(28, 31, 36, 33, (60, 34), noise=0.06), most=64),
        DemoTablespace(name="USERS", used=stock((-120, 13.1), (0, 14.2), (400, 18)), most=64),
        DemoTablespace(name="SYSTEM", used=stock((-120, 2.1), (400, 2.3)), most=32),
        DemoTablespace(name="SYSAUX", used=stock((-120, 8.6), (0, 9.4), (400, 12)), most=32),
        DemoTablespace(
            name="TEMP",
            used=through(*_single_days(216, {-90: 188, -31: 214, -7: 252, 0: 240}), noise=0.03),
            most=320,
            contents="TEMPORARY",
        ),
        DemoTablespace(
            name="UNDOTBS1",
            used=through(*_single_days(46.5, {-90: 44, -31: 46, -7: 61, 0: 48}), noise=0.03),
            most=96,
            contents="UNDO",
        ),
    ),
)
