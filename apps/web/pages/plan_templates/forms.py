"""A template of plans, as people type it."""

from typing import Any

from django import forms

from apps.advisors.models import Diagnosis
from apps.advisors.templates import families


class PlanTemplateForm(forms.Form):
    """A course of action to be used again."""

    name = forms.CharField(max_length=120, help_text="What it is for, for example: A tablespace that fills.")
    family = forms.ChoiceField(
        required=False, help_text="It is offered first for violations of these statistics; empty: for all."
    )
    diagnosis = forms.ChoiceField(
        required=False,
        choices=[("", "any"), *Diagnosis.choices[:2]],
        help_text="It is left out where the other one was found.",
    )
    steps = forms.CharField(
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="One step a line: what to do | days it may take. The days decide when each is due, one after another.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["family"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "any"), *((name, name) for name in families())]
