"""A scenario and its planned changes, as people type them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms

from apps.catalog.metric import Metric
from apps.catalog.registry import UnknownMetric, get_metric, is_metric, platform_of
from apps.forecasting.change_notation import EXAMPLES, BadChange, read_change
from apps.forecasting.models import PlannedChange, Scenario
from apps.inventory.models import Group, Target
from apps.thresholds.models import Threshold
from apps.web.field_choices import offer
from apps.web.pages.what_if.planned_amounts import no_such_amount, no_such_capacity

FURTHEST = 180  # days: what comes later moves no forecast


class ScenarioForm(forms.ModelForm[Scenario]):
    """The name of a scenario."""

    class Meta:
        model = Scenario
        fields = ["name"]
        help_texts = {"name": "For example: CRM goes live in March"}
        error_messages = {
            "name": {"required": "Give the scenario a name.", "unique": "There is a scenario of this name."}
        }


class ChangeForm(forms.ModelForm[PlannedChange]):
    """One planned change: what, of which figure, from when."""

    class Meta:
        model = PlannedChange
        fields = ["target", "group", "metric", "others", "component", "change", "on", "why"]
        labels = {"metric": "Statistic", "on": "From", "why": "Why"}
        help_texts = {
            "target": "Without target and group: all targets.",
            "metric": "The key of the statistic, for example ts_used_mb.",
            "component": "A name or a pattern such as DATA*; empty: all.",
            "change": f"{EXAMPLES}.",
        }
        widgets = {
            "on": forms.DateInput(attrs={"type": "date"}),
            "metric": forms.TextInput(attrs={"list": "statistics"}),
        }
        error_messages = {
            "metric": {"required": "Name a statistic, for example ts_used_mb."},
            "change": {"required": f"Say what changes: {EXAMPLES}."},
            "on": {
                "required": "Give the day from which it holds.",
                "invalid": "This is no day; give one such as 2027-03-01.",
            },
        }

    others = forms.MultipleChoiceField(
        label="Moves alike",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Other statistics under a limit that the same change moves: +20 % users, or a move to 8 cores.",
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = self.fields["others"]
        assert isinstance(others, forms.MultipleChoiceField)
        others.choices = limited_statistics()
        self.today = today
        offer(self, "target", Target.objects.in_estate()).empty_label = "none"
        offer(self, "group", Group.objects.all()).empty_label = "none"

    def clean_metric(self) -> str:
        key = str(self.cleaned_data["metric"]).strip()
        try:
            get_metric(key)
        except UnknownMetric as error:
            raise forms.ValidationError(f"{error} Choose one of the list.") from None
        return key

    def clean_on(self) -> date:
        day: date = self.cleaned_data["on"]
        if day <= self.today:
            raise forms.ValidationError(
                f"{day} has passed: what happened is in the figures already. Give a day after {self.today}."
            )
        if (day - self.today).days > 3650:
            raise forms.ValidationError(f"{day} is more than ten years ahead.")
        return day

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("target") and given.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        if given.get("metric"):
            given["others"] = [key for key in given.get("others", []) if key != given["metric"]]
            for key in (given["metric"], *given.get("others", [])):
                self._check(given, get_metric(key))
        return given

    def _check(self, given: Mapping[str, Any], about: Metric) -> None:
        """Whether a statistic can change like that."""
        if given.get("component") and not about.component_kind:
            self.add_error("component", f"{about.label} has no components; leave it empty.")
        if not given.get("change"):
            return
        try:
            change = read_change(given["change"], about)
        except BadChange as error:
            self.add_error("change", str(error))
            return
        typed, targets = given["change"], self._targets(given, about)
        if refused := no_such_capacity(typed, targets) or no_such_amount(
            typed, change, about, given.get("component", ""), targets, self.today
        ):
            self.add_error("change", refused)
        if given.get("others") and change.addend:
            text = given["change"]
            self.add_error(
                "others",
                f"“{text}” is an amount of one statistic; what moves several is a percentage, such as +20 %.",
            )

    def _targets(self, given: Mapping[str, Any], about: Metric) -> list[Target]:
        """The targets that a change is planned for, among those that have the statistic."""
        if target := given.get("target"):
            return [target]
        targets = Target.objects.in_estate().filter(platform=platform_of(about.key))
        return list(targets.filter(group=given["group"]) if given.get("group") else targets)


def limited_statistics() -> list[tuple[str, str]]:
    """The statistics under a limit, by their label."""
    keys = Threshold.objects.in_force().order_by("metric").values_list("metric", flat=True).distinct()
    named = [(key, f"{get_metric(key).label} ({key})") for key in keys if is_metric(key)]
    return sorted(named, key=lambda pair: pair[1].lower())
