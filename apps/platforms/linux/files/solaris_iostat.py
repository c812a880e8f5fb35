"""What `iostat -x` or `iostat -xn` of Solaris prints with `-T d` or `-T u`: reports of devices, each behind its moment."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files.device_values import solaris_device_values
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.sar_text import number_of

TITLE = "extended device statistics"
_DATE = re.compile(r"\w{3} (\w{3}) +(\d+) (\d\d:\d\d:\d\d) (?:\S+ )?(\d{4})")
_SECONDS = re.compile(r"\d{9,10}")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def read_solaris_iostat(lines: Iterable[str], records: HostRecords, zone: ZoneInfo) -> None:
    """Read the reports; the first one is since the host was started and left out. Raises UnreadableFile."""
    records.host = HostIdentity(system="SunOS")
    records.notes.append(
        "iostat does not name its host. Its first report, since the host was started, is left out."
    )
    columns: list[str] = []
    began_at = ended_at = None
    for line in lines:
        words = line.split()
        moment = _moment(line.strip(), zone)
        if moment is not None:
            began_at, ended_at = ended_at, moment
        elif "r/s" in words:
            columns = words
        elif columns and began_at is not None and ended_at is not None and len(words) == len(columns):
            _add_row(columns, words, began_at, ended_at, records)
    if ended_at is None:
        raise UnreadableFile("iostat printed no times, so its reports belong to no day: run it with -T d.")


def _add_row(
    columns: Sequence[str], words: Sequence[str], began_at: datetime, ended_at: datetime, records: HostRecords
) -> None:
    row = dict(zip(columns, words, strict=True))
    name = row.pop("device", "")
    try:
        values = solaris_device_values(name, {column: number_of(word) for column, word in row.items()})
    except (ValueError, KeyError):
        records.unreadable_lines += 1
        return
    records.check_component(name)
    records.understood["block devices"] += 1
    records.add(began_at, ended_at, values)


def _moment(line: str, zone: ZoneInfo) -> datetime | None:
    """`Tue Apr 19 21:16:01 2011`, or seconds since 1970; None where a line is no moment."""
    if _SECONDS.fullmatch(line):
        return datetime.fromtimestamp(int(line), UTC)
    match = _DATE.fullmatch(line)
    if match is None or match[1] not in _MONTHS:
        return None
    text = f"{match[4]}-{_MONTHS.index(match[1]) + 1:02}-{int(match[2]):02}T{match[3]}"
    try:
        return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)
    except ValueError:
        return None
