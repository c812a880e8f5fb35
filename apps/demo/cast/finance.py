"""Finance: a filesystem that is full in about five weeks, memory that no longer swaps, and a month-end close that is known."""

from datetime import time

from apps.demo.cast.people import HADDAD, OKAFOR
from apps.demo.cast.usual import usual_tablespaces
from apps.demo.parts import (
    DATA,
    SYSTEM,
    DemoDriver,
    DemoHost,
    DemoInstance,
    DemoLimit,
    DemoTablespace,
    DemoWorkload,
    Disk,
    Filesystem,
    Restart,
    Trouble,
)
from apps.demo.rhythm import OFFICE
from apps.demo.trajectory import Trajectory, flow, stock, through

ZONE = "Europe/Berlin"
GB = 1024.0**3

ERPPRD = DemoInstance(
    name="ERPPRD",
    group="ERP",
    owner=OKAFOR,
    time_zone=ZONE,
    host="dbx-erp01",
    version="12.2.0.1.0",
    cores=12,
    sga_gb=40,
    pga_target_gb=16,
    pga=flow(10.4, noise=0.03),
    processes_limit=900,
    restarts=(Restart(-10, time(21, 30, 5)),),
    troubles=(
        Trouble(
            first_age=1,
            last_age=1,
            source="dba_tablespace_usage_metrics",
            sentence="dba_tablespace_usage_metrics took longer than 120 s and was given up.",
        ),
        Trouble(
            first_age=-7,
            last_age=-7,
            source="dba_tablespace_usage_metrics",
            sentence="dba_tablespace_usage_metrics took longer than 120 s and was given up.",
        ),
    ),
    recovery_share=flow(61, noise=0.06),
    workload=DemoWorkload(
        mix="oltp",
        executions=flow(41e6, week=OFFICE),
        commits=flow(1.3e6, week=OFFICE),
        logical_reads=flow(6.4e9, week=OFFICE),
        redo=Trajectory(knots=((0, 19 * GB),), week=OFFICE, month_end=1.35, is_exact=False),
        db_time=Trajectory(knots=((0, 74.0),), week=OFFICE, month_end=1.3, is_exact=False),
        sessions=through((-120, 402), (0, 421), (400, 470), noise=0.0),
    ),
    drivers=(
        DemoDriver(name="documents posted a day", unit="documents", an_hour=1900, growth=2.5, grows_from=20),
    ),
    files_on="/u03",
    tablespaces=(
        DemoTablespace(name="APPS_TS_TX_DATA", used=stock((-120, 512), (0, 561), (400, 720)), most=768),
        DemoTablespace(name="APPS_TS_TX_IDX", used=stock((-120, 361), (0, 388), (400, 470)), most=576),
        DemoTablespace(name="APPS_TS_ARCHIVE", used=stock((-120, 104), (0, 109), (400, 126)), most=192),
        *usual_tablespaces(26, 31),
    ),
    limits=(
        DemoLimit(
            metric="tm_db_time",
            notation="<90",
            plan="Move the month-end reports to the night.",
            leaves_out_peaks=True,
        ),
        DemoLimit(
            metric="processes_now", notation="<800", lead_time=2, plan="Limit the concurrent managers."
        ),
    ),
)

DBX_ERP01 = DemoHost(
    name="dbx-erp01",
    group="ERP",
    owner=HADDAD,
    time_zone=ZONE,
    uptime=310,
    cores=12,
    memory_gb=96,
    busy=Trajectory(
        knots=((-120, 32), (0, 34), (90, 35)), noise=0.03, week=OFFICE, month_end=1.3, is_exact=False
    ),
    iowait=flow(6, noise=0.1),
    memory_used=through((-120, 84), (-11, 88), (-9, 71), (0, 72), (300, 76), noise=0.005),
    page_tables_gb=through((-120, 3.4), (-11, 3.6), (-9, 0.2), (0, 0.2), (300, 0.3), noise=0.02),
    swap_out=through((-120, 21_000), (-11, 34_000), (-10, 0), (400, 0), noise=0.2),
    huge_pages_gb=42,
    night_share=0.25,
    filesystems=(
        Filesystem("/", stock((-120, 33), (0, 35), (400, 43)), 64),
        Filesystem(
            "/u03",
            stock((-120, 870), (-60, 1054), (0, 1289), (26, 1391), (400, 2860), relief=(38, 60, 220)),
            1500,
        ),
    ),
    disks=(
        Disk(
            "sda",
            SYSTEM,
            through((-120, 0.9), (400, 0.9)),
            through((-120, 1.2), (400, 1.2)),
        ),
        Disk(
            "dm-6",
            DATA,
            through((-120, 4.1), (0, 4.4), (400, 5)),
            through((-120, 1.6), (400, 1.8)),
        ),
    ),
    limits=(
        DemoLimit(
            metric="host_fs_used_pct",
            component="/u03",
            notation="<95",
            owner=OKAFOR,
            lead_time=14,
            plan="Delete exports older than 30 days (DBA, 2 days).\nExtend the volume of /u03 by 500 GB (storage, 14 days).",
        ),
        DemoLimit(metric="host_swap_out_per_s", notation="0", plan="Put the SGA on huge pages.", lead_time=7),
        DemoLimit(metric="host_cpu_busy_pct:p95", notation="<75", plan="Spread the month-end reports."),
    ),
)
