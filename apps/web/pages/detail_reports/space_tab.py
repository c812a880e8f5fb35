"""The Space tab: its first line, its facts, the five with least room as drawings, its table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.catalog.details import Room
from apps.charts import figures
from apps.charts.outlook import FanPoint, OutlookMarks, outlook
from apps.forecasting.models import Forecast
from apps.inventory.models import Target
from apps.outlook.crossing_text import crossing_words
from apps.outlook.room import UNIT
from apps.web.cells import drawing
from apps.web.pages.detail_reports.space_rows import (
    HISTORY,
    SpaceTabRow,
    read_space_rows,
    total_growth,
    total_room,
)
from apps.web.pages.detail_reports.space_table import room_words, space_table
from apps.web.sentences import Part, count, day_in_words
from apps.web.tables import FilledTable

MOST_ROWS = 50
MULTIPLES = 5
AHEAD = 45  # days
WIDTH, HEIGHT = 222.0, 190.0


@dataclass(frozen=True)
class Multiple:
    """One of the drawings side by side: its name, what is left, the drawing and its line of meaning."""

    row: SpaceTabRow
    left: str
    drawing: str
    meaning: str


@dataclass(frozen=True)
class SpaceTab:
    """What the tablespaces of a target have left on a day, what fills first on top, those whose name has the words."""

    target: Target
    room: Room
    report: str
    day: date
    rows: Sequence[SpaceTabRow]
    words: str = ""

    @property
    def matching(self) -> list[SpaceTabRow]:
        phrase = self.words.casefold()
        return [row for row in self.rows if phrase in row.name.casefold()]

    @property
    def visible(self) -> list[SpaceTabRow]:
        return self.matching[:MOST_ROWS]

    @property
    def more(self) -> int:
        return len(self.matching) - len(self.visible)

    @property
    def aside(self) -> str:
        return f"{UNIT}, by the last readings of {figures.short_day(self.day)}; what fills first stands first"

    @property
    def footnotes(self) -> list[str]:
        """What the marks of the rows mean, and why something is missing, for people who have no pointer to hover with."""
        notes = []
        if any(row.room.left.at_least is not None for row in self.visible):
            notes.append("From … to: it lies on several places, and which of its files grow decides.")
        uncounted = sorted({name for row in self.visible for name in row.room.shared.uncounted})
        if uncounted:
            notes.append(
                f"Not everything of {', '.join(uncounted)} on the same host is known; it is left out."
            )
        reasons = [why for row in self.visible for why in (row.room.why_free, row.room.shared.why)]
        return [*notes, *(f"No data: {why}." for why in dict.fromkeys(reasons) if why)]

    def sentence(self) -> list[Part]:
        """What is full first and when; without such a day what has the least room, and what binds it."""
        dated = sorted((row for row in self.rows if row.full_on), key=lambda row: row.full_on or date.max)
        if not dated:
            return self._least_room()
        first = dated[0]
        assert first.outlook is not None
        assert first.full_on is not None
        parts = [
            Part(f"{first.name} {crossing_words(first.outlook)} around {day_in_words(first.full_on)}", True)
        ]
        if first.outlook.soonest_on:
            parts.append(Part(f" (soonest {day_in_words(first.outlook.soonest_on)})"))
        others = len(dated) - 1
        parts.append(Part(f"; {count(others, 'other')} will follow." if others else "."))
        if first.outlook.act_by:
            parts += [Part(" Act by "), Part(day_in_words(first.outlook.act_by), True), Part(".")]
        return parts

    def _least_room(self) -> list[Part]:
        with_room = [row for row in self.rows if row.percent_left is not None]
        if not with_room:
            return [
                Part("How much room is left is not known", True),
                Part(f": {self.rows[0].room.left.why}."),
            ]
        left = with_room[0].room.left
        parts = [
            Part(f"{with_room[0].name} has the least room", True),
            Part(
                f": {room_words(left)} of {figures.figure(with_room[0].ceiling)} {UNIT} on {day_in_words(self.day)},"
                f" bound by {left.binds}."
            ),
        ]
        unknown = len(self.rows) - len(with_room)
        return [*parts, Part(f" Of {unknown} it is not known; the table says why.")] if unknown else parts

    def crowding(self) -> str:
        """The most over-committed place; empty where what lies there may all grow."""
        crowded = max(self.rows, key=lambda row: row.room.shared.ratio or 0.0).room
        if (crowded.shared.ratio or 0.0) <= 1:
            return ""
        least = "at least " if crowded.shared.uncounted else ""
        times = figures.figure(crowded.shared.ratio)
        return f"What lies on {crowded.places} may still grow by {least}{times} times what is free there."

    def facts(self) -> list[dict[str, str]]:
        """The totals of the table, for the facts line."""
        used = sum(row.room.space.used or 0.0 for row in self.rows)
        growth, left = total_growth(self.rows), total_room(self.rows)
        facts = [("used", f"{figures.figure(used)} {UNIT}")]
        if growth is not None:
            facts.append(
                (
                    "growth",
                    f"{figures.figure(growth)} {UNIT}/day, {figures.figure(30 * growth)} {UNIT} a month",
                )
            )
        if left is not None:
            facts.append(("room left", f"{figures.figure(left)} {UNIT}"))
        return [{"label": label, "value": value, "url": ""} for label, value in facts]

    def multiples(self) -> list[Multiple]:
        """The five that fill first, each on its own scale, with ceiling and forecast."""
        rows = [row for row in self.visible[:MULTIPLES] if row.room.left.value is not None]
        _read_paths([row.outlook.forecast for row in rows if row.outlook and row.outlook.forecast])
        return [_draw(row, self.day) for row in rows]

    @property
    def table(self) -> FilledTable[SpaceTabRow]:
        """The rows of the page; files hold all that match."""
        name = f"{self.target.name}-{self.report}-true-headroom-{self.day}"
        table = space_table(self.target, self.room.used, self.day)
        return table.fill(self.visible, all_rows=lambda: self.matching, file_name=name)


def read_space_tab(target: Target, report: str, room: Room, day: date, words: str = "") -> SpaceTab | None:
    """The tab as of a day; None where no tablespace was read."""
    rows = read_space_rows(target, room, day)
    return SpaceTab(target, room, report, day, rows, words) if rows else None


def _read_paths(forecasts: Sequence[Forecast]) -> None:
    """The courses of those that are drawn, by one query: a profile is read without them."""
    paths = dict(
        Forecast.objects.filter(pk__in=[forecast.pk for forecast in forecasts]).values_list("pk", "path")
    )
    for forecast in forecasts:
        forecast.path = paths[forecast.pk]


def _draw(row: SpaceTabRow, day: date) -> Multiple:
    share = "" if row.percent_left is None else f" · {figures.figure(row.percent_left)} %"
    days = [day - timedelta(days=back) for back in range(HISTORY - 1, -1, -1)]
    limit = row.judged.limit if row.judged is not None else None
    ahead = row.outlook
    marks = OutlookMarks(
        limit=limit.edge if limit is not None else None,
        ceiling=row.ceiling,
        fan=_fan(row, day),
        soonest=ahead.soonest_on if ahead else None,
        likely=ahead.likely_on if ahead else None,
        latest=ahead.latest_on if ahead else None,
    )
    label = f"{row.name}: {HISTORY} days, its ceiling and what is foreseen"
    svg = outlook(days, row.values, marks, label=label, width=WIDTH, height=HEIGHT)
    return Multiple(row, f"{room_words(row.room.left)} {UNIT} left{share}", drawing(svg), _meaning(row))


def _fan(row: SpaceTabRow, day: date) -> list[FanPoint]:
    forecast = row.outlook.forecast if row.outlook is not None and row.outlook.is_foreseen else None
    if forecast is None:
        return []
    last = day + timedelta(days=AHEAD)
    return [point for point in forecast.fan if point[0] <= last]


def _meaning(row: SpaceTabRow) -> str:
    if row.range_words:
        return f"likely {row.full_words} ({row.range_words})"
    if row.outlook is not None and row.outlook.horizon is not None:
        return f"not within {row.outlook.horizon} days, chance {row.outlook.chance_words}"
    return row.full_words
