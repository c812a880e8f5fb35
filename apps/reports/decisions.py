"""What goes no further until a person decides."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from apps.advisors.models import Action
from apps.reports.facts import Decision
from apps.reports.known import Known
from apps.reports.week import Week
from apps.thresholds.models import Violation

UNSEEN_FOR = timedelta(days=7)  # an open violation that nobody acknowledged for so long waits
MOST = 12
State = Violation.State


def what_waits(known: Sequence[Known], steps: Mapping[int, Sequence[Action]], week: Week) -> list[Decision]:
    """Violations without an owner, risks whose review is due, steps that are late, and what nobody has looked at."""
    found = [
        decision
        for one in known
        if one.kind != "resolved"
        for decision in _of(one, steps.get(one.violation.pk, ()), week)
    ]
    found.sort(key=lambda one: (one.on or "9999", one.text))
    return found[:MOST]


def _of(known: Known, steps: Sequence[Action], week: Week) -> Iterator[Decision]:
    violation = known.violation
    name = f"{violation.what} on {violation.target.name}"
    owner = str(violation.owner) if violation.owner else ""
    until = week.last_day + timedelta(days=7)

    def decision(on: date | None, text: str, who: str = owner) -> Decision:
        return Decision(on.isoformat() if on else None, text, who or "nobody yet", violation.pk)

    if known.state in (State.ACCEPTED.label, State.REGRESSION.label):
        if violation.review_on is not None and violation.review_on <= until:
            yield decision(violation.review_on, f"{name}: the {known.state} is to be looked at again.")
        return
    if violation.owner is None:
        yield decision(violation.due_on, f"{name}: needs an owner.")
        return
    late = next((step for step in steps if step.due_on is not None and step.due_on <= week.last_day), None)
    if late is not None:
        who = str(late.owner) if late.owner else owner
        yield decision(late.due_on, f"{name}: the step “{late.text.rstrip('.')}” is late.", who)
    elif known.is_over and known.state == State.OPEN.label and known.since is not None:
        if week.last_day - known.since >= UNSEEN_FOR:
            yield decision(violation.due_on, f"{name}: over its limit and not acknowledged.")
    elif known.kind == "predicted" and not steps:
        yield decision(violation.due_on, f"{name}: no plan says what is done before it reaches its limit.")
