"""Which moments a target is due at, and which of its days are closed (docs/method.md, From a reading to a figure; arithmetic)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from apps.snapshots.engine.days import REACH, Day, day_of


@dataclass(frozen=True)
class Timetable:
    """When a target is read: daily at a time of its zone, or every so many minutes counted from midnight UTC."""

    zone: ZoneInfo
    interval: timedelta
    at: time

    @property
    def is_daily(self) -> bool:
        return self.interval >= timedelta(days=1)

    @property
    def patience(self) -> timedelta:
        """A slot may be made up for until half its interval has gone by; then it is missed."""
        return self.interval / 2

    def slot_on(self, on: date) -> datetime:
        """The daily slot of a calendar day, as that very moment in UTC."""
        return datetime.combine(on, self.at, self.zone).astimezone(UTC)

    def last_slot(self, moment: datetime) -> datetime:
        """The newest slot that is not later than the moment."""
        if not self.is_daily:
            midnight = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
            return midnight + (moment - midnight) // self.interval * self.interval
        on = moment.astimezone(self.zone).date()
        return max(
            slot for slot in (self.slot_on(on - timedelta(days=1)), self.slot_on(on)) if slot <= moment
        )

    def next_slot(self, moment: datetime) -> datetime:
        """The first slot later than the moment."""
        if not self.is_daily:
            return self.last_slot(moment) + self.interval
        on = moment.astimezone(self.zone).date()
        candidates = (self.slot_on(on + timedelta(days=offset)) for offset in (-1, 0, 1))
        return min(slot for slot in candidates if slot > moment)

    def due_slot(self, now: datetime) -> datetime | None:
        """The slot that may be read now; None when the newest one is already missed."""
        slot = self.last_slot(now)
        return slot if now - slot <= self.patience else None

    def ending_slot(self, day: Day) -> datetime:
        """The slot whose reading ends a day: the one nearest to its last midnight, the earlier when equally near."""
        before = self.last_slot(day.ended_at)
        after = self.next_slot(day.ended_at)
        nearer = before if day.ended_at - before <= after - day.ended_at else after
        if abs(nearer - day.ended_at) > REACH:
            raise ValueError(f"No slot lies within 12 hours of the end of {day.on}.")
        return nearer

    def closes_at(self, on: date) -> datetime:
        """When a day is closed at the latest: its ending slot, read or not, is then missed."""
        return self.ending_slot(day_of(on, self.zone)) + self.patience

    def days_closing_until(self, now: datetime, *, newest_read_slot: datetime | None) -> date:
        """The last closed day: its ending slot was read, or is missed."""
        on = now.astimezone(self.zone).date()
        while True:
            ending = self.ending_slot(day_of(on, self.zone))
            if (newest_read_slot is not None and newest_read_slot >= ending) or now > ending + self.patience:
                return on
            on -= timedelta(days=1)
