"""What people said and did about the violations of the estate."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from apps.advisors.models import Action
from apps.demo.cast.people import CASTELLANOS, LINDQVIST, OKAFOR
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Note
from apps.thresholds.life import take_step
from apps.thresholds.models import Violation

State = Violation.State


@dataclass(frozen=True, kw_only=True)
class Said:
    """A step somebody took with a violation, so many days before or after the last day loaded."""

    member: str
    component: str
    to: str
    by: str
    age: int
    at: time
    why: str
    review_in: int = 0  # days after the last one loaded
    steps_done: int = 0  # of the plan; the next one is under way


STORY = (
    Said(
        member="PAYPRD",
        component="log file sync",
        to=State.ACKNOWLEDGED,
        by=OKAFOR,
        age=-40,
        at=time(9, 20),
        why="Payment runs wait for every commit.",
    ),
    Said(
        member="PAYPRD",
        component="log file sync",
        to=State.IN_PROGRESS,
        by=OKAFOR,
        age=-39,
        at=time(14, 5),
        why="The plan is taken: the redo path is measured first.",
        steps_done=3,
    ),
    Said(
        member="PAYPRD",
        component="db file sequential read",
        to=State.ACCEPTED,
        by=LINDQVIST,
        age=-1,
        at=time(15, 10),
        why="The read LUNs now share the array with the redo LUNs. Accepted until the array is replaced.",
        review_in=104,
    ),
    Said(
        member="CRMPRD1",
        component="RECO",
        to=State.IN_PROGRESS,
        by=OKAFOR,
        age=-6,
        at=time(10, 45),
        why="The standby keeps archived logs; four LUNs are ordered.",
        steps_done=1,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Remark:
    """A note on a day, or on so many days, counted from the last day loaded."""

    member: str
    by: str
    age: int
    text: str
    days: int = 1


REMARKS = (
    Remark(
        member="DWPRD", by=LINDQVIST, age=-37, text="Patch 19.24; SALES_2026 is loaded from the day after."
    ),
    Remark(member="DWPRD", by=CASTELLANOS, age=-17, days=3, text="Load test of the new ETL."),
    Remark(
        member="PAYPRD", by=OKAFOR, age=-15, text="Redo path rebuilt: log buffer of 72 MB, members of 8 GB."
    ),
)


def tell_story(target: Target, last_day: date) -> None:
    """Take the steps that people took with a target's violations; those that never opened are left out."""
    for said in STORY:
        if said.member != target.address["member"]:
            continue
        violation = Violation.objects.live().filter(target=target, component=said.component).first()
        if violation is None or violation.opened_on is None:
            continue
        on = max(last_day + timedelta(days=said.age), violation.opened_on + timedelta(days=1))
        take_step(
            violation,
            said.to,
            by=User.objects.get(username=said.by),
            why=said.why,
            now=datetime.combine(on, said.at, target.zone),
            review_on=last_day + timedelta(days=said.review_in) if said.review_in else None,
        )
        _carry_out(violation, said.steps_done)
    _remark(target, last_day)


def _remark(target: Target, last_day: date) -> None:
    """Write what people noted of a target's days; those before it was watched are left out."""
    for one in REMARKS:
        first = last_day + timedelta(days=one.age)
        if (
            one.member == target.address["member"]
            and first >= target.registered_at.astimezone(target.zone).date()
        ):
            Note.objects.get_or_create(
                target=target,
                first_day=first,
                last_day=first + timedelta(days=one.days - 1),
                text=one.text,
                defaults={
                    "written_by": User.objects.get(username=one.by),
                    "written_at": datetime.combine(first, time(17, 30), target.zone),
                },
            )


def _carry_out(violation: Violation, count: int) -> None:
    if not count:
        return
    actions = list(Action.objects.filter(plan__violation=violation).order_by("position"))
    for action in actions[:count]:
        action.state = Action.State.DONE
    for action in actions[count : count + 1]:
        action.state = Action.State.UNDER_WAY
    Action.objects.bulk_update(actions, ["state"])
