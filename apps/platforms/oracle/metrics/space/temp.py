"""Temporary tablespaces."""

from apps.catalog.metric import Display, Judging, Kind, Ranking, Worse
from apps.platforms.oracle.categories import DERIVED, SORT_SEGMENT, TEMP
from apps.platforms.oracle.metrics.space.sources import of_tablespace, tablespace, temp

METRICS = [
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
]
