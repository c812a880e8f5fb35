"""
Errors of forms in our own words: each names the field, what was typed, and what is expected.

Django's own sentences say what is wrong with a value and leave out both the value and the way on.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError


class OurVoice(forms.BaseForm):
    """Mixed into a form, first among its parents: rewords what Django itself has to say of a field."""

    def add_error(self, field: Any, error: Any) -> None:
        if isinstance(error, ValidationError):
            error = self._reworded(field, error)
        super().add_error(field, error)

    def _reworded(self, field: str | None, error: ValidationError) -> ValidationError:
        if hasattr(error, "error_dict"):
            return ValidationError(
                {
                    name: [self._sentence(name, cause) for cause in errors]
                    for name, errors in error.error_dict.items()
                }
            )
        return ValidationError([self._sentence(field, cause) for cause in error.error_list])

    def _sentence(self, name: str | None, error: ValidationError) -> ValidationError:
        field = self.fields.get(name or "")
        if name is None or field is None:
            return error
        typed = self.data.get(self.add_prefix(name), "")
        sentence = reworded(field, label_of(self, name), str(typed).strip(), error)
        return ValidationError(sentence, code=error.code) if sentence else error


def label_of(form: forms.BaseForm, name: str) -> str:
    """What the form calls a field, as a sentence begins with it."""
    label = str(form[name].label)
    return label[:1].upper() + label[1:]


def reworded(field: forms.Field, label: str, typed: str, error: ValidationError) -> str:
    """The sentence in place of one of Django's; empty where the error has words of its own."""
    params = error.params or {}
    match error.code:
        case "required":
            return f"{label} is missing. {field.help_text}".strip()
        case "invalid" | "min_value" | "max_value" if expected := expected_of(field):
            return f"“{typed}” is not {expected}."
        case "max_length":
            return f"{label} has {params['show_value']:,} characters; at most {params['limit_value']:,} are possible."
        case "min_length":
            return f"{label} has {params['show_value']:,} characters; at least {params['limit_value']:,} are needed."
        case "invalid_choice":
            return f"{label}: “{typed}” is not one of those offered; choose one from the list."
        case "empty":
            return "The file is empty; choose another one."
        case "null_characters_not_allowed":
            return f"{label} has a character in it that nobody can type; enter it again."
    return ""


def expected_of(field: forms.Field) -> str:
    """What a field takes, in words that follow “is not”; empty where it takes any text."""
    match field:
        case forms.FloatField(min_value=least, max_value=most) if least is not None and most is not None:
            return f"a number from {least:g} to {most:g}"
        case forms.FloatField():
            return "a number"
        case forms.IntegerField(min_value=None, max_value=None):
            return "a whole number"
        case forms.IntegerField(min_value=least, max_value=None):
            return f"a whole number from {least:,}"
        case forms.IntegerField(min_value=least, max_value=most):
            return f"a whole number from {least or 0:,} to {most:,}"
        case forms.EmailField():
            return "a mail address; give one such as dba@example.com"
        case forms.TimeField():
            return "a time of day; give one such as 00:05"
        case forms.DateField():
            return "a day; give one such as 2026-02-17"
    return ""
