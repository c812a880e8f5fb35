"""Days that are left out, as people type them."""

from typing import Any

from django import forms

from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.thresholds.calendars import Calendar
from apps.thresholds.engine.day_notation import EXAMPLES, BadDays, parse_days
from apps.web.field_choices import offer


class CalendarForm(OurVoice, forms.ModelForm[Calendar]):
    """Named days of a target, a group or all."""

    class Meta:
        model = Calendar
        fields = ["name", "kind", "days", "target", "group"]
        help_texts = {
            "name": "What people call it, for example patch window or month end.",
            "kind": "Maintenance is left out of every limit; peaks only of limits that ask for it.",
            "days": f"One rule a line: {EXAMPLES}.",
            "target": "Without a target and a group it holds for all.",
        }
        widgets = {"days": forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "target", Target.objects.in_estate())

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if Calendar.objects.in_force().filter(name=name).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"There is a calendar named {name} already; choose another name.")
        return name

    def clean_days(self) -> str:
        text = str(self.cleaned_data["days"])
        try:
            return "\n".join(rule.text for rule in parse_days(text))
        except BadDays as error:
            raise forms.ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        return cleaned
