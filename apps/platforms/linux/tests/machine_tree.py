"""A machine made of a few files that a test lives through: what its kernel counted by a moment, read as this host is."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from apps.collection.collector import Collected, CollectionError
from apps.inventory.models import Target
from apps.platforms.linux.collector import LocalCollector

CPUS, MEMORY_KB, HUGE_PAGE_KB = 8, 64 * 1024**2, 2048
SECTORS = 16  # of 512 bytes, a request


@dataclass
class DeviceWork:
    """What a device does in an hour: requests of each kind, with the milliseconds that each takes."""

    number: str  # "253:0"
    reads: int = 0
    writes: int = 0
    read_ms: float = 0.0
    write_ms: float = 0.0
    slaves: dict[str, str] = field(default_factory=dict)  # name: number
    mapped: str = ""
    queue_depth: int = 0  # how many requests it takes at once; 0: nobody says
    links: tuple[str, ...] = ()  # below /dev, that udev made
    done: list[float] = field(default_factory=lambda: [9000.0] * 4)  # one that was never used is none

    def live(self, hours: float) -> None:
        amounts = (
            self.reads,
            self.reads * self.read_ms,
            self.writes,
            self.writes * self.write_ms,
        )
        self.done = [total + hours * amount for total, amount in zip(self.done, amounts, strict=True)]


@dataclass
class MachineTree:
    """The tree, and a collector that reads it as this host is read; where it `refuses` to, it says why."""

    root: Path
    booted_at: datetime
    devices: dict[str, DeviceWork]
    mounts: dict[str, str]  # mount point: name of its device
    busy: float = 0.0  # share of its processors
    huge_pages: int = 0
    refuses: str = ""
    hours: float = 0.0

    def live(self, hours: float) -> None:
        self.hours += hours
        for device in self.devices.values():
            device.live(hours)

    def collect(self, target: Target, slot: datetime) -> Collected:
        if self.refuses:
            raise CollectionError(self.refuses)
        self._write()
        return LocalCollector(str(self.root), [str(self.root / "records")]).collect(target, slot)

    def _write(self) -> None:
        for path, text in self._texts().items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def _texts(self) -> dict[str, str]:
        ticks = 100 * 3600 * self.hours
        user, idle = self.busy * ticks, (1 - self.busy) * ticks
        lines = [f"cpu {user * CPUS:.0f} 0 0 {idle * CPUS:.0f} 0 0 0 0 0 0"]
        lines += [f"cpu{number} {user:.0f} 0 0 {idle:.0f} 0 0 0 0 0 0" for number in range(CPUS)]
        lines += ["intr 0", "ctxt 0", f"btime {self.booted_at.timestamp():.0f}", "processes 0"]
        texts = {
            "proc/stat": "\n".join([*lines, "procs_running 1", "procs_blocked 0", ""]),
            "proc/meminfo": f"MemTotal: {MEMORY_KB} kB\nMemFree: 10 kB\nMemAvailable: 4194304 kB\nHugepagesize: {HUGE_PAGE_KB} kB\n"
            f"HugePages_Total: {self.huge_pages}\nHugePages_Free: 0\nHugePages_Rsvd: 0\nPageTables: 2097152 kB\n",
            "proc/diskstats": "\n".join(map(self._disk_line, self.devices)) + "\n",
            "proc/net/dev": "Inter-|   Receive  |  Transmit\n    lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n",
            "proc/net/snmp": "Tcp: OutSegs RetransSegs\nTcp: 100 1\n",
            "proc/self/mountinfo": "1 0 259:9 / / rw - ext4 /dev/root rw\n"
            + "".join(self._mount_line(*pair) for pair in self.mounts.items()),
            "proc/sys/kernel/ostype": "Linux\n",
        }
        for name, device in self.devices.items():
            if device.mapped:
                texts[f"sys/block/{name}/dm/name"] = f"{device.mapped}\n"
            if device.queue_depth:
                texts[f"sys/block/{name}/device/queue_depth"] = f"{device.queue_depth}\n"
            if device.links:
                lines = [f"S:{link}" for link in device.links]
                texts[f"run/udev/data/b{device.number}"] = "\n".join([*lines, "I:2208", "E:ID_BUS=scsi", ""])
            for slave, number in device.slaves.items():
                texts[f"sys/block/{name}/slaves/{slave}/dev"] = f"{number}\n"
        return texts

    def _disk_line(self, name: str) -> str:
        device = self.devices[name]
        reads, read_ms, writes, write_ms = (round(amount) for amount in device.done)
        return (
            f"{device.number.replace(':', ' ')} {name} {reads} 0 {reads * SECTORS} {read_ms}"
            f" {writes} 0 {writes * SECTORS} {write_ms} 0 {read_ms} {read_ms + write_ms}"
        )

    def _mount_line(self, point: str, device: str) -> str:
        """A mount of the machine; the root beside them is that of the machine that runs the test, which can be asked."""
        return f"36 1 {self.devices[device].number} / {point} rw - ext4 /dev/{device} rw\n"
