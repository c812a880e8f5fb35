"""Sorts in memory and on disk."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.categories import SYSSTAT
from apps.platforms.oracle.metrics.memory.sources import ratio, sysstat

METRICS = [
    sysstat(
        key="sorts_disk",
        name="sorts (disk)",
        label="sorts on disk",
        reading_unit="sorts",
        worse=Worse.HIGHER,
        help="Sorts that did not fit into memory and used temp.",
    ),
    sysstat(
        key="sorts_memory",
        name="sorts (memory)",
        label="sorts in memory",
        reading_unit="sorts",
        help="Sorts that memory sufficed for.",
    ),
    sysstat(
        key="sorts_rows",
        name="sorts (rows)",
        label="rows sorted",
        aliases=("sorts(rows)",),
        reading_unit="rows",
        help="Rows in all sorts.",
    ),
    ratio(
        key="disk_sort_pct",
        label="sorts on disk, share",
        category=SYSSTAT,
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("sorts_disk") / (w.delta("sorts_disk") + w.delta("sorts_memory")),
        help="Share of sorts that went to disk. A warehouse lives with some; more than 5 % elsewhere is too many.",
    ),
]
