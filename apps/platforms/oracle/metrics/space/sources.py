"""What several statistics of space have in common."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Origin, Ranking
from apps.platforms.oracle.categories import TABLESPACES, TEMP
from apps.platforms.oracle.sections import SPACE

tablespace = partial(
    Metric,
    source="dba_tablespace_usage_metrics",
    category=TABLESPACES,
    kind=Kind.GAUGE,
    section=SPACE,
    component_kind="tablespace",
    reading_unit="bytes",
    unit="MB",
    origin=Origin(is_seldom=True),
)
of_tablespace = partial(
    Metric,
    source="derived",
    category=TABLESPACES,
    kind=Kind.RATIO,
    section=SPACE,
    component_kind="tablespace",
    ranking=Ranking(by="ts_used_mb"),
    origin=Origin(is_seldom=True),
)
temp = partial(tablespace, source="dba_temp_free_space", category=TEMP)
