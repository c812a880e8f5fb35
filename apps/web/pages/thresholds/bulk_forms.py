"""What may be changed of many limits at once; what is left empty stays as it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms

from apps.inventory.form_errors import OurVoice
from apps.people.models import User
from apps.thresholds.models import Severity, Threshold
from apps.web.address import number_in
from apps.web.pages.thresholds.forms import whole_number


@dataclass(frozen=True)
class LimitChoice:
    """One limit that can be chosen; `pick` is what its box sends: which it is, and how it stood when the page was made."""

    pick: str
    statistic: str
    component: str
    notation: str
    unit: str
    scope: str


def choice_of(threshold: Threshold, read: str = "") -> LimitChoice:
    """A limit as it stands, or as it was `read` by an earlier page."""
    return LimitChoice(
        f"{threshold.pk}:{read or threshold.set_at.isoformat()}",
        threshold.label,
        threshold.component,
        threshold.notation,
        threshold.own_unit,
        threshold.scope,
    )


def read_picks(sent: Iterable[str]) -> dict[int, str]:
    """The limits that were chosen, each with the moment of its last change as the page knew it."""
    reads = {}
    for pick in sent:
        key, _, read = pick.partition(":")
        if (pk := number_in(key)) is not None and read:
            reads[pk] = read
    return reads


class BulkForm(OurVoice, forms.Form):
    """Owner, severity, lead time and persistence of many limits."""

    owner = forms.ModelChoiceField(
        User.objects.filter(is_active=True), required=False, empty_label="as it is"
    )
    severity = forms.ChoiceField(required=False, choices=[("", "as it is"), *Severity.choices])
    lead_time_days = whole_number("lead_time_days", "lead time, days")
    opens_after = whole_number("opens_after", "opens after, days")
    opens_within = whole_number("opens_within", "of the last judged days")
    closes_after = whole_number("closes_after", "closes after, days inside")

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that are to change, with their values."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
