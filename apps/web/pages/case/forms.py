"""What people type into a case file."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms

from apps.advisors.attachments import LARGEST_FILE, LONGEST_COMMENT, MB
from apps.advisors.models import Action, Diagnosis, PlanTemplate
from apps.people.models import User
from apps.thresholds.models import Violation
from apps.web.field_choices import offer

State = Violation.State
DAY = {"type": "date"}


def _people() -> Any:
    return User.objects.filter(is_active=True).order_by("last_name", "username")


class StepForm(forms.Form):
    """A step in the life of a violation."""

    to = forms.ChoiceField(
        label="next",
        choices=[
            (State.ACKNOWLEDGED, "acknowledge"),
            (State.IN_PROGRESS, "begin work"),
            (State.ACCEPTED, "accept the risk"),
            (State.REGRESSION, "accept the regression"),
            (State.OPEN, "back to open"),
        ],
    )
    why = forms.CharField(
        label="why", required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )
    review_on = forms.DateField(
        label="look again on",
        required=False,
        widget=forms.DateInput(attrs=DAY),
        help_text="Needed for what is accepted. What is acknowledged is open again once this day is reviewed.",
    )


class AssignForm(forms.Form):
    """Who looks after a violation, and until when."""

    owner = forms.ModelChoiceField(User.objects.none(), required=False, empty_label="nobody yet")
    due_on = forms.DateField(label="due", required=False, widget=forms.DateInput(attrs=DAY))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "owner", _people())


class ActionForm(forms.Form):
    """One more step of a plan."""

    text = forms.CharField(label="step", max_length=400)
    owner = forms.ModelChoiceField(User.objects.none(), required=False, empty_label="nobody yet")
    due_on = forms.DateField(label="due", required=False, widget=forms.DateInput(attrs=DAY))
    notes = forms.CharField(required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
    cost = forms.CharField(
        required=False,
        max_length=80,
        help_text="Such as “2 TB of disk” or “a restart at night”; the report says it where the step is to be decided.",
    )
    days_won = forms.IntegerField(
        label="days won",
        required=False,
        min_value=1,
        max_value=3650,
        help_text="By how many it puts off the breach; What if works it out.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "owner", _people())


class ActionChangeForm(ActionForm):
    """A step that is there already."""

    state = forms.ChoiceField(choices=Action.State.choices)
    share = forms.IntegerField(
        label="share of the gain, %",
        required=False,
        min_value=0,
        max_value=100,
        help_text="How much of what was gained is due to this step; the shares of a plan add up to 100 %.",
    )
    field_order = ("text", "state", "owner", "due_on", "notes", "cost", "days_won", "share")


class DiagnosisForm(forms.Form):
    """What holds: as the figures propose, or otherwise with a reason."""

    diagnosis = forms.ChoiceField(choices=Diagnosis.choices)
    why = forms.CharField(
        label="reason",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Needed where it is not what the figures say.",
    )


class CommentForm(forms.Form):
    """What there is to say."""

    text = forms.CharField(
        label="comment",
        required=False,
        max_length=4 * LONGEST_COMMENT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "Add a comment"}),
    )


class AttachmentForm(forms.Form):
    """A file to be kept."""

    file = forms.FileField(
        allow_empty_file=True,
        help_text=f"Up to {LARGEST_FILE // MB} MB. It is kept with this violation and given back as a download.",
        error_messages={"required": "Choose a file first."},
    )


class UseTemplateForm(forms.Form):
    """Which template to use for a plan."""

    template = forms.ModelChoiceField(
        PlanTemplate.objects.none(), empty_label=None, error_messages={"required": "Choose a template."}
    )

    def __init__(self, *args: Any, offered: Sequence[PlanTemplate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = offer(self, "template", PlanTemplate.objects.filter(is_withdrawn=False))
        field.choices = [(template.pk, template.name) for template in offered]


class WindowsForm(forms.Form):
    """The days before and after of a study, both ends included."""

    before_from = forms.DateField(label="before, from", widget=forms.DateInput(attrs=DAY))
    before_to = forms.DateField(label="before, to", widget=forms.DateInput(attrs=DAY))
    after_from = forms.DateField(label="after, from", widget=forms.DateInput(attrs=DAY))
    after_to = forms.DateField(label="after, to", widget=forms.DateInput(attrs=DAY))

    @property
    def days(self) -> tuple[date, date, date, date]:
        cleaned = self.cleaned_data
        return cleaned["before_from"], cleaned["before_to"], cleaned["after_from"], cleaned["after_to"]


class FigureForm(forms.Form):
    """One more figure of a study, with what is aimed at."""

    figure = forms.ChoiceField(help_text="Those of the profile and those under a limit.")
    aim = forms.CharField(
        label="target",
        required=False,
        max_length=80,
        help_text="<5 ms, eliminate, no change, or a multiple: >=4x. Empty: better is better.",
    )

    def __init__(self, *args: Any, offered: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["figure"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(offered)

    @property
    def pair(self) -> tuple[str, str]:
        metric, _, component = self.cleaned_data["figure"].partition("|")
        return metric, component
