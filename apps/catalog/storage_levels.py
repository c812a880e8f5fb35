"""
Response of files, of the volumes below them and of what volumes are made of, as platforms declare it.

An instance knows its files and how long they took, a host its devices and which lies below which: one declaration of each.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class DiskLevel:
    """
    The response of the disks that an instance spreads a pool of files over, as it counts them itself.

    `place_of` says which pool a disk is of, with `+` in front. The fact `path_of` says by disk under which path the host has it.
    """

    read: str
    write: str
    place_of: Callable[[str], str]
    path_of: str


@dataclass(frozen=True, kw_only=True)
class FileLevel:
    """The response of files by their names; `place_of` says where a name lies: a directory, or a pool with `+` in front."""

    read: str
    write: str
    place_of: Callable[[str], str]
    disks: DiskLevel | None = None


@dataclass(frozen=True, kw_only=True)
class DeviceLevel:
    """
    The response of devices, and of it what a request takes on the device alone; of the queue what waits on the host.

    The fact `device_of` says by mount point which device lies below it, `made_of` by device those below, one a line,
    `path_names` which device is meant by a path, a path and its device a line with a tab between them.
    """

    read: str
    write: str
    service: str
    busy: str
    queue: str
    waiting: str
    device_of: str
    made_of: str
    path_names: str


_files: dict[str, FileLevel] = {}
_devices: dict[str, DeviceLevel] = {}


def add_storage_levels(platform: str, files: FileLevel | None, devices: DeviceLevel | None) -> None:
    """Add what a platform declares; a second time replaces the first."""
    if files is not None:
        _files[platform] = files
    if devices is not None:
        _devices[platform] = devices


def file_level_of(platform: str) -> FileLevel | None:
    """How a platform measures files; None where it has none."""
    return _files.get(platform)


def device_level_of(platform: str) -> DeviceLevel | None:
    """How a platform measures devices; None where it has none."""
    return _devices.get(platform)
