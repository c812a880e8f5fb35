"""Reports of iostat and mpstat in JSON: each ends where the next begins."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.platforms.linux.files.device_values import linux_device_values
from apps.platforms.linux.files.records import HostRecords
from apps.platforms.linux.files.sar_clock import SarClock, date_of, seconds_of
from apps.platforms.linux.files.sar_tables import read_processor
from apps.platforms.linux.metrics.categories import KERNEL
from apps.platforms.linux.sadf import Key, interrupts_of_processors

SINCE_BOOT = "The first report of iostat is since the host was started; it is left out."


class ToolReports:
    """
    Adds the reports of one file to its records.

    The first report of iostat is since the host was started, and only says when the second one began; that of mpstat is as
    long as the second one.
    """

    def __init__(self, records: HostRecords, header: Mapping[str, Any], zone: ZoneInfo) -> None:
        self._records, self._zone = records, zone
        dated = date_of(str(header.get("date", "")))
        self._clock = SarClock(dated[0], zone) if dated else None
        self._last: datetime | None = None
        self._first: dict[Key, float] = {}

    def add(self, report: Mapping[str, Any]) -> None:
        """Add a report. Raises UnreadableFile, and ValueError or LookupError of what is none."""
        moment, before = self._moment(str(report["timestamp"])), self._last
        values = dict(self._values(report))
        self._last = moment
        if before is None:
            if "cpu-load" in report:
                self._first = values
            else:
                self._records.notes.append(SINCE_BOOT)
            return
        if self._first:
            self._records.add(before - (moment - before), before, self._first)
            self._first = {}
        self._records.add(before, moment, values)

    def _moment(self, stamp: str) -> datetime:
        """An ISO moment, or a time of the day in the header. Raises UnreadableFile."""
        words = stamp.split()
        seconds = seconds_of(words[0], words[1].upper() if len(words) > 1 else "") if words else None
        if seconds is not None and self._clock is not None:
            return self._clock.moment(seconds)
        try:
            moment = datetime.fromisoformat(stamp)
        except ValueError:
            raise UnreadableFile(
                f"The report of “{stamp[:40]}” has no date that can be read; run it with S_TIME_FORMAT=ISO."
            ) from None
        return (moment if moment.tzinfo else moment.replace(tzinfo=self._zone)).astimezone(UTC)

    def _values(self, report: Mapping[str, Any]) -> Iterator[tuple[Key, float]]:
        host, understood = self._records.host, self._records.understood
        if "avg-cpu" in report:
            understood["processors"] += 1
            yield from read_processor(_fields(report["avg-cpu"]), "all", host).items()
        for load in report.get("cpu-load", ()):
            understood["processors"] += 1
            component = str(load["cpu"])
            yield from read_processor(_fields(load, leaving_out="cpu"), component, host).items()
        for interrupts in report.get("sum-interrupts", ()):
            fields = {f"CPU{interrupts['cpu']}": interrupts["intr"]}
            yield from interrupts_of_processors(fields)
            if interrupts["cpu"] == "all":
                yield (KERNEL, "sysstat_interrupts", ""), float(interrupts["intr"])
        for disk in report.get("disk", ()):
            understood["block devices"] += 1
            name = str(disk["disk_device"])
            self._records.check_component(name)
            numbers = {key: float(value) for key, value in disk.items() if key != "disk_device"}
            yield from linux_device_values(name, numbers).items()


def _fields(numbers: Mapping[str, Any], leaving_out: str = "") -> dict[str, float]:
    """The columns of sar for the names of JSON."""
    return {f"%{name}": float(value) for name, value in numbers.items() if name != leaving_out}
