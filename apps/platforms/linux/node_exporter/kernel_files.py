"""
The files of the kernel that a page of node_exporter was made from.

Read as these, a host has the same statistics under the same names, and the same devices and interfaces are watched, as where
it shows its files itself.
"""

from collections.abc import Iterator, Sequence

from apps.platforms.linux.node_exporter.metrics_page import MetricsPage
from apps.platforms.linux.node_exporter.spaces import devices_of_mounts, mount_lines
from apps.platforms.linux.sources import MOUNTS, PAGE_SIZE

_CPU = "node_cpu_seconds_total"
_STATES = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
_TICKS = 100  # a second
_STAT = {
    "intr": "node_intr_total",
    "ctxt": "node_context_switches_total",
    "btime": "node_boot_time_seconds",
    "processes": "node_forks_total",
    "procs_running": "node_procs_running",
    "procs_blocked": "node_procs_blocked",
}
_SECTOR = 512
# the fields of /proc/diskstats behind the name, each with what one of it is; 0: it does not say
_DISK = (
    ("node_disk_reads_completed_total", 1.0),
    ("", 0),
    ("node_disk_read_bytes_total", 1 / _SECTOR),
    ("node_disk_read_time_seconds_total", 1000.0),
    ("node_disk_writes_completed_total", 1.0),
    ("", 0),
    ("node_disk_written_bytes_total", 1 / _SECTOR),
    ("node_disk_write_time_seconds_total", 1000.0),
    ("", 0),
    ("node_disk_io_time_seconds_total", 1000.0),
    ("node_disk_io_time_weighted_seconds_total", 1000.0),
)
_NET = tuple(
    f"node_network_{direction}_{what}_total"
    for direction in ("receive", "transmit")
    for what in ("bytes", "packets", "errs", "drop")
)
_SYSTEM = {
    "/proc/sys/kernel/hostname": "nodename",
    "/proc/sys/kernel/osrelease": "release",
    "/proc/sys/kernel/ostype": "sysname",
}
_PAGE_SIZES = {"x86_64": 4096}  # of machines that have one alone


def kernel_files(page: MetricsPage) -> dict[str, str]:
    """The files by their paths; those that the page tells nothing of are left out."""
    mounted = _numbers_of_mounted(page)
    files = {
        "/proc/stat": _stat(page),
        "/proc/cpuinfo": _cpuinfo(page),
        "/proc/meminfo": _meminfo(page),
        "/proc/vmstat": _vmstat(page),
        "/proc/loadavg": _loadavg(page),
        "/proc/diskstats": _diskstats(page, mounted),
        "/proc/net/dev": _net_dev(page),
        "/proc/net/snmp": _protocol(page, "Tcp", "OutSegs", "RetransSegs"),
        "/proc/net/netstat": _protocol(page, "TcpExt", "ListenDrops"),
        MOUNTS: mount_lines(page, _numbers(page) | mounted),
        **dict(_pressure(page)),
        **dict(_nodes(page)),
        **dict(_names_and_speeds(page)),
        **dict(_system(page)),
    }
    return {path: text for path, text in files.items() if text}


def _stat(page: MetricsPage) -> str:
    processors: dict[str, dict[str, float]] = {}
    for labels, seconds in page.series.get(_CPU, ()):
        processors.setdefault(labels.get("cpu", ""), {})[labels.get("mode", "")] = seconds
    if not processors:
        return ""
    rows = {
        f"cpu{number}": [round(states.get(state, 0.0) * _TICKS) for state in _STATES]
        for number, states in processors.items()
    }
    rows = {"cpu": [sum(column) for column in zip(*rows.values(), strict=True)]} | rows
    lines = [f"{name} {' '.join(map(str, ticks))}" for name, ticks in rows.items()]
    lines += [
        f"{field} {value:.0f}" for field, name in _STAT.items() if (value := page.value(name)) is not None
    ]
    return "\n".join(lines) + "\n"


def _cpuinfo(page: MetricsPage) -> str:
    return "\n".join(
        f"physical id : {labels.get('package')}\ncore id : {labels.get('core')}\nmodel name : {labels.get('model_name')}\n"
        for labels in page.labels("node_cpu_info")
    )


def _meminfo(page: MetricsPage) -> str:
    """Sizes are in bytes, numbers of huge pages as they are."""
    lines = []
    for series in page.series:
        name = series.removeprefix("node_memory_")
        value = page.value(series)
        if name == series or name.startswith("numa_") or value is None:
            continue
        is_size = name.endswith("_bytes")
        lines.append(f"{name.removesuffix('_bytes')}: {value / 1024 if is_size else value:.0f}\n")
    return "".join(lines)


def _nodes(page: MetricsPage) -> Iterator[tuple[str, str]]:
    """Memory nodes, where node_exporter looks at them."""
    prefix = "node_memory_numa_"
    nodes: dict[str, list[str]] = {}
    for series in page.series:
        name = series.removeprefix(prefix)
        if name == series:
            continue
        size = 1 if name.startswith("HugePages_") else 1024
        for node, value in page.by("node", series).items():
            nodes.setdefault(node, []).append(f"Node {node} {name}: {value / size:.0f}\n")
    for node, lines in nodes.items():
        yield f"/sys/devices/system/node/node{node}/meminfo", "".join(lines)


def _vmstat(page: MetricsPage) -> str:
    return "".join(
        f"{series.removeprefix('node_vmstat_')} {page.value(series):.0f}\n"
        for series in page.series
        if series.startswith("node_vmstat_")
    )


def _loadavg(page: MetricsPage) -> str:
    loads = [page.value(f"node_load{minutes}") for minutes in (1, 5, 15)]
    threads = page.value("node_processes_threads")
    if None in loads:
        return ""
    return f"{' '.join(map(str, loads))} {'-' if threads is None else f'-/{threads:.0f}'}\n"


def _pressure(page: MetricsPage) -> Iterator[tuple[str, str]]:
    for resource in ("cpu", "io", "memory"):
        seconds = page.value(f"node_pressure_{resource}_waiting_seconds_total")
        if seconds is not None:
            yield f"/proc/pressure/{resource}", f"some total={seconds * 1e6:.0f}\n"


def _numbers(page: MetricsPage) -> dict[str, str]:
    """The numbers of devices, by the names of devices and of what the device mapper made of them."""
    numbered = {
        labels["device"]: f"{labels.get('major')}:{labels.get('minor')}"
        for labels in page.labels("node_disk_info")
    }
    devices = page.by("device", _DISK[0][0])
    numbers = {device: numbered.get(device, f"0:{row}") for row, device in enumerate(devices)}
    return numbers | {
        readable: numbers[device] for device, readable in _mapped(page).items() if device in numbers
    }


def _numbers_of_mounted(page: MetricsPage) -> dict[str, str]:
    """Numbers for partitions that filesystems lie on: pages tell of whole devices alone."""
    whole = _numbers(page)
    return {device: f"-:{row}" for row, device in enumerate(devices_of_mounts(page)) if device not in whole}


def _mapped(page: MetricsPage) -> dict[str, str]:
    rows = page.labels("node_disk_device_mapper_info")
    return {labels["device"]: labels["name"] for labels in rows if labels.get("name")}


def _diskstats(page: MetricsPage, mounted: dict[str, str]) -> str:
    names = [name for name, _ in _DISK if name]
    sizes = [size for name, size in _DISK if name]
    numbers = _numbers(page)
    lines = []
    for device, row in page.rows("device", names).items():
        values = iter(value * size for value, size in zip(row, sizes, strict=True))
        fields = [f"{next(values):.0f}" if name else "0" for name, _ in _DISK]
        lines.append(" ".join([*numbers[device].split(":"), device, *fields]))
    lines += [f"{' '.join(number.split(':'))} {device} -" for device, number in mounted.items()]
    return "\n".join(lines)


def _net_dev(page: MetricsPage) -> str:
    return "".join(
        f"{device}: {_fields(row[:4])} 0 0 0 0 {_fields(row[4:])}\n"
        for device, row in page.rows("device", _NET).items()
    )


def _fields(values: Sequence[float]) -> str:
    return " ".join(f"{value:.0f}" for value in values)


def _protocol(page: MetricsPage, protocol: str, *names: str) -> str:
    values = [page.value(f"node_netstat_{protocol}_{name}") for name in names]
    counts = [value for value in values if value is not None]
    if len(counts) < len(names):
        return ""
    return f"{protocol}: {' '.join(names)}\n{protocol}: {_fields(counts)}\n"


def _names_and_speeds(page: MetricsPage) -> Iterator[tuple[str, str]]:
    for device, name in _mapped(page).items():
        yield f"/sys/block/{device}/dm/name", name
    for device, speed in page.by("device", "node_network_speed_bytes").items():
        if speed > 0:
            yield f"/sys/class/net/{device}/speed", f"{speed * 8 / 1e6:.0f}"


def _system(page: MetricsPage) -> Iterator[tuple[str, str]]:
    """What labels say of the system: its names, its release, and the size of a page."""
    for labels in page.labels("node_uname_info")[:1]:
        for path, label in _SYSTEM.items():
            yield path, labels.get(label, "")
        yield PAGE_SIZE, str(_PAGE_SIZES.get(labels.get("machine", ""), ""))
    for labels in page.labels("node_os_info")[:1]:
        yield "/etc/os-release", f'PRETTY_NAME="{labels.get("pretty_name", "")}"\n'
