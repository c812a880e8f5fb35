"""The due days of a violation, or of a person, as entries of a calendar."""

from collections.abc import Callable, Iterator

from django.db.models import Q

from apps.advisors.engine.ics import CalendarEntry
from apps.advisors.models import Action, ActionPlan
from apps.people.models import User
from apps.thresholds.models import Violation

Address = Callable[[Violation], str]  # the whole address of a violation's page


def entries_of_violation(violation: Violation, address: Address) -> Iterator[CalendarEntry]:
    """Its own due day and the day to look again, then the steps of its plan; what was dropped as cancelled."""
    plan = ActionPlan.objects.filter(violation=violation).first()
    if plan is None:
        return
    yield from _violation_entries(plan, violation, address)
    for action in plan.actions.select_related("owner").exclude(due_on=None):
        yield _action_entry(action, violation, address)


def entries_of_person(person: User, address: Address) -> Iterator[CalendarEntry]:
    """What a person has to do in all live violations, and the due days of those that they look after."""
    plans = ActionPlan.objects.filter(violation__closed_on=None, violation__owner=person)
    for plan in plans.select_related("violation__target", "violation__owner"):
        yield from _violation_entries(plan, plan.violation, address)
    theirs = Action.objects.to_be_done().filter(plan__violation__closed_on=None)
    theirs = theirs.filter(Q(owner=person) | Q(owner=None, plan__violation__owner=person))
    for action in theirs.exclude(due_on=None).select_related("owner", "plan__violation__target"):
        yield _action_entry(action, action.plan.violation, address)


def _violation_entries(plan: ActionPlan, violation: Violation, address: Address) -> Iterator[CalendarEntry]:
    name = f"{violation.what} on {violation.target.name}"
    days = (
        ("due", violation.due_on, f"Due: {name}"),
        ("again", violation.review_on, f"Look again: {name}, {violation.get_state_display()}"),
    )
    for kind, day, summary in days:
        if day is not None and violation.is_live:
            yield CalendarEntry(
                uid=f"{kind}-{plan.uid}@headroom",
                on=day,
                summary=summary,
                description=f"{violation.get_state_display()}, limit {violation.notation} {violation.unit}".rstrip(),
                url=address(violation),
                sequence=violation.steps.count(),
            )


def _action_entry(action: Action, violation: Violation, address: Address) -> CalendarEntry:
    assert action.due_on is not None
    is_done = action.state == Action.State.DONE
    parts = [f"{violation.what} on {violation.target.name}", action.get_state_display()]
    if action.owner:
        parts.append(f"by {action.owner}")
    return CalendarEntry(
        uid=f"step-{action.uid}@headroom",
        on=action.due_on,
        summary=f"{'Done: ' if is_done else ''}{action.text}",
        description="\n".join([", ".join(parts), *([action.notes] if action.notes else [])]),
        url=address(violation),
        sequence=action.version,
        is_cancelled=action.state == Action.State.DROPPED,
    )
