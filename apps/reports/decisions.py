"""What goes no further until a person decides, with what there is to choose from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from apps.advisors.models import Action
from apps.advisors.steps import write_worth
from apps.reports.engine.week import Week
from apps.reports.facts import Decision
from apps.reports.week_violations import WeekViolation
from apps.thresholds.models import Violation

UNSEEN_FOR = timedelta(days=7)  # an open violation that nobody acknowledged for so long waits
BEFORE_DUE = timedelta(days=14)  # so long before it must be acted on, a plan that nobody began waits
MOST = 12
MOST_STEPS = 2  # of a plan, among the options
ACCEPT = "accept the risk"
ASIDE = re.compile(r" *\([^()]*\)$")
State = Violation.State


def find_decisions(
    cases: Sequence[WeekViolation], steps: Mapping[int, Sequence[Action]], week: Week
) -> list[Decision]:
    """Violations without an owner, risks whose review is due, plans nobody began, and what nobody has looked at."""
    decisions = [
        decision
        for case in cases
        if case.kind != "resolved"
        for decision in _decisions_on(case, steps.get(case.violation.pk, ()), week)
    ]
    decisions.sort(key=lambda decision: (decision.on or "9999", decision.text))
    return decisions[:MOST]


def _decisions_on(case: WeekViolation, steps: Sequence[Action], week: Week) -> Iterator[Decision]:
    violation = case.violation
    name = f"{violation.what} on {violation.target.name}"
    who = str(violation.owner) if violation.owner else "nobody yet"

    def decision(on: date | None, text: str, *options: str) -> Decision:
        return Decision(on.isoformat() if on else None, f"{name}: {text}", who, violation.pk, options)

    if case.state in (State.ACCEPTED.label, State.REGRESSION.label):
        until = week.last_day + timedelta(days=7)
        if violation.review_on is not None and violation.review_on <= until:
            text = f"the {case.state} is to be looked at again."
            yield decision(violation.review_on, text, *_next_steps(steps), "accept it for longer")
        return
    if text := _open_question(case, steps, week):
        yield decision(violation.due_on, text, *_next_steps(steps), ACCEPT)


def _open_question(case: WeekViolation, steps: Sequence[Action], week: Week) -> str:
    """What nobody has decided yet; empty where somebody has: a step that is late was decided."""
    violation = case.violation
    if violation.owner is None:
        return "needs an owner."
    if case.is_over and case.state == State.OPEN.label and case.since is not None:
        return "over its limit and not acknowledged." if week.last_day - case.since >= UNSEEN_FOR else ""
    if case.kind != "predicted":
        return ""
    if not steps:
        return "no plan says what is done before it reaches its limit."
    is_soon = violation.due_on is not None and violation.due_on <= week.last_day + BEFORE_DUE
    is_begun = any(step.state != Action.State.TO_DO for step in steps)
    return "no step of its plan is begun." if is_soon and not is_begun else ""


def _next_steps(steps: Sequence[Action]) -> Sequence[str]:
    """What a plan offers first, with what it costs and wins, and without who needs how long."""
    waiting = [_option(step) for step in steps if step.state == Action.State.TO_DO]
    return waiting[:MOST_STEPS] or ["plan a step"]


def _option(step: Action) -> str:
    text, worth = ASIDE.sub("", step.text.rstrip(".")), write_worth(step)
    return f"{text} ({worth})" if worth else text
