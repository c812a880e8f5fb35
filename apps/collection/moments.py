"""Moments and days as operators type them."""

from datetime import UTC, date, datetime


class BadMoment(ValueError):
    """This is not a moment or a day; the message says how to write one."""


def parse_moment(text: str) -> datetime:
    """An ISO 8601 moment; without a zone it is UTC. Raises BadMoment."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadMoment(
            f"“{text}” is not a moment; write it like 2026-02-17T00:05 or 2026-02-17T00:05+01:00."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def parse_day(text: str) -> date:
    """An ISO 8601 day. Raises BadMoment."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadMoment(f"“{text}” is not a day; write it like 2026-02-17.") from None
