"""Which rows a field of a form offers."""

from typing import Any

from django import forms
from django.db.models import QuerySet


def offer(form: forms.BaseForm, name: str, rows: QuerySet[Any]) -> "forms.ModelChoiceField[Any]":
    """Let a field offer these rows alone; the field, for more to be said of it."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    return field
