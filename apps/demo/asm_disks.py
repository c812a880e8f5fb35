"""The disks of an instance's ASM groups: the one with the files takes their requests, the other the archived logs."""

from collections.abc import Mapping

import numpy as np

from apps.demo.parts import DATA, DemoHost, DemoInstance
from apps.demo.rhythm import Floats
from apps.demo.timeline import Key
from apps.demo.traffic import BLOCK, CONTROL_BYTES, REDO_BLOCK, Traffic
from apps.platforms.oracle.places import DISK_PATH, DISK_STATUS, disk_name

OF_FILES = 0.96  # of what a file took, on its disk
MICROSECONDS, CENTISECONDS = 1e6, 100.0  # of a second
ARCHIVE_SECONDS = 0.004  # that an archived log's megabyte takes
CONTROL_READ, CONTROL_WRITE = "control file sequential read", "control file parallel write"


def disks_of(member: DemoInstance) -> dict[str, str]:
    """The one disk of each group, by group."""
    return {group.name: disk_name(group.name, f"{group.name}_0000") for group in member.disk_groups}


def disk_counters(member: DemoInstance, traffic: Traffic, counted: Mapping[Key, Floats]) -> dict[Key, Floats]:
    """The columns of v$asm_disk_stat that grow, by day; times in seconds. `counted` are files and waits."""
    counters: dict[Key, Floats] = {}
    for group, disk in disks_of(member).items():
        amounts = _of_files(traffic, counted) if group == "DATA" else _of_archive(traffic)
        none = np.zeros(len(traffic.redo.size))
        amounts |= {"asm_disk_read_errors": none, "asm_disk_write_errors": none}
        counters |= {(key, disk): amount for key, amount in amounts.items()}
    return counters


def _of_files(traffic: Traffic, counted: Mapping[Key, Floats]) -> dict[str, Floats]:
    def seconds(way: str, event: str) -> Floats:
        of_files = sum(amount for (key, _), amount in counted.items() if key == f"file_{way}_time")
        of_control = counted.get(("wait_time", event), np.zeros(len(traffic.redo.size)))
        total: Floats = of_files / CENTISECONDS * OF_FILES + of_control / MICROSECONDS
        return total

    reads, writes = traffic.reads, traffic.writes
    return {
        "asm_disk_reads": reads.requests + traffic.control_reads,
        "asm_disk_writes": writes.requests + traffic.control_writes,
        "asm_disk_read_time": seconds("read", CONTROL_READ),
        "asm_disk_write_time": seconds("write", CONTROL_WRITE),
        "asm_disk_read_bytes": reads.blocks * BLOCK + traffic.control_reads * CONTROL_BYTES,
        "asm_disk_write_bytes": writes.blocks * BLOCK + traffic.control_writes * CONTROL_BYTES,
    }


def _of_archive(traffic: Traffic) -> dict[str, Floats]:
    requests = traffic.redo.archive_requests
    none = np.zeros(len(requests))
    return {
        "asm_disk_reads": none,
        "asm_disk_writes": requests,
        "asm_disk_read_time": none,
        "asm_disk_write_time": requests * ARCHIVE_SECONDS,
        "asm_disk_read_bytes": none,
        "asm_disk_write_bytes": traffic.redo.blocks * REDO_BLOCK,
    }


def disk_levels(member: DemoInstance, levels: Mapping[Key, Floats]) -> dict[Key, Floats]:
    """Sizes at each boundary, in MB: the one disk of a group is as large as the group."""
    return {
        (f"asm_disk_{size}_mb", disk): levels[f"asm_{size}_mb", group]
        for group, disk in disks_of(member).items()
        for size in ("total", "free")
    }


def disk_facts(member: DemoInstance, host: DemoHost) -> dict[str, str]:
    """Where the disks are: those of the files on the host's device with data, the others under a name of the filter driver."""
    device = next((disk.name for disk in host.disks if disk.holds == DATA), "")
    facts = {}
    for group, disk in disks_of(member).items():
        facts[f"{DISK_PATH}/{disk}"] = f"/dev/{device}" if group == "DATA" else f"AFD:{group}1"
        facts[f"{DISK_STATUS}/{disk}"] = "MEMBER, ONLINE"
    return facts
