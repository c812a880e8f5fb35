"""Tablespaces: in use, as large as they are and may become."""

from apps.catalog.metric import Display, Judging, Worse
from apps.platforms.oracle.metrics.space.sources import of_tablespace, tablespace

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
]
