"""What people do with a plan: decide its diagnosis, and add, change, move and drop its steps."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, Sum

from apps.advisors.models import Action, ActionPlan, Diagnosis
from apps.advisors.plan import plan_actions
from apps.charts.words import count
from apps.people.models import User
from apps.thresholds.case_steps import EditConflict, Refusal
from apps.thresholds.models import Violation

WHOLE = 100  # percent


def ensure_plan(violation: Violation, now: datetime) -> ActionPlan:
    """The plan of a violation; made, with its diagnosis, where the review has not made one yet."""
    return plan_actions(violation, violation.reviewed_on or today_of(violation, now), now)


def write_worth(action: Action) -> str:
    """What a step costs and wins, where somebody said so: `costs 2 TB of disk, wins 120 days`."""
    cost = f"costs {action.cost}" if action.cost else ""
    won = f"wins {count(action.days_won, 'day')}" if action.days_won else ""
    return ", ".join(filter(None, (cost, won)))


def today_of(violation: Violation, now: datetime) -> date:
    return now.astimezone(violation.target.zone).date()


def add_action(
    violation: Violation,
    text: str,
    *,
    by: User,
    now: datetime,
    owner: User | None = None,
    due_on: date | None = None,
    notes: str = "",
    cost: str = "",
    days_won: int | None = None,
) -> Action:
    """One more step at the end of a plan. Raises Refusal where its day has gone by."""
    _refuse_a_day_gone_by(due_on, today_of(violation, now))
    with transaction.atomic():
        plan = ActionPlan.objects.select_for_update().get(pk=ensure_plan(violation, now).pk)
        last = plan.actions.aggregate(last=Max("position"))["last"]
        return Action.objects.create(
            plan=plan,
            position=0 if last is None else last + 1,
            text=text.strip(),
            owner=owner,
            due_on=due_on,
            notes=notes.strip(),
            cost=cost.strip(),
            days_won=days_won,
            changed_by=by,
            changed_at=now,
        )


def change_action(
    action: Action, what: Mapping[str, Any], *, by: User, now: datetime, version: int | None = None
) -> Action:
    """
    Change some of a step: text, owner, due_on, state, notes, share, cost, days_won.

    `version` is the one the person has seen. Raises EditConflict when it is older than what is stored, Refusal for a day gone by
    and for shares that add up to more than the whole.
    """
    with transaction.atomic():
        ActionPlan.objects.select_for_update().get(pk=action.plan_id)
        current = Action.objects.select_related("plan__violation__target", "changed_by").get(pk=action.pk)
        _refuse_the_second(current, version)
        today = today_of(current.plan.violation, now)
        if "due_on" in what and what["due_on"] != current.due_on and not current.is_over:
            _refuse_a_day_gone_by(what["due_on"], today)
        if what.get("share"):
            _refuse_more_than_the_whole(current, what["share"])
        for name, value in what.items():
            setattr(current, name, value.strip() if isinstance(value, str) else value)
        if current.state == Action.State.DONE:
            current.done_on = current.done_on or today
        else:
            current.done_on = None
        current.version += 1
        current.changed_by, current.changed_at = by, now
        current.save()
    return current


def move_action(action: Action, places: int) -> None:
    """Move a step up (negative) or down among the others; at an end it stays."""
    with transaction.atomic():
        plan = ActionPlan.objects.select_for_update().get(pk=action.plan_id)
        order = list(plan.actions.all())
        place = next(index for index, step in enumerate(order) if step.pk == action.pk)
        order.insert(max(0, min(len(order) - 1, place + places)), order.pop(place))
        for position, step in enumerate(order):
            step.position = position
        Action.objects.bulk_update(order, ["position"])


def decide_diagnosis(
    violation: Violation, diagnosis: str, *, by: User, why: str, now: datetime, version: int | None = None
) -> ActionPlan:
    """Confirm what the figures propose, or overrule it with a reason. Raises Refusal and EditConflict."""
    with transaction.atomic():
        plan = (
            ActionPlan.objects.select_for_update(of=("self",))
            .select_related("confirmed_by", "violation__target")
            .get(pk=ensure_plan(violation, now).pk)
        )
        if version is not None and plan.version != version:
            raise EditConflict(
                _sentence(plan.confirmed_by, plan.confirmed_at, plan.get_diagnosis_display(), plan)
            )
        if diagnosis != plan.proposed and not why.strip():
            raise Refusal(
                f"The figures say {plan.get_proposed_display()}; to overrule them with"
                f" {Diagnosis(diagnosis).label} give the reason."
            )
        plan.diagnosis, plan.reason = diagnosis, why.strip()
        plan.confirmed_by, plan.confirmed_at = by, now
        plan.version += 1
        plan.save()
    return plan


def _refuse_the_second(current: Action, version: int | None) -> None:
    if version is not None and current.version != version:
        state = f"“{current.text.rstrip('.')}”, {current.get_state_display()}"
        raise EditConflict(_sentence(current.changed_by, current.changed_at, state, current.plan))


def _sentence(by: User | None, at: datetime | None, what: str, plan: ActionPlan) -> str:
    when = f" at {at.astimezone(plan.violation.target.zone):%H:%M}" if at else ""
    return (
        f"{by or 'Somebody'} changed this{when}, after you opened it: it is {what} now."
        " What you typed is kept below; save it again, or leave it."
    )


def _refuse_a_day_gone_by(due_on: date | None, today: date) -> None:
    if due_on is not None and due_on < today:
        raise Refusal(f"{due_on:%-d %B %Y} has gone by; give {today:%-d %B %Y} or a later day.")


def _refuse_more_than_the_whole(current: Action, share: int) -> None:
    others = current.plan.actions.exclude(pk=current.pk).aggregate(sum=Sum("share"))["sum"] or 0
    if others + share > WHOLE:
        raise Refusal(
            f"The other steps have {others} % of the gain; {share} % more makes {others + share} %. "
            f"Give at most {WHOLE - others} %."
        )
