"""The field of a form in which people name a statistic."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse_lazy

from apps.inventory.models import Target
from apps.web.statistic_names import UnknownStatistic, find_statistic, find_target, write_name


class StatisticField(forms.CharField):
    """A statistic by any name that it has; its value is the key."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=300,
            error_messages={"required": "Name a statistic, for example DATA or redo size."},
            help_text="By its label, the source’s own name, its key, or the name of a tablespace, wait event or device.",
            widget=forms.TextInput(
                attrs={
                    "autocomplete": "off",
                    "spellcheck": "false",
                    "data-picks": reverse_lazy("statistic_options"),
                }
            ),
            **options,
        )
        self.target: Target | None = None
        self.component = ""

    def clean(self, value: Any) -> str:
        words = super().clean(value)
        if not words:
            return ""
        try:
            statistic = find_statistic(words, self.target)
        except UnknownStatistic as error:
            raise ValidationError(str(error)) from None
        self.component = statistic.component
        return statistic.metric.key

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether another statistic is named, however the first one was written."""
        try:
            return self.clean(data) != self.clean(initial)
        except ValidationError:
            return True


def named_statistic(form: forms.BaseForm) -> StatisticField:
    """The field of a form that has a target beside it: among its statistics names are looked up; it begins with a label."""
    field = form.fields["metric"]
    assert isinstance(field, StatisticField)
    field.target = find_target(form["target"].value())
    if form.initial.get("metric"):
        form.initial["metric"] = write_name(str(form.initial["metric"]), field.target)
    return field
