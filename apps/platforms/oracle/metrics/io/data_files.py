"""I/O of each file and how quickly it answers."""

from functools import partial

from apps.catalog.metric import Judging, Kind, Ranking, Worse
from apps.platforms.oracle.metrics.io.sources import file

ENOUGH = 1000  # requests of a file in a day, for an average that counts

file_average = partial(
    file,
    source="derived",
    kind=Kind.RATIO,
    unit="ms",
    worse=Worse.HIGHER,
    ranking=Ranking(by="datafile_io_day"),
    over_instances="ratio",
)

METRICS = [
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
]
