"""Limits as pages write them: in the unit of the row, with the signs of print."""

from typing import Any

from apps.catalog.units import UnknownUnit, convert
from apps.charts import figures
from apps.thresholds.engine.notation import Form, says_unit
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.step_text import write_limit_facts

_SIGNS = {Form.AT_MOST: "≤", Form.BELOW: "<", Form.AT_LEAST: "≥", Form.ABOVE: ">"}


def limit_text(threshold: Threshold, unit: str) -> str:
    """The limit in the unit of its row; as it was typed where that says no unit of its own."""
    if threshold.unit != unit and (converted := _converted(threshold, unit)):
        return converted
    return write_limit_facts(describe_limit(threshold, unit))


def describe_limit(threshold: Threshold, unit: str) -> dict[str, Any]:
    """A limit as a step keeps it: as it was typed, or its sign and its number where a unit stands beside it."""
    edge = threshold.limit.edge
    sign = _SIGNS.get(Form(threshold.form))
    if threshold.second_metric or not says_unit(threshold.notation) or threshold.unit != unit or edge is None:
        return {"notation": threshold.notation}
    if threshold.form == Form.WITHIN and threshold.low is not None and threshold.high is not None:
        return {"low": threshold.low, "high": threshold.high}
    return {"sign": sign, "edge": edge} if sign else {"notation": threshold.notation}


def with_unit(threshold: Threshold) -> str:
    """The limit with its unit; one of two conditions says its units itself."""
    text = limit_text(threshold, threshold.unit)
    return text if threshold.second_metric else f"{text} {threshold.unit}".rstrip()


def notation_with_unit(notation: str, unit: str) -> str:
    """A limit as it was typed, with its unit behind it where it names none itself."""
    return f"{figures.threshold(notation)} {'' if says_unit(notation) else unit}".rstrip()


def _converted(threshold: Threshold, unit: str) -> str:
    """A limit on a value in another unit of its dimension: `<1.5` cs is `<15` ms; empty where it is no such limit."""
    if threshold.second_metric or threshold.figure != Threshold.FigureOf.VALUE:
        return ""
    try:
        low, high = (
            None if edge is None else convert(edge, threshold.unit, unit)
            for edge in (threshold.low, threshold.high)
        )
    except UnknownUnit:
        return ""
    if low is not None and high is not None:
        return f"{figures.figure(low)}..{figures.figure(high)}"
    edge = high if high is not None else low
    form = Form(threshold.form)
    if edge is None or form not in _SIGNS:
        return ""
    is_bare = form is Form.AT_MOST and threshold.notation.strip()[:1].isdigit()
    return f"{'' if is_bare else _SIGNS[form]}{figures.figure(edge)}"


def write_limit_of(violation: Violation) -> str:
    """The limit of a violation, in its unit; as it was when its threshold is gone."""
    threshold = violation.threshold
    if threshold is None or threshold.notation != violation.notation:
        return figures.threshold(violation.notation)
    return limit_text(threshold, violation.unit)
