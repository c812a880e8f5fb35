"""Text about the machine: names, versions, start-up. Kept as facts, told when they change."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from apps.platforms.linux.devices import devices_by_mount, devices_of_paths, devices_of_volumes
from apps.platforms.linux.filesystems import worth_watching
from apps.platforms.linux.proc import meminfo_fields
from apps.platforms.linux.sources import MOUNTS, names_of_devices

DEVICE_OF = "device_of"  # the fact that says which device lies below a mount point
MADE_OF = "made_of"  # the fact that says which devices a volume is made of, one a line
PATH_NAMES = "path_names"  # the fact that says which device each path means, a path and its device a line

_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_LINES = {
    "hostname": "/proc/sys/kernel/hostname",
    "kernel": "/proc/sys/kernel/osrelease",
    "operating_system": "/proc/sys/kernel/ostype",
    "boot_id": _BOOT_ID,
    "sysstat": "sadf -V",
}
_ENGINES = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman"}


def read_facts(texts: Mapping[str, str]) -> dict[str, str]:
    """What the texts tell about the machine; what they do not tell is left out."""
    facts = {name: texts[path].strip() for name, path in _LINES.items() if texts.get(path, "").strip()}
    if "sysstat" in facts:
        facts["sysstat"] = facts["sysstat"].removeprefix("sysstat version ")
    if match := re.search(r'^PRETTY_NAME="?([^"\n]+)', texts.get("/etc/os-release", ""), flags=re.MULTILINE):
        facts["distribution"] = match[1]
    if match := re.search(
        r"^(?:model name|Processor|cpu model)\s*:\s*(.+)", texts.get("/proc/cpuinfo", ""), flags=re.M
    ):
        facts["cpu_model"] = match[1].strip()
    if processors := re.findall(r"^cpu\d+ ", texts.get("/proc/stat", ""), flags=re.MULTILINE):
        facts["cpus"] = str(len(processors))
    if total := meminfo_fields(texts.get("/proc/meminfo", "")).get("MemTotal"):
        facts["memory"] = f"{total / 1024**2:.1f} GB"
    facts["container"] = _container(texts)
    return facts | _devices(texts)


def _devices(texts: Mapping[str, str]) -> dict[str, str]:
    """The device below each filesystem that is watched, those that each volume is made of, and what paths mean."""
    mounts = texts.get(MOUNTS, "")
    names = names_of_devices(texts)
    below = devices_by_mount(mounts, texts.get("/proc/diskstats", ""), names)
    points = [mount.point for mount in worth_watching(mounts)]
    volumes = devices_of_volumes(texts, names)
    paths = devices_of_paths(texts, names)
    return (
        {f"{DEVICE_OF}/{point}": below[point] for point in points if point in below}
        | {f"{MADE_OF}/{volume}": "\n".join(parts) for volume, parts in volumes.items()}
        | ({PATH_NAMES: "\n".join(f"{path}\t{paths[path]}" for path in sorted(paths))} if paths else {})
    )


def _container(texts: Mapping[str, str]) -> str:
    """Which container engine runs this, or "no". A virtual machine made from an image keeps the engine's mark."""
    if named := texts.get("/run/systemd/container", "").strip():
        return named
    root = re.search(
        r"^\S+ \S+ \S+ \S+ / .* - \S+ (\S+)", texts.get("/proc/self/mountinfo", ""), flags=re.MULTILINE
    )
    if root and root[1].startswith("/dev/"):
        return "no"
    return next((engine for mark, engine in _ENGINES.items() if mark in texts), "no")


def booted_at(stat: str) -> datetime | None:
    """
    When the machine started, by its own clock.

    The kernel derives it from the clock, so it moves when somebody sets the clock, and with it counts the same start-up.
    """
    match = re.search(r"^btime (\d+)", stat, flags=re.MULTILINE)
    return datetime.fromtimestamp(int(match[1]), UTC) if match else None
