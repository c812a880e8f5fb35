"""The lists of the estate as rows of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from apps.reports.sheets import Cell
from apps.web.pages.estate.size_map import Tile
from apps.web.risk_rows import Risk
from apps.web.sheet_cells import word

SIZES = ("group", "target", "state", "allocated, bytes", "used, bytes")
RISKS = (
    "state", "target", "what runs out", "now", "soonest", "likely", "chance", "act by", "slack, days", "owner", "plan",
    "note",
)  # fmt: skip
OPEN_BY_DAY = ("day", "violations open")


def sizes(tiles: Iterable[Tile]) -> Iterator[Sequence[Cell]]:
    for tile in tiles:
        yield tile.group, tile.target, tile.state.replace("_", " "), tile.size, tile.used


def risks(lines: Iterable[Risk]) -> Iterator[Sequence[Cell]]:
    for line in lines:
        one = line.outlook
        yield (
            word(line.state), line.target, line.what, line.room, one.soonest_on, one.likely_on, line.chance,
            one.act_by, one.slack, line.owner, line.plan, line.note,
        )  # fmt: skip


def open_by_day(days: Mapping[date, int | None]) -> Iterator[Sequence[Cell]]:
    for day, number in days.items():
        yield day, "no data" if number is None else number
