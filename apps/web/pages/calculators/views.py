"""Calculators: a question, its inputs, and the answer with its arithmetic."""

from collections.abc import Sequence
from shlex import quote
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import mark_safe

from apps.advisors.calculator_inputs import measured_inputs
from apps.advisors.calculators import (
    Alternative,
    BadCalculation,
    Calculation,
    CalculationStep,
    Calculator,
    all_calculators,
    find_calculator,
)
from apps.charts.shares import shares
from apps.web.cells import link
from apps.web.pages.calculators.forms import CalculatorForm, SourceForm
from apps.web.sentences import Part
from apps.web.tables import Column, RowHead, Table, page_or_file

CALCULATORS: Table[Calculator] = Table(
    "calculators",
    "What can be calculated",
    (
        RowHead(
            "calculator",
            lambda row: row.title,
            lambda row: link(reverse("calculator", args=[row.key]), row.title),
        ),
        Column("question", lambda row: row.question),
        Column("by", lambda row: row.source, css="quiet-text"),
        Column("command", lambda row: f"manage.py calculate {row.key}", in_file_only=True),
    ),
    css="folds",
)
STEPS: Table[CalculationStep] = Table(
    "steps",
    "How it is computed",
    (
        RowHead("what", lambda row: row.label),
        Column("formula", lambda row: row.formula),
        Column("result", lambda row: row.result, css="strong number"),
    ),
    title="How it is computed",
)


def calculators(request: HttpRequest) -> HttpResponse:
    """Every calculator, by its title."""
    listed = all_calculators()
    sentence = [
        Part(f"{len(listed)} calculators", True),
        Part(": a few figures in, an answer with its arithmetic out."),
    ]
    context = {"calculators": CALCULATORS.fill(listed), "sentence": sentence}
    return page_or_file(request, "pages/calculators/calculators.html", context)


def calculator(request: HttpRequest, key: str) -> HttpResponse:
    """One calculator; the address holds every input."""
    chosen = find_calculator(key)
    if chosen is None:
        raise Http404(f"There is no calculator named {key[:40]}.")
    source = SourceForm(request.GET.dict())
    target = source.chosen
    measured = measured_inputs(chosen, target) if target else {}
    form = CalculatorForm(chosen, request.GET.dict(), measured)
    context: dict[str, Any] = {
        "calculator": chosen,
        "source": source,
        "form": form,
        "target": target,
        "url": reverse("calculator", args=[key]),
        "sentence": [Part(chosen.question, True)],
        "is_asked": form.is_bound,
    }
    if form.is_bound and form.is_valid():
        try:
            context |= _result(chosen, chosen.calculate(form.inputs), form)
        except BadCalculation as error:
            form.add_error(None, str(error))
    return page_or_file(request, "pages/calculators/calculator.html", context)


def _result(chosen: Calculator, result: Calculation, form: CalculatorForm) -> dict[str, Any]:
    return {
        "result": result,
        "sentence": [Part(result.answer, True), Part(f" {result.rest}" if result.rest else "")],
        "steps": STEPS.fill(result.steps),
        "alternatives": _alternatives(result).fill(result.alternatives) if result.alternatives else None,
        "drawing": _draw(result),
        "command": command_of(chosen, form),
    }


def _alternatives(result: Calculation) -> Table[Alternative]:
    columns: Sequence[Column[Alternative]] = (
        RowHead(result.alternatives_of, lambda row: row.value, css="number"),
        Column("then", lambda row: row.result, css="number"),
        Column("what happens", lambda row: row.meaning),
        Column("now", lambda row: "as it is" if row.is_present else "", css="quiet-text"),
    )
    return Table(
        "alternatives",
        "Other values",
        columns,
        title="Other values",
        row_css=lambda row: "is-whole" if row.is_present else "",
    )


def _draw(result: Calculation) -> str:
    if not result.shares:
        return ""
    parts = [(share.label, share.amount, share.is_idle) for share in result.shares]
    return mark_safe(shares(parts, result.limit, result.limit_label, "", result.answer))


def command_of(chosen: Calculator, form: CalculatorForm) -> str:
    """The same on the command line."""
    values = {row["field"].name: str(row["field"].value() or "") for row in form.rows}
    typed = [f"{key}={quote(value)}" for key, value in values.items() if value]
    return " ".join(["manage.py calculate", chosen.key, *typed, "--json"])
