"""Of which database, instance and interval a report is, and why one cannot be taken."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.oracle.reports.report_tables import PrintedTable

STATSPACK, AWR = "Statspack report", "AWR report"
LONGEST = timedelta(hours=36)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_MOMENT = re.compile(r"^(\d\d)-(\w+?)\.?-(\d\d(?:\d\d)?)\s+(\d\d):(\d\d)(?::(\d\d))?$")


@dataclass(frozen=True, kw_only=True)
class ReportHeader:
    """What the head of a report says; moments in UTC."""

    kind: str
    dbid: str
    instance: str
    host: str
    release: str
    edition: str  # "EE", "SE"; empty where it does not say
    started_at: datetime
    began_at: datetime
    ended_at: datetime

    @property
    def length(self) -> timedelta:
        return self.ended_at - self.began_at


def kind_of(text: str) -> str:
    """Which report a text is. Raises UnreadableFile."""
    beginning = text[:20_000]
    if "STATSPACK report for" in beginning:
        return STATSPACK
    if "WORKLOAD REPOSITORY" not in beginning.upper() and "AWR Report" not in beginning:
        raise UnreadableFile(
            "This is neither a Statspack report (spreport.sql) nor an AWR report (awrrpt.sql), as text or HTML,"
            " nor what Zabbix or Checkmk answered."
        )
    if "RAC Report" in beginning or "WORKLOAD REPOSITORY REPORT (RAC)" in beginning.upper():
        raise UnreadableFile(
            "This is a report of all instances together (awrgrpt.sql); bring one of each instance (awrrpt.sql)."
        )
    if "COMPARE PERIOD" in beginning.upper():
        raise UnreadableFile("This report compares two periods; bring the report of each (awrrpt.sql).")
    return AWR


def read_header(text: str, kind: str, tables: Sequence[PrintedTable], zone: ZoneInfo) -> ReportHeader:
    """What the head of a report says. Raises UnreadableFile."""
    if "End of Report" not in text:
        raise UnreadableFile(
            "The report ends in the middle: its last line, “End of Report”, is missing. Bring it whole."
        )
    if re.search(r"Elapsed:\s*[\d.]*\d,\d\d\s*\(mins\)", re.sub(r"<[^>]+>", " ", text)):
        raise UnreadableFile(
            "Decimals have a comma in this report: make it with NLS_LANG=AMERICAN_AMERICA, so that its numbers can be read."
        )
    fields: dict[str, str] = {}
    for table in tables[:8]:
        for name, value in zip(table.columns, table.rows[0] if table.rows else (), strict=False):
            fields.setdefault(name.casefold(), value)
    if kind == STATSPACK or not fields.get("db id"):
        fields |= _fields_of_text(text)
    began, ended = (_snapshot(text, tables, name) for name in ("Begin Snap:", "End Snap:"))
    started = fields.get("startup time", "")
    if not fields.get("db id") or not started:
        raise UnreadableFile(
            "The head of the report says neither of which database it is nor since when it is up."
        )
    header = ReportHeader(
        kind=kind,
        dbid=fields["db id"],
        instance=fields.get("instance", ""),
        host=fields.get("host name", ""),
        release=fields.get("release", ""),
        edition=fields.get("edition", ""),
        started_at=_moment(started, zone),
        began_at=_moment(began, zone),
        ended_at=_moment(ended, zone),
    )
    _check(header)
    return header


def _fields_of_text(text: str) -> dict[str, str]:
    """The head of a text report, whose ruler has tildes as well, or whose first column may be empty."""
    database = re.search(
        r"^\s*(?P<name>\S+ +)?(?P<dbid>\d{5,}) +(?P<instance>\S+) +\d+ +(?P<up>\d\d-\S+ \d\d:\d\d) +(?P<release>[\d.]+)",
        text,
        re.MULTILINE,
    )
    host = re.search(r"^Host Name.*\n[~\- ]+\n\s*(\S+)", text, re.MULTILINE)
    if database is None:
        return {}
    return {
        "db id": database["dbid"],
        "instance": database["instance"],
        "startup time": database["up"],
        "release": database["release"],
        "host name": host[1] if host else "",
    }


def _snapshot(text: str, tables: Sequence[PrintedTable], name: str) -> str:
    """When the snapshot was taken that the report begins or ends with, as it is written. Raises UnreadableFile."""
    for table in tables:
        for row in table.rows:
            place = table.at("Snap Time")
            if place is not None and row[0] == name and len(row) > place:
                return row[place]
    match = re.search(rf"^\s*{name}\s+\d+\s+(\S+ \d\d:\d\d:\d\d)", text, re.MULTILINE)
    if match is None:
        raise UnreadableFile(
            f"The head of the report has no line “{name}” with its time: it is cut, or of a release that is not known."
        )
    return match[1]


def _moment(text: str, zone: ZoneInfo) -> datetime:
    match = _MOMENT.match(text.strip())
    if match is None:
        raise UnreadableFile(f"“{text[:30]}” is not a time such as 31-Jan-16 00:00:03.")
    day, month, year, hour, minute, second = match.groups()
    if month.upper() not in _MONTHS:
        raise UnreadableFile(
            f"The month “{month}” is not English: make the report with NLS_LANG=AMERICAN_AMERICA, so that its dates and numbers can be read."
        )
    number = int(year) + (2000 if len(year) == 2 else 0)
    try:
        local = datetime(
            number,
            _MONTHS.index(month.upper()) + 1,
            int(day),
            int(hour),
            int(minute),
            int(second or 0),
            tzinfo=zone,
        )
    except ValueError:
        raise UnreadableFile(f"“{text[:30]}” is not a time.") from None
    return local.astimezone(UTC)


def _check(header: ReportHeader) -> None:
    """Refuse an interval from which no figure of a day can be told. Raises UnreadableFile."""
    if header.began_at >= header.ended_at:
        raise UnreadableFile("The report ends before it begins.")
    if header.started_at > header.began_at:
        raise UnreadableFile(
            "The instance was started within the interval of the report, so its differences are of no use."
        )
    if header.length > LONGEST:
        hours = header.length / timedelta(hours=1)
        raise UnreadableFile(
            f"The report covers {hours:,.0f} hours, and a figure a day cannot be told from it: bring reports of one day each."
        )
