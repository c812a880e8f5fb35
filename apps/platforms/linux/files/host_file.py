"""A file of a target, as the core takes it."""

from datetime import datetime
from typing import BinaryIO

from apps.collection.file_text import HostText
from apps.collection.host_files import HOST_NAME, HostFile
from apps.inventory.models import Target
from apps.platforms.linux.files.day_shots import days_in
from apps.platforms.linux.files.prometheus import is_prometheus, read_prometheus
from apps.platforms.linux.files.read_file import read_host_text
from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.metrics.categories import KERNEL

CPUS = (KERNEL, "host_cpus", "")
LONGEST = 60  # characters of the columns of a table that is not read


def read_for(file: BinaryIO, target: Target, now: datetime) -> HostFile:
    """What a file says of a target, whose zone is that of clocks without one. Raises UnreadableFile."""
    text = HostText(file)
    head = text.head.decode("utf-8-sig", errors="replace")
    if is_prometheus(head):
        return read_prometheus(text.open(), head, target.zone, now)
    records = read_host_text(text, target.zone)
    return HostFile(
        format=records.format,
        host_name=records.host.name,
        host_label=records.host.label,
        days=days_in(records, target.zone, now),
        understood=dict(records.understood),
        ignored=[_shortened(columns) for columns in records.ignored],
        notes=records.notes,
        facts=_facts(records),
    )


def _shortened(columns: str) -> str:
    return columns if len(columns) <= LONGEST else columns[:LONGEST].rpartition(" ")[0] + " …"


def _facts(records: HostRecords) -> dict[str, str]:
    host = records.host
    facts = {HOST_NAME: host.name, "operating_system": host.system, "kernel": host.release}
    cpus = next(reversed(records.intervals.values())).values.get(CPUS)
    if cpus is not None:
        facts["cpus"] = f"{cpus:.0f}"
    return {name: value for name, value in facts.items() if value}
