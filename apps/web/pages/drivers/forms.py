"""A driver as people type it: what it is, its days, and what is planned of it."""

from typing import Any

from django import forms
from django.utils import timezone

from apps.forecasting.driver import Driver
from apps.forecasting.engine.driver_file import EXAMPLE, BadDriverDays, NewDays, read_days
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.web.field_choices import offer
from apps.web.uploads import LARGEST

LEAST_GROWTH, MOST_GROWTH = -50, 100  # percent a month


class DriverForm(OurVoice, forms.ModelForm[Driver]):
    """A driver of a target, a group or all; with days, typed or in a file, which are taken whole or not at all."""

    class Meta:
        model = Driver
        fields = ["name", "unit", "target", "group", "growth", "grows_from"]
        labels = {"growth": "Grows by", "grows_from": "From"}
        help_texts = {
            "name": "What people count, for example orders a day.",
            "unit": "For example orders.",
            "target": "Without a target and a group it may drive figures of all.",
            "growth": "Percent a month, as you plan it; planned days go before it.",
            "grows_from": "The day from which it grows so.",
        }
        widgets = {"grows_from": forms.DateInput(attrs={"type": "date"})}

    days = forms.CharField(
        label="Days",
        required=False,
        strip=False,
        max_length=LARGEST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "placeholder": EXAMPLE}),
        help_text=f"Lines below the head {EXAMPLE}; one of the last two may be left out. A day that is there already is replaced.",
    )
    file = forms.FileField(
        label="Or a file", required=False, help_text="The same lines as CSV, or a list in JSON."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.new_days: NewDays | None = None
        offer(self, "target", Target.objects.in_estate())

    def clean_growth(self) -> float | None:
        growth: float | None = self.cleaned_data["growth"]
        if growth is not None and not LEAST_GROWTH <= growth <= MOST_GROWTH:
            raise forms.ValidationError(
                f"{growth:g} % a month is not a plan; give {LEAST_GROWTH} to {MOST_GROWTH} %."
            )
        return growth

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        if (cleaned.get("growth") is None) != (cleaned.get("grows_from") is None):
            lacking = "growth" if cleaned.get("growth") is None else "grows_from"
            if lacking not in self.errors:
                self.add_error(lacking, "A growth needs both its percentage and its first day.")
        self._read(cleaned)
        return cleaned

    def _read(self, cleaned: dict[str, Any]) -> None:
        """Read the days that were given in either place."""
        text, file = cleaned.get("days") or "", cleaned.get("file")
        if text.strip() and file:
            self.add_error("file", "Type the days or give a file, not both.")
        elif text.strip() or file:
            content = file.read() if file else text.encode()
            try:
                self.new_days = read_days(content, timezone.now().date())
            except BadDriverDays as error:
                self.add_error("file" if file else "days", str(error))
