"""The files of the kernel that count for the machine as a whole: text in, readings out."""

import re
from collections.abc import Iterator, Mapping

from apps.collection.collector import Reading

_STATES = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
_STAT = {
    "ctxt": "context_switches",
    "intr": "interrupts",
    "processes": "forks",
    "procs_running": "procs_running",
    "procs_blocked": "procs_blocked",
}
_MEMINFO = {
    "MemTotal": "host_mem_total_kb",
    "MemFree": "mem_free_kb",
    "AnonPages": "host_mem_anon_kb",
    "Cached": "host_mem_cached_kb",
    "Slab": "host_mem_slab_kb",
    "AnonHugePages": "host_thp_kb",
    "PageTables": "mem_pagetables_kb",
    "Committed_AS": "mem_committed_kb",
    "SwapTotal": "swap_total_kb",
    "SwapFree": "swap_free_kb",
    "HugePages_Total": "host_hugepages_total",
    "HugePages_Free": "host_hugepages_free",
    "HugePages_Rsvd": "host_hugepages_rsvd",
    "HugePages_Surp": "host_hugepages_surp",
    "Hugepagesize": "host_hugepage_size_kb",
}
_VMSTAT = {
    "pgpgin": "vm_page_in_kb",
    "pgpgout": "vm_page_out_kb",
    "pswpin": "vm_swap_in_pages",
    "pswpout": "vm_swap_out_pages",
    "pgfault": "vm_faults",
    "pgmajfault": "vm_major_faults",
    "numa_miss": "numa_miss",
}
# kernels before 4.8 count these per zone (pgscan_kswapd_normal); a throttled direct scan is an event, not a page
_SCANNED = re.compile(r"pgscan_(kswapd|direct)(_(?!throttle)\w+)?")


def _rows(text: str) -> Iterator[list[str]]:
    return (words for line in text.splitlines() if (words := line.split()))


def parse_stat(text: str) -> list[Reading]:
    """Processor time by state, switches, interrupts and the run queue, from /proc/stat."""
    rows = {words[0]: words[1:] for words in _rows(text)}
    ticks = _ticks(rows["cpu"])
    readings = [Reading(f"cpu_{state}_ticks", value) for state, value in ticks.items()]
    readings += [
        Reading("cpu_unused_ticks", ticks["idle"] + ticks["iowait"]),
        Reading("cpu_total_ticks", sum(ticks.values())),
        Reading("host_cpus", len(_processors(rows))),
    ]
    return readings + [
        Reading(metric, float(rows[name][0])) for name, metric in _STAT.items() if name in rows
    ]


def parse_processors(text: str) -> list[Reading]:
    """Busy and idle time of each processor, from /proc/stat."""
    readings = []
    for number, fields in _processors({words[0]: words[1:] for words in _rows(text)}).items():
        ticks = _ticks(fields)
        unused = ticks["idle"] + ticks["iowait"]
        readings += [
            Reading("processor_busy_ticks", sum(ticks.values()) - unused, number),
            Reading("processor_idle_ticks", unused, number),
        ]
    return readings


def parse_interrupts(text: str) -> list[Reading]:
    """Interrupts that each processor took since start-up, from /proc/interrupts."""
    head, _, rest = text.partition("\n")
    names = [name.removeprefix("CPU") for name in head.split()]
    totals = [0.0] * len(names)
    for words in _rows(rest):
        counts = words[1 : len(names) + 1]
        if len(counts) == len(names) and all(count.isdigit() for count in counts):
            totals = [total + float(count) for total, count in zip(totals, counts, strict=True)]
    return [Reading("processor_interrupts", total, name) for name, total in zip(names, totals, strict=True)]


def _processors(rows: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name[3:]: fields for name, fields in rows.items() if re.fullmatch(r"cpu\d+", name)}


def _ticks(fields: list[str]) -> dict[str, float]:
    """Old kernels have fewer states; what they do not know took no time. Guests are inside user and nice."""
    counted = [float(field) for field in fields[: len(_STATES)]]
    return dict(zip(_STATES, counted + [0.0] * (len(_STATES) - len(counted)), strict=True))


def parse_meminfo(text: str) -> list[Reading]:
    """Memory, swap and huge pages, from /proc/meminfo."""
    fields = meminfo_fields(text)
    readings = [Reading(metric, fields[name]) for name, metric in _MEMINFO.items() if name in fields]
    return [*readings, Reading("mem_available_kb", _available(fields))]


def meminfo_fields(text: str) -> dict[str, float]:
    """The fields of a meminfo file, that of a memory node ("Node 0 MemTotal: …") included."""
    fields = re.findall(r"^(?:Node\s+\d+\s+)?(\S+):\s+(\d+)", text, flags=re.MULTILINE)
    return {name: float(value) for name, value in fields}


def _available(fields: Mapping[str, float]) -> float:
    """
    What programs could get without swapping.

    Kernels before 3.14 do not estimate it: there it is what is free and what could be dropped. Shared memory, such as
    an SGA, is counted among the cached files and cannot be dropped.
    """
    if "MemAvailable" in fields:
        return fields["MemAvailable"]
    droppable = sum(fields.get(name, 0.0) for name in ("Buffers", "Cached", "SReclaimable")) - fields.get(
        "Shmem", 0.0
    )
    return fields["MemFree"] + max(droppable, 0.0)


def parse_vmstat(text: str) -> list[Reading]:
    """Paging, swapping and faults, from /proc/vmstat."""
    fields = {words[0]: float(words[1]) for words in _rows(text) if len(words) == 2}
    readings = [Reading(metric, fields[name]) for name, metric in _VMSTAT.items() if name in fields]
    scanned = [value for name, value in fields.items() if _SCANNED.fullmatch(name)]
    return [*readings, Reading("vm_scanned_pages", sum(scanned))] if scanned else readings


def parse_loadavg(text: str) -> list[Reading]:
    """Load averages and, where it is there, the number of tasks, from /proc/loadavg."""
    minute, five, fifteen, running = text.split()[:4]
    readings = [
        Reading("load_1", float(minute)),
        Reading("load_5", float(five)),
        Reading("load_15", float(fifteen)),
    ]
    tasks = running.partition("/")[2]
    return [*readings, Reading("tasks", float(tasks))] if tasks else readings


def parse_pressure(resource: str, text: str) -> list[Reading]:
    """Microseconds in which some task waited for a resource, from /proc/pressure."""
    match = re.search(r"^some\b.*\btotal=(\d+)", text, flags=re.MULTILINE)
    return [Reading(f"psi_{resource}_some_us", float(match[1]))] if match else []


def parse_cpuinfo(text: str) -> list[Reading]:
    """Sockets and cores, where the processor tells (virtual and ARM ones often do not)."""
    sockets, cores = set(), set()
    for block in text.split("\n\n"):
        fields = dict(re.findall(r"^(physical id|core id)\s*:\s*(\d+)", block, flags=re.MULTILINE))
        if "physical id" in fields:
            sockets.add(fields["physical id"])
            cores.add((fields["physical id"], fields.get("core id")))
    return [Reading("host_sockets", len(sockets)), Reading("host_cores", len(cores))] if sockets else []


def parse_node(node: str, text: str) -> list[Reading]:
    """One memory node, from its own meminfo."""
    fields = meminfo_fields(text)
    cached = fields.get("FilePages", 0.0) - fields.get("Shmem", 0.0)
    return [
        Reading("node_mem_total_kb", fields["MemTotal"], node),
        Reading("node_mem_free_kb", fields["MemFree"], node),
        Reading("node_file_cache_kb", max(cached, 0.0), node),
        Reading("node_hugepages", fields.get("HugePages_Total", 0.0), node),
    ]


def parse_tcp(snmp: str, netstat: str) -> list[Reading]:
    """Segments sent, sent again, and connections not accepted, from /proc/net/snmp and netstat."""
    tcp, extended = _protocol("Tcp", snmp), _protocol("TcpExt", netstat)
    readings = [Reading("tcp_sent", tcp["OutSegs"]), Reading("tcp_retransmitted", tcp["RetransSegs"])]
    if "ListenDrops" in extended:
        readings.append(Reading("tcp_listen_drops", extended["ListenDrops"]))
    return readings


def _protocol(name: str, text: str) -> dict[str, float]:
    """A protocol's names and numbers, which stand on two lines below each other."""
    lines = [words[1:] for words in _rows(text) if words[0] == f"{name}:"]
    if len(lines) < 2:
        return {}
    return {key: float(value) for key, value in zip(lines[0], lines[1], strict=False)}
