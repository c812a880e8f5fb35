"""The sections of nmon's files, and what is read of each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.platforms.linux.devices import is_watched_interface, is_whole_device
from apps.platforms.linux.files.records import HostIdentity
from apps.platforms.linux.files.sar_tables import Fields, device_totals, read_processor
from apps.platforms.linux.metrics.categories import DEVICES, FILESYSTEMS, INTERFACES, KERNEL
from apps.platforms.linux.sadf import Key

Reader = Callable[[str, Fields, HostIdentity], dict[Key, float]]
MB = 1024.0  # kB
PAGE_KB = 4.0  # of AIX, whose counters are in pages of this size
_TRAFFIC = re.compile(r"(.+?)-(read|write)s?(?:-KB)?/s")
_MADE_UP = re.compile(r"/(dev|proc|sys|run)(/.*)?")
WAIT = "wait"  # of a request, until its service is known
HELD = "held"  # of memory, in percent, until its size is known


@dataclass(frozen=True)
class NmonSection:
    """A section: its rows need so many columns."""

    title: str
    read: Reader
    least: int = 1


def _kernel(fields: Fields, columns: Mapping[str, tuple[str, float]]) -> dict[Key, float]:
    """Columns as metrics, each times a factor; what nmon does not know is below 0."""
    return {
        (KERNEL, metric, ""): fields[column] * factor
        for column, (metric, factor) in columns.items()
        if fields.get(column, -1.0) >= 0
    }


def _processors(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
    shares = {"User%": "%user", "Sys%": "%system", "Wait%": "%iowait", "Idle%": "%idle", "Steal%": "%steal"}
    renamed = {shares[column]: value for column, value in fields.items() if column in shares}
    number = section.removeprefix("CPU")
    return read_processor(renamed, "all" if section == "CPU_ALL" else str(int(number) - 1), host)


def _memory(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
    """Of Linux in MB, and of AIX, where what is virtual is the paging space."""
    values = _kernel(
        fields,
        {
            "memtotal": ("host_mem_total_kb", MB),
            "memfree": ("sysstat_mem_free_kb", MB),
            "cached": ("host_mem_cached_kb", MB),
            "Real total(MB)": ("host_mem_total_kb", MB),
            "Real free(MB)": ("sysstat_mem_free_kb", MB),
        },
    )
    if "cached" in fields and "buffers" in fields:
        droppable = fields["cached"] + fields["buffers"] - max(fields.get("memshared", 0.0), 0.0)
        values[KERNEL, "sysstat_mem_available_kb", ""] = (fields["memfree"] + max(droppable, 0.0)) * MB
    for total, free in (("swaptotal", "swapfree"), ("Virtual total(MB)", "Virtual free(MB)")):
        if fields.get(total, 0.0) > 0 and free in fields:
            used = fields[total] - fields[free]
            values[KERNEL, "sysstat_swap_used_kb", ""] = used * MB
            values[KERNEL, "sysstat_swap_used_pct", ""] = 100.0 * used / fields[total]
    return values


def _memory_use(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
    """What programs and the system hold, without the cache of files."""
    return {(KERNEL, HELD, ""): fields["Process%"] + fields["System%"]}


def _paging(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
    return _kernel(
        fields,
        {
            "faults": ("sysstat_faults", 1.0),
            "pgin": ("sysstat_page_in_kb", PAGE_KB),
            "pgout": ("sysstat_page_out_kb", PAGE_KB),
            "pgsin": ("sysstat_swap_in", 1.0),
            "pgsout": ("sysstat_swap_out", 1.0),
            "scans": ("sysstat_scanned", 1.0),
        },
    )


def _processes(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
    """Linux counts the threads that run as well, AIX those that wait alone."""
    queue = "sysstat_runq_waiting" if host.system == "AIX" else "sysstat_runq"
    return _kernel(
        fields,
        {
            "Runnable": (queue, 1.0),
            "Blocked": ("sysstat_blocked", 1.0),
            "pswitch": ("sysstat_ctxsw", 1.0),
            "syscall": ("sysstat_syscalls", 1.0),
            "fork": ("sysstat_forks", 1.0),
        },
    )


def _traffic(received: str, sent: str) -> Reader:
    def read(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
        values: dict[Key, float] = {}
        for column, value in fields.items():
            match = _TRAFFIC.fullmatch(column)
            if match and is_watched_interface(match[1]) and not match[1].startswith("lo"):
                values[INTERFACES, received if match[2] == "read" else sent, match[1]] = value
        return values

    return read


def _devices(metric: str) -> Reader:
    def read(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
        return {(DEVICES, metric, name): value for name, value in fields.items() if value >= 0}

    return read


def _filesystems(section: str, fields: Fields, host: HostIdentity) -> dict[Key, float]:
    return {
        (FILESYSTEMS, "host_fs_used_pct", point): value
        for point, value in fields.items()
        if point.startswith("/") and not _MADE_UP.fullmatch(point)
    }


def finish_interval(values: dict[Key, float]) -> None:
    """What follows from several sections of an interval together; partitions of devices go."""
    held, total = values.pop((KERNEL, HELD, ""), None), values.get((KERNEL, "host_mem_total_kb", ""))
    if held is not None and total is not None:
        values[KERNEL, "sysstat_mem_available_kb", ""] = total * (1.0 - held / 100.0)
    names = {name for category, _, name in values if category == DEVICES}
    for name in names:
        if is_whole_device(name, names):
            _finish_device(values, name)
        else:
            for key in [key for key in values if key[0] == DEVICES and key[2] == name]:
                del values[key]


def _finish_device(values: dict[Key, float], name: str) -> None:
    """Response is wait and service; an idle device has no averages over requests."""
    waited = values.pop((DEVICES, WAIT, name), None)
    service = values.get((DEVICES, "sysstat_disk_svctm_ms", name))
    if waited is not None and service is not None:
        values[DEVICES, "sysstat_disk_await_ms", name] = waited + service
    if not values.get((DEVICES, "sysstat_disk_iops", name)):
        for average in ("sysstat_disk_size_kb", "sysstat_disk_svctm_ms", "sysstat_disk_await_ms"):
            values.pop((DEVICES, average, name), None)
    values |= device_totals(values, name)


_DISKS = "block devices"
SECTIONS = {
    "CPU_ALL": NmonSection("processors", _processors, 4),
    "CPU": NmonSection("processors", _processors, 4),
    "MEM": NmonSection("memory", _memory, 4),
    "MEMNEW": NmonSection("memory", _memory_use, 3),
    "PAGE": NmonSection("paging", _paging, 7),
    "PROC": NmonSection("run queue and switches", _processes, 3),
    "NET": NmonSection("network interfaces", _traffic("sysstat_net_rx_kb", "sysstat_net_tx_kb")),
    "NETPACKET": NmonSection(
        "network interfaces", _traffic("sysstat_net_rx_packets", "sysstat_net_tx_packets")
    ),
    "DISKBUSY": NmonSection(_DISKS, _devices("sysstat_disk_util_pct")),
    "DISKREAD": NmonSection(_DISKS, _devices("sysstat_disk_read_kb")),
    "DISKWRITE": NmonSection(_DISKS, _devices("sysstat_disk_write_kb")),
    "DISKXFER": NmonSection(_DISKS, _devices("sysstat_disk_iops")),
    "DISKRIO": NmonSection(_DISKS, _devices("sysstat_disk_read_iops")),
    "DISKWIO": NmonSection(_DISKS, _devices("sysstat_disk_write_iops")),
    "DISKBSIZE": NmonSection(_DISKS, _devices("sysstat_disk_size_kb")),
    "DISKSERV": NmonSection(_DISKS, _devices("sysstat_disk_svctm_ms")),
    "DISKWAIT": NmonSection(_DISKS, _devices(WAIT)),
    "JFSFILE": NmonSection("filesystems", _filesystems),
}
