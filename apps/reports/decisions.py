"""What goes no further until a person decides."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from apps.advisors.models import Action
from apps.reports.engine.week import Week
from apps.reports.facts import Decision
from apps.reports.week_violations import WeekViolation
from apps.thresholds.models import Violation

UNSEEN_FOR = timedelta(days=7)  # an open violation that nobody acknowledged for so long waits
MOST = 12
State = Violation.State


def find_decisions(
    cases: Sequence[WeekViolation], steps: Mapping[int, Sequence[Action]], week: Week
) -> list[Decision]:
    """Violations without an owner, risks whose review is due, steps that are late, and what nobody has looked at."""
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
    owner = str(violation.owner) if violation.owner else ""
    until = week.last_day + timedelta(days=7)

    def decision(on: date | None, text: str, who: str = owner) -> Decision:
        return Decision(on.isoformat() if on else None, text, who or "nobody yet", violation.pk)

    if case.state in (State.ACCEPTED.label, State.REGRESSION.label):
        if violation.review_on is not None and violation.review_on <= until:
            yield decision(violation.review_on, f"{name}: the {case.state} is to be looked at again.")
        return
    if violation.owner is None:
        yield decision(violation.due_on, f"{name}: needs an owner.")
        return
    late = next((step for step in steps if step.due_on is not None and step.due_on <= week.last_day), None)
    if late is not None:
        who = str(late.owner) if late.owner else owner
        yield decision(late.due_on, f"{name}: the step “{late.text.rstrip('.')}” is late.", who)
    elif case.is_over and case.state == State.OPEN.label and case.since is not None:
        if week.last_day - case.since >= UNSEEN_FOR:
            yield decision(violation.due_on, f"{name}: over its limit and not acknowledged.")
    elif case.kind == "predicted" and not steps:
        yield decision(violation.due_on, f"{name}: no plan says what is done before it reaches its limit.")
