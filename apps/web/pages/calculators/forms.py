"""The inputs of a calculator as people type them; what is left empty is taken from the target."""

from collections.abc import Mapping
from typing import Any

from django import forms

from apps.advisors.calculator_inputs import BadInput, MeasuredInput, read_input
from apps.advisors.calculators import Calculator, CalculatorInput, Inputs
from apps.charts import figures
from apps.inventory.models import Target


class InputField(forms.CharField):
    """One input; its value is a tuple, which is empty where an optional one was left out."""

    def __init__(self, declared: CalculatorInput, measured: MeasuredInput | None) -> None:
        help_text = declared.help if measured is None else measured_words(measured)
        super().__init__(
            label=declared.label,
            required=False,
            max_length=200,
            help_text=help_text,
            widget=forms.TextInput(attrs={"placeholder": declared.example, "inputmode": "decimal"}),
        )
        self.declared = declared

    def clean(self, value: Any) -> Any:
        try:
            return read_input(self.declared, super().clean(value))
        except BadInput as error:
            raise forms.ValidationError(str(error)) from None


class CalculatorForm(forms.Form):
    """The inputs of a calculator, filled in from a target where it has them."""

    def __init__(
        self, calculator: Calculator, sent: Mapping[str, str], measured: Mapping[str, MeasuredInput]
    ) -> None:
        filled = {
            declared.key: sent.get(declared.key, "").strip() or write_values(measured.get(declared.key))
            for declared in calculator.inputs
        }
        is_asked = any(filled.values())
        super().__init__(filled if is_asked else None)
        self.calculator, self.measured = calculator, measured
        for declared in calculator.inputs:
            self.fields[declared.key] = InputField(declared, measured.get(declared.key))

    @property
    def inputs(self) -> Inputs:
        return self.cleaned_data

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Each field with its unit, and whether it is other than what the target has."""
        return [
            {
                "field": self[declared.key],
                "unit": declared.unit,
                "is_optional": declared.is_optional,
                "is_changed": self._is_changed(declared),
            }
            for declared in self.calculator.inputs
        ]

    def _is_changed(self, declared: CalculatorInput) -> bool:
        measured = self.measured.get(declared.key)
        return measured is not None and str(self[declared.key].value() or "") != write_values(measured)


class SourceForm(forms.Form):
    """The target that inputs are filled in from."""

    target = forms.ModelChoiceField(
        Target.objects.none(), label="Filled in from", required=False, empty_label="typed by hand"
    )

    def __init__(self, sent: Mapping[str, str]) -> None:
        super().__init__({"target": sent.get("target", "")})
        field = self.fields["target"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Target.objects.in_estate()

    @property
    def chosen(self) -> Target | None:
        return self.cleaned_data.get("target") if self.is_valid() else None


def write_values(measured: MeasuredInput | None) -> str:
    """The figures of a target as they stand in a field."""
    return "" if measured is None else " ".join(f"{value:.6g}" for value in measured.values)


def measured_words(measured: MeasuredInput) -> str:
    """Where a figure is from, with itself: "huge pages in the pool of dbx01 on 17 Feb: 35,893"."""
    values = ", ".join(figures.figure(value) for value in measured.values)
    return f"{measured.source}: {values}"
