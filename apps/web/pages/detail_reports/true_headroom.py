"""True headroom of space as the page of a target shows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.catalog.details import Room
from apps.charts import figures
from apps.forecasting.engine.true_room import TrueRoom
from apps.inventory.models import Target
from apps.outlook.room import UNIT, RoomRow, true_rooms
from apps.web.cells import NO_DATA, marked
from apps.web.sentences import Part, day_in_words
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

MOST_ROWS = 50


@dataclass(frozen=True)
class Rooms:
    """The table of true headroom, least first, as of one day, those whose name contains the words."""

    target: Target
    report: str
    day: date
    rows: Sequence[RoomRow]
    words: str = ""

    @property
    def matching(self) -> list[RoomRow]:
        phrase = self.words.casefold()
        return [row for row in self.rows if phrase in row.space.name.casefold()]

    @property
    def visible(self) -> list[RoomRow]:
        return self.matching[:MOST_ROWS]

    @property
    def more(self) -> int:
        return len(self.matching) - len(self.visible)

    @property
    def aside(self) -> str:
        return f"{UNIT}, by the last readings of {figures.short_day(self.day)}, least first"

    @property
    def footnotes(self) -> list[str]:
        """What the marks of the rows mean, and why something is missing, for people who have no pointer to hover with."""
        notes = []
        if any(row.left.at_least is not None for row in self.visible):
            notes.append("From … to: it lies on several places, and which of its files grow decides.")
        uncounted = sorted({name for row in self.visible for name in row.shared.uncounted})
        if uncounted:
            notes.append(
                f"≥: not everything of {', '.join(uncounted)} on the same host is known, and it is left out."
            )
        reasons = [why for row in self.visible for why in (row.why_free, row.shared.why)]
        return [*notes, *(f"No data: {why}." for why in dict.fromkeys(reasons) if why)]

    def sentence(self) -> list[Part]:
        """The tablespace with the least room, what binds it, and the most over-committed place."""
        with_room = [row for row in self.rows if row.left.value is not None]
        if not with_room:
            return [Part("True headroom cannot be told", True), Part(f": {self.rows[0].left.why}.")]
        first = with_room[0]
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
        unknown = len(self.rows) - len(with_room)
        if unknown:
            parts.append(Part(f" Of {unknown} it cannot be told; the table says why."))
        return parts

    @property
    def table(self) -> FilledTable[RoomRow]:
        """The rows of the page; files hold all that match."""
        name = f"{self.target.name}-{self.report}-true-headroom-{self.day}"
        return room_table(self.target, self.day).fill(
            self.visible, all_rows=lambda: self.matching, file_name=name
        )


def _span(room: TrueRoom) -> str:
    """The figure, or both ends of what it may be."""
    least = "" if room.at_least is None else f"{figures.figure(room.at_least)} to "
    return f"{least}{figures.figure(room.value)}"


def _note(row: RoomRow) -> str:
    notes = [row.left.why, row.why_free, row.shared.why]
    if row.left.at_least is not None:
        sure = figures.figure(row.left.at_least)
        notes.append(
            f"at least {sure} {UNIT}: its files lie on several places, and which of them grow decides"
        )
    if row.shared.uncounted:
        notes.append(f"over-commit is at least this, without all of {row.uncounted}")
    return "; ".join(dict.fromkeys(note for note in notes if note))


def rooms_of(target: Target, report: str, room: Room, day: date, words: str = "") -> Rooms | None:
    """The true headroom of each tablespace that was read on a day; None where none was."""
    rows = true_rooms(target, room, day)
    return Rooms(target, report, day, rows, words) if rows else None


def _unread(why: str) -> SafeString:
    return format_html('<span class="unread" title="{}"><span>No data</span></span>', why)


def _size(value: float | None, why: str = "") -> SafeString | str:
    if value is None:
        return _unread(why) if why else NO_DATA
    return figures.figure(value)


def _size_column(name: str, value: Callable[[RoomRow], float | None]) -> Column[RoomRow]:
    return FigureColumn(f"{name}, {UNIT}", value, lambda row: _size(value(row)), file_head=f"{name} ({UNIT})")


def _ratio(row: RoomRow) -> SafeString | str:
    if row.shared.ratio is None:
        return _unread(row.shared.why)
    return f"{'≥ ' if row.uncounted else ''}{figures.figure(row.shared.ratio)}"


def room_table(target: Target, day: date) -> Table[RoomRow]:
    """What each tablespace may still grow, by the last readings of a day."""
    columns: list[Column[RoomRow]] = [
        RowHead("tablespace", lambda row: row.space.name, css="row-name", head_css="row-name"),
        Column("day", lambda row: day, in_file_only=True),
        _size_column("used", lambda row: row.space.used),
        _size_column("size", lambda row: row.space.size),
        _size_column("ceiling", lambda row: row.space.most),
        Column("lies on", lambda row: row.places, lambda row: row.places or marked("absent", "not known")),
        FigureColumn(
            f"free there, {UNIT}", lambda row: row.free, lambda row: _size(row.free, row.why_free),
            file_head=f"free there ({UNIT})",
        ),
        FigureColumn(
            "over-commit, times", lambda row: row.shared.ratio, _ratio, file_head="over-commit (times)",
            css=lambda row: "" if row.shared.ratio is None else "nowrap",
            title=lambda row: f"Without all of {row.uncounted}" if row.uncounted else "",
        ),
        FigureColumn(
            f"true headroom, {UNIT}", lambda row: row.left.value,
            lambda row: _unread(row.left.why) if row.left.value is None else _span(row.left),
            file_head=f"true headroom ({UNIT})", css=lambda row: "" if row.left.value is None else "strong nowrap",
        ),
        Column(
            "what binds", lambda row: row.left.binds,
            lambda row: row.left.why if row.left.value is None else row.left.binds,
            css=lambda row: "quiet-text" if row.left.value is None else "",
        ),
        Column("note", _note, in_file_only=True),
    ]  # fmt: skip
    return Table(
        "true-headroom", f"True headroom of the tablespaces of {target.name}", columns, title="True headroom",
        css="listing", region="true-headroom-title", opens_rows=True,
    )  # fmt: skip
