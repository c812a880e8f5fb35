"""The study of a plan as the case file shows it."""

from datetime import timedelta
from typing import Any

import numpy as np

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.advisors.models import ActionPlan
from apps.advisors.study import Study, StudyRow, aim_of, study_of
from apps.catalog.metric import Metric
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.thresholds.engine.notation import Form, Limit
from apps.thresholds.judge import profile_of
from apps.thresholds.models import Violation

DAYS = 30
_SIGNS = {Form.AT_MOST: "≤", Form.BELOW: "<", Form.AT_LEAST: "≥", Form.ABOVE: ">"}
MANY_TIMES = 200  # percent; more is told as a multiple


def show_study(plan: ActionPlan | None) -> dict[str, Any] | None:
    """The rows of a study with their sparklines; None where there is none yet."""
    study = study_of(plan) if plan is not None else None
    if plan is None or study is None or study.before is None:
        return None
    sparks = _sparks(plan, study)
    return {
        "before": figures.day_span(study.before.first, study.before.last),
        "after": figures.day_span(study.after.first, study.after.last) if study.after else "",
        "reason": study.reason,
        "summary": ", ".join(
            f"{number} {word.replace(', ', ' and ')}" for word, number in study.counts.items()
        ),
        "days": _days(study),
        "rows": [_row(row, sparks) for row in study.rows],
        "accepted": _accepted(study),
    }


def offer_figures(violation: Violation) -> list[tuple[str, str]]:
    """What a study may look at: the rows of the profile and everything under a limit, by section and name."""
    day = violation.closed_on or violation.reviewed_on
    if day is None:
        return []
    rows = {row.row.key: row.row for row in profile_of(violation.target, day).rows}
    return sorted(
        (
            (f"{metric}|{component}", _named(row.metric, component))
            for (metric, component), row in rows.items()
        ),
        key=lambda pair: pair[1].lower(),
    )


def _named(metric: Metric, component: str) -> str:
    return f"{metric.section.title}: {metric.called(component)}"


def _days(study: Study) -> str:
    """How many days each side rests on, where some are left out."""
    if study.days is None:
        return ""
    parts = []
    for name, side in zip(("before", "after"), study.days, strict=True):
        out = len(side.partial) + len(side.unread)
        parts.append(f"{name} {len(side.used)} day{'' if len(side.used) == 1 else 's'}")
        if out:
            parts[-1] += f", {out} left out (not read, or in part)"
    return "; ".join(parts)


def _row(row: StudyRow, sparks: dict[tuple[str, str], str]) -> dict[str, Any]:
    before, after = row.display_mean(row.judged.before), row.display_mean(row.judged.after)
    is_accepted = row.accepted is not None and row.result is Outcome.WORSE
    return {
        "pk": row.pk,
        "name": row.name,
        "about": row.metric.label if row.component and row.component != row.metric.label else "",
        "unit": row.metric.display_unit,
        "before": before,
        "after": after,
        "change": _change(before, after),
        "aim": _aim(row),
        "result": "worse, accepted" if is_accepted else str(row.result),
        "why": row.judged.reason,
        "icon": "tick" if row.result in GOOD else "flag" if is_accepted else "",
        "css": "mark-ok" if row.result in GOOD else "mark-part" if is_accepted else _css(row.result),
        "spark": sparks.get((row.metric.key, row.component), ""),
    }


def _aim(row: StudyRow) -> str:
    """What was aimed at, in the unit of the row; what is no limit in a unit as it was typed."""
    aim = aim_of(row.metric.key, row.aim)
    if isinstance(aim, Limit) and aim.form in _SIGNS:
        edge = aim.edge
        return f"{_SIGNS[aim.form]}{figures.figure(edge)}"
    return figures.threshold(row.aim) if row.aim else "none set"


def _css(result: Outcome) -> str:
    return "mark-bad" if result is Outcome.WORSE else "mark-part" if result is Outcome.MISSED else ""


def _change(before: float | None, after: float | None) -> str:
    """In percent, or as a multiple where it grew many times."""
    if before is None or after is None or not before:
        return "new" if before == 0 and after else "0 %" if before == after == 0 else figures.MISSING
    percent = 100 * (after - before) / abs(before)
    if percent >= MANY_TIMES:
        return f"{figures.figure(after / before)}×"
    return f"{figures.delta(percent)}{figures.SPACE}%"


def _sparks(plan: ActionPlan, study: Study) -> dict[tuple[str, str], str]:
    until = study.after.last if study.after else plan.violation.reviewed_on
    if not study.rows or until is None:
        return {}
    ids = series_ids([(row.metric.category, row.metric.key, row.component) for row in study.rows])
    histories = read_histories(
        [plan.violation.target_id], list(dict.fromkeys(ids)), until - timedelta(days=DAYS - 1), until
    )
    column = {pk: index for index, pk in enumerate(histories.series)}
    values = histories.values[plan.violation.target_id]
    return {
        (row.metric.key, row.component): _spark(row, values[:, column[pk]])
        for row, pk in zip(study.rows, ids, strict=True)
    }


def _spark(row: StudyRow, values: "np.ndarray") -> str:
    points = [None if np.isnan(value) else row.metric.to_display_unit(float(value)) for value in values]
    aim = aim_of(row.metric.key, row.aim)
    limit = None
    if isinstance(aim, Limit):
        limit = aim.edge
    beyond = "below" if isinstance(aim, Limit) and aim.high is None and limit is not None else "above"
    return sparkline(points, limit, beyond, f"{row.name}, {DAYS} days", width=92)


def _accepted(study: Study) -> list[dict[str, Any]]:
    """What was accepted as the cost of the change, once each."""
    rows = {row.accepted.pk: row for row in study.rows if row.accepted and row.result is Outcome.WORSE}
    return [
        {"name": row.name, "violation": row.accepted, "until": figures.long_day(row.accepted.review_on)}
        for row in rows.values()
        if row.accepted is not None
    ]
