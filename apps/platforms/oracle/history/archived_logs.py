"""Redo and switches of past days, by what the control file remembers of archived logs and of all logs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from apps.collection.collector import Reading
from apps.platforms.oracle import categories
from apps.platforms.oracle import history_queries as statements
from apps.platforms.oracle.history.shots import shot_of
from apps.platforms.oracle.read import Reader, archived_logs, log_switches
from apps.snapshots.engine.days import Day
from apps.snapshots.engine.readings import Shot
from apps.snapshots.measured import days_between

ARCHIVED, SWITCHES = "archived log", "log history"
A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class LogHistory:
    """Rows about logs with the moment, in UTC, that puts them into a day; oldest first."""

    category: int
    moments: Sequence[datetime]
    rows: Sequence[Sequence[Any]]
    read: Callable[[Sequence[Sequence[Any]]], list[Reading]]

    def days(self, zone: ZoneInfo, last: date) -> list[date]:
        """The days up to `last` that are remembered from their beginning."""
        if not self.moments:
            return []
        first = self.moments[0].astimezone(zone).date() + A_DAY
        return days_between(first, last)

    def shot(self, day: Day) -> Shot | None:
        """What a reading at the end of a day would have said of its last 24 hours; None before what is remembered."""
        if not self.moments or self.moments[0] > day.began_at:
            return None
        rows = [
            row
            for moment, row in zip(self.moments, self.rows, strict=True)
            if day.ended_at - A_DAY < moment <= day.ended_at
        ]
        return shot_of(self.read(rows), day.ended_at, None)


def read_archived(reader: Reader, in_utc: Callable[[datetime], datetime]) -> LogHistory:
    """The archived logs of this thread, each once however many copies were made. Raises the driver's errors."""
    rows = [(in_utc(completed), rest) for *rest, completed in reader.rows(statements.ARCHIVED_LOGS)]
    rows.sort(key=lambda row: row[0])
    return LogHistory(
        categories.ARCHIVED_LOG, [moment for moment, _ in rows], [row for _, row in rows], archived_logs
    )


def read_switches(reader: Reader, in_utc: Callable[[datetime], datetime]) -> LogHistory:
    """The switches of this thread. Raises the driver's errors."""
    moments = [moment for (moment,) in reader.rows(statements.LOG_SWITCHES)]
    return LogHistory(
        categories.LOG_HISTORY,
        [in_utc(moment) for moment in moments],
        [(moment,) for moment in moments],
        lambda rows: log_switches([moment for (moment,) in rows]),
    )
