"""Notes on days: the form that people write one in, and how they are listed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.charts import figures
from apps.inventory.models import Group, Target
from apps.profiles.models import Note
from apps.web.offers import offer

FIRST, LAST = date(1990, 1, 1), date(2999, 12, 31)


@dataclass(frozen=True)
class NoteRow:
    """A note as lists show it; `url` is empty for those who may only read."""

    text: str
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
    said = f"{note.written_by or 'nobody named'}, {figures.short_day(note.written_at.date())}{figures.SPACE}{note.written_at.year}"
    if note.changed_at is not None:
        said += f", changed by {note.changed_by or 'nobody named'}"
    return said


def add_url(target: Target, on: date | None, back: str) -> str:
    """The address at which a note on a day of a target is written."""
    query = {"target": str(target.pk), "next": back} | ({"on": on.isoformat()} if on else {})
    return f"{reverse('note_add')}?{urlencode(query)}"


class NoteForm(forms.ModelForm[Note]):
    """A sentence on a day, or on a period."""

    class Meta:
        model = Note
        fields = ["text", "first_day", "last_day", "target", "group"]
        labels = {"text": "what happened", "first_day": "day", "last_day": "last day"}
        help_texts = {
            "text": "For example month end close, or patch 19.24. Figures of that day are read with it.",
            "first_day": "A calendar day of the target's own time zone.",
            "last_day": "Of a period; empty for a single day.",
            "target": "Without a target and a group it is about all.",
            "group": "An application, a site, a team.",
        }
        widgets = {
            "text": forms.Textarea(attrs={"rows": 2}),
            "first_day": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "last_day": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }
        error_messages = {
            "text": {
                "required": "Say what happened, for example month end close.",
                "max_length": "These are %(show_value)d letters; %(limit_value)d are kept. Put the rest where it belongs and its address here.",
            },
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["last_day"].required = False
        offer(self, "target", Target.objects.in_estate())
        offer(self, "group", Group.objects.all())
        for name in ("first_day", "last_day"):
            self.fields[name].error_messages["invalid"] = (
                "This is not a day of the calendar. Give year, month and day, for example 2026-01-31."
            )
        self.fields["first_day"].error_messages["required"] = "Give the day, for example 2026-01-31."

    def clean_text(self) -> str:
        return " ".join(str(self.cleaned_data["text"]).split())

    def clean_first_day(self) -> date:
        return self._within("first_day")

    def clean_last_day(self) -> date | None:
        return self._within("last_day") if self.cleaned_data["last_day"] else None

    def _within(self, name: str) -> date:
        day: date = self.cleaned_data[name]
        if not FIRST <= day <= LAST:
            raise ValidationError(f"{day.isoformat()} is no day that was measured; give a year from 1990 on.")
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("first_day"), cleaned.get("last_day")
        if first and "last_day" not in self.errors:
            if last and last < first:
                self.add_error(
                    "last_day",
                    f"{figures.short_day(last)} lies before {figures.short_day(first)}; give the last day of the period, or leave it empty.",
                )
            elif last and (last - first).days >= Note.MOST_DAYS:
                self.add_error(
                    "last_day",
                    f"This period has {(last - first).days + 1:,} days; give at most {Note.MOST_DAYS}.",
                )
            cleaned["last_day"] = last or first
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        return cleaned
