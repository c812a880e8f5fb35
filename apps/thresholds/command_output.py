"""Reviews, violations and limits as commands print them."""

from typing import Any

from apps.thresholds.check import CheckResult
from apps.thresholds.models import Threshold, Violation


def number(value: float | None) -> float | None:
    """Twelve significant digits: what was measured, without the dust of binary fractions."""
    return None if value is None else float(f"{value:.12g}")


def check_as_json(result: CheckResult) -> dict[str, Any]:
    return {
        "target": result.target.name,
        "day": result.day.isoformat(),
        "opened": [violation_as_json(violation) for violation in result.opened],
        "continued": [violation_as_json(violation) for violation in result.continued],
        "closed": [violation_as_json(violation) for violation in result.closed],
    }


def check_in_words(result: CheckResult) -> str:
    counts = f"{len(result.opened)} opened, {len(result.continued)} continued, {len(result.closed)} closed"
    return f"{result.target.name}, {result.day}: {counts}"


def violation_as_json(violation: Violation) -> dict[str, Any]:
    return {
        "id": violation.pk,
        "target": violation.target.name,
        "statistic": violation.metric,
        "component": violation.component,
        "figure": violation.figure,
        "threshold": violation.notation,
        "unit": violation.unit,
        "severity": violation.severity,
        "state": violation.state,
        "days_inside": violation.days_inside,
        "closes_after": violation.threshold.closes_after if violation.threshold else None,
        "value": number(violation.value),
        "opened_on": violation.opened_on.isoformat() if violation.opened_on else None,
        "closed_on": violation.closed_on.isoformat() if violation.closed_on else None,
        "closed_because": violation.closed_because or None,
    }


def threshold_as_json(threshold: Threshold) -> dict[str, Any]:
    return {
        "id": threshold.pk,
        "target": threshold.target.name if threshold.target else None,
        "group": threshold.group.name if threshold.group else None,
        "statistic": threshold.metric,
        "component": threshold.component,
        "threshold": threshold.notation,
        "unit": threshold.unit,
        "second": _second_as_json(threshold),
        "severity": threshold.severity,
        "leaves_out_peaks": threshold.leaves_out_peaks,
    }


def _second_as_json(threshold: Threshold) -> dict[str, Any] | None:
    """The condition that must be broken too."""
    second = threshold.second
    if second is None:
        return None
    limit = second.limit
    return {
        "statistic": second.metric,
        "form": limit.form,
        "low": limit.low,
        "high": limit.high,
        "unit": second.unit,
    }
