"""Which reading ends which day, and which day is closed (docs/method.md, From a reading to a figure; no Django)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

REACH = timedelta(hours=12)  # how far from midnight a reading may lie and still bound the day
LOOK_BACK = timedelta(days=7)  # how old a reading may be that a difference over several days starts from


@dataclass(frozen=True)
class Day:
    """A calendar day of a zone, as two moments in UTC. It has 23, 24 or 25 hours."""

    on: date
    began_at: datetime
    ended_at: datetime
    is_running: bool = False  # not over yet: its figures are so far

    @property
    def hours(self) -> float:
        return (self.ended_at - self.began_at).total_seconds() / 3600


def day_of(on: date, zone: ZoneInfo, now: datetime | None = None) -> Day:
    """The day as moments. A midnight that the clocks skip is the moment they skipped to. `now` tells if it still runs."""
    ended_at = _midnight(on + timedelta(days=1), zone)
    return Day(on, _midnight(on, zone), ended_at, is_running=now is not None and now < ended_at)


def _midnight(on: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(on, time(), zone).astimezone(UTC)


def nearest(moments: Sequence[datetime], midnight: datetime) -> int | None:
    """Index of the moment nearest to midnight within reach, the earlier when equally near; None if there is none."""
    candidates = [(abs(moment - midnight), moment, index) for index, moment in enumerate(moments)]
    distance, _, index = min(candidates, default=(timedelta.max, midnight, -1))
    return index if distance <= REACH else None


def _newest_within(moments: Sequence[datetime], day: Day) -> int | None:
    """The newest reading of a day that still runs, unless it is the one that begins the day."""
    within = [index for index, moment in enumerate(moments) if day.began_at <= moment <= day.ended_at]
    if not within or nearest(moments, day.began_at) == within[-1]:
        return None
    return within[-1]


@dataclass(frozen=True)
class Bounds:
    """Which of a list of readings begins and which ends a day. `first` is None where only the end was read."""

    first: int | None
    last: int
    spans_days: int


def bounds(moments: Sequence[datetime], day: Day) -> Bounds | None:
    """
    The readings that bound a day, of moments in ascending order; None where its end was not read.

    A day that still runs ends, so far, with its newest reading. Where its beginning was not read, the difference starts at the newest reading before it, up to a week back, and
    spans as many days.
    """
    last = _newest_within(moments, day) if day.is_running else nearest(moments, day.ended_at)
    if last is None:
        return None
    first = nearest(moments[:last], day.began_at)
    if first is not None:
        return Bounds(first, last, 1)
    earlier = [i for i in range(last) if day.began_at - LOOK_BACK <= moments[i] < day.began_at]
    if not earlier:
        return Bounds(None, last, 1)
    gap = day.began_at - moments[earlier[-1]]
    return Bounds(earlier[-1], last, 1 + max(1, round(gap / timedelta(days=1))))


def days_bounded_by(moment: datetime, zone: ZoneInfo) -> list[date]:
    """The days whose figures a reading at this moment can change: it may end one and begin or lie in the other."""
    local = moment.astimezone(zone).date()
    return [
        on
        for on in (local - timedelta(days=1), local)
        if day_of(on, zone).began_at - REACH <= moment <= day_of(on, zone).ended_at + REACH
    ]
