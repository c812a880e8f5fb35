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
from apps.platforms.linux.files import sar_tables
from apps.platforms.linux.files.opening import CHUNK
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.tool_reports import ToolReports
from apps.platforms.linux.metrics.categories import DEVICES
from apps.platforms.linux.sadf import Key, UnreadableRecords, moment_of, values_of

LARGEST = 16_000_000  # characters of one interval
_BEGIN = '"statistics"'
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
_CUT_OFF = "The file ends in the middle of its records: it was cut off. Copy it again."


def read_sadf_json(text: TextIO, records: HostRecords, zone: ZoneInfo) -> None:
    """Read the records of one host. Raises UnreadableFile."""
    stream = _JsonStream(text)
    header = stream.header()
    records.host = HostIdentity(
        *(str(header.get(name, "")) for name in ("nodename", "sysname", "release", "machine"))
    )
    try:
        take_settings(header, records)
        reports = ToolReports(records, header, zone)
        for statistics in stream.statistics():
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


class _JsonStream:
    """The one host of a file: what stands before its statistics, each of them, and what stands behind."""

    def __init__(self, text: TextIO) -> None:
        self._text, self._buffer, self._at = text, "", 0
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)

    def header(self) -> dict[str, Any]:
        """What is said of the host before the statistics begin. Raises UnreadableFile."""
        while _BEGIN not in self._buffer:
            if len(self._buffer) > LARGEST or not self._more():
                raise UnreadableFile("These are not records as sadf -j prints them: there are no statistics.")
        begins = self._buffer.index(_BEGIN)
        opening = self._buffer.find("{", max(self._buffer.find('"hosts"'), 0), begins)
        fragment = self._buffer[opening:begins].rstrip().rstrip(",") + "}"
        self._at = self._find("[", begins)
        try:
            return dict(json.loads(fragment))
        except (ValueError, TypeError):
            raise UnreadableFile("These are not records as sadf -j prints them.") from None

    def statistics(self) -> Iterator[dict[str, Any]]:
        """The elements of the list one by one. Raises UnreadableFile."""
        while True:
            self._skip(" \t\r\n,")
            if self._buffer[self._at] == "]":
                self._at += 1
                return
            yield self._decode()
            self._buffer, self._at = self._buffer[self._at :], 0

    def rest(self) -> dict[str, Any]:
        """What is said of the host behind its statistics."""
        self._skip(" \t\r\n")
        if self._buffer[self._at] != ",":
            return {}
        self._buffer, self._at = "{" + self._buffer[self._at + 1 :], 0
        return self._decode()

    def _decode(self) -> dict[str, Any]:
        while True:
            try:
                element, self._at = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError:
                if len(self._buffer) - self._at > LARGEST or not self._more():
                    raise UnreadableFile(_CUT_OFF) from None
                continue
            except (ValueError, RecursionError):
                raise UnreadableFile("These are not records as sadf -j prints them.") from None
            if not isinstance(element, dict):
                raise UnreadableFile("These are not records as sadf -j prints them.")
            return element

    def _more(self) -> bool:
        chunk = self._text.read(CHUNK)
        self._buffer += chunk
        return bool(chunk)

    def _find(self, character: str, begins: int) -> int:
        while (place := self._buffer.find(character, begins)) < 0:
            if not self._more():
                raise UnreadableFile(_CUT_OFF)
        return place + 1

    def _skip(self, characters: str) -> None:
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in characters:
                self._at += 1
            if self._at < len(self._buffer):
                return
            if not self._more():
                raise UnreadableFile(_CUT_OFF)


def _refuse_constant(name: str) -> float:
    raise ValueError(name)
