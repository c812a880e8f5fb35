"""A limit as people type it. An error names the field, what was given and what is expected."""

from copy import copy
from typing import Any

from django import forms
from django.db.models import Q

from apps.catalog.metric import base_of
from apps.catalog.registry import get_metric, hours_of, metrics_of
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.engine.notation import BadNotation
from apps.thresholds.models import Threshold
from apps.thresholds.peak_hours import no_hours_because
from apps.thresholds.register import (
    RANGES,
    BadThreshold,
    limit_fields,
    split_limits,
    unit_of,
)
from apps.web.field_choices import offer
from apps.web.statistic_field import StatisticField, named_statistic


def whole_number(name: str, label: str, help_text: str = "") -> forms.IntegerField:
    """A number of a limit; what is left empty is the usual one, or stays as it is."""
    least, most = RANGES[name]
    return forms.IntegerField(
        label=label, required=False, min_value=least, max_value=most, help_text=help_text
    )


class ThresholdForm(OurVoice, forms.ModelForm[Threshold]):
    """A limit in the notation of apps/thresholds/engine/notation.py, in the unit the profile shows."""

    class Meta:
        model = Threshold
        fields = [
            "target", "group", "metric", "component", "figure", "notation", "severity", "opens_after", "opens_within",
            "closes_after", "recovery_gap", "leaves_out_peaks", "lead_time_days", "owner", "plan",
        ]  # fmt: skip
        labels = {
            "figure": "on what",
            "notation": "limit",
            "leaves_out_peaks": "ignore known peaks",
            "plan": "action plan",
        }
        help_texts = {
            "target": "Without a target and a group it holds for all that have the statistic.",
            "component": "A name, a pattern such as DATA*, or empty for all.",
            "notation": "2, <1.5, >=95, 0, 10..20, no change or ?; units are accepted. Of space also <=95 % unless >=50 GB free.",
            "leaves_out_peaks": "Month ends and other days of a calendar; maintenance windows are always left out.",
            "plan": "What to do when it breaks, decided in advance; one step a line.",
        }
        widgets = {
            "plan": forms.Textarea(attrs={"rows": 3}),
        }

    opens_after = whole_number("opens_after", "opens after, days over")
    opens_within = whole_number("opens_within", "of the last judged days")
    closes_after = whole_number("closes_after", "closes after, judged days inside")
    recovery_gap = forms.FloatField(
        label="recovery gap, %",
        required=False,
        min_value=RANGES["recovery_gap"][0],
        max_value=RANGES["recovery_gap"][1],
    )
    lead_time_days = whole_number(
        "lead_time_days", "lead time, days", help_text="The days needed to carry out the plan."
    )
    hours = forms.CharField(
        label="peak hours",
        required=False,
        max_length=7,
        help_text="Clock hours of the target's day, for example 9-17; empty: the whole day. Needs readings every hour or finer.",
    )

    metric = StatisticField(label="statistic")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and hours_of(self.instance.metric):
            self.initial["metric"], _, self.initial["hours"] = self.instance.metric.partition(":")
        offer(self, "target", Target.objects.in_estate())
        self.statistic = named_statistic(self)
        offer(self, "owner", User.objects.filter(Q(is_active=True) | Q(pk=self.instance.owner_id)))
        for name in RANGES:
            self.fields[name].initial = getattr(Threshold(), name)
        for name in ("severity", "figure"):
            self.fields[name].required = False

    def _default(self, name: str) -> Any:
        value = self.cleaned_data.get(name)
        return getattr(Threshold(), name) if value in (None, "") else value

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in ("severity", "figure", *RANGES):
            cleaned[name] = self._default(name)
        if cleaned.get("target") and cleaned.get("group"):
            self.add_error("group", "Give a target or a group, not both.")
        cleaned["component"] = cleaned.get("component") or self.statistic.component
        metric = self._with_hours(cleaned)
        if not metric or "notation" not in cleaned:
            return cleaned
        target = cleaned.get("target")
        if target and base_of(metric) not in {offered.key for offered in metrics_of(target.platform)}:
            self.add_error(
                "metric", f"{target.name} has no statistic {metric}; it is one of another platform."
            )
        if cleaned.get("component") and not get_metric(metric).component_kind:
            self.add_error("component", f"{get_metric(metric).label} has no components; leave this empty.")
        if cleaned["opens_within"] < cleaned["opens_after"]:
            least = cleaned["opens_after"]
            self.add_error(
                "opens_within",
                f"This cannot be less than the {least} days over that open it; give at least {least}.",
            )
        try:
            parts = split_limits(metric, cleaned["notation"], cleaned["figure"])
        except (BadNotation, BadThreshold) as error:
            self.add_error("notation", str(error))
            return cleaned
        if len(parts) > 1 and self.instance.pk:
            self.add_error("notation", "This is one limit already; give one here, and add the other.")
            return cleaned
        cleaned["parts"] = parts
        return cleaned

    def _with_hours(self, cleaned: dict[str, Any]) -> str:
        """The statistic, over the peak hours where they are given."""
        metric, hours = str(cleaned.get("metric") or ""), "".join(str(cleaned.get("hours") or "").split())
        if not metric or not hours:
            return metric
        if ":" in metric:
            self.add_error(
                "hours", f"{metric} is a figure of its own; give the hours or the reduction, not both."
            )
            return ""
        key = f"{metric}:{hours}"
        if hours_of(key) is None:
            self.add_error(
                "hours", f"“{hours}” are no hours of a day; give for example 9-17, from 0-1 to 0-24."
            )
            return ""
        if refused := no_hours_because(key, cleaned.get("target")):
            self.add_error("hours", refused)
            return ""
        cleaned["metric"] = key
        return key

    def thresholds(self) -> list[Threshold]:
        """What was typed, not saved: one threshold, or one for each part of a split limit."""
        typed: Threshold = super().save(commit=False)
        thresholds = [typed, *(copy(typed) for _ in self.cleaned_data["parts"][1:])]
        for threshold, (metric, notation, limit) in zip(thresholds, self.cleaned_data["parts"], strict=True):
            threshold.metric, threshold.notation = metric, notation
            threshold.unit = unit_of(metric, threshold.figure)
            for name, value in limit_fields(limit).items():
                setattr(threshold, name, value)
        return thresholds
