"""What an instance asks of the disks of its ASM groups, and how quickly they answer; each instance counts its own."""

from functools import partial

from apps.catalog.metric import Display, Judging, Kind, Ranking, Worse
from apps.platforms.oracle.metrics.io.sources import asm_disk

ENOUGH = 1000  # requests of a disk in a day, for an average that counts

requests = partial(
    asm_disk,
    kind=Kind.COUNTER,
    reading_unit="requests",
    unit="per day",
    display=Display(unit="per second"),
    over_instances="sum",
)
time = partial(
    asm_disk,
    kind=Kind.COUNTER,
    reading_unit="seconds",
    unit="seconds/day",
    worse=Worse.HIGHER,
    over_instances="sum",
)
throughput = partial(asm_disk, kind=Kind.COUNTER, reading_unit="bytes", unit="MB/s", over_instances="sum")
errors = partial(
    asm_disk,
    kind=Kind.COUNTER,
    reading_unit="errors",
    unit="per day",
    worse=Worse.HIGHER,
    over_instances="sum",
)
size = partial(asm_disk, kind=Kind.GAUGE, reading_unit="MB", unit="GB", over_instances="max")
average = partial(
    asm_disk,
    source="derived",
    kind=Kind.RATIO,
    unit="ms",
    worse=Worse.HIGHER,
    over_instances="ratio",
)

METRICS = [
    average(
        key="asm_disk_read_ms",
        label="average read of the disk",
        ranking=Ranking(by="asm_disk_reads"),
        judging=Judging(weight="asm_disk_reads", enough=ENOUGH),
        formula=lambda w: 1000 * w.delta("asm_disk_read_time") / w.delta("asm_disk_reads"),
        help="Mean time of a read as this instance saw it: what the disk's device took, and all between the two.",
    ),
    average(
        key="asm_disk_write_ms",
        label="average write of the disk",
        ranking=Ranking(by="asm_disk_writes"),
        judging=Judging(weight="asm_disk_writes", enough=ENOUGH),
        formula=lambda w: 1000 * w.delta("asm_disk_write_time") / w.delta("asm_disk_writes"),
        help="Mean time of a write as this instance saw it. A mirrored group writes to each disk of the mirror.",
    ),
    requests(
        key="asm_disk_reads", name="READS", label="reads of the disk", help="Read requests of this instance."
    ),
    requests(
        key="asm_disk_writes",
        name="WRITES",
        label="writes of the disk",
        help="Write requests of this instance, to each disk of a mirror.",
    ),
    throughput(
        key="asm_disk_read_bytes",
        name="BYTES_READ",
        label="read from the disk",
        help="Data that this instance read from the disk.",
    ),
    throughput(
        key="asm_disk_write_bytes",
        name="BYTES_WRITTEN",
        label="written to the disk",
        help="Data that this instance wrote to the disk.",
    ),
    time(
        key="asm_disk_read_time",
        name="READ_TIME",
        label="read time of the disk",
        help="Time of all reads, where timed_statistics is on.",
    ),
    time(
        key="asm_disk_write_time",
        name="WRITE_TIME",
        label="write time of the disk",
        help="Time of all writes, where timed_statistics is on.",
    ),
    errors(
        key="asm_disk_read_errors",
        name="READ_ERRS",
        label="failed reads of the disk",
        help="Reads that failed. A mirrored group reads the other copy then; ask what the disk has.",
    ),
    errors(
        key="asm_disk_write_errors",
        name="WRITE_ERRS",
        label="failed writes of the disk",
        help="Writes that failed. ASM takes such a disk offline.",
    ),
    size(
        key="asm_disk_total_mb",
        name="TOTAL_MB",
        label="size of the disk",
        help="What the group has of the disk.",
    ),
    size(
        key="asm_disk_free_mb",
        name="FREE_MB",
        label="free on the disk",
        worse=Worse.LOWER,
        help="What the group has not given to files yet. The disks of a group fill alike, or it wants a rebalance.",
    ),
]
