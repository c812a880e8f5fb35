"""A note on a day or a period, as people type it."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from apps.charts import figures
from apps.inventory.models import Group, Target
from apps.profiles.models import Note
from apps.web.field_choices import offer

FIRST, LAST = date(1990, 1, 1), date(2999, 12, 31)


class NoteForm(forms.ModelForm[Note]):
    """A sentence on a day, or on a period."""

    class Meta:
        model = Note
        fields = ["text", "first_day", "last_day", "verdict", "said_by", "target", "group"]
        labels = {
            "text": "what happened",
            "first_day": "day",
            "last_day": "last day",
            "verdict": "users said",
            "said_by": "who said so",
        }
        help_texts = {
            "text": "For example month end close, or patch 19.24. Figures of that day are read with it.",
            "first_day": "A calendar day of the target's own time zone.",
            "last_day": "Of a period; empty for a single day.",
            "target": "Without a target and a group it is about all.",
            "verdict": "What users thought of these days; empty where nobody said.",
            "said_by": "For example accounting, or a name.",
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
        if cleaned.get("said_by") and not cleaned.get("verdict") and "verdict" not in self.errors:
            self.add_error("verdict", f"Say what {cleaned['said_by']} said: slow, or fine.")
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        return cleaned
