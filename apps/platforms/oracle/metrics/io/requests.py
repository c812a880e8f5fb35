"""Reads and writes of the instance."""

from apps.platforms.oracle.metrics.io.sources import sysstat

METRICS = [
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
]
