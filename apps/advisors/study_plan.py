"""The study of a plan: before and after of each figure named, against what was aimed at."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction

from apps.advisors.models import Action, ActionPlan, StudyFigure
from apps.advisors.steps import ensure_plan
from apps.advisors.study_comparison import StudiedChange, accepted_in_cases, compare_aims
from apps.advisors.study_figures import aim_of
from apps.advisors.study_result import StudyResult
from apps.profiles.engine.periods import BadPeriod, Period
from apps.thresholds.case_steps import EditConflict, Refusal
from apps.thresholds.models import Threshold, Violation

WINDOW = 7  # days before the first step was carried out, and at most so many after the last
MOST_FIGURES = 30


@dataclass(frozen=True)
class PlanStudy:
    """Before and after of a plan's figures; without a result `reason` says why."""

    before: Period
    after: Period | None
    result: StudyResult | None = None
    reason: str = ""


def study_of(plan: ActionPlan) -> PlanStudy | None:
    """The study of a plan; None while no step was carried out and nobody chose the windows."""
    before, after = windows_of(plan)
    if before is None:
        return None
    if after is None:
        return PlanStudy(before, None, reason="The days after begin once one was reviewed.")
    target = plan.violation.target
    change = StudiedChange(target, before, after, list_figures(plan), accepted_in_cases(target, before.last))
    try:
        return PlanStudy(before, after, compare_aims(change))
    except BadPeriod as error:
        return PlanStudy(before, after, reason=str(error))


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
