"""Notes on days as lists show them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse

from apps.charts import figures
from apps.inventory.models import Target
from apps.profiles.models import Note
from apps.web.cells import link
from apps.web.tables import Column, RowHead, Table


@dataclass(frozen=True)
class NoteRow:
    """A note as lists show it; `url` is empty for those who may only read."""

    text: str
    verdict: str
    days: str
    first_day: date
    last_day: date
    scope: str
    by: str
    url: str


def note_rows(notes: Iterable[Note], *, back: str = "", can_change: bool = False) -> list[NoteRow]:
    """`back` is the address to return to when one was changed."""
    query = f"?{urlencode({'next': back})}" if back else ""
    return [
        NoteRow(
            note.text,
            note.verdict_in_words,
            days_of(note),
            note.first_day,
            note.last_day,
            note.scope,
            _by(note),
            f"{note.get_absolute_url()}{query}" if can_change else "",
        )
        for note in notes
    ]


def days_of(note: Note) -> str:
    """`31 Jan 2026`, or `30 Jan – 2 Feb 2026`."""
    last = f"{figures.short_day(note.last_day)}{figures.SPACE}{note.last_day.year}"
    if not note.is_period:
        return last
    return f"{figures.short_day(note.first_day, note.last_day)}\u2009–\u2009{last}"


def _by(note: Note) -> str:
    text = f"{note.written_by or 'nobody named'}, {figures.short_day(note.written_at.date())}{figures.SPACE}{note.written_at.year}"
    if note.changed_at is not None:
        text += f", changed by {note.changed_by or 'nobody named'}"
    return text


def add_url(target: Target, on: date | None, back: str) -> str:
    """The address at which a note on a day of a target is written."""
    query = {"target": str(target.pk), "next": back} | ({"on": on.isoformat()} if on else {})
    return f"{reverse('note_add')}?{urlencode(query)}"


NOTES: Table[NoteRow] = Table(
    "notes",
    "Notes on days, newest first",
    (
        RowHead("note", lambda row: row.text, lambda row: link(row.url, row.text), css="first note-text"),
        Column("day", lambda row: row.first_day, lambda row: row.days, css="nowrap", file_head="first day"),
        Column("last day", lambda row: row.last_day, in_file_only=True),
        Column("users said", lambda row: row.verdict),
        Column("about", lambda row: row.scope),
        Column("by", lambda row: row.by, css="quiet-text"),
    ),
    title="Notes on days",
    file_order=("first day", "last day", "note", "users said", "about", "by"),
)
