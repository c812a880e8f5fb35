"""What people type of a study: the study itself, a figure, a cost that is accepted, a cause, and its conclusion."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone

from apps.advisors.study_deeds import StudyDraft
from apps.advisors.study_registry import KindField, StudyKind
from apps.advisors.study_result import ComparedFigure
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.web.field_choices import offer
from apps.web.statistic_field import StatisticField

DAY = {"type": "date"}
DAYS = ("before_from", "before_to", "after_from", "after_to")


def _day(label: str) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs=DAY))


def _field_of(kind_field: KindField) -> forms.Field:
    about: dict[str, Any] = {
        "label": kind_field.label,
        "help_text": kind_field.help,
        "required": not kind_field.is_optional,
    }
    if kind_field.choices is None:
        return forms.CharField(max_length=kind_field.longest, **about)
    return forms.ChoiceField(choices=[("", "choose one"), *kind_field.choices()], **about)


class StudyForm(OurVoice, forms.Form):
    """A question, a change, and the days before and after it."""

    target = forms.ModelChoiceField(Target.objects.none(), empty_label="choose one")
    question = forms.CharField(max_length=200)
    change = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What was changed, and when.",
    )
    before_from = _day("before, from")
    before_to = _day("before, to")
    after_from = _day("after, from")
    after_to = _day("after, to")
    is_of_release = forms.BooleanField(
        label="the change is a new release or machine",
        required=False,
        help_text="Else both windows must have the same release, on the same machine.",
    )

    def __init__(self, kind: StudyKind, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        offer(self, "target", Target.objects.in_estate().order_by("name"))
        self.fields["question"].help_text = f"For example: {kind.question}"
        if not kind.is_of_days:
            for name in DAYS:
                del self.fields[name]
        for kind_field in kind.fields:
            self.fields[kind_field.name] = _field_of(kind_field)

    @property
    def day_fields(self) -> list[forms.BoundField]:
        """The days before and after, of a kind that studies days."""
        return [self[name] for name in DAYS if name in self.fields]

    @property
    def kind_fields(self) -> list[forms.BoundField]:
        """What the kind asks for beside the days."""
        return [self[kind_field.name] for kind_field in self.kind.fields]

    @property
    def draft(self) -> StudyDraft:
        typed = self.cleaned_data
        days = [typed.get(name) or timezone.now().date() for name in DAYS]
        return StudyDraft(
            target=typed["target"],
            question=typed["question"],
            change=typed["change"],
            before=(days[0], days[1]),
            after=(days[2], days[3]),
            is_of_release=typed["is_of_release"],
            kind=self.kind.key,
            fields={kind_field.name: typed[kind_field.name] for kind_field in self.kind.fields},
        )


class AimForm(OurVoice, forms.Form):
    """A figure, with what is aimed at."""

    metric = StatisticField(label="figure")
    aim = forms.CharField(
        label="target",
        required=False,
        max_length=80,
        help_text="<5 ms, eliminate, no change, or a multiple: >=4x. Empty: better is better.",
    )

    def __init__(self, data: Mapping[str, Any] | None, target: Target) -> None:
        super().__init__(data, auto_id="aim_%s")
        self.fields["metric"].target = target  # type: ignore[attr-defined]

    @property
    def component(self) -> str:
        return str(self.fields["metric"].component)  # type: ignore[attr-defined]


class CostForm(OurVoice, forms.Form):
    """What got worse and is accepted, why, and until when."""

    figure = forms.ChoiceField()
    reason = forms.CharField(max_length=300)
    until = forms.DateField(widget=forms.DateInput(attrs=DAY))

    def __init__(self, data: Mapping[str, Any] | None, worse: Sequence[ComparedFigure]) -> None:
        super().__init__(data, auto_id="cost_%s")
        field = self.fields["figure"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(f"{row.metric.key}|{row.component}", row.name) for row in worse]

    @property
    def pair(self) -> tuple[str, str]:
        metric, _, component = self.cleaned_data["figure"].partition("|")
        return metric, component


class CauseForm(OurVoice, forms.Form):
    """A part of the change, and its share of the gain."""

    text = forms.CharField(label="cause", max_length=200)
    share = forms.IntegerField(label="share of the gain, %", min_value=1, max_value=100)


class ConclusionForm(OurVoice, forms.Form):
    """What came of it."""

    conclusion = forms.CharField(max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
