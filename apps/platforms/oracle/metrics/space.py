"""Space: tablespaces, temp, undo, the recovery area and ASM."""

from functools import partial
from typing import TYPE_CHECKING

from apps.catalog.metric import Display, Judging, Kind, Metric, Origin, Ranking, Worse
from apps.platforms.oracle.categories import ASM, DERIVED, RECOVERY_AREA, SORT_SEGMENT, TABLESPACES, TEMP
from apps.platforms.oracle.sections import SPACE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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


def total(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """The sum over components, one column; nothing read is not zero."""
    import numpy as np  # where it computes: metrics are declared wherever Headroom starts

    nothing = np.isnan(values).all(axis=1, keepdims=True)
    return np.where(nothing, np.nan, np.nansum(values, axis=1, keepdims=True))


TS_USED_MB = tablespace(
    key="ts_used_mb",
    role="used",
    name="USED_SPACE",
    label="used",
    aliases=("Used Space in MB",),
    display=Display(unit="GB", rows=4, called="{}"),
    worse=Worse.HIGHER,
    help="Space in use. Objects in the recycle bin do not count; of undo, what is active or must still be kept counts;"
    " of temp, what sorts hold at the moment of reading.",
)

METRICS = [
    TS_USED_MB,
    tablespace(
        key="ts_size_mb",
        role="allocated",
        name="BYTES",
        source="dba_data_files",
        label="size",
        help="Size of the files as they are now.",
    ),
    tablespace(
        key="ts_max_mb",
        name="MAXBYTES",
        source="dba_data_files",
        label="maximum size",
        help="Size the files may grow to. Whether the disk below has room for it is another matter.",
    ),
    of_tablespace(
        key="ts_free_mb",
        label="free",
        aliases=("Avl Space in MB",),
        unit="MB",
        display=Display(unit="GB"),
        worse=Worse.LOWER,
        formula=lambda w: (w.level("ts_size_mb") - w.level("ts_used_mb")) / 1024**2,
        help="Room in the files as they are; used and free add up to the size.",
    ),
    of_tablespace(
        key="ts_room_mb",
        label="room to the maximum",
        unit="MB",
        display=Display(unit="GB"),
        worse=Worse.LOWER,
        formula=lambda w: (w.level("ts_max_mb") - w.level("ts_used_mb")) / 1024**2,
        help="What may still be used before the files can grow no further. The disk below may be full earlier.",
    ),
    of_tablespace(
        key="ts_used_pct_max",
        judging=Judging(companions=(("free", "ts_room_mb"), ("used", "ts_used_mb"))),
        label="used of maximum",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.level("ts_used_mb") / w.level("ts_max_mb"),
        help="Used space against what the files may grow to. Oracle itself warns at 85 %, and calls 97 % critical.",
    ),
    of_tablespace(
        key="ts_used_pct_size",
        judging=Judging(companions=(("free", "ts_free_mb"), ("used", "ts_used_mb"))),
        label="used of size",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.level("ts_used_mb") / w.level("ts_size_mb"),
        help="Used space against the files as they are now.",
    ),
    Metric(
        key="db_used_gb",
        origin=Origin(is_seldom=True),
        label="used space of the database",
        source="dba_tablespace_usage_metrics",
        category=TABLESPACES,
        kind=Kind.GAUGE,
        section=SPACE,
        reading_unit="bytes",
        unit="GB",
        help="Used space of all permanent tablespaces: no temp, no undo.",
    ),
    Metric(
        key="db_filled_gb",
        role="filled",
        over_instances="ratio",
        label="filled of the size of the database",
        source="derived",
        category=DERIVED,
        kind=Kind.RATIO,
        section=SPACE,
        unit="GB",
        formula=lambda w: (total(w.level("ts_used_mb")) + w.level("redo_log_total_bytes")) / 1024**3,
        help="What is used of the files that make up its size: of all tablespaces, temp and undo in use among them, and the"
        " online logs, which are full at all times.",
    ),
    Metric(
        key="db_size_gb",
        role="size",
        over_instances="ratio",
        label="size of the database",
        source="derived",
        category=DERIVED,
        kind=Kind.RATIO,
        section=SPACE,
        unit="GB",
        formula=lambda w: (total(w.level("ts_size_mb")) + w.level("redo_log_total_bytes")) / 1024**3,
        help="Data files, temp files and online logs as they lie on disk.",
    ),
    temp(
        key="temp_size_mb",
        name="TABLESPACE_SIZE",
        label="size of temp",
        display=Display(called="{} temp files"),
        help="Size of the temp files as they are now.",
    ),
    temp(
        key="temp_allocated_mb",
        name="ALLOCATED_SPACE",
        label="temp ever touched",
        display=Display(called="{} ever touched"),
        help="Grows to the peak since start-up and stays there: no sign of a leak.",
    ),
    temp(
        key="temp_free_mb",
        name="FREE_SPACE",
        label="temp free",
        worse=Worse.LOWER,
        display=Display(called="{} free for sorts"),
        help="Room for sorts and hash joins at the moment of reading.",
    ),
    tablespace(
        key="temp_peak_blocks",
        judging=Judging(instead="temp_used_mb"),
        name="MAX_USED_BLOCKS",
        source="v$sort_segment",
        category=SORT_SEGMENT,
        label="temp, high water",
        kind=Kind.HIGH_WATER,
        worse=Worse.HIGHER,
        over_instances="sum",
        display=Display(called="{} high water"),
        help="Most temp in use at once since start-up. Plan temp by this, not by the moment of reading. Of a database of"
        " several instances it is the sum of theirs, which they need not have reached at the same time.",
    ),
    of_tablespace(
        key="temp_used_mb",
        label="temp used",
        category=TEMP,
        unit="MB",
        worse=Worse.HIGHER,
        ranking=Ranking(),
        display=Display(called="{} used by sorts"),
        formula=lambda w: (w.level("temp_size_mb") - w.level("temp_free_mb")) / 1024**2,
        help="Temp in use at the moment of reading.",
    ),
    of_tablespace(
        key="temp_peak_pct",
        over_instances="ratio",
        label="temp, high water of maximum",
        category=DERIVED,
        unit="%",
        worse=Worse.HIGHER,
        ranking=Ranking(),
        display=Display(called="{} high water of maximum"),
        formula=lambda w: 100 * w.level("temp_peak_blocks") / w.level("ts_max_mb"),
        help="The most temp in use since start-up against what its files may grow to. At 100 % statements fail"
        " (ORA-01652).",
    ),
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
