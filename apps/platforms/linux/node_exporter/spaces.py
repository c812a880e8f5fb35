"""The mounts that a page tells of, and how full they are."""

from collections.abc import Mapping

from apps.platforms.linux.filesystems import Space, worth_watching
from apps.platforms.linux.node_exporter.metrics_page import Labels, MetricsPage
from apps.platforms.linux.sources import MOUNTS

_SIZE = "node_filesystem_size_bytes"
_PARTS = (
    _SIZE,
    "node_filesystem_free_bytes",
    "node_filesystem_avail_bytes",
    "node_filesystem_files",
    "node_filesystem_files_free",
)


def mount_lines(page: MetricsPage, numbers: Mapping[str, str]) -> str:
    """The mounts as the kernel lists them; `numbers` are those of devices, by name."""
    return "".join(
        f"{row} 0 {numbers.get(device_of(labels), f'0:{row}')} / {_escaped(labels['mountpoint'])} rw -"
        f" {labels['fstype']} {_escaped(labels['device'])}\n"
        for row, labels in enumerate(_mounts(page), start=1)
    )


def device_of(labels: Labels) -> str:
    """The name of the device that a filesystem lies on, without its folder; empty for one of the network."""
    device = labels["device"]
    return device.rpartition("/")[2] if device.startswith("/dev/") else ""


def devices_of_mounts(page: MetricsPage) -> list[str]:
    """The names of the devices that filesystems lie on."""
    return list(dict.fromkeys(filter(None, map(device_of, _mounts(page)))))


def _mounts(page: MetricsPage) -> list[Labels]:
    return [labels for labels in page.labels(_SIZE) if {"device", "fstype", "mountpoint"} <= labels.keys()]


def _escaped(word: str) -> str:
    r"""As the kernel writes a name: blanks and the like as \040."""
    return "".join(f"\\{ord(letter):03o}" if letter in " \t\n\\" else letter for letter in word) or "none"


def spaces_of(page: MetricsPage, texts: Mapping[str, str]) -> list[Space]:
    """How full the mounts are that are worth watching."""
    rows = page.rows("mountpoint", _PARTS)
    return [
        Space(mount.point, 1, *(int(value) for value in rows[mount.point]))
        for mount in worth_watching(texts.get(MOUNTS, ""))
        if mount.point in rows
    ]
