"""The time line of a case: what happened and what is to come, to scale and as a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.safestring import SafeString, mark_safe

from apps.advisors.models import Action
from apps.charts.caseband import WIDTH, CaseBreach, CaseEvent, StatePeriod, caseband
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Step, Violation

ON_PAPER = 700.0  # px: letters stay letters on a sheet
LONGEST = 28  # letters of a step of the plan


@dataclass(frozen=True)
class CaseLine:
    """The drawing for a screen and for paper, and its days one after another."""

    drawing: SafeString
    print_drawing: SafeString
    events: Sequence[CaseEvent]


def draw_case_line(outlook: Outlook, steps: Sequence[Step], actions: Sequence[Action]) -> CaseLine:
    """From the day a case was predicted or opened to the day it ends, or would end."""
    violation = outlook.case
    stretches = find_stretches(violation, steps)
    last = stretches[-1].since if stretches else outlook.day
    today = violation.closed_on or max(outlook.day, last)
    events, end = list_events(outlook, actions, today), find_end(outlook)
    breach = _find_breach(outlook)
    began = [CaseEvent(stretch.since, stretch.word) for stretch in stretches]
    crossing = [CaseEvent(breach.likely, "likely over its limit", "if nothing is done")] if breach else []

    def draw(width: float) -> SafeString:
        return mark_safe(caseband(stretches, today, events=events, end=end, breach=breach, width=width))

    listed = [*began, *events, *([end] if end else []), *crossing]
    return CaseLine(draw(WIDTH), draw(ON_PAPER), sorted(listed, key=lambda event: event.on))


def find_stretches(violation: Violation, steps: Sequence[Step]) -> list[StatePeriod]:
    """The states one after another, each from the day of the figures, or on which a person took the step."""
    stretches: list[StatePeriod] = []
    for step in steps:
        day = step.on or step.at.astimezone(violation.target.zone).date()
        if not stretches or stretches[-1].state != step.after:
            since = max(day, stretches[-1].since) if stretches else day
            stretches.append(StatePeriod(since, step.after))
    return stretches


def list_events(outlook: Outlook, actions: Sequence[Action], today: date) -> list[CaseEvent]:
    """Today, and the days that are set: steps of the plan, and when to look again."""
    violation = outlook.case
    if violation.closed_on is not None:
        return []
    events = [CaseEvent(today, "today")]
    for action in actions:
        if action.due_on is not None and action.due_on >= today and not action.is_over:
            events.append(CaseEvent(action.due_on, "due", shorten(action.text)))
    if violation.review_on is not None and violation.review_on >= today:
        events.append(CaseEvent(violation.review_on, "look again"))
    return events


def shorten(words: str) -> str:
    """The first words of a step, as many as a time line has room for."""
    words = words.rstrip(".")
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"


def find_end(outlook: Outlook) -> CaseEvent | None:
    """The day on which an open case closes if its good days hold, or could close at the earliest."""
    violation = outlook.case
    if outlook.state not in (FigureState.CLOSING, FigureState.VIOLATED):
        return None
    day = closing_day(violation)
    if day is None:
        return None
    return CaseEvent(day, "resolved", "if it holds" if violation.days_inside else "at the earliest")


def closing_day(violation: Violation) -> date | None:
    """The day after whose review a case closes, if every day from now on is a good one."""
    if violation.threshold is None or violation.judged_on is None:
        return None
    return violation.judged_on + timedelta(
        days=violation.threshold.closes_after - (violation.days_inside or 0)
    )


def _find_breach(outlook: Outlook) -> CaseBreach | None:
    if outlook.state is not FigureState.AT_RISK or outlook.likely_on is None:
        return None
    return CaseBreach(outlook.likely_on, outlook.soonest_on, outlook.latest_on, outlook.act_by)
