"""ISO weeks: Monday to Sunday (arithmetic, no Django)."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_WEEK = re.compile(r"([0-9]{4})-W([0-9]{2})")


class BadWeek(ValueError):
    """This is not an ISO week; the message says how to write one."""


@dataclass(frozen=True, order=True)
class Week:
    """An ISO week by its Monday."""

    first_day: date

    @property
    def last_day(self) -> date:
        return self.first_day + timedelta(days=6)

    @property
    def name(self) -> str:
        year, week, _ = self.first_day.isocalendar()
        return f"{year}-W{week:02}"

    @property
    def previous(self) -> "Week":
        return Week(self.first_day - timedelta(days=7))

    @property
    def following(self) -> "Week":
        return Week(self.first_day + timedelta(days=7))


def week_of(day: date) -> Week:
    return Week(day - timedelta(days=day.weekday()))


def parse_week(text: str) -> Week:
    """The week of a name such as 2026-W47. Raises BadWeek."""
    match = _WEEK.fullmatch(text)
    try:
        if match is None or not 1970 <= int(match[1]) < 3000:
            raise ValueError
        return Week(date.fromisocalendar(int(match[1]), int(match[2]), 1))
    except ValueError:
        raise BadWeek(f"“{text}” is not a week; write it like 2026-W47.") from None


def last_complete_week(now: datetime) -> Week:
    """The week whose Sunday is over."""
    return week_of(now.date()).previous
