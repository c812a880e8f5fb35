"""What a source of history has: how far back, how fine, how much there is to read."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, Self

A_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class HistoryReach:
    """
    One source of history as a target has it: how far back, how fine, how much there is to read.

    Without `days` there is nothing to read, and `reason` says why; `remedy` is what would help, as SQL to copy.
    """

    key: str
    title: str
    gives: str
    first: date | None = None
    last: date | None = None
    days: int = 0
    every: str = ""
    rows: int = 0
    what: str = "rows"
    notes: Sequence[str] = ()  # gaps, restarts, other databases
    reason: str = ""
    remedy: str = ""

    def as_json(self) -> dict[str, Any]:
        """The reach as it is kept; days as ISO dates."""
        fields = asdict(self)
        return fields | {
            name: fields[name].isoformat() if fields[name] else None for name in ("first", "last")
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        days = {
            name: date.fromisoformat(fields[name]) if fields[name] else None for name in ("first", "last")
        }
        return cls(**{**fields, **days})


def gaps_between(days: Sequence[date]) -> list[tuple[date, date]]:
    """The stretches of days that are missing between others, which are in order."""
    return [(before + A_DAY, after - A_DAY) for before, after in pairwise(days) if after - before > A_DAY]
