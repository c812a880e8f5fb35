"""Several cases acknowledged at once, as people type it."""

from collections.abc import Iterable
from datetime import date

from django import forms
from django.utils import timezone

from apps.web.address import number_in


class AcknowledgeForm(forms.Form):
    """What is said of all cases that are ticked."""

    why = forms.CharField(label="why", required=False, max_length=2000)
    review_on = forms.DateField(
        label="look again on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="The case is open again once this day is reviewed; empty: it stays acknowledged.",
    )

    def clean_review_on(self) -> date | None:
        day: date | None = self.cleaned_data["review_on"]
        if day is not None and day <= timezone.now().date():
            raise forms.ValidationError(f"{day} has come already; give a day still to come.")
        return day


def read_picks(sent: Iterable[str]) -> dict[int, int]:
    """The cases that are ticked, each with its newest step when the page was made."""
    picks = {}
    for pick in sent:
        case, _, step = pick.partition(":")
        if (pk := number_in(case)) is not None and (newest := number_in(step)) is not None:
            picks[pk] = newest
    return picks
