"""Other parameters of a rule as people type them: for whom, which values, and why."""

from collections.abc import Mapping
from typing import Any

from django import forms

from apps.advisors.engine.finding_rules import FindingRule
from apps.advisors.models import RuleSetting
from apps.advisors.rule_settings import BadSetting, draft_setting, write_value
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Group, Target
from apps.web.field_choices import offer


class RuleSettingForm(OurVoice, forms.Form):
    """The parameters of a rule in a scope; those left empty stay as they are elsewhere."""

    target = forms.ModelChoiceField(
        Target.objects.none(),
        required=False,
        empty_label="all targets",
        help_text="Without a target and a group it holds for all.",
    )
    group = forms.ModelChoiceField(Group.objects.all(), required=False, empty_label="no group")

    def __init__(self, rule: FindingRule, data: Mapping[str, Any] | None, initial: Mapping[str, Any]) -> None:
        super().__init__(data, initial=dict(initial))
        self.rule = rule
        offer(self, "target", Target.objects.in_estate().order_by("name"))
        for parameter in rule.parameters:
            bounds = f"{parameter.least:,.10g} to {write_value(parameter, parameter.most)}"
            self.fields[parameter.key] = forms.FloatField(
                label=f"{parameter.label}, {parameter.unit}",
                required=False,
                min_value=parameter.least,
                max_value=parameter.most,
                help_text=f"{write_value(parameter, parameter.default)} by default; from {bounds}.",
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                draft_setting(self.rule, cleaned.get("target"), cleaned.get("group"), self.values)
            except BadSetting as error:
                raise forms.ValidationError(str(error)) from None
        return cleaned

    @property
    def values(self) -> dict[str, float]:
        """The values that were typed."""
        typed = {parameter.key: self.cleaned_data.get(parameter.key) for parameter in self.rule.parameters}
        return {key: value for key, value in typed.items() if value is not None}

    @property
    def draft(self) -> RuleSetting:
        """What was typed, not stored."""
        cleaned = self.cleaned_data
        return draft_setting(self.rule, cleaned["target"], cleaned["group"], self.values)

    @property
    def typed(self) -> list[tuple[str, str]]:
        """Everything that was typed, as hidden fields give it back."""
        names = ("target", "group", *(parameter.key for parameter in self.rule.parameters))
        return [(name, str(self[name].value() or "")) for name in names]


class ReasonForm(OurVoice, forms.Form):
    """Why parameters are changed."""

    reason = forms.CharField(
        max_length=300,
        help_text="It stands in the history of the rule, for example: small instances are known.",
    )
