"""What is said of how much of a day was measured."""

from collections.abc import Mapping
from typing import Any, Final

from apps.charts import figures

_NOTHING: Mapping[str, Any] = {}


class CoverageFacts:
    """
    What is said of a covered day, of whatever holds these facts.

    `categories` says for each category, by its number, the hours measured, the days its differences span and what
    is to be said of it: {"1": {"hours": 17.8, "spans": 1, "since_restart": true}}; a category that failed has
    {"missing": "why"}, one that a file gave has {"from": "file sa20"}, one of which there are some figures alone {"in_part": true} too, one of bounds {"at_most": true}, one whose figures came finished {"given": true, "statistics": ["redo_size"]}: of these alone. `marks` names the series that have no figure for a reason of their own: {"317": "fell"}.
    """

    __slots__ = ()

    ENOUGH: Final = 0.8  # of a day's length; less is partial
    MUCH: Final = 1.2  # of a day's length; more is said
    CSV: Final = "CSV"  # how the source of figures begins that somebody gave, finished
    USERS: Final = "users"  # the source of what people give day by day, beside what is read

    day: Any  # a date
    hours: Any  # a float: the least of its categories
    day_hours: Any  # a float: 23 or 25 where the clocks change
    restarts: Any  # how many
    is_so_far: Any  # whether the day was still running
    categories: Any
    marks: Any

    @property
    def is_partial(self) -> bool:
        return bool(self.hours < self.ENOUGH * self.day_hours)

    def missing(self, category: int) -> str:
        """Why a category has no figures of this day, in a sentence; empty where it was read, or was not asked for."""
        return str(self._of(category).get("missing", ""))

    def source_of(self, category: int) -> str:
        """Where the figures of a category come from, if not from readings: a file, or what a database remembered."""
        return str(self._of(category).get("from", ""))

    def is_of_file(self, category: int) -> bool:
        """Whether the figures of a category are what the tools of the target wrote, brought as a file."""
        return bool(self.source_of(category)) and not self._is_given(self._of(category))

    @property
    def given_categories(self) -> dict[str, Any]:
        """What is said of the categories whose figures somebody gave, finished."""
        return {name: about for name, about in self.categories.items() if self._is_given(about)}

    def _is_given(self, about: Mapping[str, Any]) -> bool:
        source = str(about.get("from", ""))
        is_marked = bool(about.get("given", False))
        return is_marked or source == self.USERS or source.startswith(f"{self.CSV} ")

    def spans_of(self, category: int) -> int:
        """How many days a category's differences span."""
        return int(self._of(category).get("spans", 1))

    def is_since_restart(self, category: int) -> bool:
        return bool(self._of(category).get("since_restart", False))

    def is_at_most(self, category: int) -> bool:
        """Whether the figures of a category are bounds, told from something else: they are shown, and nothing is judged or told by them."""
        return bool(self._of(category).get("at_most", False))

    def length_of(self, category: int) -> str:
        """What is to be said of the time that a category's differences were measured over; empty where it is a day."""
        spans, hours = self.spans_of(category), self.hours_of(category)
        if spans > 1:
            return f"spans {spans} days, quoted per day"
        if hours and not self.ENOUGH * self.day_hours <= hours <= self.MUCH * self.day_hours:
            return f"measured over {figures.fixed(hours, 1)} hours"
        return ""

    def hours_of(self, category: int) -> float:
        return float(self._of(category).get("hours", self.hours))

    def is_partial_in(self, category: int) -> bool:
        """Whether the figures of a category were measured over too little of the day to be judged."""
        return self.hours_of(category) < self.ENOUGH * self.day_hours or bool(self.without(category))

    def without(self, category: int) -> list[str]:
        """Of a database: its instances that were not read at both ends of the day."""
        return list(self._of(category).get("without", []))

    def _of(self, category: int) -> Mapping[str, Any]:
        about: Mapping[str, Any] = self.categories.get(str(category), _NOTHING)
        return about
