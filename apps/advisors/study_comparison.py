"""compare_study(): every figure of a study before and after its change, with its effect, interval and outcome."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import isinf

import numpy as np

from apps.advisors.engine.outcome import Outcome, judge_outcome
from apps.advisors.models import ChangeStudy, StudyAim, StudyFigure
from apps.advisors.study_figures import judge_figure
from apps.advisors.study_registry import find_kind
from apps.advisors.study_result import Acceptance, ComparedFigure, FigureEffect, StudyResult, StudyThing
from apps.catalog.metric import Metric
from apps.catalog.registry import find_metric, get_metric, is_metric
from apps.inventory.models import Target
from apps.profiles.differences import Comparison, compare_periods
from apps.profiles.engine.periods import NOTEWORTHY, Judgement, Period, PeriodStatistics
from apps.profiles.engine.significance import Spread, welch_margin
from apps.profiles.things import StatisticThing, group_things, thing_of
from apps.snapshots.dictionary import Name
from apps.thresholds.models import Violation

MOST_OTHERS = 40  # figures without an aim
SECONDS = 86_400
A_DAY = ("/day", "per day")
ThingKey = tuple[int, str, str]
Accepted = Mapping[Name, Acceptance]


@dataclass(frozen=True)
class StudiedChange:
    """A change of a target: days before and after it, the figures that it is about, and the costs that were accepted."""

    target: Target
    before: Period
    after: Period
    aims: Sequence[StudyAim | StudyFigure]
    accepted: Accepted
    has_row: Callable[[str], bool] = lambda metric: True

    def compare(self, target: Target) -> Comparison:
        comparison = compare_periods((target, self.before), (target, self.after))
        return replace(comparison, rows=[row for row in comparison.rows if self.has_row(row.metric.key)])


@dataclass(frozen=True)
class JudgedFigure:
    """A figure with what became of it, before its effect is measured."""

    target: Target
    comparison: Comparison
    metric: Metric
    component: str
    judged: Judgement
    outcome: Outcome
    aim: StudyAim | StudyFigure | None = None

    @property
    def name(self) -> Name:
        return self.metric.key, self.component

    @property
    def sureness(self) -> float:
        """How far beyond its noise a change is; what never moved in either window has none, and comes last."""
        t = self.judged.t
        return 0.0 if t is None or isinf(t) else abs(t)


def compare_study(study: ChangeStudy) -> StudyResult:
    """Both windows of a study; noise is told from change over all figures of a target together."""
    kind = find_kind(study.kind)
    if kind.compare is not None:
        return _all_figures(kind.compare(study.target, study.windows), _accepted(study))
    before, after = Period(study.before_from, study.before_to), Period(study.after_from, study.after_to)
    change = StudiedChange(
        study.target,
        before,
        after,
        list(study.aims.all()),
        _accepted(study),
        lambda metric: kind.has_row(metric, study.windows),
    )
    result = compare_aims(change)
    if not result.is_over:
        return result
    machine = study.target.runs_on
    comparisons = [*result.comparisons, *([change.compare(machine)] if machine else [])]
    changed, unchanged = _changed(
        comparisons, {(figure.metric.key, figure.component) for figure in result.aimed}
    )
    surest = _surest(changed, {_thing_of(figure) for figure in result.aimed})
    with_aim, others = _things(result.aimed, _compared(surest, change.accepted))
    return StudyResult(comparisons, with_aim, others, unchanged, len(changed) - len(surest))


def _all_figures(comparison: Comparison, accepted: Accepted) -> StudyResult:
    """Every figure of windows that are no days."""
    judged = [
        JudgedFigure(
            comparison.after.target,
            comparison,
            row.metric,
            row.component,
            row.judged,
            judge_outcome(row.judged, row.metric.worse, None),
        )
        for row in comparison.rows
    ]
    things = [StatisticThing(figure) for figure in _compared(judged, accepted)]
    return StudyResult([comparison], (), things, is_of_days=False)


def compare_aims(change: StudiedChange) -> StudyResult:
    """The figures with an aim alone, in both windows. Raises BadPeriod."""
    comparison = change.compare(change.target)
    judged = [
        _judged(comparison, (aim.metric, aim.component), aim) for aim in change.aims if is_metric(aim.metric)
    ]
    aimed = [StatisticThing(figure) for figure in _compared(judged, change.accepted)]
    result = StudyResult([comparison], aimed, ())
    return result if result.is_over else _without_verdicts(result)


def compare_figures(comparison: Comparison, names: Iterable[Name]) -> list[ComparedFigure]:
    """Some figures of a comparison, without an aim; those that neither window has are left out."""
    return _compared([_judged(comparison, name) for name in names if name in comparison.row_of], {})


def _accepted(study: ChangeStudy) -> Accepted:
    """What was accepted as a cost of the change: in the study, else in a case of its target."""
    rows = {(row.metric, row.component): Acceptance(row.reason, row.until) for row in study.acceptances.all()}
    return {**accepted_in_cases(study.target, study.before_to), **rows}


def accepted_in_cases(target: Target, since: date) -> Accepted:
    """What somebody accepted in a case of a target: what was worse by it is no surprise."""
    violations = Violation.objects.filter(target=target).exclude(closed_on__lt=since)
    return {
        (violation.metric, violation.component): Acceptance(
            f"Accepted in case V-{violation.pk}.", violation.review_on, violation.get_absolute_url()
        )
        for violation in violations
        if violation.is_accepted
    }


def _without_verdicts(result: StudyResult) -> StudyResult:
    """The figures with an aim so far: what becomes of them is said once the days after are over."""
    waiting = [
        StatisticThing(
            replace(figure, effect=None, outcome=Outcome.NO_DATA, reason="The days after are not over.")
        )
        for figure in result.aimed
    ]
    return replace(result, aimed_things=waiting)


def _judged(comparison: Comparison, name: Name, aim: StudyAim | StudyFigure | None = None) -> JudgedFigure:
    key, component = name
    judged, outcome = judge_figure(comparison, key, component, aim.aim if aim else "")
    return JudgedFigure(comparison.after.target, comparison, get_metric(key), component, judged, outcome, aim)


def _changed(comparisons: Iterable[Comparison], aimed: set[Name]) -> tuple[list[JudgedFigure], int]:
    """What else changed, and how many figures did not."""
    changed: list[JudgedFigure] = []
    unchanged = 0
    for comparison in comparisons:
        for name, row in comparison.row_of.items():
            if name in aimed or not row.metric.section.title:
                continue
            if row.judged.verdict not in NOTEWORTHY:
                unchanged += 1
                continue
            changed.append(_judged(comparison, name))
    return changed, unchanged


def _surest(changed: Sequence[JudgedFigure], aimed: set[ThingKey]) -> list[JudgedFigure]:
    """The figures that changed most surely, with all that changed of the same things and of those with an aim; worse first."""
    by_sureness = sorted(changed, key=lambda figure: -figure.sureness)
    things = aimed | {_thing_of(figure) for figure in by_sureness[:MOST_OTHERS]}
    surest = [figure for figure in by_sureness if _thing_of(figure) in things]
    return sorted(surest, key=lambda figure: figure.outcome is not Outcome.WORSE)


def _thing_of(figure: JudgedFigure | ComparedFigure) -> ThingKey:
    return figure.target.pk, *thing_of(figure)


def _things(
    aimed: Sequence[ComparedFigure], others: Iterable[ComparedFigure]
) -> tuple[list[StudyThing], list[StudyThing]]:
    """The figures with an aim, each with what else changed of its thing, and the other things."""
    with_aim = {_thing_of(figure): figure for figure in reversed(aimed)}
    groups = group_things([*with_aim.values(), *others], _thing_of)
    parts = {_thing_of(thing.lead): thing.parts for thing in groups}
    leads = [
        StatisticThing(figure, parts[_thing_of(figure)] if figure is with_aim[_thing_of(figure)] else ())
        for figure in aimed
    ]
    return leads, [thing for thing in groups if _thing_of(thing.lead) not in with_aim]


def _compared(figures: Sequence[JudgedFigure], accepted: Accepted) -> list[ComparedFigure]:
    effects = measure_effects([figure.judged for figure in figures])
    return [
        _figure(figure, effect, accepted.get(figure.name))
        for figure, effect in zip(figures, effects, strict=True)
    ]


def _figure(
    figure: JudgedFigure, effect: FigureEffect | None, acceptance: Acceptance | None
) -> ComparedFigure:
    metric, judged, aim = figure.metric, figure.judged, figure.aim
    rate_unit, rate_before, rate_after = _rates(figure.comparison, metric, figure.component)
    return ComparedFigure(
        figure.target,
        metric,
        figure.component,
        display_mean(metric, judged.before),
        display_mean(metric, judged.after),
        rate_unit,
        rate_before,
        rate_after,
        effect,
        figure.outcome,
        judged.reason,
        aim.aim if aim else "",
        aim.pk if aim else None,
        acceptance,
    )


def _rates(comparison: Comparison, metric: Metric, component: str) -> tuple[str, float | None, float | None]:
    """How many operations an average is of, in both windows: a second where they are counted by day."""
    rate = find_metric(metric.judging.weight) if metric.judging.weight else None
    row = comparison.row_of.get((rate.key, component)) if rate else None
    if rate is None or row is None:
        return "", None, None
    before, after = (display_mean(rate, side) for side in (row.judged.before, row.judged.after))
    if not rate.display_unit.endswith(A_DAY):
        return rate.display_unit, before, after
    thing = rate.display_unit.removesuffix(A_DAY[1]).removesuffix(A_DAY[0])
    return f"{thing}/s" if thing else "per second", _per_second(before), _per_second(after)


def _per_second(a_day: float | None) -> float | None:
    return None if a_day is None else a_day / SECONDS


def display_mean(metric: Metric, side: PeriodStatistics) -> float | None:
    """A mean in the unit of the profile; 0 where it was read and did not occur, None where it was not read."""
    if not side.read:
        return None
    if not side.occurred or side.mean is None:
        return 0.0
    return metric.to_display_unit(side.mean)


def measure_effects(judgements: Sequence[Judgement]) -> list[FigureEffect | None]:
    """The effects in percent with their intervals, all at once; None from nothing."""
    margins = welch_margin(
        _spread([judged.before for judged in judgements]), _spread([judged.after for judged in judgements])
    )
    return [
        None
        if judged.percent is None or not judged.before.mean
        else FigureEffect(judged.percent, _percentage(float(margin), judged.before.mean))
        for judged, margin in zip(judgements, margins, strict=True)
    ]


def _percentage(margin: float, mean: float) -> float | None:
    return None if np.isnan(margin) else 100 * margin / abs(mean)


def _spread(sides: Sequence[PeriodStatistics]) -> Spread:
    def column(values: Iterable[float | None]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return np.array([np.nan if value is None else value for value in values], dtype=float)

    return Spread(
        column(float(side.figures) for side in sides),
        column(side.mean for side in sides),
        column(side.sd for side in sides),
    )
