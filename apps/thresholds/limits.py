"""Limits as pages write them: in the unit of the row, with the signs of print."""

from apps.catalog.units import UnknownUnit, convert
from apps.charts import figures
from apps.thresholds.finding import HORIZON_OF
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.notation import Form

_SIGNS = {Form.AT_MOST: "≤", Form.BELOW: "<", Form.AT_LEAST: "≥", Form.ABOVE: ">"}


def limit_text(threshold: Threshold, unit: str) -> str:
    """The limit in the unit of its row; as it was typed where that says no unit of its own."""
    edge = threshold.high if threshold.high is not None else threshold.low
    sign = _SIGNS.get(Form(threshold.form))
    says_unit = any(letter.isalpha() for letter in threshold.notation)
    if threshold.unit != unit and (converted := _converted(threshold, unit)):
        return converted
    if threshold.second_metric or not says_unit or threshold.unit != unit or edge is None or sign is None:
        return figures.threshold(threshold.notation)
    return f"{sign}{figures.figure(edge)}"


def with_unit(threshold: Threshold) -> str:
    """The limit with its unit; one of two conditions says its units itself."""
    text = limit_text(threshold, threshold.unit)
    return text if threshold.second_metric else f"{text} {threshold.unit}".rstrip()


def change_in_words(figure: str) -> str:
    """What a limit is on where it is a change: "change in 30 days"; empty for the value of the day."""
    days = HORIZON_OF.get(figure)
    return "" if days is None else f"change in {days} days"


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


def limit_of(violation: Violation) -> str:
    """The limit of a violation, in its unit; as it was when its threshold is gone."""
    threshold = violation.threshold
    if threshold is None or threshold.notation != violation.notation:
        return figures.threshold(violation.notation)
    return limit_text(threshold, violation.unit)
