"""
The room on the disk that holds Headroom's data: how much is left, for how long, and when reading has to stop.

Plain arithmetic over statvfs and a short series in a file of the data folder, so that it can be asked while the database
is away, by every process, at no cost. The supervisor writes the series.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from statistics import median

MEGABYTE, GIGABYTE = 2**20, 2**30
LEAST_FREE_BYTES = 64 * MEGABYTE  # four segments of PostgreSQL's journal: with less it may stop
LEAST_FREE_SHARE = 0.03
MOST_HELD_BYTES = GIGABYTE  # as much as the journal grows to; a large disk holds back no more
WARNING_SHARE = 0.10
WARNING_DAYS = 3.0
RESERVE, RESERVE_BYTES = (
    "reserve",
    48 * MEGABYTE,
)  # three segments of the journal, given away when it comes to the last
LAST_BYTES = 16 * MEGABYTE
SERIES = "disk-free.json"
HOUR, DAY = 3600, 86400  # seconds
SERIES_SPAN = 3 * DAY
LEAST_SPAN, LEAST_COUNT = 6 * HOUR, 6  # of a series that tells a growth

Series = tuple[tuple[float, int], ...]  # (seconds since 1970, free bytes), oldest first


@dataclass(frozen=True)
class DiskRoom:
    """What a disk has free; `days_left` until it is full at the present growth, None where it does not fill up."""

    free_bytes: int
    total_bytes: int
    days_left: float | None = None

    @property
    def free_share(self) -> float:
        """From 0 to 1."""
        return self.free_bytes / self.total_bytes if self.total_bytes else 1.0

    @property
    def floor_bytes(self) -> int:
        """Below this nothing is read: PostgreSQL needs the rest to stay up."""
        return int(min(max(LEAST_FREE_BYTES, LEAST_FREE_SHARE * self.total_bytes), MOST_HELD_BYTES))

    @property
    def is_full(self) -> bool:
        return self.free_bytes < self.floor_bytes

    @property
    def is_short(self) -> bool:
        """Whether people are to be warned."""
        is_soon = self.days_left is not None and self.days_left <= WARNING_DAYS
        return self.is_full or is_soon or self.free_share < WARNING_SHARE


def measure_disk(folder: Path) -> DiskRoom | None:
    """The room on the disk of a data folder, as an ordinary user may fill it; None where it cannot be asked."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    free, total = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
    return DiskRoom(free, total, estimate_days_left(_read_series(folder), free))


def has_room_for_readings(folder: Path) -> bool:
    """Whether there is room to write readings; also where that cannot be asked."""
    room = measure_disk(folder)
    return room is None or not room.is_full


def tend_reserve(folder: Path) -> None:
    """
    Hold some room back while there is plenty, and give it away when there is next to none.

    PostgreSQL takes no new connection on a disk that is full to the last block (it cannot write its init file), and
    stops when its journal needs a new segment. What a page or a sign-in writes then goes into the reserve.
    """
    reserve, room = folder / RESERVE, measure_disk(folder)
    if room is None:
        return
    with suppress(OSError):
        if reserve.exists():
            if room.free_bytes < LAST_BYTES:
                reserve.unlink()
        elif room.free_bytes > 2 * (room.floor_bytes + RESERVE_BYTES):
            with reserve.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)


def estimate_days_left(series: Series, free_bytes: int) -> float | None:
    """Days until nothing is free at the growth of the series; None where it is too short, or nothing is lost."""
    lost = _lost_per_second(series)
    return free_bytes / lost / DAY if lost > 0 else None


@lru_cache(maxsize=4)
def _lost_per_second(series: Series) -> float:
    """
    Bytes a second, by the median of the slopes between all pairs: what was removed or copied once does not move it.

    0 where the series is too short to tell.
    """
    if len(series) < LEAST_COUNT or series[-1][0] - series[0][0] < LEAST_SPAN:
        return 0.0
    return -median((later[1] - first[1]) / (later[0] - first[0]) for first, later in combinations(series, 2))


def note_free_space(folder: Path, now: float) -> bool:
    """Add the room of now to the series when the last is an hour old; whether it was. A full disk is no error."""
    series = [entry for entry in _read_series(folder) if now - SERIES_SPAN <= entry[0] <= now]
    room = measure_disk(folder)
    if room is None or (series and now - series[-1][0] < HOUR):
        return False
    draft = folder / f".{SERIES}"
    try:
        draft.write_text(json.dumps([*series, (now, room.free_bytes)]))
        draft.replace(folder / SERIES)
    except OSError:
        return False
    return True


def _read_series(folder: Path) -> Series:
    path = folder / SERIES
    try:
        return _parse_series(path, path.stat().st_mtime_ns)
    except (OSError, ValueError, TypeError):
        return ()


@lru_cache(maxsize=4)
def _parse_series(path: Path, changed_at_ns: int) -> Series:
    series = [(float(at), int(free)) for at, free in json.loads(path.read_text())]
    return tuple(sorted(dict(series).items()))
