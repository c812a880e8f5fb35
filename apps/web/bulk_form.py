"""What may be changed of many limits at once; what is left empty stays as it is."""

from typing import Any

from django import forms

from apps.people.models import User
from apps.thresholds.models import Severity


class BulkForm(forms.Form):
    """Owner, severity, lead time and persistence of many limits."""

    owner = forms.ModelChoiceField(
        User.objects.filter(is_active=True), required=False, empty_label="as it is"
    )
    severity = forms.ChoiceField(required=False, choices=[("", "as it is"), *Severity.choices])
    lead_time_days = forms.IntegerField(label="lead time, days", required=False, min_value=0, max_value=3650)
    opens_after = forms.IntegerField(label="opens after, days", required=False, min_value=1, max_value=365)
    opens_within = forms.IntegerField(
        label="of the last judged days", required=False, min_value=1, max_value=365
    )
    closes_after = forms.IntegerField(
        label="closes after, days inside", required=False, min_value=1, max_value=365
    )

    @property
    def wanted(self) -> dict[str, Any]:
        """The fields that are to change, with their values."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
