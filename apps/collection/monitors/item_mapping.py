"""Which items of a monitoring server are which of a platform's statistics, as a file in JSON beside its reader says."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from apps.collection.monitors.items import ItemName

COMPONENT = "{}"


@dataclass(frozen=True, eq=False)
class ItemStatistic:
    """
    A statistic as items give it: the sum of `items`, all of which are needed, and of those of `also` that are there.

    A value is multiplied by the factor of its unit, and `plus` is added; without units any is taken as it is. What `holds_on` is kept until it
    changes. A `rate` is what was counted in a second.
    """

    category: int
    statistic: str
    items: Sequence[ItemName]
    also: Sequence[ItemName]
    units: Mapping[str, float]
    plus: float
    holds_on: bool
    is_rate: bool

    def figure(self, value: float, unit: str) -> float | None:
        """A value in our unit; None where its unit is another one than is known."""
        if not self.units:
            return value
        factor = self.units.get(unit)
        return None if factor is None else value * factor + self.plus


class ItemMapping:
    """A mapping in a file; `parts` has the categories by the names that it has for them, `split` parts the names of items."""

    def __init__(self, path: Path, parts: ModuleType, split: Callable[[str], ItemName]) -> None:
        self._path, self._parts, self._split = path, parts, split

    def name_of(self, text: str) -> ItemName:
        """The name of an item in parts, the component second; one of several names is told for all."""
        first, *rest = self._split(text)
        return (self._content.get("same as", {}).get(first, first), *rest)

    def find(self, text: str) -> tuple[ItemStatistic, ItemName, str] | None:
        """The statistic that an item belongs to, its name there and the component; None for items of which nothing is read."""
        name = self.name_of(text)
        if name in self.by_name:
            return self.by_name[name], name, ""
        if len(name) < 2:
            return None
        general = (name[0], COMPONENT, *name[2:])
        return (self.by_name[general], general, name[1]) if general in self.by_name and name[1] else None

    @cached_property
    def by_name(self) -> Mapping[ItemName, ItemStatistic]:
        """The statistics by the names of all items that they are made of."""
        statistics = [self._statistic(entry) for entry in self._content["statistics"]]
        return {name: statistic for statistic in statistics for name in (*statistic.items, *statistic.also)}

    def without_component(self, text: str) -> str:
        """An item of which nothing is read, as people are told of it: whatever its component, with the reason where there is one."""
        name = self.name_of(text)[0]
        return f"{name}: {self.left_out[name]}" if name in self.left_out else name

    @cached_property
    def left_out(self) -> Mapping[str, str]:
        """Items that mean something else than a statistic of ours, by the first part of their name, and why."""
        return {name: reason for reason, names in self._content.get("left out", {}).items() for name in names}

    @cached_property
    def _content(self) -> dict[str, Any]:
        return dict(json.loads(self._path.read_text("utf-8")))

    def _statistic(self, entry: Mapping[str, Any]) -> ItemStatistic:
        return ItemStatistic(
            category=getattr(self._parts, entry["part"]),
            statistic=entry["statistic"],
            items=[self.name_of(text) for text in entry["items"]],
            also=[self.name_of(text) for text in entry.get("also", ())],
            units=entry.get("units", {}),
            plus=entry.get("plus", 0.0),
            holds_on=entry.get("holds on", False),
            is_rate=entry.get("rate", False),
        )
