"""
What iostat, vmstat, mpstat, kstat, prstat and trapstat of Solaris print with `-T d` or `-d d`, or below what `date` prints: reports,
each behind its moment.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files.kernel_statistics import KernelStatistics
from apps.platforms.linux.files.process_reports import ProcessReports
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.sar_text import number_of
from apps.platforms.linux.files.solaris_tables import SolarisTable, find_solaris_table, sum_processors

_DATE = re.compile(r"\w{3} (\w{3}) +(\d+) (\d\d):(\d\d:\d\d) (?:\S+ )?(\d{4})")
_WORDED_DATE = re.compile(r"(\w{3})\w* +(\d+), (\d{4})(?: at)? (\d\d):(\d\d:\d\d) (AM|PM)(?: \S+)?")
_SECONDS = re.compile(r"\d{9,10}")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_KSTAT = re.compile(r"([^:\s]+):(\d+):([^:\s]+):(\S+)\s+(\S+)")
_TOTAL_OF_MISSES = re.compile(r"\s*ttl \|.*\|\s*(\d+\.\d+)\s*")
_TOOLS = (  # what a file of each begins with, somewhere in its first lines
    ("iostat", re.compile(r"extended device statistics")),
    ("vmstat", re.compile(r"^\s*kthr\s+memory\s+page\b|^\s+memory\s+page\s+executable\b", re.MULTILINE)),
    ("mpstat", re.compile(r"^(?:SET|CPU)\s+minf\s+mjf\b", re.MULTILINE)),
    ("kstat", re.compile(r"^\w+:\d+:[^:\s]+:\S+\s+\S", re.MULTILINE)),
    ("trapstat", re.compile(r"\bitlb-miss\b|\bdtlb-miss\b")),
    ("prstat", re.compile(r"^\s*PID USERNAME\s+(?:USR\s+SYS|SIZE\s+RSS)\b", re.MULTILINE)),
)
_WITHOUT_TIMES = {
    "trapstat": "print the date before each report: while date; do trapstat -T 60 1; done",
    "prstat": "run it as prstat -mc -d d 300",
}


def tool_of_solaris(head: str) -> str:
    """The tool whose reports a text begins with; empty where it is none of these."""
    return next((tool for tool, sign in _TOOLS if sign.search(head[:4000])), "")


class SolarisReports:
    """Reads the reports of one tool into records; the first is since the host was started, and left out."""

    def __init__(self, records: HostRecords, zone: ZoneInfo, tool: str) -> None:
        self._records, self._zone, self._tool = records, zone, tool
        self._columns: list[str] = []
        self._table: SolarisTable | None = None
        self._began_at: datetime | None = None
        self._ended_at: datetime | None = None
        self._rows: list[dict[str, float]] = []
        self._statistics = KernelStatistics(records)
        self._processes = ProcessReports(records)

    def read(self, lines: Iterable[str]) -> None:
        """Read all lines. Raises UnreadableFile."""
        self._records.host = HostIdentity(system="SunOS")
        for line in self._records.whole_lines(lines):
            moment = self._moment(line.strip())
            if moment is not None:
                self._end_report(moment)
                self._began_at, self._ended_at = self._ended_at, moment
            else:
                self._read_line(line)
        self._end_report()
        self._processes.finish()
        if self._ended_at is None:
            remedy = _WITHOUT_TIMES.get(self._tool, "run it with -T d")
            raise UnreadableFile(f"{self._tool} printed no times, so its reports belong to no day; {remedy}.")
        if self._tool != "trapstat":
            self._records.notes.append(
                f"{self._tool} does not name its host. Its first report, since the host was started, is left out."
            )

    def _read_line(self, line: str) -> None:
        words = line.split()
        if self._tool == "prstat":
            self._processes.read_line(line)
        elif match := _KSTAT.fullmatch(line.strip()):
            self._statistics.add(*match.groups())
        elif match := _TOTAL_OF_MISSES.fullmatch(line):
            self._rows.append({"%tim": float(match[1])})
        elif (table := find_solaris_table(words)) is not None:
            self._columns, self._table = words, table
        elif self._table is not None and words and len(words) == len(self._columns):
            self._read_row(self._table, words)

    def _read_row(self, table: SolarisTable, words: Sequence[str]) -> None:
        if self._began_at is None or self._ended_at is None:
            return
        named = list(zip(table.names(self._columns), words, strict=True))
        name = next((word for column, word in named if column == table.named_by), "")
        try:
            fields = {column: number_of(word) for column, word in named if column != table.named_by}
            values = table.read(name, fields)
        except (ValueError, KeyError):
            self._records.unreadable_lines += 1
            return
        if table.has_processors:
            self._rows.append(fields)
        if name:
            self._records.check_component(name)
        self._records.understood[table.title] += 1
        self._records.add(self._began_at, self._ended_at, values)

    def _end_report(self, next_moment: datetime | None = None) -> None:
        """What a report says as a whole, once it is over; one below a date of its own begins with it."""
        rows, self._rows = self._rows, []
        if self._tool == "prstat":
            self._processes.end_report(self._began_at, self._ended_at)
        if self._ended_at is not None:
            self._statistics.end_report(self._ended_at)
        is_dated = self._tool == "trapstat"
        began_at, ended_at = (self._ended_at, next_moment) if is_dated else (self._began_at, self._ended_at)
        if rows and began_at is not None and ended_at is not None:
            if is_dated:
                self._records.understood["misses of the address translation"] += 1
            self._records.add(began_at, ended_at, sum_processors(rows))

    def _moment(self, line: str) -> datetime | None:
        """`Tue Apr 19 21:16:01 2011`, or seconds since 1970; None where a line is no moment."""
        if _SECONDS.fullmatch(line):
            return datetime.fromtimestamp(int(line), UTC)
        if match := _DATE.fullmatch(line):
            month, day, hour, rest, year = match.groups()
        elif match := _WORDED_DATE.fullmatch(line):
            month, day, year, hour, rest, half = match.groups()
            hour = f"{int(hour) % 12 + (12 if half == 'PM' else 0):02}"
        else:
            return None
        if month not in _MONTHS:
            return None
        try:
            moment = datetime.fromisoformat(
                f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}T{hour}:{rest}"
            )
        except ValueError:
            return None
        return moment.replace(tzinfo=self._zone).astimezone(UTC)
