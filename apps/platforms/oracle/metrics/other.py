"""Whatever else the views list: nothing that was collected is lost, only not yet explained."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric
from apps.platforms.oracle.categories import OSSTAT, PGASTAT, SGAINFO, SYSSTAT, TIME_MODEL
from apps.platforms.oracle.sections import REST

POOLS = ("default", "keep", "recycle", "2k", "4k", "8k", "16k", "32k")
HEAPS = ("live object count", "live size", "object count", "total size", "used size")

# levels, high-water marks and moments in a view of counters; the memory ones in bytes
LEVELS = frozenset(
    {
        "logons current",
        "opened cursors current",
        "pinned cursors current",
        "session cursor cache count",
        "workarea memory allocated",
        "session pga memory",
        "session pga memory max",
        "session uga memory",
        "session uga memory max",
        "session stored procedure space",
        "temp space allocated (bytes)",
        "session connect time",
        "process last non-idle time",
        "max cf enq hold time",
        "cell smart IO session cache hwm",
        "OS Maximum resident set size",
        *(f"prefetch clients - {pool}" for pool in POOLS),
        *(
            f"java {owner} heap {what}{ending}"
            for owner in ("call", "session")
            for what in HEAPS
            for ending in ("", " max")
        ),
    }
)


every = partial(Metric, section=REST, display=Display(called="{}"))

METRICS = [
    every(
        key="sysstat",
        over_instances="sum",
        label="statistic",
        source="v$sysstat",
        category=SYSSTAT,
        kind=Kind.COUNTER,
        component_kind="statistic",
        reading_unit="count",
        unit="per day",
        help="A statistic of v$sysstat under its own name, as Oracle counts it, per day. Times without a unit in their"
        " name are centiseconds.",
    ),
    every(
        key="sysstat_level",
        over_instances="sum",
        label="level",
        source="v$sysstat",
        category=SYSSTAT,
        kind=Kind.GAUGE,
        component_kind="level",
        unit="count",
        help="A level that v$sysstat lists among its counters, under its own name, at the moment of reading.",
    ),
    every(
        key="time_model",
        over_instances="sum",
        label="time",
        source="v$sys_time_model",
        category=TIME_MODEL,
        kind=Kind.COUNTER,
        component_kind="part of the time model",
        reading_unit="microseconds",
        unit="hours/day",
        help="Time in a part of the time model, under its own name. Parts contain each other, so they do not add up.",
    ),
    every(
        key="osstat",
        over_instances="sum",
        label="host statistic",
        source="v$osstat",
        category=OSSTAT,
        kind=Kind.COUNTER,
        component_kind="host statistic",
        reading_unit="count",
        unit="per day",
        help="A counter of the host as the instance sees it, per day; times are centiseconds of all CPUs together.",
    ),
    every(
        key="osstat_level",
        label="host level",
        source="v$osstat",
        category=OSSTAT,
        kind=Kind.GAUGE,
        component_kind="host level",
        unit="count",
        help="A level or a setting of the host as the instance sees it.",
    ),
    every(
        key="pgastat",
        over_instances="sum",
        label="PGA statistic",
        source="v$pgastat",
        category=PGASTAT,
        kind=Kind.GAUGE,
        component_kind="PGA statistic",
        unit="count",
        help="A line of v$pgastat under its own name, at the moment of reading.",
    ),
    every(
        key="sgainfo",
        over_instances="sum",
        label="SGA component",
        source="v$sgainfo",
        category=SGAINFO,
        kind=Kind.GAUGE,
        component_kind="SGA component",
        reading_unit="bytes",
        unit="MB",
        help="A line of v$sgainfo under its own name.",
    ),
]
