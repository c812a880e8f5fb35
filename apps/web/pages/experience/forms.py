"""What users were promised, as people type it: a figure with its limit, and values of days."""

from typing import Any

from django import forms
from django.utils import timezone

from apps.catalog.experience import BATCH_END, METRICS, RESPONSE, hours_of_clock
from apps.catalog.registry import get_metric
from apps.collection.engine.csv_text import BadCsv, read_number
from apps.collection.engine.user_days import EXAMPLE, LONGEST_RESPONSE, BadUserDays, UserDays
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.experience import LONGEST_NAME, agree, read_values
from apps.thresholds.register import BadThreshold
from apps.web.uploads import LARGEST

KINDS = ((RESPONSE.key, "response in seconds"), (BATCH_END.key, "time at which a batch is through"))


class AgreeForm(OurVoice, forms.Form):
    """A figure that is agreed on, and its limit."""

    name = forms.CharField(
        max_length=LONGEST_NAME, help_text="As users call it, for example login, or post an invoice."
    )
    kind = forms.ChoiceField(choices=KINDS, help_text="What is measured of it.")
    most = forms.CharField(
        label="at most",
        max_length=12,
        help_text="What was promised: seconds such as 2, or a time such as 06:00.",
    )

    def clean_name(self) -> str:
        name = " ".join(str(self.cleaned_data["name"]).split())
        if any(sign in name for sign in '*?[,;|"') or name.startswith(("=", "+", "-", "@")):
            raise forms.ValidationError(
                f"“{name}” has signs that names in files cannot have; use letters and digits."
            )
        return name

    def clean_most(self) -> float:
        text = str(self.cleaned_data["most"]).strip()
        is_end = self.data.get("kind") == BATCH_END.key
        hours = hours_of_clock(text) if is_end else None
        if hours is not None:
            return hours
        try:
            number = read_number(text, has_comma=True)
        except BadCsv as problem:
            raise forms.ValidationError(str(problem)) from None
        most = 48.0 if is_end else LONGEST_RESPONSE
        if not 0 < number < most:
            expected = "a time such as 06:00" if is_end else "seconds, such as 2 or 0.5"
            raise forms.ValidationError(f"“{text}” is not {expected}.")
        return number

    def save(self, target: Target, by: User | None) -> bool:
        """Agree on it; False where it cannot be, which the form then says."""
        typed = self.cleaned_data
        metric = get_metric(typed["kind"])
        assert metric in METRICS
        try:
            agree(target, metric, typed["name"], typed["most"], by=by, now=timezone.now())
        except BadThreshold as refusal:
            self.add_error("name", str(refusal))
            return False
        return True


class ValuesForm(OurVoice, forms.Form):
    """Values of days, typed or in a file, taken whole or not at all."""

    values = forms.CharField(
        required=False,
        strip=False,
        max_length=LARGEST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "placeholder": EXAMPLE}),
        help_text=f"Lines below the head {EXAMPLE}. A value that is there is replaced, an empty one takes it back.",
    )
    file = forms.FileField(label="Or a file", required=False, help_text="The same lines as CSV.")

    def __init__(self, target: Target, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._target = target
        self.user_days: UserDays | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        text, file = cleaned.get("values") or "", cleaned.get("file")
        if text.strip() and file:
            self.add_error("file", "Type the values or give a file, not both.")
        elif not self.errors:
            content = file.read() if file else text.encode()
            try:
                self.user_days = read_values(self._target, content, timezone.now())
            except BadUserDays as error:
                self.add_error("file" if file else "values", str(error))
        return cleaned
