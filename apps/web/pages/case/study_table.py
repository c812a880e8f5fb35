"""The study of a plan as the case file shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from apps.advisors.models import ActionPlan
from apps.advisors.study_figures import aim_of
from apps.advisors.study_plan import PlanStudy, study_of
from apps.advisors.study_result import ComparedFigure, StudyResult
from apps.catalog.metric import Metric
from apps.charts import figures
from apps.charts.sparkline import sparkline
from apps.reports.study_text import describe_windows, headline_of
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.thresholds.engine.notation import Limit
from apps.thresholds.judge import profile_of
from apps.thresholds.models import Violation
from apps.web.sentences import Part

DAYS = 30


@dataclass(frozen=True)
class StudyRow:
    """A figure of a plan's study, with its last days."""

    figure: ComparedFigure
    spark: str


@dataclass(frozen=True)
class ShownStudy:
    """The study of a plan for its template; without rows `reason` says why."""

    before: str
    after: str
    reason: str
    headline: Sequence[Part]
    windows: Sequence[tuple[str, str]]
    rows: Sequence[StudyRow]

    @property
    def accepted(self) -> list[ComparedFigure]:
        """What was accepted as the cost of the change."""
        return [row.figure for row in self.rows if row.figure.is_accepted]


def show_study(plan: ActionPlan | None) -> ShownStudy | None:
    """The study with the last days of its figures; None where there is none yet."""
    study = study_of(plan) if plan is not None else None
    if plan is None or study is None:
        return None
    result = study.result
    fact, rest = headline_of(result) if result else ("", "")
    return ShownStudy(
        figures.day_span(study.before.first, study.before.last),
        figures.day_span(study.after.first, study.after.last) if study.after else "",
        study.reason,
        [Part(fact, True), Part(rest)],
        describe_windows(result) if result else (),
        _rows(plan, study, result) if result else (),
    )


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


def _rows(plan: ActionPlan, study: PlanStudy, result: StudyResult) -> list[StudyRow]:
    until = study.after.last if study.after else plan.violation.reviewed_on
    if until is None:
        return []
    compared = result.aimed
    ids = series_ids([(figure.metric.category, figure.metric.key, figure.component) for figure in compared])
    target = plan.violation.target_id
    first = until - timedelta(days=DAYS - 1)
    histories = read_histories([target], list(dict.fromkeys(ids)), first, until)
    column = {pk: index for index, pk in enumerate(histories.series)}
    values = histories.values[target]
    return [
        StudyRow(figure, _spark(figure, values[:, column[pk]]))
        for figure, pk in zip(compared, ids, strict=True)
    ]


def _spark(figure: ComparedFigure, values: NDArray[np.float64]) -> str:
    points = [None if np.isnan(value) else figure.metric.to_display_unit(float(value)) for value in values]
    aim = aim_of(figure.metric.key, figure.aim)
    limit = aim.edge if isinstance(aim, Limit) else None
    beyond = "below" if isinstance(aim, Limit) and aim.high is None and limit is not None else "above"
    return sparkline(points, limit, beyond, f"{figure.name}, {DAYS} days", width=92)
