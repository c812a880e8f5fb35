"""Billing, personnel, maps and logs, together on one host."""

from apps.demo.cast.people import CASTELLANOS, HADDAD, LINDQVIST, PETROV
from apps.demo.cast.usual import usual_tablespaces
from apps.demo.parts import (
    DATA,
    SYSTEM,
    DemoHost,
    DemoInstance,
    DemoLimit,
    DemoTablespace,
    DemoWorkload,
    Disk,
    Filesystem,
    Trouble,
)
from apps.demo.rhythm import HARDLY, OFFICE, ROUND_THE_CLOCK
from apps.demo.trajectory import Trajectory, flow, stock, through

ZONE = "Europe/Berlin"
GB = 1024.0**3

BILPRD = DemoInstance(
    name="BILPRD",
    group="Billing",
    owner=PETROV,
    time_zone=ZONE,
    host="dbx-shr01",
    version="19.21.0.0.0",
    cores=16,
    sga_gb=32,
    pga_target_gb=12,
    pga=flow(6.8, noise=0.03),
    processes_limit=700,
    recovery_share=flow(54, noise=0.06),
    workload=DemoWorkload(
        mix="oltp",
        executions=flow(52e6, growth=0.002, week=ROUND_THE_CLOCK),
        commits=flow(1.7e6, growth=0.002, week=ROUND_THE_CLOCK),
        logical_reads=flow(5.2e9, growth=0.0018, week=ROUND_THE_CLOCK),
        redo=through(
            (-120, 26.4 * GB),
            (-31, 43.6 * GB),
            (-7, 49.1 * GB),
            (-1, 50.4 * GB),
            (0, 51 * GB),
            (41, 60 * GB),
            (80, 61 * GB),
            (400, 61 * GB),
            noise=0.025,
            week=HARDLY,
        ),
        db_time=flow(90, growth=0.0018, week=ROUND_THE_CLOCK),
        sessions=through((-120, 288), (0, 312), (400, 360), noise=0.0),
    ),
    tablespaces=(
        DemoTablespace(name="BIL_DATA", used=stock((-120, 371), (0, 402), (400, 510)), most=560),
        DemoTablespace(name="BIL_IDX", used=stock((-120, 158), (0, 171), (400, 215)), most=256),
        *usual_tablespaces(21, 16),
    ),
    limits=(
        DemoLimit(
            metric="redo_size",
            notation="<=60 GB/day",
            fires_on=2,
            fires_of=3,
            lead_time=3,
            plan="Ask what the new tariff run writes twice; then move its staging tables to NOLOGGING.",
        ),
        DemoLimit(
            metric="wait_avg_ms",
            component="log file sync",
            notation="<5 ms",
            plan="Check the redo LUNs of dbx-shr01.",
        ),
    ),
)

HRPRD = DemoInstance(
    name="HRPRD",
    group="Shared",
    owner=PETROV,
    time_zone=ZONE,
    host="dbx-shr01",
    version="19.21.0.0.0",
    cores=16,
    sga_gb=16,
    pga_target_gb=8,
    pga=flow(5.1, noise=0.03),
    processes_limit=500,
    recovery_share=flow(54, noise=0.06),
    workload=DemoWorkload(
        mix="oltp",
        executions=flow(14e6, growth=0.001, week=OFFICE),
        commits=flow(0.41e6, growth=0.001, week=OFFICE),
        logical_reads=flow(1.9e9, growth=0.001, week=OFFICE),
        redo=flow(4.2 * GB, growth=0.001, week=OFFICE),
        db_time=flow(24, growth=0.001, week=OFFICE),
        sessions=through(
            (-120, 381),
            (-40, 402),
            (-12, 424),
            (-4, 441),
            (-3, 452),
            (-2, 460),
            (-1, 466),
            (0, 471),
            (400, 489),
            noise=0.0,
        ),
        sessions_at_night=0.8,
    ),
    tablespaces=(
        DemoTablespace(name="HR_DATA", used=stock((-120, 118), (0, 123), (400, 140)), most=192),
        DemoTablespace(name="HR_IDX", used=stock((-120, 61), (0, 64), (400, 72)), most=96),
        *usual_tablespaces(9, 8),
    ),
    limits=(
        DemoLimit(
            metric="sessions_day_max",
            notation="<450",
            severity="critical",
            lead_time=2,
            plan="Find the pool that grew (DBA, 1 day).\nRaise processes to 700, or limit the pool to 400 (DBA, 2 days).",
        ),
    ),
)

GISPRD = DemoInstance(
    name="GISPRD",
    group="Shared",
    owner=PETROV,
    time_zone=ZONE,
    host="dbx-shr01",
    version="12.1.0.2.0",
    cores=16,
    sga_gb=24,
    pga_target_gb=8,
    pga=flow(4.4, noise=0.03),
    processes_limit=400,
    troubles=(
        Trouble(
            first_age=-2,
            last_age=1_000_000,
            sentence="The password of HEADROOM on GISPRD has expired (ORA-28001). Give the account a new one,"
            " and enter it here.",
            needs_a_person=True,
        ),
    ),
    recovery_share=flow(54, noise=0.06),
    workload=DemoWorkload(
        mix="warehouse",
        executions=flow(3.1e6, week=OFFICE),
        commits=flow(58e3, week=OFFICE),
        logical_reads=flow(1.4e9, week=OFFICE),
        redo=flow(2.1 * GB, week=OFFICE),
        db_time=flow(14, week=OFFICE),
        sessions=through((-120, 121), (0, 127), (400, 140), noise=0.0),
    ),
    tablespaces=(
        DemoTablespace(name="GIS_DATA", used=stock((-120, 398), (0, 431), (400, 560)), most=640),
        DemoTablespace(name="GIS_RASTER", used=stock((-120, 121), (0, 133), (400, 170)), most=256),
        *usual_tablespaces(8, 14),
    ),
    limits=(
        DemoLimit(
            metric="ts_used_pct_max", component="GIS_DATA", notation="<85", plan="Add files to GIS_DATA."
        ),
        DemoLimit(metric="tm_db_time", notation="<48", plan="Find the tiles that are drawn anew each night."),
    ),
)

LOGPRD = DemoInstance(
    name="LOGPRD",
    group="Shared",
    owner=LINDQVIST,
    time_zone=ZONE,
    host="dbx-shr01",
    version="19.21.0.0.0",
    cores=16,
    sga_gb=16,
    pga_target_gb=6,
    pga=flow(3.2, noise=0.03),
    processes_limit=500,
    recovery_share=flow(54, noise=0.06),
    workload=DemoWorkload(
        mix="oltp",
        executions=flow(31e6, week=ROUND_THE_CLOCK),
        commits=flow(2.2e6, week=ROUND_THE_CLOCK),
        logical_reads=flow(1.6e9, week=ROUND_THE_CLOCK),
        redo=flow(22 * GB, week=ROUND_THE_CLOCK),
        db_time=flow(22, week=ROUND_THE_CLOCK),
        sessions=through((-120, 88), (0, 91), (400, 99), noise=0.0),
    ),
    tablespaces=(
        DemoTablespace(name="LOG_DATA", used=stock((-120, 350), (0, 362), (400, 402), noise=0.004), most=540),
        *usual_tablespaces(12, 6),
    ),
    limits=(
        DemoLimit(
            metric="ts_used_pct_max",
            component="LOG_DATA",
            notation="<85",
            plan="Drop the oldest partitions a month sooner.",
        ),
    ),
)

DBX_SHR01 = DemoHost(
    name="dbx-shr01",
    group="Shared",
    owner=CASTELLANOS,
    time_zone=ZONE,
    uptime=240,
    cores=16,
    memory_gb=256,
    busy=Trajectory(
        knots=((-120, 34), (-31, 37), (0, 39), (90, 42)), noise=0.03, week=ROUND_THE_CLOCK, is_exact=False
    ),
    iowait=flow(3, noise=0.1),
    memory_used=through((-120, 171), (0, 176), (300, 184), noise=0.004),
    page_tables_gb=through((-120, 0.6), (0, 0.62), (300, 0.7), noise=0.02),
    huge_pages_gb=92,
    night_share=0.5,
    filesystems=(
        Filesystem("/", stock((-120, 40), (0, 42), (400, 49)), 64),
        Filesystem("/u01", stock((-120, 141), (0, 146), (400, 162)), 300),
        Filesystem("/u02", stock((-120, 1800), (0, 1950), (400, 2400)), 2700),
        Filesystem("/backup", flow(1390, noise=0.05), 2000),
    ),
    disks=(
        Disk(
            "sda",
            SYSTEM,
            through((-120, 0.9), (400, 0.9)),
            through((-120, 1.3), (400, 1.3)),
        ),
        Disk(
            "dm-5",
            DATA,
            through((-120, 1.9), (0, 2.1), (400, 2.6)),
            through((-120, 1.0), (400, 1.2)),
        ),
    ),
    limits=(
        DemoLimit(
            metric="host_cpu_busy_pct:p95",
            owner=HADDAD,
            notation="<75",
            plan="Move one database to a host of its own.",
        ),
        DemoLimit(
            metric="host_mem_used_pct", owner=HADDAD, notation="<90", plan="See which SGA was enlarged."
        ),
    ),
)
