"""The recovery area."""

from functools import partial

from apps.catalog.metric import Kind, Metric, Origin, Worse
from apps.platforms.oracle.categories import RECOVERY_AREA
from apps.platforms.oracle.sections import SPACE

recovery_area = partial(
    Metric,
    source="v$recovery_file_dest",
    category=RECOVERY_AREA,
    kind=Kind.GAUGE,
    section=SPACE,
    reading_unit="bytes",
    unit="GB",
    origin=Origin(is_seldom=True),
)

METRICS = [
    recovery_area(
        key="fra_limit",
        name="SPACE_LIMIT",
        label="quota of the recovery area",
        help="A quota: the disk below can be full earlier.",
    ),
    recovery_area(
        key="fra_used",
        name="SPACE_USED",
        label="used in the recovery area",
        worse=Worse.HIGHER,
        help="Archived logs, backups and flashback logs.",
    ),
    recovery_area(
        key="fra_reclaimable",
        name="SPACE_RECLAIMABLE",
        label="reclaimable in the recovery area",
        help="Obsolete or already backed up elsewhere: Oracle takes it back when it needs room.",
    ),
    Metric(
        key="fra_used_pct",
        label="recovery area used",
        source="derived",
        category=RECOVERY_AREA,
        kind=Kind.RATIO,
        section=SPACE,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * (w.level("fra_used") - w.level("fra_reclaimable")) / w.level("fra_limit"),
        help="What cannot be reclaimed, against the quota. At 100 % archiving stops, and the database with it.",
    ),
]
