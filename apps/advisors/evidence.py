"""The numbers a diagnosis rests on: how the work changed with the figure, and whether the host had room."""

from datetime import date

from apps.advisors.diagnosis import Change, Reason, Strain, diagnose
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, metrics_of
from apps.inventory.models import Target
from apps.profiles.build import Presence, Row, build_profile
from apps.thresholds.models import Violation

BACK = (30, 7, 90)  # days; the first of them that has figures is compared with


def diagnose_violation(violation: Violation, on: date) -> tuple[str, list[Reason]]:
    """Performance problem, capacity constraint or undetermined, with the evidence in numbers."""
    target = violation.target
    work = [metric for metric in metrics_of(target.platform) if metric.role == "work"]
    key = (violation.metric, violation.component)
    wanted = [key, *((metric.key, "") for metric in work)]
    rows = {row.key: row for row in build_profile(target, on, also=wanted).rows}
    horizon = next((days for days in BACK if rows[key].then[days].delta is not None), None)
    figure = Change(violation.component or violation.about.label, _percent(rows[key], horizon))
    changes = [
        Change(metric.label, _percent(rows[metric.key, ""], horizon))
        for metric in work
        if (metric.key, "") in rows
    ]
    return diagnose(figure, changes, _strains(target.runs_on or target, on))


def _percent(row: Row, horizon: int | None) -> float | None:
    """Change in percent; of a statistic in percent, whose change is in points, relative to what it was."""
    if horizon is None:
        return None
    cell = row.then[horizon]
    if cell.delta is None or not row.metric.is_percent:
        return cell.delta
    return 100 * cell.delta / abs(cell.value) if cell.value else None


def _strains(host: Target, on: date) -> list[Strain]:
    metrics = [metric for metric in metrics_of(host.platform) if metric.role == "strain"]
    if not metrics:
        return []
    keys = [f"{metric.key}:p95" if "p95" in metric.reductions else metric.key for metric in metrics]
    found = build_profile(host, on, also=[(key, "") for key in keys])
    rows = {row.key: row for row in found.rows}
    return [
        Strain(f"{metric.label} of {host.name}", row.today.value, _limit(metric), row.unit)
        for metric, key in zip(metrics, keys, strict=True)
        if (row := rows.get((get_metric(key).key, ""))) is not None
        and row.today.presence is Presence.PRESENT
        and row.today.value is not None
    ]


def _limit(metric: Metric) -> float:
    return metric.strain_limit
