"""Violations as they were known at a moment, told from the steps that were recorded until then."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from apps.inventory.models import Target
from apps.reports.engine.week import Week
from apps.thresholds.models import Step, Violation

State = Violation.State
Kind = Literal["new", "continuing", "closing", "predicted", "resolved", "unread"]
ENDED = (State.RESOLVED, State.AVERTED)


@dataclass(frozen=True)
class WeekViolation:
    """One violation at the end of a week."""

    violation: Violation
    kind: Kind
    state: str
    severity: str
    since: date | None  # the day it went over its limit, or came back over it
    closed_on: date | None
    has_returned: bool

    @property
    def is_over(self) -> bool:
        return self.kind in ("new", "continuing")


def read_week_violations(targets: Iterable[Target], week: Week, known_at: datetime) -> list[WeekViolation]:
    """The violations of a week, told from what was recorded until a moment."""
    violations = list(
        Violation.objects.for_report(week.first_day, week.last_day)
        .filter(target__in=targets)
        .select_related("plan")
    )
    steps: dict[int, list[Step]] = {}
    for step in Step.objects.filter(violation__in=violations).order_by("at", "pk"):
        steps.setdefault(step.violation_id, []).append(step)
    cases = (
        _week_violation(violation, steps.get(violation.pk, []), week, known_at) for violation in violations
    )
    return [case for case in cases if case is not None]


def _week_violation(
    violation: Violation, steps: Sequence[Step], week: Week, known_at: datetime
) -> WeekViolation | None:
    recorded = [
        step for step in steps if step.at <= known_at and (step.on is None or step.on <= week.last_day)
    ]
    turns = [step for step in recorded if step.on is not None and _is_turn(step)]
    if not turns:
        return None
    last = turns[-1]
    openings = [step for step in turns if step.after == State.OPEN]
    kind = _kind(last, week)
    if kind is None:
        return None
    return WeekViolation(
        violation=violation,
        kind=kind,
        state=State(recorded[-1].after).label,
        severity=_severity(violation, steps, recorded),
        since=openings[-1].on if openings else None,
        closed_on=last.on if kind == "resolved" else None,
        has_returned=len(openings) > 1,
    )


def _is_turn(step: Step) -> bool:
    """The review opened it, ended it or foresaw it; other steps are of people, or change its severity."""
    if step.after == State.OPEN:
        return step.before != State.OPEN
    return step.after in ENDED or (step.after == State.PREDICTED and not step.before)


def _kind(last: Step, week: Week) -> Kind | None:
    is_of_week = last.on is not None and last.on >= week.first_day
    if last.after in ENDED:
        return "resolved" if is_of_week else None
    if last.after == State.PREDICTED:
        return "predicted"
    return "new" if is_of_week else "continuing"


def _severity(violation: Violation, steps: Sequence[Step], recorded: Sequence[Step]) -> str:
    """The first change that was recorded later says what it was before; without one it is what it is."""
    for step in steps:
        if step.severity_before and step not in recorded:
            return step.severity_before
    return violation.severity
