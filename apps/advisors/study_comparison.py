"""compare_study(): every figure of a study before and after its change, with its effect, interval and outcome."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from math import isinf

import numpy as np

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.advisors.models import ChangeStudy, StudyAcceptance, StudyAim
from apps.advisors.study import accepted_costs, judge_figure
from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, get_metric, is_metric
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow, Comparison, DaysUsed, compare_periods
from apps.profiles.engine.periods import NOTEWORTHY, Judgement, Period, PeriodStatistics
from apps.profiles.engine.significance import Spread, welch_margin

MOST_OTHERS = 40  # figures without an aim
SECONDS = 86_400


@dataclass(frozen=True)
class FigureEffect:
    """What a change made of a figure, in percent of what it was, with what it may be off either way at 95 %."""

    percent: float
    margin: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.margin is None else (self.percent - self.margin, self.percent + self.margin)


@dataclass(frozen=True)
class ComparedFigure:
    """
    One figure before and after, in the unit of the profile; of an average the rate of what it is of stands beside it,
    in `rate_unit`.
    """

    target: Target
    metric: Metric
    component: str
    before: float | None
    after: float | None
    rate_unit: str
    rate_before: float | None
    rate_after: float | None
    effect: FigureEffect | None
    outcome: Outcome
    reason: str
    aim: str = ""
    aim_pk: int | None = None
    acceptance: StudyAcceptance | None = None

    @property
    def name(self) -> str:
        return self.metric.called(self.component)

    @property
    def is_accepted(self) -> bool:
        return self.acceptance is not None and self.outcome is Outcome.WORSE

    @property
    def verdict(self) -> str:
        """The outcome in words; what got worse and was accepted says so."""
        return "worse, accepted" if self.is_accepted else str(self.outcome)


@dataclass(frozen=True)
class StudyResult:
    """Both windows of a study, figure by figure: those with an aim, then what else changed, of the target and of its machine."""

    days: tuple[DaysUsed, DaysUsed]
    aimed: Sequence[ComparedFigure]
    others: Sequence[ComparedFigure]
    unchanged: int

    @property
    def is_over(self) -> bool:
        """Whether every day of the window after was reviewed."""
        last = self.days[1].target.reviewed_through
        return last is not None and last >= self.days[1].period.last

    @property
    def good(self) -> int:
        return sum(figure.outcome in GOOD for figure in self.aimed)

    @property
    def worse(self) -> Sequence[ComparedFigure]:
        return [figure for figure in (*self.aimed, *self.others) if figure.outcome is Outcome.WORSE]

    @property
    def gain(self) -> tuple[ComparedFigure, float] | None:
        """The first figure with an aim that both windows have, and its difference."""
        for figure in self.aimed:
            if figure.before is not None and figure.after is not None:
                return figure, figure.after - figure.before
        return None


def compare_study(study: ChangeStudy) -> StudyResult:
    """Both windows of a study; noise is told from change over all figures of a target together."""
    before, after = Period(study.before_from, study.before_to), Period(study.after_from, study.after_to)
    comparison = _compare(study.target, before, after)
    accepted = _accepted(study)
    aims = [aim for aim in study.aims.all() if is_metric(aim.metric)]
    aimed = [_aimed(study.target, comparison, aim, accepted) for aim in aims]
    named = {(figure.metric.key, figure.component) for figure in aimed}
    comparisons = [(study.target, comparison)]
    if study.target.runs_on is not None:
        comparisons.append((study.target.runs_on, _compare(study.target.runs_on, before, after)))
    others, unchanged = _others(comparisons, named, accepted)
    result = StudyResult((comparison.before, comparison.after), aimed, others, unchanged)
    return result if result.is_over else _without_verdicts(result)


def _accepted(study: ChangeStudy) -> dict[tuple[str, str], StudyAcceptance]:
    """What was accepted as a cost of the change: in the study, else in a case of its target."""
    cases = {
        key: StudyAcceptance(
            study=study,
            metric=key[0],
            component=key[1],
            reason=f"Accepted in case V-{case.pk}.",
            until=case.review_on,
        )
        for key, case in accepted_costs(study.target, study.before_to).items()
        if case.review_on is not None
    }
    rows = study.acceptances.select_related("by")
    return cases | {(row.metric, row.component): row for row in rows}


def _without_verdicts(result: StudyResult) -> StudyResult:
    """The figures with an aim so far: what becomes of them is said once the days after are over."""
    waiting = [
        replace(figure, effect=None, outcome=Outcome.NO_DATA, reason="The days after are not over.")
        for figure in result.aimed
    ]
    return replace(result, aimed=waiting, others=(), unchanged=0)


def _compare(target: Target, before: Period, after: Period) -> Comparison:
    return compare_periods((target, before), (target, after))


def _aimed(
    target: Target,
    comparison: Comparison,
    aim: StudyAim,
    accepted: Mapping[tuple[str, str], StudyAcceptance],
) -> ComparedFigure:
    judged, outcome = judge_figure(comparison, aim.metric, aim.component, aim.aim)
    key = (aim.metric, aim.component)
    return _figure(
        target,
        comparison,
        get_metric(aim.metric),
        aim.component,
        judged,
        outcome,
        aim=aim,
        acceptance=accepted.get(key),
    )


def _others(
    comparisons: Iterable[tuple[Target, Comparison]],
    named: set[tuple[str, str]],
    accepted: Mapping[tuple[str, str], StudyAcceptance],
) -> tuple[list[ComparedFigure], int]:
    """What else changed, surest first within its section, and how many figures did not."""
    changed: list[tuple[float, Target, Comparison, ComparedRow]] = []
    unchanged = 0
    for target, comparison in comparisons:
        for row in comparison.rows:
            if (row.metric.key, row.component) in named or not row.metric.section.title:
                continue
            if row.judged.verdict in NOTEWORTHY:
                changed.append((_sureness(row.judged), target, comparison, row))
            else:
                unchanged += 1
    surest = sorted(changed, key=lambda entry: -entry[0])[:MOST_OTHERS]
    figures = []
    for _, target, comparison, row in surest:
        judged, outcome = judge_figure(comparison, row.metric.key, row.component, "")
        acceptance = accepted.get((row.metric.key, row.component))
        figures.append(
            _figure(target, comparison, row.metric, row.component, judged, outcome, acceptance=acceptance)
        )
    return figures, unchanged


def _sureness(judged: Judgement) -> float:
    """How far beyond its noise a change is; what never moved in either window has none, and comes last."""
    return 0.0 if judged.t is None or isinf(judged.t) else abs(judged.t)


def _figure(
    target: Target,
    comparison: Comparison,
    metric: Metric,
    component: str,
    judged: Judgement,
    outcome: Outcome,
    *,
    aim: StudyAim | None = None,
    acceptance: StudyAcceptance | None = None,
) -> ComparedFigure:
    rate_unit, rate_before, rate_after = _rates(comparison, metric, component)
    return ComparedFigure(
        target,
        metric,
        component,
        display_mean(metric, judged.before),
        display_mean(metric, judged.after),
        rate_unit,
        rate_before,
        rate_after,
        measure_effect(judged),
        outcome,
        judged.reason,
        aim.aim if aim else "",
        aim.pk if aim else None,
        acceptance,
    )


def _rates(comparison: Comparison, metric: Metric, component: str) -> tuple[str, float | None, float | None]:
    """How many operations an average is of, in both windows: a second where they are counted by day."""
    rate = find_metric(metric.judging.weight) if metric.judging.weight else None
    key = (rate.key if rate else "", component)
    row = next((row for row in comparison.rows if (row.metric.key, row.component) == key), None)
    if rate is None or row is None:
        return "", None, None
    before, after = (display_mean(rate, side) for side in (row.judged.before, row.judged.after))
    thing, slash, time = rate.display_unit.partition("/")
    if not slash or time != "day":
        return rate.display_unit, before, after
    return f"{thing}/s", _per_second(before), _per_second(after)


def _per_second(a_day: float | None) -> float | None:
    return None if a_day is None else a_day / SECONDS


def display_mean(metric: Metric, side: PeriodStatistics) -> float | None:
    """A mean in the unit of the profile; 0 where it was read and did not occur, None where it was not read."""
    if not side.read:
        return None
    if not side.occurred or side.mean is None:
        return 0.0
    return metric.to_display_unit(side.mean)


def measure_effect(judged: Judgement) -> FigureEffect | None:
    """The effect in percent with its interval; None from nothing."""
    if judged.percent is None or not judged.before.mean:
        return None
    margin = welch_margin(_spread(judged.before), _spread(judged.after))[0]
    relative = 100 * float(margin) / abs(judged.before.mean)
    return FigureEffect(judged.percent, None if np.isnan(relative) else relative)


def _spread(side: PeriodStatistics) -> Spread:
    values = (float(side.figures), side.mean, side.sd)
    return Spread(*(np.array([np.nan if value is None else value]) for value in values))


def days_until_over(result: StudyResult) -> int:
    """How many days of the window after are still to come."""
    used = result.days[1]
    last = used.target.reviewed_through
    return 0 if last is None or last >= used.period.last else (used.period.last - last) // timedelta(days=1)
