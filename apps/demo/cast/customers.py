"""Customers: a recovery area that is nearly full since a week ago."""

from apps.demo.cast.people import OKAFOR
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
    DiskGroup,
    Filesystem,
)
from apps.demo.rhythm import OFFICE
from apps.demo.trajectory import Trajectory, flow, stock, through

ZONE = "America/New_York"
GB = 1024.0**3

CRMPRD1 = DemoInstance(
    name="CRMPRD1",
    group="CRM",
    owner=OKAFOR,
    time_zone=ZONE,
    host="dbx-crm01",
    version="19.22.0.0.0",
    cores=24,
    sga_gb=72,
    pga_target_gb=24,
    pga=flow(16.1, growth=0.0003, noise=0.02),
    processes_limit=1500,
    workload=DemoWorkload(
        mix="oltp",
        executions=flow(96e6, growth=0.0009, week=OFFICE),
        commits=flow(3.9e6, growth=0.0009, week=OFFICE),
        logical_reads=flow(11.2e9, growth=0.0008, week=OFFICE),
        redo=flow(28 * GB, growth=0.0008, week=OFFICE),
        db_time=flow(200, growth=0.0012, week=OFFICE),
        sessions=through((-120, 702), (-30, 731), (0, 744), (400, 860), noise=0.0),
    ),
    tablespaces=(
        DemoTablespace(name="CRM_DATA", used=stock((-120, 884), (0, 931), (400, 1090)), most=1280),
        DemoTablespace(name="CRM_IDX", used=stock((-120, 402), (0, 421), (400, 480)), most=640),
        DemoTablespace(name="CRM_LOB", used=stock((-120, 318), (0, 351), (400, 460)), most=640),
        *usual_tablespaces(38, 44),
    ),
    disk_groups=(
        DiskGroup(name="DATA", used=stock((-120, 1788), (0, 1902), (400, 2240)), size=2600),
        DiskGroup(
            name="RECO",
            used=stock(
                (-120, 508),
                (-30, 521),
                (-9, 529),
                (-8, 546),
                (-4, 556),
                (0, 562),
                (3, 566),
                (400, 940),
                relief=(60, 45, 42.5),
            ),
            size=600,
            added=(4, 160),
        ),
    ),
    recovery_gb=600,
    recovery_share=through((-120, 84), (-9, 86), (-8, 90), (0, 92), (3, 93), (4, 87), (400, 88), noise=0.004),
    limits=(
        DemoLimit(
            metric="pga_allocated",
            notation="<24 GB",
            lead_time=1,
            plan="Find the sessions with the largest work areas.",
        ),
        DemoLimit(
            metric="wait_avg_ms",
            component="log file sync",
            notation="<5 ms",
            severity="critical",
            plan="Check the redo LUNs of dbx-crm01.",
        ),
        DemoLimit(
            metric="asm_usable_mb",
            component="RECO",
            notation=">=60 GB",
            severity="critical",
            lead_time=10,
            plan="Find what keeps archived logs: standby, backup, guarantee (DBA, 1 day).\n"
            "Delete what was backed up twice (DBA, 1 day).\n"
            "Add four LUNs to the recovery area (storage, 10 days).\n"
            "Back up archived logs every four hours (DBA, 2 days).",
        ),
        DemoLimit(
            metric="processes_now",
            notation="<1400",
            lead_time=2,
            plan="Limit the pools of the call centre.",
        ),
    ),
)

DBX_CRM01 = DemoHost(
    name="dbx-crm01",
    group="CRM",
    owner=OKAFOR,
    time_zone=ZONE,
    uptime=205,
    cores=24,
    memory_gb=192,
    busy=Trajectory(
        knots=((-120, 41), (-31, 44), (0, 46), (90, 48)), noise=0.025, week=OFFICE, is_exact=False
    ),
    iowait=flow(4, noise=0.1),
    memory_used=through((-120, 138), (0, 144), (300, 150), noise=0.004),
    page_tables_gb=through((-120, 0.4), (0, 0.42), (300, 0.5), noise=0.02),
    huge_pages_gb=74,
    night_share=0.3,
    filesystems=(
        Filesystem("/", stock((-120, 27), (0, 29), (400, 36)), 64),
        Filesystem("/u01", stock((-120, 96), (0, 101), (400, 115)), 200),
    ),
    disks=(
        Disk(
            "sda",
            SYSTEM,
            through((-120, 0.8), (400, 0.8)),
            through((-120, 1.0), (400, 1.0)),
        ),
        Disk(
            "dm-4",
            DATA,
            through((-120, 1.3), (0, 1.4), (400, 1.8)),
            through((-120, 0.9), (0, 0.9), (400, 1.2)),
        ),
    ),
    limits=(DemoLimit(metric="host_cpu_busy_pct:p95", notation="<75", plan="Spread the batch; then cores."),),
)
