"""Moments and days as operators type them."""

from datetime import UTC, date, datetime

LONGEST = 40  # characters
YEARS = range(1970, 3000)


class BadMoment(ValueError):
    """This is not a moment or a day; the message says how to write one."""


def parse_moment(text: str) -> datetime:
    """An ISO 8601 moment; without a zone it is UTC. Raises BadMoment."""
    try:
        moment = datetime.fromisoformat(_cut_long(text))
    except ValueError:
        raise BadMoment(
            f"“{text[:LONGEST]}” is not a moment; write it like 2026-02-17T00:05 or 2026-02-17T00:05+01:00."
        ) from None
    _refuse_other_centuries(moment, text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def parse_day(text: str) -> date:
    """An ISO 8601 day. Raises BadMoment."""
    try:
        day = date.fromisoformat(_cut_long(text))
    except ValueError:
        raise BadMoment(f"“{text[:LONGEST]}” is not a day; write it like 2026-02-17.") from None
    _refuse_other_centuries(day, text)
    return day


def _cut_long(text: str) -> str:
    return text if len(text) <= LONGEST else ""


def _refuse_other_centuries(on: date, text: str) -> None:
    """Nothing was measured then, and a time zone would lead out of the calendar. Raises BadMoment."""
    if on.year not in YEARS:
        raise BadMoment(f"“{text}” lies outside of the years {YEARS.start} to {YEARS.stop - 1}.")
