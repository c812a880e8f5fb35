"""What `sadf -d` prints: tables with semicolons, whose columns are those of sar."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.sar_tables import SarTable, find_table
from apps.platforms.linux.files.sar_text import CPUS, number_of

FIRST = "# hostname;interval;timestamp"
_STAMPS = 3  # hostname, interval, timestamp


def read_sadf_table(lines: Iterable[str], records: HostRecords, zone: ZoneInfo) -> None:
    """Read the tables of one host. Raises UnreadableFile."""
    columns: list[str] = []
    kind: SarTable | None = None
    for line in lines:
        words = line.rstrip("\r\n").split(";")
        if line.startswith("#"):
            columns = words[_STAMPS:]
            kind = find_table(frozenset(columns))
            if kind is None:
                records.ignored[" ".join(columns)] += 1
        elif len(words) > _STAMPS:
            _read_row(words, columns, kind, records, zone)


def _read_row(
    words: Sequence[str],
    columns: Sequence[str],
    kind: SarTable | None,
    records: HostRecords,
    zone: ZoneInfo,
) -> None:
    name, interval, stamp = words[:_STAMPS]
    if records.host.name not in ("", name):
        raise UnreadableFile(
            f"The file holds records of two hosts, {records.host.name} and {name[:80]}; give each its own file."
        )
    records.host = HostIdentity(name, "Linux")
    try:
        ended_at, seconds = _moment(stamp, zone), float(interval)
        if "LINUX-RESTART" in words[_STAMPS]:
            records.restarts.add(ended_at)
            if match := CPUS.search(words[_STAMPS]):
                records.set_from("host_cpus", float(match[1]), ended_at)
        elif kind is not None and seconds > 0:
            _add(ended_at, seconds, dict(zip(columns, words[_STAMPS:], strict=True)), kind, records)
    except ValueError:
        records.unreadable_lines += 1


def _add(
    ended_at: datetime, seconds: float, row: dict[str, str], kind: SarTable, records: HostRecords
) -> None:
    component = row.pop(kind.named_by, "")
    if kind.named_by and not kind.accepts(component):
        return
    try:
        fields = {column: number_of(word) for column, word in row.items()}
        values = kind.read(fields, component, records.host)
    except LookupError:
        records.unreadable_lines += 1
        return
    records.check_component(component)
    records.understood[kind.title] += 1
    records.add(ended_at - timedelta(seconds=seconds), ended_at, values)


def _moment(stamp: str, zone: ZoneInfo) -> datetime:
    """`2026-11-20 23:56:39 UTC`, or a local time. Raises ValueError."""
    text = stamp.removesuffix(" UTC")
    return datetime.fromisoformat(text).replace(tzinfo=zone if text == stamp else UTC).astimezone(UTC)
