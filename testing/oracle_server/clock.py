"""Clocks that a database goes by: one that stands still until it is moved, and the wall's."""

from datetime import UTC, datetime, timedelta


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("A clock needs a moment with a time zone.")
        self._now = now

    def __call__(self) -> datetime:
        return self._now

    def advance(self, **time: float) -> datetime:
        """Move on by `time`, given as for timedelta; return the new moment."""
        self._now += timedelta(**time)
        return self._now

    def move_to(self, now: datetime) -> None:
        self._now = now


def wall_clock() -> datetime:
    return datetime.now(UTC)
