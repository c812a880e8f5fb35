"""Moments of clocks that show no date: midnight, AM and PM, and the hour that comes twice."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_TIME = re.compile(r"(\d{1,2})[:.](\d\d)[:.](\d\d)")
HALF_DAY = 12 * 3600
_DATES = (
    (re.compile(r"(\d{4})-(\d\d)-(\d\d)"), "ymd"),
    (re.compile(r"(\d{4})/(\d\d)/(\d\d)"), "ymd"),
    (re.compile(r"(\d\d?)\.(\d\d?)\.(\d{2,4})"), "dmy"),
    (re.compile(r"(\d\d?)[/-](\d\d?)[/-](\d{2,4})"), "mdy"),
)


@dataclass
class SarClock:
    """The moments of one table: they only go on, so a time that is much earlier is one of the next day."""

    on: date
    zone: ZoneInfo
    last: int = -1
    fold: int = 0
    _moments: dict[tuple[date, int, int], datetime] = field(default_factory=dict)

    def moment(self, seconds: int) -> datetime:
        """The moment at which the clock showed so many seconds since midnight."""
        if seconds < self.last:
            if self.last - seconds > HALF_DAY:
                self.on += timedelta(days=1)
                self.fold = 0
            else:
                self.fold = 1  # clocks were put back by an hour
        self.last = seconds
        key = (self.on, seconds, self.fold)
        if key not in self._moments:
            midnight = datetime.combine(self.on, time(), self.zone)
            local = (midnight + timedelta(seconds=seconds)).replace(fold=self.fold)
            self._moments[key] = local.astimezone(UTC)
        return self._moments[key]


def seconds_of(word: str, half: str = "") -> int | None:
    """The seconds since midnight of "08:15:00", with AM or PM; None where it is no time."""
    match = _TIME.fullmatch(word)
    if match is None:
        return None
    hour, minute, second = map(int, match.groups())
    if half:
        hour = hour % 12 + (12 if half == "PM" else 0)
    if hour > 24 or minute > 59 or second > 60:
        return None
    return hour * 3600 + minute * 60 + second


def date_of(text: str) -> tuple[date, bool] | None:
    """
    The date in a header, and whether month and day could stand the other way round; None where there is none.

    Where both orders are dates, the month comes first, as in the C locale.
    """
    for word in text.split():
        for pattern, order in _DATES:
            if match := pattern.fullmatch(word):
                return _date(tuple(map(int, match.groups())), order)
    return None


def _date(numbers: tuple[int, ...], order: str) -> tuple[date, bool] | None:
    if order == "ymd":
        year, month, day = numbers
    elif order == "dmy" or numbers[0] > 12:
        day, month, year = numbers
    else:
        month, day, year = numbers
    year += 2000 if year < 100 else 0
    try:
        on = date(year, month, day)
    except ValueError:
        return None
    return on, order == "mdy" and month <= 12 and day <= 12 and month != day
