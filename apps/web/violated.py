"""Lists of violations as pages show them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils import timezone

from apps.advisors.models import Action
from apps.charts import figures
from apps.thresholds.judge import State
from apps.thresholds.limits import limit_of
from apps.thresholds.models import Severity, Violation


@dataclass(frozen=True)
class ViolationRow:
    state: State
    life: str
    severity: str
    target: str
    target_url: str
    what: str
    url: str
    value: str
    limit: str
    unit: str
    since: str
    days: int
    owner: str
    due: str
    next_step: str
    number: float | None
    since_on: date | None
    due_on: date | None


def state_of(violation: Violation) -> State:
    """The word for a violation's row: predicted is at risk, over is violated, ended is comfortable."""
    if violation.closed_on is not None:
        return State.COMFORTABLE
    return State.AT_RISK if violation.is_predicted else State.VIOLATED


def what_of(violation: Violation) -> str:
    """What is over its limit, in words; of wait events their name says it."""
    return violation.what


def violation_rows(violations: Iterable[Violation]) -> list[ViolationRow]:
    """Rows, worst first: violated before predicted, critical before warning, then the longest open."""
    found = list(violations)
    steps: dict[int, str] = {}
    open_actions = Action.objects.filter(plan__violation__in=found).exclude(
        state__in=(Action.State.DONE, Action.State.DROPPED)
    )
    for action in open_actions.select_related("plan").order_by("-position"):
        steps[action.plan.violation_id] = action.text
    found.sort(
        key=lambda one: (
            one.is_predicted,
            one.severity != Severity.CRITICAL,
            one.opened_on or date.max,
            one.pk,
        )
    )
    return [_row(one, steps.get(one.pk, "")) for one in found]


def _row(violation: Violation, next_step: str) -> ViolationRow:
    since = violation.opened_on or violation.predicted_on
    until = violation.closed_on or timezone.now().astimezone(violation.target.zone).date()
    return ViolationRow(
        state=state_of(violation),
        life=violation.get_state_display(),
        severity=violation.severity,
        target=violation.target.name,
        target_url=violation.target.get_absolute_url(),
        what=what_of(violation),
        url=reverse("violation", args=[violation.pk]),
        value=figures.figure(violation.value) if violation.value is not None else "",
        limit=limit_of(violation),
        unit=violation.unit,
        since=figures.short_day(since) if since else "",
        days=(until - since).days if since else 0,
        owner=str(violation.owner) if violation.owner else "",
        due=figures.short_day(violation.due_on) if violation.due_on else "",
        next_step=next_step,
        number=violation.value,
        since_on=since,
        due_on=violation.due_on,
    )
