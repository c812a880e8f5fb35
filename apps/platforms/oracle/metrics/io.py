"""Reads and writes: of the instance as a whole, and per data file."""

from functools import partial

from apps.catalog.metric import Judging, Kind, Metric, Ranking, Worse
from apps.platforms.oracle.categories import FILES
from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import IO

ENOUGH = 1000  # requests of a file in a day, for an average that counts

sysstat = partial(sources.sysstat, section=IO)
ratio = partial(sources.ratio, section=IO)
file = partial(Metric, source="v$filestat", category=FILES, section=IO, component_kind="file")
file_counter = partial(file, kind=Kind.COUNTER, reading_unit="requests", unit="per day", over_instances="sum")
file_time = partial(
    file,
    kind=Kind.COUNTER,
    reading_unit="centiseconds",
    unit="seconds/day",
    worse=Worse.HIGHER,
    over_instances="sum",
)
file_average = partial(
    file,
    source="derived",
    kind=Kind.RATIO,
    unit="ms",
    worse=Worse.HIGHER,
    ranking=Ranking(by="datafile_io_day"),
    over_instances="ratio",
)

INSTANCE = [
    sysstat(
        key="io_read_bytes",
        name="physical read total bytes",
        label="read from disk",
        reading_unit="bytes",
        unit="GB/day",
        help="Everything the instance read, backups and control files included.",
    ),
    sysstat(
        key="io_write_bytes",
        name="physical write total bytes",
        label="written to disk",
        reading_unit="bytes",
        unit="GB/day",
        help="Everything the instance wrote, redo, archives and backups included.",
    ),
    sysstat(
        key="io_read_requests",
        reductions=("p95", "max", "busy"),
        name="physical read total IO requests",
        label="read requests",
        reading_unit="requests",
        unit="per second",
        help="Requests of any size. Storage is bought by these and by bytes.",
    ),
    sysstat(
        key="io_write_requests",
        reductions=("p95", "max", "busy"),
        name="physical write total IO requests",
        label="write requests",
        reading_unit="requests",
        unit="per second",
        help="Requests of any size.",
    ),
    sysstat(
        key="io_read_multi",
        name="physical read total multi block requests",
        label="large read requests",
        reading_unit="requests",
        unit="per second",
        help="Reads of several blocks at once: scans, backups.",
    ),
    sysstat(
        key="io_write_multi",
        name="physical write total multi block requests",
        label="large write requests",
        reading_unit="requests",
        unit="per second",
        help="Writes of several blocks at once: loads, temp, backups.",
    ),
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
    sysstat(
        key="io_phys_reads",
        name="physical reads",
        label="blocks read",
        reading_unit="blocks",
        unit="per second",
        help="Blocks, not requests: a scan reads many blocks with one request.",
    ),
    sysstat(
        key="io_phys_writes",
        name="physical writes",
        label="blocks written",
        reading_unit="blocks",
        unit="per second",
        help="Blocks, not requests.",
    ),
    sysstat(
        key="io_app_read_bytes",
        name="physical read bytes",
        label="read by applications",
        reading_unit="bytes",
        unit="GB/day",
        help="Reads for users' work: no backups, no recovery, no control file.",
    ),
    sysstat(
        key="io_app_write_bytes",
        name="physical write bytes",
        label="written by applications",
        reading_unit="bytes",
        unit="GB/day",
        help="Writes of blocks that users changed or loaded.",
    ),
    ratio(
        key="io_iops",
        label="I/O requests per second",
        unit="per second",
        reductions=("p95", "max", "busy"),
        formula=lambda w: (w.delta("io_read_requests") + w.delta("io_write_requests")) / w.seconds,
        help="Reads and writes of the instance. A mean over a day hides the peak: read hourly to see it.",
    ),
    ratio(
        key="io_mb_per_s",
        label="I/O throughput",
        unit="MB/s",
        reductions=("p95", "max", "busy"),
        formula=lambda w: (w.delta("io_read_bytes") + w.delta("io_write_bytes")) / 1024**2 / w.seconds,
        help="Bytes read and written per second.",
    ),
    ratio(
        key="io_avg_kb",
        label="average I/O size",
        unit="KB",
        formula=lambda w: (
            (w.delta("io_read_bytes") + w.delta("io_write_bytes"))
            / 1024
            / (w.delta("io_read_requests") + w.delta("io_write_requests"))
        ),
        help="Bytes per request: about a block for transactions, hundreds of KB for scans.",
    ),
]

DATA_FILES = [
    file(
        key="datafile_io_day",
        over_instances="ratio",
        name="PHYRDS + PHYWRTS",
        label="I/O of the file",
        kind=Kind.RATIO,
        unit="iops/day",
        aliases=("IOPS/Day",),
        formula=lambda w: (w.delta("file_reads") + w.delta("file_writes")) / w.seconds * 86400,
        help="Read and write requests of the file in a day.",
    ),
    file_average(
        key="datafile_avg_ms",
        label="average response of the file",
        aliases=("Avg Response Time/Day",),
        judging=Judging(weight="datafile_io_day", enough=ENOUGH),
        formula=lambda w: (
            10
            * (w.delta("file_read_time") + w.delta("file_write_time"))
            / (w.delta("file_reads") + w.delta("file_writes"))
        ),
        help="Mean time of a read or write of this day. 10 to 15 ms was normal on disks, flash answers within one.",
    ),
    file_average(
        key="datafile_read_ms",
        label="average read of the file",
        judging=Judging(weight="file_reads", enough=ENOUGH),
        formula=lambda w: 10 * w.delta("file_read_time") / w.delta("file_reads"),
        help="Mean time of a read request.",
    ),
    file_average(
        key="datafile_write_ms",
        label="average write of the file",
        judging=Judging(weight="file_writes", enough=ENOUGH),
        formula=lambda w: 10 * w.delta("file_write_time") / w.delta("file_writes"),
        help="Mean time of a write request. With asynchronous writers it is good for its trend only.",
    ),
    file_average(
        key="datafile_single_read_ms",
        label="average single-block read of the file",
        judging=Judging(weight="file_single_reads", enough=ENOUGH),
        formula=lambda w: 10 * w.delta("file_single_read_time") / w.delta("file_single_reads"),
        help="Mean time of a read of one block: the fairest measure of the disk below.",
    ),
    file(
        key="datafile_max_ms",
        judging=Judging(instead="datafile_read_ms"),
        over_instances="max",
        name="MAXIORTM",
        label="longest read of the file since start-up",
        kind=Kind.HIGH_WATER,
        reading_unit="centiseconds",
        unit="ms",
        worse=Worse.HIGHER,
        aliases=("Max Response Time/Day",),
        help="The longest read since start-up. A rise is a new record made since the reading before; a day without a"
        " rise only says that the record stood.",
    ),
    file(
        key="datafile_max_write_ms",
        judging=Judging(instead="datafile_write_ms"),
        over_instances="max",
        name="MAXIOWTM",
        label="longest write of the file since start-up",
        kind=Kind.HIGH_WATER,
        reading_unit="centiseconds",
        unit="ms",
        worse=Worse.HIGHER,
        help="The longest write since start-up; read it like the longest read.",
    ),
    file_counter(
        key="file_reads", name="PHYRDS", label="reads of the file", help="Read requests, backups included."
    ),
    file_counter(key="file_writes", name="PHYWRTS", label="writes of the file", help="Write requests."),
    file_counter(
        key="file_single_reads",
        name="SINGLEBLKRDS",
        label="single-block reads of the file",
        help="Reads of one block, mostly through an index.",
    ),
    file_time(key="file_read_time", name="READTIM", label="read time of the file", help="Time of all reads."),
    file_time(
        key="file_write_time", name="WRITETIM", label="write time of the file", help="Time of all writes."
    ),
    file_time(
        key="file_single_read_time",
        name="SINGLEBLKRDTIM",
        label="single-block read time of the file",
        help="Time of the reads of one block.",
    ),
    file(
        key="datafile_size_mb",
        over_instances="max",
        name="BYTES",
        source="v$datafile",
        label="size of the file",
        kind=Kind.GAUGE,
        reading_unit="bytes",
        unit="MB",
        help="Size of the data or temp file as it is now.",
    ),
]

METRICS = [*INSTANCE, *DATA_FILES]
