"""Rules and their evidence in words."""

from collections.abc import Mapping

from apps.advisors.engine.finding_rules import FindingRule
from apps.advisors.engine.rule_inputs import FactInput, RuleInput
from apps.charts.figures import SPACE, figure, mark_figures


def write_condition(rule: FindingRule, parameters: Mapping[str, float] | None = None) -> str:
    """When a rule fires, with its parameters as they stand: "SGA ≥ 4 GB, less than 95 % of it in huge pages"."""
    return mark_figures(rule.fires_when).format(**write_parameters(rule, parameters))


def write_parameters(rule: FindingRule, parameters: Mapping[str, float] | None = None) -> dict[str, str]:
    """The parameters of a rule with their units, by their keys: as they are given, else their defaults."""
    values = dict(rule.defaults) | dict(parameters or {})
    return {
        parameter.key: f"{figure(values[parameter.key])}{SPACE}{parameter.unit}".strip()
        for parameter in rule.parameters
    }


def write_input(declared: RuleInput, value: float | None) -> str:
    """A figure of the evidence with its unit; a text that is true or false as yes or no."""
    if value is None:
        return "none"
    if isinstance(declared, FactInput) and value in (0, 1):
        return "yes" if value else "no"
    return f"{figure(value)}{SPACE}{declared.unit}".strip()
