"""The mart beside the warehouse, read for less than two weeks, and the host of both."""

from apps.demo.cast.people import HADDAD, LINDQVIST
from apps.demo.parts import (
    DATA,
    REDO,
    SYSTEM,
    DemoHost,
    DemoInstance,
    DemoLimit,
    DemoTablespace,
    DemoWorkload,
    Disk,
    Filesystem,
)
from apps.demo.rhythm import NIGHTLY_LOADS
from apps.demo.trajectory import Trajectory, flow, stock, through

ZONE = "Europe/Berlin"
GB = 1024.0**3

MARTPRD = DemoInstance(
    name="MARTPRD",
    group="Warehouse",
    owner=LINDQVIST,
    time_zone=ZONE,
    host="dbx-dw01",
    version="19.24.0.0.0",
    cores=16,
    sga_gb=16,
    pga_target_gb=12,
    pga=flow(7.4, noise=0.03),
    processes_limit=400,
    first_age=-11,
    uptime=64,
    limits=(
        DemoLimit(
            metric="ts_used_pct_max",
            component="MART_IDX",
            notation="<85",
            plan="Add files to MART_IDX; then drop the indexes nobody used since the quarter began.",
        ),
        DemoLimit(metric="tm_db_time", notation="<96", plan="Find the reports that grew."),
    ),
    recovery_share=flow(63, noise=0.06),
    workload=DemoWorkload(
        mix="warehouse",
        executions=flow(6.1e6, week=NIGHTLY_LOADS),
        commits=flow(96e3, week=NIGHTLY_LOADS),
        logical_reads=flow(2.4e9, week=NIGHTLY_LOADS),
        redo=flow(11.5 * GB, week=NIGHTLY_LOADS),
        db_time=flow(44, week=NIGHTLY_LOADS),
        sessions=through((-12, 118), (0, 124), (90, 131), noise=0.0),
    ),
    tablespaces=(
        DemoTablespace(name="MART_DATA", used=stock((-12, 598), (0, 607), (400, 860)), most=960),
        DemoTablespace(
            name="MART_IDX",
            used=stock((-12, 221), (-6, 223.5), (0, 225), (400, 290)),
            most=256,
            added=(-5, 61),
        ),
        DemoTablespace(name="USERS", used=stock((-12, 3.1), (400, 4)), most=32),
        DemoTablespace(name="SYSTEM", used=stock((-12, 1.6), (400, 1.7)), most=32),
        DemoTablespace(name="SYSAUX", used=stock((-12, 4.4), (400, 6)), most=32),
        DemoTablespace(name="TEMP", used=flow(41, noise=0.06), most=96, contents="TEMPORARY"),
        DemoTablespace(name="UNDOTBS1", used=flow(9, noise=0.08), most=32, contents="UNDO"),
    ),
)

DBX_DW01 = DemoHost(
    name="dbx-dw01",
    group="Warehouse",
    owner=HADDAD,
    time_zone=ZONE,
    first_age=-76,
    uptime=110,
    cores=16,
    memory_gb=128,
    busy=Trajectory(
        knots=(
            *((-76, 54), (-40, 54), (-31, 52), (-30, 52), (-29, 54)),
            *((-10, 55), (-4, 55), (0, 56), (90, 56)),
        ),
        noise=0.02,
        week=NIGHTLY_LOADS,
        bumps=((-31, 1.0), (-30, 1.0), (-7, 58 / 55), (0, 61 / 56)),
        is_exact=False,
    ),
    iowait=flow(9, noise=0.08),
    memory_used=through((-76, 98), (-31, 103), (-7, 107.5), (0, 109), (60, 111), noise=0.005),
    page_tables_gb=through((-76, 1.05), (-31, 1.1), (-30, 1.1), (-7, 1.14), (0, 1.2), (90, 1.3), noise=0.02),
    huge_pages_gb=70,
    night_share=0.36,
    loads_at_night=True,
    filesystems=(
        Filesystem("/", stock((-120, 31), (0, 34), (400, 43)), 64),
        Filesystem("/u01", stock((-120, 118), (0, 124), (400, 140)), 200),
        Filesystem("/u02", stock((-120, 985), (0, 1000), (400, 1300)), 1400),
        Filesystem("/stage", flow(268, noise=0.09), 500),
    ),
    disks=(
        Disk(
            "sda",
            SYSTEM,
            through((-76, 0.9), (400, 0.9)),
            through((-76, 1.2), (400, 1.2)),
        ),
        Disk(
            "dm-2",
            DATA,
            through(
                (-76, 4.6),
                (-62, 4.2),
                (-32, 4.2),
                (-8, 4.3),
                (-3, 4.5),
                (-2, 4.8),
                (-1, 5.2),
                (0, 5.5),
                (40, 5.6),
                (90, 5.6),
                noise=0.015,
            ),
            through((-76, 1.1), (0, 1.2), (90, 1.25)),
        ),
        Disk(
            "dm-3",
            REDO,
            through((-76, 1.1), (400, 1.1)),
            through((-76, 0.7), (-9, 0.8), (-7, 1.0), (0, 1.7), (40, 1.6), (400, 1.6)),
        ),
    ),
    limits=(
        DemoLimit(
            metric="host_cpu_busy_pct:p95", notation="<75", plan="Spread the load jobs; then four cores more."
        ),
        DemoLimit(metric="host_runq:p95", notation="<16", plan="See what runs at the busiest hour."),
        DemoLimit(metric="host_mem_pagetables_kb", notation="<4 GB", plan="Put every SGA on huge pages."),
        DemoLimit(
            metric="host_disk_read_await_ms:p95",
            component="dm-2",
            notation="<10",
            plan="Move files to the fast pool.",
        ),
    ),
)
