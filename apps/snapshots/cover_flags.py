"""CoverFlags: how the days of a target were covered for the figures of one kind, as arrays by day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.snapshots.coverage_facts import CoverageFacts

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NEVER_READ: Mapping[str, Any] = {"missing": ""}


@dataclass(frozen=True)
class CoverFlags:
    """
    How days were covered for one category, and for figures over time or of a state; each array is made when asked for.

    Where a day has no coverage, no flag holds. `over_time` is false for states, which any covered day measures.
    """

    days: Sequence[date | None]
    coverage: Mapping[date, CoverageFacts]
    category: int
    over_time: bool

    @cached_property
    def was_read(self) -> Flags:
        """Where its source was read as a whole, at the end of the day."""
        return self._by_day(["missing" not in entry and not entry.get("in_part") for entry in self._entries])

    @cached_property
    def was_measured(self) -> Flags:
        """Where it was measured over some time of the same instance: what did not occur would have been seen."""
        same = np.array([not entry.get("other_instance") for entry in self._entries], dtype=bool)
        return self._of_time((self._measured > 0) & same)

    @cached_property
    def is_over(self) -> Flags:
        """Where the day is."""
        return self._by_day([not cover.is_so_far for cover in self._covers])

    @cached_property
    def is_whole(self) -> Flags:
        """Where enough of the day was measured."""
        return self._of_time(self._measured >= CoverageFacts.ENOUGH * self._lengths)

    @cached_property
    def is_complete(self) -> Flags:
        """With all instances of a database, and measured itself: no bound."""
        return self._by_day(
            [not entry.get("without") and not entry.get("at_most") for entry in self._entries]
        )

    @cached_property
    def is_alone(self) -> Flags:
        """Measured over this day and no other."""
        return self._of_time([entry.get("spans", 1) == 1 for entry in self._entries])

    @cached_property
    def is_steady(self) -> Flags:
        """Without a restart in it."""
        return self._of_time([not entry.get("since_restart") for entry in self._entries])

    @cached_property
    def hours(self) -> Floats:
        """Hours measured of each day."""
        return self._amounts(self._measured)

    @cached_property
    def share(self) -> Floats:
        """The part of each day's length that was measured, at most 1."""
        return self._amounts(np.minimum(1.0, self._measured / self._lengths))

    # ── the days that have coverage ───────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _places(self) -> list[int]:
        return [at for at, day in enumerate(self.days) if day in self.coverage]

    @cached_property
    def _covers(self) -> list[CoverageFacts]:
        return [self.coverage[day] for day in self.days if day is not None and day in self.coverage]

    @cached_property
    def _entries(self) -> list[Mapping[str, Any]]:
        """What is said of the category on each."""
        name = str(self.category)
        return [cover.categories.get(name, NEVER_READ) for cover in self._covers]

    @cached_property
    def _lengths(self) -> Floats:
        return np.array([cover.day_hours for cover in self._covers], dtype=float)

    @cached_property
    def _measured(self) -> Floats:
        pairs = zip(self._entries, self._covers, strict=True)
        return np.array([entry.get("hours", cover.hours) for entry, cover in pairs], dtype=float)

    def _by_day(self, answers: Sequence[bool] | Flags) -> Flags:
        flags = np.zeros(len(self.days), dtype=bool)
        flags[self._places] = answers
        return flags

    def _of_time(self, answers: Sequence[bool] | Flags) -> Flags:
        """Answers about a stretch of time: they hold for any state."""
        return self._by_day(answers if self.over_time else np.ones(len(self._places), dtype=bool))

    def _amounts(self, amounts: Floats) -> Floats:
        by_day = np.zeros(len(self.days))
        by_day[self._places] = amounts
        return by_day
