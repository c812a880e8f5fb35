"""The private memory of all server processes."""

from apps.catalog.metric import Display, Judging, Kind, Worse
from apps.platforms.oracle.metrics.memory.sources import pgastat

PGA_ALLOCATED = pgastat(
    key="pga_allocated",
    reductions=("p95", "max", "busy"),
    name="total PGA allocated",
    label="total PGA allocated",
    display=Display(unit="GB", rows=1),
    help="Private memory of all server processes at the moment of reading. It comes on top of the SGA.",
)

PGA_OVER_ALLOCATION_COUNT = pgastat(
    key="pga_over_allocation_count",
    name="over allocation count",
    label="over allocation count",
    kind=Kind.COUNTER,
    reading_unit="events",
    unit="per day",
    worse=Worse.HIGHER,
    display=Display(rows=1),
    help="Times the PGA target could not be kept, because sessions needed more than it allows. Should be 0.",
)

METRICS = [
    PGA_ALLOCATED,
    PGA_OVER_ALLOCATION_COUNT,
    pgastat(
        key="pga_target",
        name="aggregate PGA target parameter",
        label="PGA target",
        help="PGA_AGGREGATE_TARGET in force: an aim, not a limit.",
    ),
    pgastat(
        key="pga_auto_target",
        name="aggregate PGA auto target",
        label="PGA left for work areas",
        worse=Worse.LOWER,
        help="What is left of the target for sorts and hash joins, after what cannot be tuned. When it shrinks,"
        " PL/SQL collections or too many sessions eat the rest.",
    ),
    pgastat(
        key="pga_max_allocated",
        judging=Judging(instead="pga_allocated"),
        name="maximum PGA allocated",
        label="most PGA since start-up",
        kind=Kind.HIGH_WATER,
        worse=Worse.HIGHER,
        help="The most the processes ever held together since the instance was started.",
    ),
    pgastat(
        key="pga_global_memory_bound",
        over_instances="min",
        name="global memory bound",
        label="largest work area",
        worse=Worse.LOWER,
        help="The most one sort or hash join may take. Under 1 MB the target must be raised.",
    ),
    pgastat(
        key="pga_auto_workareas",
        name="total PGA used for auto workareas",
        label="PGA in work areas",
        help="Taken by sorts and hash joins at the moment of reading.",
    ),
]
