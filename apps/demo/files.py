"""The data and temp files of an instance: its requests shared out by how much lies on each, as slow as its waits say."""

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np

from apps.demo.parts import DemoInstance, DemoTablespace
from apps.demo.rhythm import Days, Floats, wobble
from apps.demo.timeline import Key, high_water
from apps.demo.traffic import BLOCK, Traffic

LARGEST_GB = 512  # of a file; a larger tablespace has several
MOST_FILES = 4
USUAL = {
    "db file sequential read": 4800.0,
    "db file scattered read": 8200.0,
    "db file parallel write": 2600.0,
}
CENTISECOND = 10_000.0  # microseconds


def files_of(member: DemoInstance) -> dict[str, tuple[DemoTablespace, float]]:
    """The files by name, each with its tablespace and its share of it."""
    files = {}
    for tablespace in member.tablespaces:
        count = min(MOST_FILES, max(1, ceil(tablespace.most / LARGEST_GB)))
        for number in range(1, count + 1):
            files[_name(member, tablespace, number)] = (tablespace, 1 / count)
    return files


def _name(member: DemoInstance, tablespace: DemoTablespace, number: int) -> str:
    database = member.name.rstrip("1")
    if any(group.name == "DATA" for group in member.disk_groups):
        kind = "TEMPFILE" if tablespace.contents == "TEMPORARY" else "DATAFILE"
        return f"+DATA/{database}/{kind}/{tablespace.name.lower()}.{number:02}"
    return f"{member.files_on}/oradata/{database}/{tablespace.name.lower()}{number:02}.dbf"


def file_counters(
    member: DemoInstance, days: Days, traffic: Traffic, waited: Mapping[Key, Floats]
) -> dict[Key, Floats]:
    """The columns of v$filestat and v$tempstat that grow, by day; times in centiseconds."""
    lengths = {event: length_of(event, waited) / CENTISECOND for event in USUAL}
    counters: dict[Key, Floats] = {}
    for is_temporary in (False, True):
        single = traffic.single.requests * (0.0 if is_temporary else 1.0)
        several = (traffic.temp if is_temporary else traffic.scans + traffic.direct).requests
        written = (traffic.temp_writes if is_temporary else traffic.file_writes).requests
        for name, share in _shares(member, days, is_temporary=is_temporary).items():
            single_time = single * share * lengths["db file sequential read"]
            counters |= {
                ("file_reads", name): (single + several) * share,
                ("file_writes", name): written * share,
                ("file_single_reads", name): single * share,
                ("file_read_time", name): single_time + several * share * lengths["db file scattered read"],
                ("file_write_time", name): written * share * lengths["db file parallel write"],
                ("file_single_read_time", name): single_time,
            }
    return counters


def _shares(member: DemoInstance, days: Days, *, is_temporary: bool) -> dict[str, Floats]:
    """What share of the requests a file takes: more of a large tablespace, yet less than in proportion."""
    heat = {
        name: share * tablespace.most**0.7 * wobble(f"{member.name}/{name}/requests", days.ages, 0.06)
        for name, (tablespace, share) in files_of(member).items()
        if (tablespace.contents == "TEMPORARY") == is_temporary
    }
    whole = sum(heat.values(), start=np.zeros(len(days.ages)))
    return {name: requests / whole for name, requests in heat.items()}


def length_of(event: str, waited: Mapping[Key, Floats]) -> Floats:
    """Microseconds that an event took on average, by day; the usual where it did not occur."""
    count, time = waited["wait_count", event], waited["wait_time", event]
    length: Floats = np.where(count > 0, time / np.maximum(count, 1), USUAL[event])
    return length


def file_levels(
    member: DemoInstance,
    ends: Days,
    levels: Mapping[Key, Floats],
    waited: Mapping[Key, Floats],
    boundaries: Floats,
    starts: Sequence[float],
) -> dict[Key, Floats]:
    """Sizes in bytes, and the slowest read and write since start-up in centiseconds, at each boundary."""
    read, write = (
        length_of(event, waited) / CENTISECOND
        for event in ("db file sequential read", "db file parallel write")
    )
    gauges: dict[Key, Floats] = {}
    for name, (tablespace, share) in files_of(member).items():
        own = f"{member.name}/{name}"
        for key, average, times in (("datafile_max_ms", read, 4.5), ("datafile_max_write_ms", write, 6.0)):
            before = np.concatenate([average[:1], average])
            slowest = np.ceil(before * times * wobble(f"{own}/{key}", ends.ages, 0.3))
            gauges[key, name] = high_water(slowest, boundaries, starts)
        size = levels["ts_size_mb", tablespace.name] * share
        gauges["datafile_size_mb", name] = np.rint(size / BLOCK) * BLOCK
    return gauges
