"""A scenario and its planned changes, as people type them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms

from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, is_metric, platform_of
from apps.forecasting.change_notation import EXAMPLES, BadChange, read_change, read_driver_change
from apps.forecasting.models import Driver, PlannedChange, Scenario
from apps.inventory.models import Group, Target
from apps.thresholds.models import Threshold
from apps.web.field_choices import offer
from apps.web.pages.what_if.planned_amounts import no_such_amount, no_such_capacity
from apps.web.statistic_field import StatisticField, named_statistic
from apps.web.statistic_names import write_name

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
        fields = ["driver", "target", "group", "metric", "others", "component", "change", "on", "why"]
        labels = {"on": "From", "why": "Why"}
        help_texts = {
            "driver": "Instead of a statistic; the figures that follow it move with it.",
            "target": "Without target and group: all targets.",
            "component": "A name or a pattern such as DATA*; empty: all.",
            "change": f"{EXAMPLES}.",
        }
        widgets = {
            "on": forms.DateInput(attrs={"type": "date"}),
        }
        error_messages = {
            "change": {"required": f"Say what changes: {EXAMPLES}."},
            "on": {
                "required": "Give the day from which it applies.",
                "invalid": "This is not a day; give one such as 2027-03-01.",
            },
        }

    others = forms.MultipleChoiceField(
        label="Also changes",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Other statistics under a limit that the same change moves: +20 % users, or a move to 8 cores.",
    )

    metric = StatisticField(label="Statistic")

    def __init__(self, *args: Any, today: date, is_of_one: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = self.fields["others"]
        assert isinstance(others, forms.MultipleChoiceField)
        others.choices = limited_statistics()
        self.today, self.is_of_one = today, is_of_one
        self.statistic = named_statistic(self)
        if not Driver.objects.exists():
            del self.fields["driver"]
        elif self["driver"].value():
            self.statistic.required = is_of_one
        offer(self, "target", Target.objects.in_estate()).empty_label = "none"
        offer(self, "group", Group.objects.all()).empty_label = "none"

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
        cleaned = super().clean() or {}
        cleaned["component"] = cleaned.get("component") or self.statistic.component
        if self.is_of_one and not cleaned.get("target"):
            self.add_error("target", "Choose the target whose figure changes.")
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        if driver := cleaned.get("driver"):
            self._check_driver(cleaned, driver)
        elif cleaned.get("metric"):
            cleaned["others"] = [key for key in cleaned.get("others", []) if key != cleaned["metric"]]
            for key in (cleaned["metric"], *cleaned.get("others", [])):
                self._check(cleaned, get_metric(key))
        return cleaned

    def _check_driver(self, cleaned: dict[str, Any], driver: Driver) -> None:
        """Whether a driver can change like that; it holds where the driver does."""
        try:
            read_driver_change(cleaned.get("change") or "", driver.name, driver.unit)
        except BadChange as error:
            self.add_error("change", str(error))
        if not self.is_of_one:
            cleaned |= {"target": None, "group": None, "metric": "", "others": [], "component": ""}

    def _check(self, cleaned: Mapping[str, Any], about: Metric) -> None:
        """Whether a statistic can change like that."""
        if cleaned.get("component") and not about.component_kind:
            self.add_error("component", f"{about.label} has no components; leave it empty.")
        if not cleaned.get("change"):
            return
        try:
            change = read_change(cleaned["change"], about)
        except BadChange as error:
            self.add_error("change", str(error))
            return
        typed, targets = cleaned["change"], self._targets(cleaned, about)
        if refused := no_such_capacity(typed, about, targets) or no_such_amount(
            typed, change, about, cleaned.get("component", ""), targets, self.today
        ):
            self.add_error("change", refused)
        if cleaned.get("others") and change.addend:
            text = cleaned["change"]
            self.add_error(
                "others",
                f"“{text}” is an amount of one statistic; what moves several is a percentage, such as +20 %.",
            )

    def _targets(self, cleaned: Mapping[str, Any], about: Metric) -> list[Target]:
        """The targets that a change is planned for, among those that have the statistic."""
        if target := cleaned.get("target"):
            return [target]
        targets = Target.objects.in_estate()
        if platform := platform_of(about.key):
            targets = targets.filter(platform=platform)
        return list(targets.filter(group=cleaned["group"]) if cleaned.get("group") else targets)


def limited_statistics() -> list[tuple[str, str]]:
    """The statistics under a limit, by their label."""
    keys = Threshold.objects.in_force().order_by("metric").values_list("metric", flat=True).distinct()
    named = [(key, write_name(key)) for key in keys if is_metric(key)]
    return sorted(named, key=lambda pair: pair[1].lower())
