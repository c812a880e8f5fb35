"""What the private memory is used for, and how often it is enough."""

from apps.catalog.metric import Kind, Worse
from apps.platforms.oracle.categories import PGASTAT
from apps.platforms.oracle.metrics.memory.sources import pgastat, ratio

METRICS = [
    pgastat(
        key="pga_cache_hit_pct",
        over_instances="",
        name="cache hit percentage",
        label="PGA cache hit since start-up",
        reading_unit="%",
        unit="%",
        worse=Worse.LOWER,
        help="Oracle's own figure over the whole life of the instance; for a day see the PGA cache hit of the day.",
    ),
    pgastat(
        key="pga_inuse",
        name="total PGA inuse",
        label="PGA in use",
        help="The part of allocated PGA that is really used.",
    ),
    pgastat(
        key="pga_bytes_processed",
        name="bytes processed",
        label="bytes through work areas",
        kind=Kind.COUNTER,
        unit="GB/day",
        help="Bytes that sorts, hash joins and bitmap operations worked on.",
    ),
    pgastat(
        key="pga_extra_bytes",
        name="extra bytes read/written",
        label="bytes of extra passes",
        kind=Kind.COUNTER,
        unit="GB/day",
        worse=Worse.HIGHER,
        help="Bytes that went to temp and back, because a work area was too small.",
    ),
    ratio(
        key="pga_cache_hit_day",
        label="PGA cache hit",
        category=PGASTAT,
        worse=Worse.LOWER,
        formula=lambda w: (
            100
            * w.delta("pga_bytes_processed")
            / (w.delta("pga_bytes_processed") + w.delta("pga_extra_bytes"))
        ),
        help="Share of bytes handled without a further pass over temp, of this day alone.",
    ),
    ratio(
        key="pga_max_vs_target",
        over_instances="max",
        label="most PGA against its target",
        category=PGASTAT,
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.level("pga_max_allocated") / w.level("pga_target"),
        help="Above 100 % the target was exceeded since start-up: count on the peak when memory is planned.",
    ),
]
