"""Reads and writes that pass by the buffer cache, and waits of users for I/O."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.metrics.io.sources import sysstat

METRICS = [
    sysstat(
        key="io_reads_direct",
        name="physical reads direct",
        label="blocks read past the cache",
        reading_unit="blocks",
        unit="per day",
        help="Blocks read straight into a session's memory: parallel queries, large scans, temp.",
    ),
    sysstat(
        key="io_reads_direct_temp",
        name="physical reads direct temporary tablespace",
        label="blocks read from temp",
        reading_unit="blocks",
        unit="per day",
        worse=Worse.HIGHER,
        help="What sorts and hash joins read back from temp.",
    ),
    sysstat(
        key="io_writes_direct",
        name="physical writes direct",
        label="blocks written past the cache",
        reading_unit="blocks",
        unit="per day",
        help="Blocks written by the sessions themselves: direct loads, temp.",
    ),
    sysstat(
        key="io_writes_direct_temp",
        name="physical writes direct temporary tablespace",
        label="blocks written to temp",
        reading_unit="blocks",
        unit="per day",
        worse=Worse.HIGHER,
        help="What sorts and hash joins put aside in temp.",
    ),
    sysstat(
        key="user_io_wait_time",
        name="user I/O wait time",
        label="time waiting for I/O",
        aliases=("user IO wait time",),
        reading_unit="centiseconds",
        unit="hours/day",
        worse=Worse.HIGHER,
        help="Time in waits of class User I/O. Where it is most of DB time, faster storage or fewer reads help users.",
    ),
]
