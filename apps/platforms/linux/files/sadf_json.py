"""
What `sadf -j` prints, statistics by statistics: a file is never held as a whole.

What stands for the machine is read as the collector reads it; beside it processors one by one, filesystems and what sar
tells of memory and huge pages.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any, TextIO
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.collection.json_stream import JsonStream
from apps.platforms.linux.files import sar_tables
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.tool_reports import ToolReports
from apps.platforms.linux.metrics.categories import DEVICES
from apps.platforms.linux.sadf import Key, UnreadableRecords, moment_of, values_of

_TITLES = {  # what is read of an interval, as people are told
    "cpu-load": "processors (-u)",
    "cpu-load-all": "processors (-u)",
    "process-and-context-switch": "processes begun and switches (-w)",
    "interrupts": "interrupts (-I)",
    "swap-pages": "swapping (-W)",
    "paging": "paging (-B)",
    "memory": "memory (-r)",
    "hugepages": "huge pages (-H)",
    "queue": "run queue and load (-q)",
    "disk": "block devices (-d)",
    "network": "network interfaces (-n)",
    "filesystems": "filesystems (-F)",
    "psi": "pressure",
}
_MEMORY = {
    "memfree": "kbmemfree",
    "avail": "kbavail",
    "memused": "kbmemused",
    "memused-percent": "%memused",
    "buffers": "kbbuffers",
    "cached": "kbcached",
    "anonpg": "kbanonpg",
    "slab": "kbslab",
    "pgtbl": "kbpgtbl",
}
_HUGE_PAGES = {"hugfree": "kbhugfree", "hugused": "kbhugused", "hugrsvd": "kbhugrsvd", "hugsurp": "kbhugsurp"}


def read_sadf_json(text: TextIO, records: HostRecords, zone: ZoneInfo) -> None:
    """Read the records of one host. Raises UnreadableFile."""
    stream = JsonStream(text, '"statistics"', "records as sadf -j prints them")
    header = _header(stream)
    records.host = HostIdentity(
        *(str(header.get(name, "")) for name in ("nodename", "sysname", "release", "machine"))
    )
    try:
        take_settings(header, records)
        reports = ToolReports(records, header, zone)
        for statistics in stream.elements():
            if isinstance(statistics.get("timestamp"), str):
                reports.add(statistics)
            else:
                add_statistics(statistics, records, zone)
        rest = stream.rest()
        if set(rest) & {"nodename", "statistics"}:
            raise UnreadableFile("The file holds records of several hosts; give each its own file.")
        take_restarts([*header.get("restarts", ()), *rest.get("restarts", ())], records, zone)
    except UnreadableRecords as error:
        raise UnreadableFile(str(error)) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableFile(f"These are not records as sadf -j prints them: {error!r}."[:300]) from None


def _header(stream: JsonStream) -> dict[str, Any]:
    """What is said of the host before the statistics begin. Raises UnreadableFile."""
    before = stream.before()
    fragment = before[before.find("{", max(before.find('"hosts"'), 0)) :].rstrip().rstrip(",") + "}"
    try:
        return dict(json.loads(fragment))
    except (ValueError, TypeError):
        raise stream.unreadable() from None


def take_settings(header: Mapping[str, Any], records: HostRecords) -> None:
    """What the header says of the machine."""
    if "number-of-cpus" in header:
        records.set_from("host_cpus", float(header["number-of-cpus"]), None)


def take_restarts(restarts: Sequence[Mapping[str, Any]], records: HostRecords, zone: ZoneInfo) -> None:
    """When the host was started, and with how many processors from then on."""
    for boot in (entry["boot"] for entry in restarts if "boot" in entry):
        moment = moment_of(boot, zone)
        records.restarts.add(moment)
        if "cpu_count" in boot:
            records.set_from("host_cpus", float(boot["cpu_count"]), moment)


def add_statistics(statistics: Mapping[str, Any], records: HostRecords, zone: ZoneInfo) -> None:
    """One interval; empty objects, which sadf prints between the steps it was asked for, are left out."""
    stamp = statistics.get("timestamp")
    if not stamp or len(statistics) == 1:
        return
    ended_at = moment_of(stamp, zone)
    seconds = float(stamp.get("interval", 0))
    if not 0 < seconds <= 86_400 * 7:
        return
    for name in statistics:
        if name in _TITLES:
            records.understood[_TITLES[name]] += 1
        elif name != "timestamp":
            records.ignored[name] += 1
    values = dict(chain(values_of(statistics), _further_values(statistics, records.host)))
    for disk in statistics.get("disk", ()):
        values |= sar_tables.device_totals(values, str(disk["disk-device"]))
    for _, _, component in values:
        records.check_component(component)
    records.add(ended_at - timedelta(seconds=seconds), ended_at, values)


def _further_values(statistics: Mapping[str, Any], host: HostIdentity) -> Iterator[tuple[Key, float]]:
    for load in statistics.get("cpu-load") or statistics.get("cpu-load-all") or ():
        if str(load["cpu"]).isdigit():
            fields = {"%idle": float(load["idle"]), "%iowait": float(load["iowait"])}
            yield from sar_tables.read_processor(fields, str(load["cpu"]), host).items()
    if "memory" in statistics:
        yield from sar_tables.read_memory(_fields(statistics["memory"], _MEMORY), "", host).items()
    if "hugepages" in statistics:
        yield from sar_tables.read_huge_pages(_fields(statistics["hugepages"], _HUGE_PAGES), "", host).items()
    for filesystem in statistics.get("filesystems", ()):
        name = str(filesystem.get("filesystem") or filesystem.get("mountpoint"))
        fields = {
            key: float(value) for key, value in filesystem.items() if key not in ("filesystem", "mountpoint")
        }
        yield from sar_tables.read_filesystem(fields, name, host).items()
    for disk in statistics.get("disk", ()):
        if "svctm" in disk and float(disk.get("tps", 0)):
            yield (DEVICES, "sysstat_disk_svctm_ms", str(disk["disk-device"])), float(disk["svctm"])


def _fields(activity: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, float]:
    return {column: float(activity[name]) for name, column in names.items() if name in activity}
