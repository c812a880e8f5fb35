"""The data and temp files of an instance: its requests shared out by how much lies on each, as slow as its waits say."""

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np

from apps.demo.events import Waits
from apps.demo.parts import Instance, Tablespace
from apps.demo.rhythm import Days, Floats, wobble
from apps.demo.timeline import Key, high_water

OF_ALL = 0.94  # of all requests go to files of tablespaces; the others to control files, redo and archives
LARGEST_GB = 512  # of a file; a larger tablespace has several
MOST_FILES = 4
USUAL = {
    "db file sequential read": 4800.0,
    "db file scattered read": 8200.0,
    "db file parallel write": 2600.0,
}
CENTISECOND = 10_000.0  # microseconds


def files_of(member: Instance) -> dict[str, tuple[Tablespace, float]]:
    """The files by name, each with its tablespace and its share of it."""
    found = {}
    for tablespace in member.tablespaces:
        count = min(MOST_FILES, max(1, ceil(tablespace.most / LARGEST_GB)))
        for number in range(1, count + 1):
            found[_name(member, tablespace, number)] = (tablespace, 1 / count)
    return found


def _name(member: Instance, tablespace: Tablespace, number: int) -> str:
    database = member.name.rstrip("1")
    if any(group.name == "DATA" for group in member.disk_groups):
        kind = "TEMPFILE" if tablespace.contents == "TEMPORARY" else "DATAFILE"
        return f"+DATA/{database}/{kind}/{tablespace.name.lower()}.{number:02}"
    return f"{member.files_on}/oradata/{database}/{tablespace.name.lower()}{number:02}.dbf"


def file_counters(
    member: Instance, days: Days, counters: Mapping[str, Floats], waits: Sequence[Waits]
) -> dict[Key, Floats]:
    """The columns of v$filestat and v$tempstat that grow, by day; times in centiseconds."""
    reads, writes = counters["io_read_requests"] * OF_ALL, counters["io_write_requests"] * OF_ALL
    single = np.clip(1 - counters["io_read_multi"] / np.maximum(counters["io_read_requests"], 1), 0, 1)
    found: dict[Key, Floats] = {}
    for name, share in _shares(member).items():
        own = f"{member.name}/{name}"
        slower = wobble(f"{own}/response", days.ages, 0.05)
        of_file = share * wobble(f"{own}/requests", days.ages, 0.06)
        singles, others = reads * of_file * single, reads * of_file * (1 - single)
        written = writes * of_file
        single_time = singles * length_of("db file sequential read", waits) * slower / CENTISECOND
        other_time = others * length_of("db file scattered read", waits) * slower / CENTISECOND
        found |= {
            ("file_reads", name): singles + others,
            ("file_writes", name): written,
            ("file_single_reads", name): singles,
            ("file_read_time", name): single_time + other_time,
            ("file_write_time", name): written
            * length_of("db file parallel write", waits)
            * slower
            / CENTISECOND,
            ("file_single_read_time", name): single_time,
        }
    return found


def _shares(member: Instance) -> dict[str, float]:
    """What share of the requests a file takes: more of a large tablespace, yet less than in proportion."""
    heat = {name: share * tablespace.most**0.7 for name, (tablespace, share) in files_of(member).items()}
    whole = sum(heat.values())
    return {name: one / whole for name, one in heat.items()}


def length_of(event: str, waits: Sequence[Waits]) -> Floats:
    """Microseconds that an event took on average, by day; the usual where it did not occur."""
    for one in waits:
        if one.name == event:
            return np.where(one.count > 0, one.time / np.maximum(one.count, 1), USUAL[event])
    return np.array(USUAL[event])


def file_levels(
    member: Instance,
    ends: Days,
    levels: Mapping[Key, Floats],
    waits: Sequence[Waits],
    boundaries: Floats,
    starts: Sequence[float],
) -> dict[Key, Floats]:
    """Sizes in bytes, and the slowest read and write since start-up in centiseconds, at each boundary."""
    read, write = (
        length_of(event, waits) / CENTISECOND
        for event in ("db file sequential read", "db file parallel write")
    )
    found: dict[Key, Floats] = {}
    for name, (tablespace, share) in files_of(member).items():
        own = f"{member.name}/{name}"
        for key, average, times in (("datafile_max_ms", read, 4.5), ("datafile_max_write_ms", write, 6.0)):
            before = np.concatenate(
                [np.atleast_1d(average)[:1], np.broadcast_to(average, len(ends.ages) - 1)]
            )
            slowest = np.ceil(before * times * wobble(f"{own}/{key}", ends.ages, 0.3))
            found[key, name] = high_water(slowest, boundaries, starts)
        found["datafile_size_mb", name] = np.rint(levels["ts_size_mb", tablespace.name] * share / 8192) * 8192
    return found
