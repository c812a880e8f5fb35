"""Which mounts are worth watching, and how full they are."""

import os
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from apps.collection.collector import Reading

_NETWORK = frozenset(
    ["nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "gpfs", "beegfs", "glusterfs", "fuse.glusterfs", "afs"]
)
_WITHOUT_DEVICE = frozenset(["zfs", "btrfs", "bcachefs"]) | _NETWORK
_ALWAYS_FULL = frozenset(["squashfs", "iso9660", "udf", "erofs", "cramfs", "romfs"])
_MADE_FOR_CONTAINERS = frozenset(("/etc/hosts", "/etc/hostname", "/etc/resolv.conf"))
_MB = 1024.0**2


@dataclass(frozen=True)
class Mount:
    """A filesystem where people find it. `is_remote`: its server may keep whoever asks waiting for ever."""

    point: str
    kind: str
    is_remote: bool = False


@dataclass(frozen=True)
class Space:
    """What statvfs says of a mount, in blocks and inodes."""

    point: str
    block_size: int
    blocks: int
    free: int
    available: int
    files: int
    files_free: int


def worth_watching(mountinfo: str) -> list[Mount]:
    """
    The filesystems that can fill up, each device once, from /proc/self/mountinfo.

    Left out are what the kernel makes up, images that are full by nature, and what container engines mount: their
    layers, and the few files they put into /etc. The root is kept, whatever it is made of.
    """
    best: dict[str, tuple[tuple[bool, int, str], Mount]] = {}
    for line in mountinfo.splitlines():
        before, dash, after = line.partition(" - ")
        if not dash:
            continue
        _, _, number, root, point, *_ = (unescaped(word) for word in before.split())
        kind, source, *_ = (unescaped(word) for word in after.split())
        if not _can_fill_up(point, kind, source):
            continue
        device = number if point == "/" and not source.startswith("/dev/") else source
        rank = (root != "/", len(point), point)
        if device not in best or rank < best[device][0]:
            best[device] = (rank, Mount(point, kind, kind in _NETWORK))
    return sorted((mount for _, mount in best.values()), key=lambda mount: mount.point)


def _can_fill_up(point: str, kind: str, source: str) -> bool:
    if kind in _ALWAYS_FULL or kind == "rootfs" or point in _MADE_FOR_CONTAINERS:
        return False
    return point == "/" or kind in _WITHOUT_DEVICE or (source.startswith("/dev/") and kind != "devtmpfs")


def unescaped(word: str) -> str:
    r"""A name as it is: the kernel writes blanks and the like as \040."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), word)


def readings_of(spaces: Iterable[Space]) -> list[Reading]:
    """Size, use and inodes of each filesystem, as df shows them."""
    readings = []
    for space in spaces:
        if space.blocks <= 0:
            continue
        used = space.blocks - space.free
        megabytes = space.block_size / _MB
        readings += [
            Reading("host_fs_size_mb", space.blocks * megabytes, space.point),
            Reading("host_fs_used_mb", used * megabytes, space.point),
            Reading("host_fs_free_mb", space.available * megabytes, space.point),
            Reading("host_fs_used_pct", 100.0 * used / max(used + space.available, 1), space.point),
        ]
        if space.files > 0:
            share = 100.0 * (space.files - space.files_free) / space.files
            readings.append(Reading("host_fs_inodes_pct", share, space.point))
    return readings


def ask_each(mounts: Iterable[Mount]) -> tuple[list[Space], list[str]]:
    """What statvfs says of the mounts of this machine, and a sentence for each that did not answer."""
    spaces, notes = [], []
    for mount in mounts:
        try:
            space = _statvfs(mount)
        except OSError as error:
            notes.append(f"The filesystem {mount.point} could not be asked: {error.strerror or error}.")
            continue
        if space is None:
            notes.append(f"The server of {mount.point} does not answer; its space is not known.")
            continue
        spaces.append(
            Space(
                mount.point,
                space.f_frsize,
                space.f_blocks,
                space.f_bfree,
                space.f_bavail,
                space.f_files,
                space.f_ffree,
            )
        )
    return spaces, notes


_unanswered: set[str] = set()
_lock = Lock()


def _statvfs(mount: Mount, patience: float = 5.0) -> os.statvfs_result | None:
    """
    Ask one mount; None when its server does not answer in time.

    Nothing can end a question to a server that is gone, so a thread is left waiting for it, one for each mount.
    """
    if not mount.is_remote:
        return os.statvfs(mount.point)
    with _lock:
        if mount.point in _unanswered:
            return None
        _unanswered.add(mount.point)
    answer: SimpleQueue[os.statvfs_result | OSError] = SimpleQueue()

    def ask() -> None:
        try:
            answer.put(os.statvfs(mount.point))
        except OSError as error:
            answer.put(error)
        finally:
            _unanswered.discard(mount.point)

    Thread(target=ask, daemon=True, name=f"statvfs {mount.point}").start()
    try:
        space = answer.get(timeout=patience)
    except Empty:
        return None
    if isinstance(space, OSError):
        raise space
    return space


def stat_command(mounts: Iterable[Mount]) -> str:
    """The command that asks the same on another machine."""
    points = " ".join(shlex.quote(mount.point) for mount in mounts)
    return f"stat -f -c '%S %b %f %a %c %d %n' -- {points}"


def parse_stat_output(text: str) -> list[Space]:
    spaces = []
    for line in text.splitlines():
        match = re.fullmatch(r"(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (.+)", line.strip("\r"))
        if match:
            spaces.append(Space(match[7], *(int(number) for number in match.groups()[:6])))
    return spaces
