"""
From texts to readings, source by source. One source that fails takes no other with it.

The same texts come from this machine's files and from another's over SSH; nothing here knows which.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from apps.collection.collector import Reading, SourceRun
from apps.platforms.linux import devices, proc, sadf, switches
from apps.platforms.linux.metrics.categories import (
    DEVICES,
    INTERFACES,
    KERNEL,
    NODES,
    PROCESSORS,
    SYSSTAT,
    TCP,
    THREADS,
)

Texts = Mapping[str, str]  # path -> what the file holds
PAGE_SIZE = "getconf PAGESIZE"
MOUNTS = "/proc/self/mountinfo"
INTERRUPTS = "/proc/interrupts"
# its columns added up where it lies: of many processors it is a megabyte
SUM_INTERRUPTS = """awk '
    NR == 1 { for (place = 1; place <= NF; place++) name[place] = $place; processors = NF; next }
    NF > processors { for (place = 1; place <= processors; place++) sum[place] += $(place + 1) }
    END {
        for (place = 1; place <= processors; place++) printf "%s ", name[place]
        printf "\\nsum:"
        for (place = 1; place <= processors; place++) printf " %.0f", sum[place]
        print ""
    }'"""

# what the facts are read from, beside the sources
FOR_FACTS = (
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/ostype",
    "/proc/sys/kernel/random/boot_id",
    "/etc/os-release",
    "/.dockerenv",
    "/run/.containerenv",
    "/run/systemd/container",
    MOUNTS,
    f"{devices.UDEV}*",
)


@dataclass(frozen=True)
class ProcSource:
    """Some files and what they say. `needs` must be there; `patterns` may be."""

    name: str
    category: int
    needs: tuple[str, ...]
    patterns: tuple[str, ...]
    read: Callable[[Texts], list[Reading]]
    is_optional: bool = False  # a machine without it is no failure

    @property
    def files(self) -> tuple[str, ...]:
        return self.needs + self.patterns

    def run(self, texts: Texts, seconds: float) -> SourceRun:
        missing = [path for path in self.needs if not texts.get(path)]
        if missing:
            sentence = f"{' and '.join(missing)} could not be read."
            return SourceRun(name=self.name, category=self.category, seconds=seconds, error=sentence)
        try:
            readings = self.read(texts)
        except (ValueError, LookupError) as error:
            sentence = f"{self.name} does not look as expected: {error!r}."
            return SourceRun(name=self.name, category=self.category, seconds=seconds, error=sentence)
        return SourceRun(name=self.name, category=self.category, seconds=seconds, readings=readings)


def _kernel(texts: Texts) -> list[Reading]:
    readings = proc.parse_stat(texts["/proc/stat"]) + proc.parse_meminfo(texts["/proc/meminfo"])
    readings += proc.parse_vmstat(texts.get("/proc/vmstat", ""))
    if "/proc/loadavg" in texts:
        readings += proc.parse_loadavg(texts["/proc/loadavg"])
    for resource in ("cpu", "io", "memory"):
        readings += proc.parse_pressure(resource, texts.get(f"/proc/pressure/{resource}", ""))
    readings += proc.parse_cpuinfo(texts.get("/proc/cpuinfo", ""))
    if size := texts.get(PAGE_SIZE, "").strip():
        readings.append(Reading("host_page_size_kb", int(size) / 1024))
    if nodes := _nodes(texts):
        readings.append(Reading("host_numa_nodes", len(nodes)))
    return readings


def _nodes(texts: Texts) -> dict[str, str]:
    matches = {path: re.fullmatch(r"/sys/devices/system/node/node(\d+)/meminfo", path) for path in texts}
    return {match[1]: texts[path] for path, match in matches.items() if match}


def names_of_devices(texts: Texts) -> dict[str, str]:
    """Block devices worth watching, by every name their readings may come under."""
    matches = {path: re.fullmatch(r"/sys/block/([^/]+)/dm/name", path) for path in texts}
    mapped = {match[1]: texts[path].strip() for path, match in matches.items() if match}
    return devices.device_names(texts.get("/proc/diskstats", ""), mapped)


def _block_devices(texts: Texts) -> list[Reading]:
    names = names_of_devices(texts)
    counted = devices.parse_diskstats(texts["/proc/diskstats"], names)
    used = {reading.component for reading in counted}
    return counted + [depth for depth in devices.parse_queue_depths(texts, names) if depth.component in used]


def _interfaces(texts: Texts) -> list[Reading]:
    counted = devices.parse_net_dev(texts["/proc/net/dev"])
    used = {reading.component for reading in counted}
    return counted + [speed for speed in devices.parse_speeds(texts) if speed.component in used]


def _memory_nodes(texts: Texts) -> list[Reading]:
    return [
        reading for node, text in sorted(_nodes(texts).items()) for reading in proc.parse_node(node, text)
    ]


SOURCES = (
    ProcSource(
        "/proc: stat, meminfo, vmstat, loadavg",
        KERNEL,
        ("/proc/stat", "/proc/meminfo"),
        (
            "/proc/vmstat",
            "/proc/loadavg",
            "/proc/pressure/cpu",
            "/proc/pressure/io",
            "/proc/pressure/memory",
            "/proc/cpuinfo",
            "/sys/devices/system/node/node*/meminfo",
        ),
        _kernel,
    ),
    ProcSource(
        "/proc/diskstats",
        DEVICES,
        ("/proc/diskstats",),
        (
            "/sys/block/*/dm/name",
            "/sys/block/dm-*/slaves/*/dev",
            "/sys/block/md*/slaves/*/dev",
            "/sys/block/*/device/queue_depth",
            "/sys/block/nvme*/queue/nr_requests",
            "/sys/block/vd*/queue/nr_requests",
        ),
        _block_devices,
    ),
    ProcSource("/proc/net/dev", INTERFACES, ("/proc/net/dev",), ("/sys/class/net/*/speed",), _interfaces),
    ProcSource(
        "/proc/net/snmp",
        TCP,
        ("/proc/net/snmp",),
        ("/proc/net/netstat",),
        lambda texts: proc.parse_tcp(texts["/proc/net/snmp"], texts.get("/proc/net/netstat", "")),
    ),
    ProcSource(
        "/proc/stat: processors",
        PROCESSORS,
        ("/proc/stat",),
        (INTERRUPTS,),
        lambda texts: (
            proc.parse_processors(texts["/proc/stat"]) + proc.parse_interrupts(texts.get(INTERRUPTS, ""))
        ),
    ),
    ProcSource(
        "/sys/devices/system/node",
        NODES,
        (),
        ("/sys/devices/system/node/node*/meminfo",),
        _memory_nodes,
        is_optional=True,
    ),
    ProcSource("/proc: status of each thread", THREADS, (), (), switches.read_switches, is_optional=True),
)


def split_texts(output: str) -> dict[str, str]:
    """The texts that a script printed one below the other, each under a line "==== name"."""
    parts = re.split(r"^==== (.+)\n", output, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def add_sysstat(
    runs: Iterable[SourceRun], texts: Texts, now: datetime, slot: timedelta, seconds: float
) -> list[SourceRun]:
    """
    Put what sysstat averaged since the slot before beside what the kernel counted.

    Without sysstat, or where it does not collect, nothing is added; records that cannot be read are told as a failure.
    """
    runs, names = list(runs), names_of_devices(texts)
    samples, failure = [], ""
    for path, text in texts.items():
        if not re.search(r"/sa\d+$", path):
            continue
        try:
            samples += sadf.read_samples(text)
        except sadf.UnreadableRecords as error:
            failure = f"{path}: {error}"
    means = sadf.averages(sadf.stretch(samples, now, slot), names)
    if failure:
        runs.append(SourceRun(name="sadf", category=SYSSTAT, seconds=seconds, error=failure))
    return [_with(run, means.get(run.category, []), seconds) for run in runs]


def _with(run: SourceRun, readings: list[Reading], seconds: float) -> SourceRun:
    if run.error or not readings:
        return run
    whole = [*run.readings, *readings]
    return replace(run, name=f"{run.name}; sadf", seconds=run.seconds + seconds, readings=whole)
