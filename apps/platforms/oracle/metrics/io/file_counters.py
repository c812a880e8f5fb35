"""What the response of a file is computed from, and its size."""

from functools import partial

from apps.catalog.metric import Kind, Worse
from apps.platforms.oracle.metrics.io.sources import file

file_counter = partial(file, kind=Kind.COUNTER, reading_unit="requests", unit="per day", over_instances="sum")
file_time = partial(
    file,
    kind=Kind.COUNTER,
    reading_unit="centiseconds",
    unit="seconds/day",
    worse=Worse.HIGHER,
    over_instances="sum",
)

METRICS = [
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
