"""Notes on days as rows of a file."""

from collections.abc import Iterable, Iterator, Sequence

from apps.reports.sheets import Cell
from apps.web.day_notes import NoteRow

NOTES = ("first day", "last day", "note", "about", "by")


def notes(rows: Iterable[NoteRow]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row.first_day, row.last_day, row.text, row.scope, row.by
