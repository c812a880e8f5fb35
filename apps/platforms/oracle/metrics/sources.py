"""What all statistics of a source have in common, for the sources that more than one subject reads."""

from functools import partial

from apps.catalog.metric import Kind, Metric
from apps.platforms.oracle.categories import SYSSTAT, TIME_MODEL

sysstat = partial(
    Metric,
    source="v$sysstat",
    category=SYSSTAT,
    kind=Kind.COUNTER,
    reading_unit="count",
    over_instances="sum",
)
time_model = partial(
    Metric,
    source="v$sys_time_model",
    category=TIME_MODEL,
    kind=Kind.COUNTER,
    reading_unit="microseconds",
    unit="hours/day",
    over_instances="sum",
)
ratio = partial(Metric, source="derived", category=SYSSTAT, kind=Kind.RATIO, over_instances="ratio")
