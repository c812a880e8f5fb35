"""A calculator on the command line."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from apps.advisors.calculator_inputs import BadInput, measured_inputs, read_input
from apps.advisors.calculators import (
    BadCalculation,
    Calculation,
    Calculator,
    Inputs,
    all_calculators,
    find_calculator,
)
from apps.collection.command import OperatorCommand
from apps.inventory.models import Target


class Command(OperatorCommand):
    help = "Answer a question of capacity from a few figures, typed or those of a target: the log buffer, huge pages, …"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="which calculator, such as huge-pages")
        parser.add_argument(
            "inputs", nargs="*", metavar="INPUT=VALUE", help='for example pool=35893 sga="60 4"'
        )
        parser.add_argument("--target", help="what is not typed is taken from this target and its machine")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        calculator = find_calculator(options["name"])
        if calculator is None:
            names = ", ".join(sorted(calculator.key for calculator in all_calculators()))
            raise CommandError(f"There is no calculator named {options['name']}. There are: {names}.")
        target = self.target(options["target"]) if options["target"] else None
        inputs = _inputs(calculator, _typed(calculator, options["inputs"]), target)
        try:
            result = calculator.calculate(inputs)
        except BadCalculation as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            json.dumps(_as_json(calculator, inputs, result)) if options["json"] else _as_text(result)
        )


def _typed(calculator: Calculator, arguments: list[str]) -> dict[str, str]:
    """The inputs of the command line by their keys."""
    keys = [declared.key for declared in calculator.inputs]
    typed = dict(argument.partition("=")[::2] for argument in arguments)
    if strange := sorted(set(typed) - set(keys)):
        raise CommandError(
            f"{calculator.title} has no input {strange[0]}; give them as {keys[0]}=…: {', '.join(keys)}."
        )
    return typed


def _inputs(calculator: Calculator, typed: dict[str, str], target: Target | None) -> Inputs:
    measured = measured_inputs(calculator, target) if target else {}
    inputs = {}
    for declared in calculator.inputs:
        if not typed.get(declared.key) and declared.key in measured:
            inputs[declared.key] = measured[declared.key].values
            continue
        try:
            inputs[declared.key] = read_input(declared, typed.get(declared.key, ""))
        except BadInput as error:
            raise CommandError(f"{declared.key}: {error}") from None
    return inputs


def _as_json(calculator: Calculator, inputs: Inputs, result: Calculation) -> dict[str, object]:
    return {
        "calculator": calculator.key,
        "inputs": {key: list(values) for key, values in inputs.items()},
        "figures": dict(result.figures),
        "answer": " ".join(filter(None, (result.answer, result.rest))),
        "advice": result.advice,
    }


def _as_text(result: Calculation) -> str:
    steps = [f"  {step.label}: {step.formula} = {step.result}" for step in result.steps]
    sentences = (" ".join(filter(None, (result.answer, result.rest))), *steps, result.advice)
    return "\n".join(filter(None, sentences))
