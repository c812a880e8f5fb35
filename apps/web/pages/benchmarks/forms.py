"""A table of benchmark runs as people type it or bring it."""

from typing import Any

from django import forms

from apps.advisors.engine.benchmark import LARGEST_TABLE, BadRuns, BenchmarkRuns, parse_runs
from apps.collection.engine.csv_text import BadCsv, decode_text
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.web.field_choices import offer

EXAMPLE = "pages,repetition,logical reads/s\n4 kB,1,8865085\n4 kB,2,8870112\n2 MB,1,9398380\n2 MB,2,9401007"


class BenchmarkForm(OurVoice, forms.Form):
    """A name, what the runs ran on, and a table of repetitions: pasted, or as a file."""

    name = forms.CharField(max_length=120, help_text="For example: huge pages, 40 runs of logical reads.")
    target = forms.ModelChoiceField(
        Target.objects.none(), required=False, empty_label="none of these", help_text="What the runs ran on."
    )
    table = forms.CharField(
        required=False,
        max_length=LARGEST_TABLE,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "placeholder": EXAMPLE}),
        help_text="A line for each repetition: parameters left of the column “repetition”, figures right of it.",
    )
    file = forms.FileField(required=False, help_text="The same as a CSV file, in the place of the table.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "target", Target.objects.in_estate().order_by("name"))
        self.runs: BenchmarkRuns | None = None

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > 4 * LARGEST_TABLE:
            raise forms.ValidationError(
                f"The file has {file.size:,} bytes; give at most {LARGEST_TABLE:,} characters."
            )
        try:
            return decode_text(file.read())
        except BadCsv as error:
            raise forms.ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            name = "file" if cleaned["file"] else "table"
            try:
                self.runs = parse_runs(cleaned[name])
            except BadRuns as error:
                self.add_error(name, str(error))
        return cleaned
