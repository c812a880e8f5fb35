"""Payments: commits that were slow and are cured, and the reads that became slower instead and were accepted."""

from datetime import time

from apps.demo.cast.people import HADDAD, LINDQVIST, OKAFOR
from apps.demo.cast.usual import usual_tablespaces
from apps.demo.parts import (
    DATA,
    REDO,
    SYSTEM,
    DemoBatch,
    DemoEvent,
    DemoHost,
    DemoInstance,
    DemoLimit,
    DemoSetting,
    DemoTablespace,
    DemoWorkload,
    Disk,
    Filesystem,
    Restart,
)
from apps.demo.rhythm import ROUND_THE_CLOCK
from apps.demo.trajectory import Trajectory, flow, stock, through

ZONE = "Europe/London"
GB = 1024.0**3


def _ms(*knots: tuple[int, float], noise: float = 0.02) -> Trajectory:
    """An average wait in milliseconds as microseconds."""
    return through(*((age, round(wait * 1000)) for age, wait in knots), noise=noise)


PAYPRD = DemoInstance(
    name="PAYPRD",
    group="Payments",
    owner=OKAFOR,
    time_zone=ZONE,
    host="dbx-pay01",
    version="19.24.0.0.0",
    cores=16,
    sga_gb=64,
    pga_target_gb=16,
    pga=flow(9.2, noise=0.025),
    processes_limit=1200,
    notes="Redo path rebuilt on the night of its last restart: log buffer 4 to 72 MB, members 500 MB to 8 GB.",
    restarts=(Restart(-15, time(22, 1, 15)),),
    settings=(
        DemoSetting(-1500, "parameter/log_buffer", "4194304"),
        DemoSetting(-14, "parameter/log_buffer", "75497472"),
    ),
    events=(
        DemoEvent(
            name="log file sync",
            wait_class="Commit",
            micros=_ms(
                (-120, 2.6),
                (-57, 3.9),
                (-45, 4.7),
                (-44, 5.2),
                (-43, 7.2),
                (-36, 21.2),
                (-30, 26.45),
                (-16, 26.45),
                (-15, 26.1),
                (-14, 2.4),
                (-11, 2.2),
                (-10, 5.6),
                (-9, 2.1),
                (-7, 2.2),
                (-6, 6.1),
                (-5, 5.4),
                (-4, 2.6),
                (-1, 2.05),
                (0, 2.13),
                (40, 2.2),
            ),
        ),
        DemoEvent(
            name="log file parallel write",
            wait_class="System I/O",
            waits=through((-120, 5.1e6), (-16, 5.3e6), (-14, 14e6), (0, 15.2e6), (90, 15.5e6), noise=0.02),
            micros=_ms(
                (-120, 1.9),
                (-45, 2.4),
                (-36, 9.7),
                (-30, 11.8),
                (-15, 11.8),
                (-14, 0.6),
                (0, 0.55),
                (40, 0.56),
            ),
            is_foreground=False,
        ),
        DemoEvent(
            name="log buffer space",
            wait_class="Configuration",
            waits=through(
                (-120, 2100), (-45, 2600), (-30, 9800), (-15, 9900), (-14, 0), (400, 0), noise=0.05
            ),
            micros=_ms((-120, 11), (-45, 14), (-30, 28.6), (400, 28.6)),
        ),
        DemoEvent(
            name="log file switch completion",
            wait_class="Configuration",
            waits=through((-120, 21_000), (-15, 26_000), (-14, 3400), (0, 3600), (90, 3600), noise=0.05),
            micros=_ms((-120, 18), (-30, 20.82), (-15, 20.82), (-14, 30.2), (0, 31.5), (90, 31)),
        ),
        DemoEvent(
            name="db file sequential read",
            wait_class="User I/O",
            waits=through((-120, 4.9e6), (0, 5.2e6), (90, 5.4e6), noise=0.04),
            micros=_ms(
                (-120, 6.8),
                (-30, 7.02),
                (-16, 7.02),
                (-15, 7.9),
                (-14, 15.8),
                (-9, 16.3),
                (0, 16.62),
                (40, 16.4),
            ),
        ),
    ),
    redo_member_gb=through((-120, 0.5), (-15, 0.5), (-14, 8), (400, 8), noise=0.0),
    recovery_share=flow(58, noise=0.06),
    workload=DemoWorkload(
        mix="oltp",
        executions=through(
            (-120, 74e6), (-16, 78e6), (-14, 402e6), (0, 436e6), (90, 440e6), week=ROUND_THE_CLOCK
        ),
        commits=through(
            (-120, 6.0e6), (-16, 6.22e6), (-14, 39e6), (0, 44.9e6), (90, 46e6), week=ROUND_THE_CLOCK
        ),
        logical_reads=through(
            (-120, 5.1e9), (-16, 5.4e9), (-14, 17e9), (0, 18.6e9), (90, 19e9), week=ROUND_THE_CLOCK
        ),
        redo=through(
            (-120, 31 * GB),
            (-16, 33 * GB),
            (-14, 96 * GB),
            (0, 104 * GB),
            (90, 106 * GB),
            week=ROUND_THE_CLOCK,
        ),
        db_time=through(
            (-120, 58),
            (-45, 64),
            (-30, 112),
            (-16, 114),
            (-14, 122),
            (-7, 126),
            (-6, 158),
            (-5, 151),
            (-4, 128),
            (0, 131),
            (90, 133),
            noise=0.02,
        ),
        sessions=through((-120, 610), (0, 655), (400, 720), noise=0.0),
    ),
    tablespaces=(
        DemoTablespace(name="PAY_DATA", used=stock((-120, 402), (0, 447), (400, 600)), most=640),
        DemoTablespace(name="PAY_IDX", used=stock((-120, 288), (0, 324), (78, 351), (400, 398)), most=420),
        *usual_tablespaces(22, 18),
    ),
    batches=(
        DemoBatch(
            "payment run",
            through(
                (-120, 4.4),
                (-57, 4.6),
                (-45, 4.9),
                (-43, 5.2),
                (-36, 6.6),
                (-30, 7.7),
                (-16, 7.9),
                (-15, 7.8),
                (-14, 6.7),  # what had been left over was still worked off
                (-13, 6.2),
                (-12, 4.9),
                (0, 4.8),
                (90, 4.8),
                noise=0.012,
            ),
        ),
    ),
    limits=(
        DemoLimit(
            metric="batch_end_h",
            component="payment run",
            notation="<=6",
            severity="critical",
            fires_on=2,
            fires_of=3,
            closes_after=21,
            lead_time=7,
            plan="Tell accounting when payments will be out (DBA, 1 day).\n"
            "See what the run waits for, and how long (DBA, 3 days).\n"
            "Run it earlier, or in parts, until the cause is gone (applications, 3 days).",
        ),
        DemoLimit(
            metric="wait_avg_ms",
            component="log file sync",
            notation="<5 ms",
            severity="critical",
            fires_on=2,
            fires_of=3,
            closes_after=7,
            lead_time=21,
            plan="Measure the redo path at file, volume and LUN (DBA, 7 days).\n"
            "Log buffer from 4 to 72 MB, members from 500 MB to 8 GB (DBA, 21 days).\n"
            "Move the redo LUNs to the write-cached pool (storage, 1 day).\n"
            "Watch for 7 days, then close (DBA, 16 days).\n"
            "Plan the read LUNs: 16 ms against 10 ms (storage, 8 days).",
        ),
        DemoLimit(
            metric="wait_avg_ms",
            component="log buffer space",
            notation="eliminate",
            plan="Enlarge the log buffer.",
        ),
        DemoLimit(
            metric="wait_avg_ms",
            component="db file sequential read",
            notation="<10 ms",
            plan="Separate the read LUNs from the redo LUNs when the array is replaced.",
        ),
        DemoLimit(
            metric="ts_used_mb",
            component="PAY_IDX",
            notation="<420 GB",
            owner=LINDQVIST,
            lead_time=14,
            plan="Add files to PAY_IDX.",
        ),
    ),
)

DBX_PAY01 = DemoHost(
    name="dbx-pay01",
    group="Payments",
    owner=HADDAD,
    time_zone=ZONE,
    uptime=162,
    cores=16,
    memory_gb=128,
    busy=Trajectory(
        knots=((-120, 19), (-45, 21), (-30, 24), (-16, 24), (-14, 26), (0, 27), (90, 28)),
        noise=0.02,
        week=ROUND_THE_CLOCK,
        is_exact=False,
    ),
    iowait=through((-120, 6), (-30, 11), (-15, 11), (-14, 5), (90, 5), noise=0.06),
    memory_used=through((-120, 96), (0, 99), (300, 104), noise=0.004),
    page_tables_gb=through((-120, 0.3), (0, 0.31), (300, 0.34), noise=0.02),
    huge_pages_gb=66,
    night_share=0.4,
    filesystems=(
        Filesystem("/", stock((-120, 24), (0, 26), (400, 31)), 64),
        Filesystem("/u01", stock((-120, 88), (0, 92), (400, 104)), 160),
        Filesystem("/u02", stock((-120, 800), (0, 890), (400, 1130)), 1200),
    ),
    disks=(
        Disk(
            "sda",
            SYSTEM,
            through((-120, 0.8), (400, 0.8)),
            through((-120, 1.1), (400, 1.1)),
        ),
        Disk(
            "dm-1",
            DATA,
            through((-120, 6.5), (-16, 6.7), (-15, 7.5), (-14, 15.1), (0, 15.8), (400, 15.7)),
            through((-120, 3.1), (-15, 3.4), (-14, 1.9), (400, 1.9)),
        ),
        Disk(
            "dm-2",
            REDO,
            through((-120, 4.8), (400, 5)),
            through(
                (-120, 1.8),
                (-45, 2.3),
                (-36, 9.2),
                (-30, 11.2),
                (-15, 11.2),
                (-14, 0.55),
                (0, 0.5),
                (400, 0.5),
            ),
        ),
    ),
    limits=(DemoLimit(metric="host_cpu_busy_pct:p95", notation="<75", plan="See which batch runs by day."),),
)
