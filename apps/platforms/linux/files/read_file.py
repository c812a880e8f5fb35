"""Read a file that the tools of a host wrote, whatever its format is."""

import re
from pathlib import Path
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import HostText
from apps.collection.monitors.checkmk import FORMAT as CHECKMK
from apps.collection.monitors.checkmk import is_checkmk, read_checkmk
from apps.collection.monitors.zabbix import FORMAT as ZABBIX
from apps.collection.monitors.zabbix import is_zabbix, read_zabbix
from apps.platforms.linux.files.binary_records import is_binary_records, printed_records
from apps.platforms.linux.files.monitor_items import take_items
from apps.platforms.linux.files.nmon import NmonFile, is_nmon
from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.files.sadf_json import read_sadf_json
from apps.platforms.linux.files.sadf_table import FIRST, read_sadf_table
from apps.platforms.linux.files.sadf_xml import read_sadf_xml
from apps.platforms.linux.files.sar_text import SarText, is_sar_text
from apps.platforms.linux.files.solaris_reports import SolarisReports, tool_of_solaris

FORMATS = "sar of Linux, Solaris, AIX or HP-UX, sadf -j, -x or -d, iostat or mpstat in JSON, nmon, or iostat, vmstat, mpstat, kstat -p, prstat and trapstat of Solaris with -T d, query_range of Prometheus, trend.get of Zabbix, or metrics of Checkmk"
_VMSTAT = re.compile(r"\s*procs\b")


def read_host_path(path: Path, zone: ZoneInfo) -> HostRecords:
    """What a file on a disk says of its host. Raises UnreadableFile."""
    try:
        with path.open("rb") as file:
            return read_host_text(HostText(file), zone)
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be opened: {error.strerror}.") from None


def read_host_text(text: HostText, zone: ZoneInfo) -> HostRecords:
    """What a file says of its host; `zone` is where clocks without a zone stood. Raises UnreadableFile."""
    records = HostRecords()
    if is_binary_records(text.head):
        records.format = "a binary file of sysstat's, through sadf"
        text = HostText(printed_records(text.binary))
        read_sadf_json(text.open(), records, zone)
    else:
        _read_text(text, records, zone)
    records.finish()
    return records


def _read_text(text: HostText, records: HostRecords, zone: ZoneInfo) -> None:
    head = text.head.decode("utf-8-sig", errors="replace")
    first = head.lstrip()
    if is_zabbix(head):
        records.format = ZABBIX
        take_items(read_zabbix(text.open(), head), records)
    elif is_checkmk(head):
        records.format = CHECKMK
        take_items(read_checkmk(text.open()), records)
    elif first.startswith("{"):
        records.format = "sadf -j"
        read_sadf_json(text.open(), records, zone)
    elif first.startswith("<"):
        records.format = "sadf -x"
        read_sadf_xml(text.open(), records, zone)
    elif first.startswith(FIRST):
        records.format = "sadf -d"
        read_sadf_table(text.lines(), records, zone)
    elif is_nmon(head):
        records.format = "nmon"
        NmonFile(records, zone).read(text.lines())
    elif is_sar_text(head):
        records.format = "sar"
        SarText(records, zone).read(text.lines())
    elif tool := tool_of_solaris(head):
        records.format = f"{tool} of Solaris"
        SolarisReports(records, zone, tool).read(text.lines())
    elif _VMSTAT.match(head):
        raise UnreadableFile(
            "vmstat of Linux prints no days, and its rows belong to none: give sar, or sadf -j, of the same time."
        )
    elif not first:
        raise UnreadableFile("The file is empty.")
    else:
        raise UnreadableFile(f"This is none of the formats that are read: {FORMATS}.")
