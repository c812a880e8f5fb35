"""What happened on the days of a chart: restarts, changed parameters and facts, notes; lettered, with a key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.charts.history import ChartEvent, letter_events
from apps.inventory.models import Target
from apps.profiles.models import Note
from apps.web.day_notes import NoteRow, note_rows
from apps.web.target_changes import FactChange, changes_of

MOST_CHANGES = 3  # of one day that are written out
LONGEST = 40  # letters of a changed value


@dataclass(frozen=True)
class KeyRow:
    """One letter of a chart: its day, and what happened then."""

    letter: str
    day: date
    text: str


@dataclass(frozen=True)
class Occasions:
    """Everything that happened within a stretch of days, and what people wrote about it."""

    events: Sequence[ChartEvent] = ()
    notes: Sequence[NoteRow] = ()
    periods: Sequence[tuple[date, date]] = ()

    def key(self) -> list[KeyRow]:
        """The key of the letters, in the order of the days."""
        return [
            KeyRow(letter, events[0].day, "; ".join(event.label for event in events))
            for letter, events in letter_events(self.events)
        ]


def occasions_of(
    target: Target,
    first: date,
    last: date,
    restarts: Sequence[date],
    *,
    back: str = "",
    can_change: bool = False,
) -> Occasions:
    """Two queries: the facts of the target, and the notes that concern it."""
    notes = list(Note.objects.about(target).between(first, last))
    events = [ChartEvent(day, "restart", "restart") for day in restarts]
    events += [
        ChartEvent(day, text, "change")
        for day, text in _changes(changes_of(target, most=10_000), first, last)
    ]
    events += [ChartEvent(max(note.first_day, first), _note_label(note), "note") for note in notes]
    return Occasions(
        events,
        note_rows(notes, back=back, can_change=can_change),
        [(max(note.first_day, first), min(note.last_day, last)) for note in notes if note.is_period],
    )


def _note_label(note: Note) -> str:
    return f"{note.text} ({note.verdict_in_words})" if note.verdict_in_words else note.text


def _changes(changes: Sequence[FactChange], first: date, last: date) -> list[tuple[date, str]]:
    """What changed on each day, in a few words."""
    by_day: dict[date, list[str]] = {}
    for change in reversed(changes):
        day = change.at.date()
        if first <= day <= last:
            by_day.setdefault(day, []).append(
                f"{change.what} {_short(change.before)} → {_short(change.after)}"
            )
    texts_of_days = []
    for day, texts in by_day.items():
        more = f" and {len(texts) - MOST_CHANGES} more changes" if len(texts) > MOST_CHANGES else ""
        texts_of_days.append((day, f"{', '.join(texts[:MOST_CHANGES])}{more}"))
    return texts_of_days


def _short(value: str) -> str:
    if not value:
        return "none"
    return value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"


def in_words(rows: Sequence[KeyRow], today: date) -> list[dict[str, str]]:
    """The key as the page lists it."""
    return [
        {"letter": row.letter, "day": figures.short_day(row.day, today), "text": row.text} for row in rows
    ]
