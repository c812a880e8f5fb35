"""
What an instance reads from its disks and writes to them, by day: it follows from its waits, its redo and nothing else.

Reads of one block, reads of several, reads past the cache are as many as were waited for; the database writers write
what was changed, the log writer each member of a group, the archiver reads and writes the redo once more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.demo.events import Waits
from apps.demo.parts import DemoInstance
from apps.demo.rhythm import Floats

BLOCK = 8192.0
REDO_BLOCK = 512.0
REDO_HEADER = 16.0  # of each block of redo
LOG_MEMBERS = 2.0  # of each group, on two devices
ARCHIVE_READ = 1024.0**2  # bytes at once
CONTROL_FILES = 2.0
CONTROL_BYTES = 16_384.0
AT_ONCE = 10.0  # requests that a database writer hands over together


@dataclass(frozen=True)
class Transfer:
    """An event that waits for blocks: requests for each wait, and blocks of a request in either mix."""

    event: str
    requests: float
    warehouse: float
    oltp: float


SINGLE_READS = (
    Transfer("db file sequential read", 1, 1, 1),
    Transfer("db file parallel read", 6, 1, 1),
)
SCANS = (Transfer("db file scattered read", 1, 18, 7),)
DIRECT_READS = (Transfer("direct path read", 1, 40, 16),)
TEMP_READS = (Transfer("direct path read temp", 1, 31, 7),)
DIRECT_WRITES = (Transfer("direct path write", 1, 28, 4),)
TEMP_WRITES = (Transfer("direct path write temp", 1, 31, 7),)


@dataclass(frozen=True)
class Amount:
    """Requests of a day, and the blocks of the database they move."""

    requests: Floats
    blocks: Floats

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.requests + other.requests, self.blocks + other.blocks)


@dataclass(frozen=True)
class RedoVolume:
    """What the log writer writes in a day."""

    size: Floats
    wastage: Floats
    writes: Floats

    @property
    def blocks(self) -> Floats:
        """Blocks of the log, each with a header of its own."""
        return np.ceil((self.size + self.wastage) / (REDO_BLOCK - REDO_HEADER))

    @property
    def archive_requests(self) -> Floats:
        return np.ceil(self.blocks * REDO_BLOCK / ARCHIVE_READ)


@dataclass(frozen=True)
class DiskWork:
    """Requests and bytes of a day, on the devices with the data or on those with the redo."""

    reads: Floats
    read_bytes: Floats
    writes: Floats
    write_bytes: Floats


class Traffic:
    """The requests of an instance by what they are for."""

    def __init__(
        self, member: DemoInstance, waits: Sequence[Waits], redo: RedoVolume, changed: Amount
    ) -> None:
        self.is_warehouse = member.workload.mix == "warehouse"
        self.redo, self.changed = redo, changed
        self.counts: Mapping[str, Floats] = {wait.name: wait.count for wait in waits}
        self.single, self.scans = self._of(SINGLE_READS), self._of(SCANS)
        self.direct, self.temp = self._of(DIRECT_READS), self._of(TEMP_READS)
        self.direct_writes, self.temp_writes = self._of(DIRECT_WRITES), self._of(TEMP_WRITES)
        self.control_reads = self._count("control file sequential read")
        self.control_writes = self._count("control file parallel write") * CONTROL_FILES

    def _count(self, event: str) -> Floats:
        return self.counts.get(event, np.zeros(len(self.redo.size)))

    def _of(self, transfers: Sequence[Transfer]) -> Amount:
        amount = Amount(np.zeros(len(self.redo.size)), np.zeros(len(self.redo.size)))
        for transfer in transfers:
            requests = self._count(transfer.event) * transfer.requests
            blocks = np.rint(requests * (transfer.warehouse if self.is_warehouse else transfer.oltp))
            amount += Amount(requests, blocks)
        return amount

    @property
    def file_reads(self) -> Amount:
        """Of data files, those of temp left out."""
        return self.single + self.scans + self.direct

    @property
    def file_writes(self) -> Amount:
        return self.changed + self.direct_writes

    @property
    def reads(self) -> Amount:
        return self.file_reads + self.temp

    @property
    def writes(self) -> Amount:
        return self.file_writes + self.temp_writes

    @property
    def data(self) -> DiskWork:
        """On the devices of the data: files, control files and archived logs."""
        archive = self.redo.archive_requests
        return DiskWork(
            reads=self.reads.requests + self.control_reads,
            read_bytes=self.reads.blocks * BLOCK + self.control_reads * CONTROL_BYTES,
            writes=self.writes.requests + self.control_writes + archive,
            write_bytes=self.writes.blocks * BLOCK
            + self.control_writes * CONTROL_BYTES
            + self.redo.blocks * REDO_BLOCK,
        )

    @property
    def logs(self) -> DiskWork:
        """On the devices of the redo."""
        written = self.redo.blocks * REDO_BLOCK
        return DiskWork(
            reads=self.redo.archive_requests,
            read_bytes=written,
            writes=self.redo.writes * LOG_MEMBERS,
            write_bytes=written * LOG_MEMBERS,
        )

    def statistics(self) -> dict[str, Floats]:
        """The statistics of v$sysstat about reads and writes."""
        data, logs = self.data, self.logs
        several = self.scans + self.direct + self.temp
        several_writes = self.direct_writes.requests + self.temp_writes.requests + self.redo.archive_requests
        return {
            "io_phys_reads": self.reads.blocks,
            "io_phys_writes": self.writes.blocks,
            "io_reads_direct": (self.direct + self.temp).blocks,
            "io_reads_direct_temp": self.temp.blocks,
            "io_writes_direct": (self.direct_writes + self.temp_writes).blocks,
            "io_writes_direct_temp": self.temp_writes.blocks,
            "physical_reads_cache": (self.single + self.scans).blocks,
            "free_buffer_inspected": (self.single + self.scans).blocks * 1.15,
            "prefetched_aged_out": self.scans.blocks * 1e-4,
            "io_app_read_bytes": self.reads.blocks * BLOCK,
            "io_app_write_bytes": self.writes.blocks * BLOCK,
            "io_read_requests": data.reads + logs.reads,
            "io_read_multi": several.requests + logs.reads,
            "io_read_bytes": data.read_bytes + logs.read_bytes,
            "io_write_requests": data.writes + logs.writes,
            "io_write_multi": several_writes,
            "io_write_bytes": data.write_bytes + logs.write_bytes,
            "redo_blocks_written": self.redo.blocks,
            "redo_writes": self.redo.writes,
            "redo_wastage": self.redo.wastage,
        }
