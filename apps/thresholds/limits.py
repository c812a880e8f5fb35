"""Limits as pages write them: in the unit of the row, with the signs of print."""

from apps.charts import figures
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.notation import Form

_SIGNS = {Form.AT_MOST: "≤", Form.BELOW: "<", Form.AT_LEAST: "≥", Form.ABOVE: ">"}


def limit_text(threshold: Threshold, unit: str) -> str:
    """The limit in the unit of its row; as it was typed where that says no unit of its own."""
    edge = threshold.high if threshold.high is not None else threshold.low
    sign = _SIGNS.get(Form(threshold.form))
    says_unit = any(letter.isalpha() for letter in threshold.notation)
    if threshold.second_metric or not says_unit or threshold.unit != unit or edge is None or sign is None:
        return figures.threshold(threshold.notation)
    return f"{sign}{figures.figure(edge)}"


def limit_of(violation: Violation) -> str:
    """The limit of a violation, in its unit; as it was when its threshold is gone."""
    threshold = violation.threshold
    if threshold is None or threshold.notation != violation.notation:
        return figures.threshold(violation.notation)
    return limit_text(threshold, violation.unit)
