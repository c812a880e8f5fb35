"""I/O by second and by request."""

from apps.platforms.oracle.metrics.io.sources import ratio, sysstat

METRICS = [
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
