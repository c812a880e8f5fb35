"""What people give and say of a file of figures: the file, its columns, what its names mean."""

from itertools import zip_longest
from typing import Any

from django import forms

from apps.collection.engine.figure_rows import (
    DATES,
    DAY,
    FIELDS,
    STATISTIC,
    TARGET,
    UNIT,
    VALUE,
    FigureColumns,
)
from apps.collection.history.figure_reading import FigureNames
from apps.collection.history.models import FigureFile
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Target
from apps.web.field_choices import offer
from apps.web.statistic_field import StatisticField

MOST_NAMES = 25  # names that are asked about at once


class GiveForm(OurVoice, forms.Form):
    """A file, and of what its lines are where they do not say so."""

    file = forms.FileField(
        label="CSV file", help_text="Lines below a head, in UTF-8, cut at commas, semicolons or tabs."
    )
    target = forms.ModelChoiceField(
        Target.objects.none(),
        required=False,
        empty_label="a column says so",
        help_text="Of what the lines are, where no column says so.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "target", Target.objects.in_estate().order_by("name"))


class MappingForm(OurVoice, forms.Form):
    """Which column holds what, how days are written, and what names mean that nobody knows here."""

    def __init__(self, file: FigureFile, *args: Any, **kwargs: Any) -> None:
        self.file = file
        columns = FigureColumns(**file.columns)
        kwargs["initial"] = {
            **{f"column_{name}": column for name, column in columns.columns.items()},
            "dates": columns.dates,
            "fixed_target": Target.objects.named(columns.fixed.get(TARGET, "")).first(),
            "fixed_statistic": columns.fixed.get(STATISTIC, ""),
            "fixed_unit": columns.fixed.get(UNIT, ""),
        }
        super().__init__(*args, **kwargs)
        self._add_columns(file.report.get("head", []), file.report.get("first", []))
        self.statistics = list(file.report.get("unknown_statistics", {}))[:MOST_NAMES]
        self.targets = list(file.report.get("unknown_targets", {}))[:MOST_NAMES]
        for number, name in enumerate(self.statistics):
            self.fields[f"statistic_{number}"] = StatisticField(required=False, label=name[:80])
        for number, name in enumerate(self.targets):
            label = name[:80] or "lines without a target"
            self._add_target(f"target_{number}", label, "", "")

    def _add_columns(self, head: list[str], first: list[str]) -> None:
        """Each column is offered with what it has in the first line."""
        named = [(name, value) for name, value in zip_longest(head, first, fillvalue="") if name]
        choices = [
            ("", "no column"),
            *((name, f"{name[:40]}: {value[:20]}".rstrip(": ")) for name, value in named),
        ]
        for name in FIELDS:
            self.fields[f"column_{name}"] = forms.ChoiceField(
                choices=choices, required=name in (DAY, VALUE), label=name.capitalize()
            )
        self.fields["dates"] = forms.ChoiceField(
            choices=[("", "as the days themselves tell"), *DATES.items()],
            required=False,
            label="Days are written",
        )
        self._add_target("fixed_target", "Target", "none", "Of all lines, where no column says so.")
        self.fields["fixed_statistic"] = StatisticField(required=False, label="Statistic")
        self.fields["fixed_unit"] = forms.CharField(
            required=False,
            max_length=40,
            label="Unit",
            help_text="Of all lines, for example GB; else that of the profile.",
        )

    def _add_target(self, name: str, label: str, empty: str, help_text: str) -> None:
        self.fields[name] = forms.ModelChoiceField(
            Target.objects.none(),
            required=False,
            empty_label=empty or "none of these",
            label=label,
            help_text=help_text,
        )
        offer(self, name, Target.objects.in_estate().filter(is_demo=False).order_by("name"))

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[f"column_{name}"] for name in FIELDS]

    @property
    def name_fields(self) -> list[forms.BoundField]:
        """The fields of names that are not known, statistics first."""
        names = [f"statistic_{number}" for number in range(len(self.statistics))]
        return [self[name] for name in [*names, *(f"target_{number}" for number in range(len(self.targets)))]]

    @property
    def columns(self) -> FigureColumns:
        """What was typed of columns."""
        typed = self.cleaned_data
        target = typed["fixed_target"]
        fixed = {
            TARGET: target.name if target else "",
            STATISTIC: typed["fixed_statistic"],
            UNIT: typed["fixed_unit"],
        }
        return FigureColumns(
            {name: typed[f"column_{name}"] for name in FIELDS if typed[f"column_{name}"]},
            {name: value for name, value in fixed.items() if value and not typed[f"column_{name}"]},
            typed["dates"],
        )

    @property
    def names(self) -> FigureNames:
        """What was typed of names."""
        typed = self.cleaned_data
        statistics = {name: typed[f"statistic_{number}"] for number, name in enumerate(self.statistics)}
        targets = {name: typed[f"target_{number}"] for number, name in enumerate(self.targets)}
        return FigureNames(
            {name: key for name, key in statistics.items() if key},
            {name: target.name for name, target in targets.items() if target},
        )
