"""A file of an instance that somebody brings, as the core takes it: a report, or what a monitoring server kept."""

from datetime import datetime
from typing import BinaryIO

from apps.collection.file_text import HostText
from apps.collection.host_files import HostFile
from apps.inventory.models import Target
from apps.platforms.oracle.monitors.monitor_file import is_monitor, read_monitor
from apps.platforms.oracle.reports.read_report import read_report


def read_for(file: BinaryIO, target: Target, now: datetime) -> HostFile:
    """What a file says of an instance. Raises UnreadableFile."""
    text = HostText(file)
    if is_monitor(text.head.decode("utf-8-sig", errors="replace")):
        return read_monitor(text, target, now)
    file.seek(0)
    return read_report(file, target)
