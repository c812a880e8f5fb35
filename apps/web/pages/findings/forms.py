"""Dismissing a finding: why, and until when."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django import forms

FURTHEST = timedelta(days=366)


class DismissalForm(forms.Form):
    """A reason, and the last day on which the finding stands apart."""

    reason = forms.CharField(
        max_length=300,
        error_messages={"required": "Say why, for example: known, the array is replaced in May."},
    )
    until = forms.DateField(
        error_messages={
            "required": "Give the day until which it is dismissed.",
            "invalid": "Give a day such as 2026-05-31.",
        }
    )

    def __init__(self, data: Mapping[str, Any], today: date) -> None:
        super().__init__(data)
        self.today = today

    def clean_until(self) -> date:
        until: date = self.cleaned_data["until"]
        if not self.today <= until <= self.today + FURTHEST:
            raise forms.ValidationError("Give a day from today on, within a year.")
        return until
