"""The tablespaces of a target as the Space tab lists them: room and what binds it, growth, and when each is likely full."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from django.utils import timezone

from apps.catalog.details import Room
from apps.catalog.registry import get_metric
from apps.charts import figures
from apps.inventory.models import Target
from apps.outlook.figure import Outlook
from apps.outlook.profile import read_profile_outlook
from apps.outlook.room import RoomRow, true_rooms
from apps.profiles.engine.growth import growth_a_day
from apps.snapshots.measured import days_between, read_series
from apps.thresholds.judge import WORST_FIRST, FigureState, JudgedRow

HISTORY = 60  # days that are drawn
FAR = 90  # days ahead that are told
STILL = 0.005  # GB a day: less is no growth


@dataclass(frozen=True)
class SpaceTabRow:
    """One tablespace on a day: its room, its last days in GB, oldest first, and how it stands to its limit."""

    room: RoomRow
    day: date
    values: Sequence[float | None]
    judged: JudgedRow | None = None
    outlook: Outlook | None = None

    @property
    def name(self) -> str:
        return self.room.space.name

    @property
    def state(self) -> FigureState | None:
        return self.judged.state if self.judged is not None else None

    @property
    def ceiling(self) -> float | None:
        """The least that stops it growing: what is used and what is left."""
        used, left = self.room.space.used, self.room.left.value
        return self.room.space.most if used is None or left is None else used + left

    @property
    def percent_left(self) -> float | None:
        left, ceiling = self.room.left.value, self.ceiling
        return 100 * left / ceiling if left is not None and ceiling else None

    @property
    def growth(self) -> float | None:
        """GB a day over the last 30 days, from the first that was read to the last."""
        growth = growth_a_day(self.values)
        return 0.0 if growth is not None and abs(growth) < STILL else growth

    @property
    def full_on(self) -> date | None:
        """The day on which it is likely full or at its limit, as it is forecast."""
        return self.outlook.likely_on if self.outlook is not None else None

    @property
    def full_at_growth(self) -> date | None:
        """The day on which its room is used at this growth, of what has no forecast; None where that is far."""
        left, growth = self.room.left.value, self.growth
        has_forecast = self.outlook is not None and self.outlook.is_foreseen
        if has_forecast or left is None or not growth or growth < 0 or left / growth > FAR:
            return None
        return self.day + timedelta(days=int(left / growth))

    @property
    def full_words(self) -> str:
        """ "18 Dec" of a forecast, "21 Jan at this growth" without one, "> 90 d", "no growth"."""
        if self.full_on is not None:
            return figures.short_day(self.full_on)
        if self.full_at_growth is not None:
            return f"{figures.short_day(self.full_at_growth)} at this growth"
        if self.outlook is not None and self.outlook.horizon is not None:
            return f">{figures.SPACE}{self.outlook.horizon}{figures.SPACE}d"
        if self.growth is None or self.room.left.value is None:
            return figures.MISSING
        return f">{figures.SPACE}{FAR}{figures.SPACE}d" if self.growth > 0 else "no growth"

    @property
    def range_words(self) -> str:
        """ "10 Dec – 3 Jan": from the soonest day to the latest."""
        if self.outlook is None or self.outlook.soonest_on is None:
            return ""
        latest = figures.short_day(self.outlook.latest_on) if self.outlook.latest_on else "later"
        return f"{figures.short_day(self.outlook.soonest_on)} – {latest}"

    @property
    def urgency(self) -> tuple[int, date, float, str]:
        """What is over or at risk first, then by the day, then by the share that is left."""
        rank = WORST_FIRST.index(self.state) if self.state is not None else len(WORST_FIRST)
        near = rank if self.state in (FigureState.VIOLATED, FigureState.AT_RISK) else len(WORST_FIRST)
        share = self.percent_left
        return near, self.full_on or date.max, 101.0 if share is None else share, self.name


def read_space_rows(target: Target, room: Room, day: date) -> list[SpaceTabRow]:
    """Every tablespace that was read on a day, what fills first on top."""
    rooms = true_rooms(target, room, day)
    if not rooms:
        return []
    looked = read_profile_outlook(target, day, timezone.now(), lambda metric: metric.base == room.used)
    judged = {row.row.component: row for row in looked.judged.rows}
    values = _read_values(target, room, [row.space.name for row in rooms], day)
    rows = [
        SpaceTabRow(
            row,
            day,
            values[row.space.name],
            judged.get(row.space.name),
            looked.outlooks.get((room.used, row.space.name)),
        )
        for row in rooms
    ]
    return sorted(rows, key=lambda row: row.urgency)


def _read_values(
    target: Target, room: Room, names: Sequence[str], day: date
) -> Mapping[str, list[float | None]]:
    """The used space of each by day, oldest first, in GB."""
    first = day - timedelta(days=HISTORY - 1)
    measured = read_series([target], [(room.used, name) for name in names], first, day)[target.pk]
    factor = get_metric(room.used).to_display_unit(1.0)
    columns = range(len(days_between(first, day)))
    return {
        name: [
            None if np.isnan(value := measured.values[row, column]) else float(value) * factor
            for column in columns
        ]
        for row, name in enumerate(names)
    }


def total_growth(rows: Sequence[SpaceTabRow]) -> float | None:
    """What all of them grow a day; None where that of one is not known."""
    growths = [row.growth for row in rows if row.room.space.used]
    return None if None in growths else sum(growth or 0.0 for growth in growths)


def total_room(rows: Sequence[SpaceTabRow]) -> float | None:
    """What all of them may still take; None where some share the space below, which is there but once."""
    lefts = [row.room.left.value for row in rows]
    if None in lefts or any(row.room.left.binds.startswith("free space") for row in rows):
        return None
    return sum(left or 0.0 for left in lefts)
