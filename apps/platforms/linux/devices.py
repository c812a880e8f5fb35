"""Block devices and network interfaces: which are worth watching under which name, and what they counted."""

import re
from collections.abc import Container, Mapping, Sequence

from apps.collection.collector import Reading
from apps.platforms.linux.filesystems import unescaped

_DISKSTATS = {
    3: "host_disk_reads",
    5: "disk_read_sectors",
    6: "disk_read_ms",
    7: "host_disk_writes",
    9: "disk_write_sectors",
    10: "disk_write_ms",
    12: "disk_busy_ms",
    13: "disk_weighted_ms",
}
_NOT_DISKS = re.compile(r"(loop|ram|zram|sr|fd)\d+")
UDEV = "/run/udev/data/b"  # with the number of a device behind it, what udev knows of it
# by what is stored on a device, which two copies of a disk share, or by when it was found
_LINKS_BY_CONTENT = ("disk/by-uuid/", "disk/by-label/", "disk/by-diskseq/", "disk/by-loop")
# the ends of a container's cable come and go under names made by chance; the bridge they hang on stays
_NOT_INTERFACES = re.compile(r"lo|veth.*")


def parse_diskstats(text: str, names: Mapping[str, str]) -> list[Reading]:
    """
    What whole devices counted, from /proc/diskstats, under the names of `device_names`.

    A device that was never used since boot is left out.
    """
    readings = []
    for fields in (line.split() for line in text.splitlines()):
        if len(fields) < 14 or fields[2] not in names or fields[3] == fields[7] == "0":
            continue
        readings += [
            Reading(metric, float(fields[index]), names[fields[2]]) for index, metric in _DISKSTATS.items()
        ]
    return readings


def device_names(diskstats: str, mapped: Mapping[str, str] | None = None) -> dict[str, str]:
    """
    The name people know a device by, for each name its readings may come under: "dm-3" and "dev253-3" are "vg-data".

    `mapped` are the names of mapped devices, for their numbers change from boot to boot. Partitions, loop devices,
    memory and optical drives are left out.
    """
    rows = [words for line in diskstats.splitlines() if len(words := line.split()) > 3]
    listed = {words[2] for words in rows}
    names: dict[str, str] = {}
    for major, minor, name, *_ in rows:
        if not is_whole_device(name, listed):
            continue
        readable = (mapped or {}).get(name, name)
        names |= {name: readable, readable: readable, f"dev{major}-{minor}": readable}
    return names


def is_whole_device(name: str, listed: Container[str]) -> bool:
    """Whether a device is neither a partition of one that is listed, nor memory, a loop or an optical drive."""
    return not _NOT_DISKS.fullmatch(name) and not _is_partition(name, listed)


def _is_partition(name: str, listed: Container[str]) -> bool:
    """The kernel puts a number behind the disk's name, and a p before it where that name ends in a digit."""
    return _disk_of(name) in listed


def _disk_of(partition: str) -> str:
    """The disk that a partition of this name would be of; empty for a name without a number."""
    match = re.fullmatch(r"(.*\d)p\d+|(.*\D)\d+", partition)
    return (match[1] or match[2]) if match else ""


def devices_by_mount(mountinfo: str, diskstats: str, names: Mapping[str, str]) -> dict[str, str]:
    """
    The device below each mount point, under the name of `device_names`; of a partition its disk.

    Left out is what lies on none of them: network filesystems, and those that manage disks of their own.
    """
    rows = [words for line in diskstats.splitlines() if len(words := line.split()) > 3]
    kernel_names = {f"{major}:{minor}": name for major, minor, name, *_ in rows}
    below: dict[str, str] = {}
    for words in (line.split() for line in mountinfo.splitlines()):
        name = kernel_names.get(words[2], "") if len(words) > 4 else ""
        device = names.get(name) or names.get(_disk_of(name))
        if device:
            below[unescaped(words[4])] = device
    return below


def devices_of_volumes(texts: Mapping[str, str], names: Mapping[str, str]) -> dict[str, list[str]]:
    """
    What each volume (of the device mapper, or of md) is made of, under the names of `device_names`; of partitions their disks.

    The kernel lists the devices right below: those of a volume on multipath devices are these, not their paths.
    """
    volumes: dict[str, list[str]] = {}
    for path in sorted(texts):
        match = re.fullmatch(r"/sys/block/([^/]+)/slaves/([^/]+)/dev", path)
        if match and (volume := names.get(match[1])):
            part = names.get(match[2]) or names.get(_disk_of(match[2]))
            parts = volumes.setdefault(volume, [])
            if part and part not in parts:
                parts.append(part)
    return {volume: parts for volume, parts in volumes.items() if parts}


def devices_of_paths(texts: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """
    The device that each path below /dev means, under the names of `device_names`; of a partition its disk.

    The kernel names its devices and partitions, the device mapper its own, and udev says which links it made.
    """
    paths: dict[str, str] = {}
    claims: dict[str, list[tuple[int, str]]] = {}
    for line in texts.get("/proc/diskstats", "").splitlines():
        major, minor, name, *_ = [*line.split(), "", "", ""]
        if device := names.get(name) or names.get(_disk_of(name)):
            paths[f"/dev/{name}"] = device
            if device != name and name in names:
                paths[f"/dev/mapper/{device}"] = device
            priority, links = _links_of(texts.get(f"{UDEV}{major}:{minor}", ""))
            for link in links:
                claims.setdefault(f"/dev/{link}", []).append((priority, device))
    return _undisputed(claims) | paths


def _links_of(record: str) -> tuple[int, list[str]]:
    """The links that udev made for a device, and how they rank where another device has the same."""
    rank = re.search(r"^L:(-?\d+)$", record, flags=re.MULTILINE)
    links = re.findall(r"^S:(.+)$", record, flags=re.MULTILINE)
    return int(rank[1]) if rank else 0, [link for link in links if not link.startswith(_LINKS_BY_CONTENT)]


def _undisputed(claims: Mapping[str, Sequence[tuple[int, str]]]) -> dict[str, str]:
    """Where each link leads; one that several devices claim with the same rank is left out, as nobody says which has it."""
    paths = {}
    for link, claimed in claims.items():
        highest = max(rank for rank, _ in claimed)
        owners = {device for rank, device in claimed if rank == highest}
        if len(owners) == 1:
            paths[link] = owners.pop()
    return paths


def parse_queue_depths(texts: Mapping[str, str], names: Mapping[str, str]) -> list[Reading]:
    """How many requests each device takes at once, from /sys/block."""
    depths: dict[str, float] = {}
    for path in sorted(texts):  # device/queue_depth, which is the better one, comes first
        match = re.fullmatch(r"/sys/block/([^/]+)/(device/queue_depth|queue/nr_requests)", path)
        if match and match[1] in names and texts[path].strip().isdigit():
            depths.setdefault(names[match[1]], float(texts[path]))
    return [Reading("host_disk_queue_depth", depth, name) for name, depth in depths.items()]


def is_watched_interface(name: str) -> bool:
    return not _NOT_INTERFACES.fullmatch(name)


def parse_net_dev(text: str) -> list[Reading]:
    """
    What each interface counted, from /proc/net/dev.

    One that never carried a packet since boot is left out.
    """
    readings = []
    for line in text.splitlines():
        name, colon, rest = line.strip().rpartition(":")
        if not colon or not is_watched_interface(name):
            continue
        numbers = [float(word) for word in rest.split()]
        rx_bytes, rx_packets, rx_errors, rx_drops = numbers[:4]
        tx_bytes, tx_packets, tx_errors, tx_drops = numbers[8:12]
        if rx_packets == tx_packets == 0:
            continue
        readings += [
            Reading("net_rx_bytes", rx_bytes, name),
            Reading("net_tx_bytes", tx_bytes, name),
            Reading("net_rx_packets", rx_packets, name),
            Reading("net_tx_packets", tx_packets, name),
            Reading("net_errors", rx_errors + tx_errors, name),
            Reading("net_drops", rx_drops + tx_drops, name),
        ]
    return readings


def parse_speeds(texts: Mapping[str, str]) -> list[Reading]:
    """The speed of each link in Mbit/s, from /sys/class/net; virtual ones and unplugged ones have none."""
    readings = []
    for path, text in texts.items():
        match = re.fullmatch(r"/sys/class/net/([^/]+)/speed", path)
        if match and is_watched_interface(match[1]) and text.strip().isdigit() and int(text) > 0:
            readings.append(Reading("net_speed_mbit", float(text), match[1]))
    return readings
