"""
Response of files, of the volumes below them and of what volumes are made of, as platforms declare it.

An instance knows its files and how long they took, a host its devices and which lies below which: one declaration of each.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FileLevel:
    """The response of files by their names; `place_of` says where a name lies: a directory, or a pool with `+` in front."""

    read: str
    write: str
    place_of: Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class DeviceLevel:
    """
    The response of devices.

    The fact `device_of` says by mount point which device lies below it, `made_of` by device those below, one a line.
    """

    read: str
    write: str
    busy: str
    queue: str
    device_of: str
    made_of: str


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
