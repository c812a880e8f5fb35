"""What a case says of its figure: the state, and how far its end and its plan are."""

from collections.abc import Sequence

from apps.advisors.models import Action
from apps.charts import figures
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Threshold, Violation

LEAD = Threshold._meta.get_field("lead_time_days").default  # days to act of a limit that is gone


def state_of_case(violation: Violation) -> FigureState:
    """The state that a case gives its figure: predicted is at risk, inside its limit again is closing, ended is comfortable."""
    if violation.closed_on is not None:
        return FigureState.COMFORTABLE
    if violation.is_predicted:
        return FigureState.AT_RISK
    return FigureState.CLOSING if violation.is_closing else FigureState.VIOLATED


def lead_of(threshold: Threshold | None) -> int:
    """The days needed to act on a limit."""
    return int(LEAD) if threshold is None else threshold.lead_time_days


def closing_words(violation: Violation) -> str:
    """ "closing, day 5 of 7"; without the days where its limit is gone."""
    if violation.threshold is None:
        return "closing"
    return f"closing, day {violation.days_inside or 0} of {violation.threshold.closes_after}"


def over_words(days: int) -> str:
    return f"over for {figures.whole(days)} day{'' if days == 1 else 's'}"


def plan_of(violation: Violation) -> str:
    """Its plan in a word or two; asks for no step that was read with it."""
    if violation.is_accepted:
        return "accepted"
    plan = getattr(violation, "plan", None)
    actions: Sequence[Action] = list(plan.actions.all()) if plan is not None else []
    if not actions:
        return "no plan"
    done = sum(action.is_over for action in actions)
    return f"step {min(done + 1, len(actions))} of {len(actions)}"
