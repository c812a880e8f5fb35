"""Linux hosts: sysstat, /proc and /sys."""

from pathlib import Path

from apps.platforms.linux.beside import SOURCES
from apps.platforms.linux.collector import LocalCollector
from apps.platforms.linux.courses import COURSES
from apps.platforms.linux.details import DETAILS
from apps.platforms.linux.metrics import METRICS
from apps.platforms.linux.metrics.categories import CATEGORIES
from apps.platforms.linux.ssh import SshCollector
from apps.platforms.platform import Platform

PLATFORM = Platform(
    packs=Path(__file__).parent / "packs",
    key="linux",
    label="Linux host",
    metrics=METRICS,
    collectors={"linux": LocalCollector(), "linux-ssh": SshCollector()},
    categories=CATEGORIES,
    details=DETAILS,
    sources=SOURCES,
    courses=COURSES,
)
