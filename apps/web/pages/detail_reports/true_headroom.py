"""True headroom of space as the page of a target shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.catalog.details import Room
from apps.charts import figures
from apps.forecasting.engine.true_room import TrueRoom
from apps.inventory.models import Target
from apps.outlook.room import UNIT, RoomRow, true_rooms
from apps.web.sentences import Part, day_in_words

MOST_ROWS = 50


@dataclass(frozen=True)
class Rooms:
    """The table of true headroom, least first, as of one day, those whose name contains the words."""

    day: date
    rows: Sequence[RoomRow]
    words: str = ""

    @property
    def matching(self) -> list[RoomRow]:
        wanted = self.words.casefold()
        return [row for row in self.rows if wanted in row.space.name.casefold()]

    @property
    def shown(self) -> list[RoomRow]:
        return self.matching[:MOST_ROWS]

    @property
    def more(self) -> int:
        return len(self.matching) - len(self.shown)

    @property
    def aside(self) -> str:
        return f"{UNIT}, by the last readings of {figures.short_day(self.day)}, least first"

    @property
    def footnotes(self) -> list[str]:
        """What the marks of the rows mean, and why something is missing, for people who have no pointer to hover with."""
        said = []
        if any(row.left.at_least is not None for row in self.shown):
            said.append("From … to: it lies on several places, and which of its files grow decides.")
        uncounted = sorted({name for row in self.shown for name in row.shared.uncounted})
        if uncounted:
            said.append(
                f"≥: not everything of {', '.join(uncounted)} on the same host is known, and it is left out."
            )
        reasons = [why for row in self.shown for why in (row.why_free, row.shared.why)]
        return [*said, *(f"No data: {why}." for why in dict.fromkeys(reasons) if why)]

    def sentence(self) -> list[Part]:
        """The tablespace with the least room, what binds it, and the most over-committed place."""
        known = [row for row in self.rows if row.left.value is not None]
        if not known:
            return [Part("True headroom cannot be told", True), Part(f": {self.rows[0].left.why}.")]
        first = known[0]
        parts = [
            Part(f"{first.space.name} has the least true headroom", True),
            Part(f": {_span(first.left)} {UNIT} on {day_in_words(self.day)}"),
            Part(f", bound by {first.left.binds}."),
        ]
        crowded = max(self.rows, key=lambda row: row.shared.ratio or 0.0)
        if (crowded.shared.ratio or 0.0) > 1:
            least = "at least " if crowded.shared.uncounted else ""
            parts.append(
                Part(
                    f" What lies on {crowded.places} may still grow by {least}"
                    f"{figures.figure(crowded.shared.ratio)} times what is free there."
                )
            )
        unknown = len(self.rows) - len(known)
        if unknown:
            parts.append(Part(f" Of {unknown} it cannot be told; the table says why."))
        return parts

    def sheet(self) -> tuple[list[str], Iterator[list[str | float | date | None]]]:
        heads = [
            "tablespace",
            "day",
            *(f"{name} ({UNIT})" for name in ("used", "size", "ceiling")),
            "lies on",
            f"free there ({UNIT})",
            "over-commit (times)",
            f"true headroom ({UNIT})",
            "what binds",
            "note",
        ]
        return heads, (
            [
                row.space.name,
                self.day,
                row.space.used,
                row.space.size,
                row.space.most,
                row.places,
                row.free,
                row.shared.ratio,
                row.left.value,
                row.left.binds,
                _note(row),
            ]
            for row in self.matching
        )


def _span(room: TrueRoom) -> str:
    """The figure, or both ends of what it may be."""
    least = "" if room.at_least is None else f"{figures.figure(room.at_least)} to "
    return f"{least}{figures.figure(room.value)}"


def _note(row: RoomRow) -> str:
    said = [row.left.why, row.why_free, row.shared.why]
    if row.left.at_least is not None:
        sure = figures.figure(row.left.at_least)
        said.append(
            f"at least {sure} {UNIT}: its files lie on several places, and which of them grow decides"
        )
    if row.shared.uncounted:
        said.append(f"over-commit is at least this, without all of {row.uncounted}")
    return "; ".join(dict.fromkeys(one for one in said if one))


def rooms_of(target: Target, room: Room, day: date, words: str = "") -> Rooms | None:
    """The true headroom of each tablespace that was read on a day; None where none was."""
    rows = true_rooms(target, room, day)
    return Rooms(day, rows, words) if rows else None
