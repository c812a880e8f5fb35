"""Profiles and violations as commands and the API print them; keys are the words of product.md in snake case."""

from collections.abc import Mapping
from typing import Any

from apps.profiles.build import Cell, Presence
from apps.thresholds.check import Checked
from apps.thresholds.judge import JudgedProfile, JudgedRow
from apps.thresholds.models import Threshold, Violation


def profile_as_json(judged: JudgedProfile) -> dict[str, Any]:
    """A judged profile: target, day and rows. A missing value is null, never 0."""
    profile = judged.profile
    return {
        "target": profile.target.name,
        "day": profile.day.isoformat(),
        "is_so_far": profile.is_so_far,
        "state": judged.state,
        "rows": [row_as_json(row) for row in judged.rows],
    }


def row_as_json(judged: JudgedRow) -> dict[str, Any]:
    row = judged.row
    return {
        "statistic": row.metric.key,
        "component": row.component,
        "class": row.component_class,
        "unit": row.unit,
        **{f"minus_{horizon}": _cell(row.then[horizon], row.metric.is_percent) for horizon in (90, 30, 7)},
        "today": _number(row.today.value),
        "today_presence": row.today.presence,
        "threshold": judged.threshold.notation if judged.threshold else None,
        "severity": judged.threshold.severity if judged.threshold else None,
        "state": judged.state,
        "reason": judged.reason or row.today.reason or None,
    }


def _cell(cell: Cell, is_percent: bool) -> Mapping[str, Any]:
    return {
        "value": _number(cell.value),
        "day": cell.day.isoformat() if cell.day and cell.presence is not Presence.NO_DATA else None,
        "delta_points" if is_percent else "delta_percent": _number(cell.delta),
        "change": cell.change or None,
        "presence": cell.presence,
    }


def _number(value: float | None) -> float | None:
    """Twelve significant digits: what was measured, without the dust of binary fractions."""
    return None if value is None else float(f"{value:.12g}")


def checked_as_json(checked: Checked) -> dict[str, Any]:
    return {
        "target": checked.target.name,
        "day": checked.day.isoformat(),
        "opened": [violation_as_json(one) for one in checked.opened],
        "continued": [violation_as_json(one) for one in checked.continued],
        "closed": [violation_as_json(one) for one in checked.closed],
    }


def checked_in_words(checked: Checked) -> str:
    counts = f"{len(checked.opened)} opened, {len(checked.continued)} continued, {len(checked.closed)} closed"
    return f"{checked.target.name}, {checked.day}: {counts}"


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
        "value": _number(violation.value),
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
