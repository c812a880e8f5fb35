"""The study of a plan: before and after of each figure named, against what was aimed at."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db import transaction

from apps.advisors.engine.outcome import GOOD, Outcome, Times, judge_outcome, parse_times
from apps.advisors.models import Action, ActionPlan, StudyFigure
from apps.advisors.steps import ensure_plan
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric, is_metric
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow, Comparison, DaysUsed, compare_periods
from apps.profiles.engine.periods import BadPeriod, ChangeVerdict, Judgement, Period, PeriodStatistics
from apps.thresholds.case_steps import EditConflict, Refusal
from apps.thresholds.engine.notation import BadNotation, Limit
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import parse_limits

WINDOW = 7  # days before the first step was carried out, and at most so many after the last
MOST_FIGURES = 30


@dataclass(frozen=True)
class StudyRow:
    """One figure of a study, in the unit of the profile; `accepted` is the violation by which its cost was accepted."""

    pk: int | None
    metric: Metric
    component: str
    aim: str
    judged: Judgement
    result: Outcome
    accepted: Violation | None = None

    @property
    def name(self) -> str:
        return self.metric.called(self.component)

    def display_mean(self, side: PeriodStatistics) -> float | None:
        """A mean in the unit of the profile; what was read and did not occur is 0 where none of it is the best."""
        if not side.read:
            return None
        if not side.occurred or side.mean is None:
            return 0.0
        return self.metric.to_display_unit(side.mean)


@dataclass(frozen=True)
class Study:
    """Before and after of a plan's figures; without rows `reason` says why."""

    before: Period | None
    after: Period | None
    rows: Sequence[StudyRow] = ()
    days: tuple[DaysUsed, DaysUsed] | None = None
    reason: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def good(self) -> int:
        return sum(row.result in GOOD for row in self.rows)


def study_of(plan: ActionPlan) -> Study | None:
    """The study of a plan; None while no step was carried out and nobody chose the windows."""
    before, after = windows_of(plan)
    if before is None:
        return None
    if after is None:
        return Study(before, None, reason="The days after begin once one was reviewed.")
    violation = plan.violation
    try:
        comparison = compare_periods((violation.target, before), (violation.target, after))
    except BadPeriod as error:
        return Study(before, after, reason=str(error))
    figures = list_figures(plan)
    accepted = accepted_costs(violation.target, before.last)
    rows = [_study_row(figure, comparison, accepted) for figure in figures if is_metric(figure.metric)]
    counts: dict[str, int] = {}
    for row in rows:
        word = "worse, accepted" if row.accepted and row.result is Outcome.WORSE else str(row.result)
        counts[word] = counts.get(word, 0) + 1
    return Study(before, after, rows, (comparison.before, comparison.after), counts=counts)


def windows_of(plan: ActionPlan) -> tuple[Period | None, Period | None]:
    """The days before and after: as people chose them, else around the days on which steps were carried out."""
    if plan.before_from and plan.before_to and plan.after_from and plan.after_to:
        return Period(plan.before_from, plan.before_to), Period(plan.after_from, plan.after_to)
    done = [action.done_on for action in plan.actions.filter(state=Action.State.DONE) if action.done_on]
    if not done:
        return None, None
    before = Period(min(done) - timedelta(days=WINDOW), min(done) - timedelta(days=1))
    last = _last_day(plan.violation, max(done))
    if last is None or last <= max(done):
        return before, None
    return before, Period(max(max(done), last - timedelta(days=WINDOW)) + timedelta(days=1), last)


def _last_day(violation: Violation, done: date) -> date | None:
    """The last day that counts as after: the newest reviewed, of what has ended a week after the change or its end."""
    newest = violation.target.reviewed_through or violation.reviewed_on
    if violation.closed_on is None or newest is None:
        return newest
    return min(newest, max(violation.closed_on, done + timedelta(days=WINDOW)))


def list_figures(plan: ActionPlan) -> list[StudyFigure]:
    """The figures named; where nobody named any, that of the violation against its limit."""
    named = list(plan.figures.all())
    if named:
        return named
    violation = plan.violation
    aim = violation.notation if violation.figure == Threshold.FigureOf.VALUE else ""
    return [StudyFigure(plan=plan, metric=violation.metric, component=violation.component, aim=aim)]


def _study_row(
    figure: StudyFigure, comparison: Comparison, accepted: dict[tuple[str, str], Violation]
) -> StudyRow:
    raw, result = judge_figure(comparison, figure.metric, figure.component, figure.aim)
    return StudyRow(
        figure.pk,
        get_metric(figure.metric),
        figure.component,
        figure.aim,
        raw,
        result,
        accepted.get((figure.metric, figure.component)),
    )


def judge_figure(comparison: Comparison, key: str, component: str, aim: str) -> tuple[Judgement, Outcome]:
    """A figure of two periods in stored units, and what became of it against what was aimed at, or against before."""
    metric = get_metric(key)
    row = comparison.row_of.get((metric.key, component))
    judged = _in_unit(row, metric) if row else _judged_absent(comparison, metric)
    return row.judged if row else judged, judge_outcome(judged, metric.worse, aim_of(key, aim))


def _in_unit(row: ComparedRow, metric: Metric) -> Judgement:
    """The means in the unit of the profile, in which limits are."""

    def side(raw: PeriodStatistics) -> PeriodStatistics:
        return PeriodStatistics(
            raw.read, raw.occurred, None if raw.mean is None else metric.to_display_unit(raw.mean), raw.sd
        )

    judged = row.judged
    return Judgement(
        side(judged.before), side(judged.after), judged.percent, judged.t, judged.verdict, judged.reason
    )


def _judged_absent(comparison: Comparison, metric: Metric) -> Judgement:
    """A figure that neither period has: it did not occur where others of its source were read, else it is no data."""
    neighbours = [row.judged for row in comparison.rows if row.metric.category == metric.category]
    was_read = metric.origin.is_sparse and any(
        judged.before.read and judged.after.read for judged in neighbours
    )
    sides = [
        PeriodStatistics(len(days.used) if was_read else 0, 0, None, None)
        for days in (comparison.before, comparison.after)
    ]
    verdict = ChangeVerdict.SAME if was_read else ChangeVerdict.NO_DATA
    return Judgement(sides[0], sides[1], None, None, verdict)


def aim_of(metric: str, aim: str) -> Limit | Times | None:
    """What was aimed at: a limit in its notation, or a multiple such as `≥ 4×`. Raises Refusal."""
    if not aim.strip():
        return None
    times = parse_times(aim)
    if times is not None:
        return times
    try:
        return parse_limits(metric, aim)[0]
    except BadNotation as error:
        raise Refusal(f"{error} A multiple such as >=4x is one too.") from None


def accepted_costs(target: Target, since: date) -> dict[tuple[str, str], Violation]:
    """What somebody accepted on a target: what was worse by it is no surprise."""
    violations = Violation.objects.filter(target=target).exclude(closed_on__lt=since)
    return {
        (violation.metric, violation.component): violation
        for violation in violations
        if violation.is_accepted
    }


# ── what people choose ────────────────────────────────────────────────────────────────────────────────────────────────


def choose_windows(
    violation: Violation,
    days: tuple[date, date, date, date] | None,
    *,
    now: datetime,
    version: int | None = None,
) -> ActionPlan:
    """Set the days before and after, or give them back to the steps. Raises Refusal and EditConflict."""
    if days is not None:
        try:
            before, after = Period(days[0], days[1]), Period(days[2], days[3])
        except BadPeriod as error:
            raise Refusal(str(error)) from None
        if before.last >= after.first:
            raise Refusal(
                f"The days before end on {before.last:%-d %B}, not before the days after begin"
                f" on {after.first:%-d %B}; choose days that do not overlap."
            )
    with transaction.atomic():
        plan = ActionPlan.objects.select_for_update().get(pk=ensure_plan(violation, now).pk)
        if version is not None and plan.version != version:
            raise EditConflict(
                "Somebody changed this plan after you opened it. What you typed is kept below; save it again."
            )
        plan.before_from, plan.before_to, plan.after_from, plan.after_to = days or (None,) * 4
        plan.version += 1
        plan.save()
    return plan


def add_figure(violation: Violation, metric: str, component: str, aim: str, *, now: datetime) -> StudyFigure:
    """Name one more figure, or change its aim. Raises Refusal for an aim that is none, and for one too many."""
    aim_of(metric, aim)
    with transaction.atomic():
        plan = ActionPlan.objects.select_for_update().get(pk=ensure_plan(violation, now).pk)
        if not plan.figures.exists():
            own = list_figures(plan)[0]
            if (own.metric, own.component) != (metric, component):
                own.save()
        if plan.figures.count() >= MOST_FIGURES:
            raise Refusal(f"A study has at most {MOST_FIGURES} figures; remove one first.")
        figure, _ = StudyFigure.objects.update_or_create(
            plan=plan, metric=metric, component=component, defaults={"aim": aim.strip()}
        )
    return figure
