"""Disk groups of ASM."""

from functools import partial

from apps.catalog.metric import Display, Kind, Metric, Origin, Worse
from apps.platforms.oracle.categories import ASM
from apps.platforms.oracle.sections import SPACE

disk_group = partial(
    Metric,
    source="v$asm_diskgroup_stat",
    category=ASM,
    kind=Kind.GAUGE,
    section=SPACE,
    component_kind="disk group",
    reading_unit="MB",
    unit="GB",
    origin=Origin(is_seldom=True),
)

METRICS = [
    disk_group(
        key="asm_usable_mb",
        name="USABLE_FILE_MB",
        label="usable",
        worse=Worse.LOWER,
        display=Display(called="disk group {}"),
        help="Room for files after mirroring. Below zero a failed disk could not be mirrored again.",
    ),
    disk_group(
        key="asm_total_mb",
        name="TOTAL_MB",
        label="raw size",
        display=Display(called="disk group {} raw size"),
        help="Size of the disk group before mirroring.",
    ),
    disk_group(
        key="asm_free_mb",
        name="FREE_MB",
        label="raw free",
        worse=Worse.LOWER,
        display=Display(called="disk group {} raw free"),
        help="Room before mirroring: with normal redundancy a file takes twice its size of it.",
    ),
]
