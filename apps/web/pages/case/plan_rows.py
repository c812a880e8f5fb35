"""The diagnosis and the plan of a case as its page has them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from apps.advisors.models import Action, ActionPlan
from apps.advisors.sentences import describe_evidence, states_the_case
from apps.advisors.steps import today_of, write_worth
from apps.charts import figures
from apps.thresholds.models import Violation
from apps.web.pages.case.forms import ActionChangeForm

SIDES = ("for", "for capacity", "for performance", "against", "")  # in the order in which evidence is shown


def iso_day(day: Any) -> str:
    """As the browser's own field for days asks for it."""
    return day.isoformat() if day else ""


def diagnosis_of(plan: ActionPlan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    pieces = sorted(plan.evidence, key=lambda piece: SIDES.index(_side(piece, plan.diagnosis)))
    pieces.sort(key=lambda piece: not states_the_case(piece))
    rows = [(_side(piece, plan.diagnosis), describe_evidence(piece)) for piece in pieces]
    return {
        "label": plan.get_diagnosis_display(),
        "proposed": plan.get_proposed_display(),
        "proposed_on": plan.proposed_on,
        "is_overruled": plan.is_overruled,
        "confirmed_by": plan.confirmed_by,
        "confirmed_at": plan.confirmed_at,
        "reason": plan.reason,
        "version": plan.version,
        "evidence": [{"side": side, "sentence": line.sentence, "number": line.number} for side, line in rows],
    }


def _side(piece: Mapping[str, Any], diagnosis: str) -> str:
    """On which side of a diagnosis a piece of evidence stands; of what is undetermined, it names what it speaks for."""
    speaks_for, against = piece.get("speaks_for", ""), piece.get("speaks_against", "")
    if speaks_for in ("", ActionPlan.Diagnosis.UNDETERMINED):
        return "against" if against and against == diagnosis else ""
    if diagnosis == ActionPlan.Diagnosis.UNDETERMINED:
        return f"for {speaks_for}"
    return "for" if speaks_for == diagnosis else "against"


def action_rows(
    violation: Violation, actions: Sequence[Action], typed: ActionChangeForm | None, changed: int | None
) -> list[dict[str, Any]]:
    today = today_of(violation, timezone.now())
    return [
        {
            "pk": action.pk,
            "text": action.text,
            "notes": action.notes,
            "owner": str(action.owner or ""),
            "due_on": action.due_on,
            "is_late": action.is_late(today),
            "state": action.state,
            "state_label": _state_label(action),
            "states": Action.State.choices,
            "share": action.share,
            "cost": action.cost,
            "days_won": action.days_won,
            "worth": write_worth(action),
            "version": action.version,
            "is_first": index == 0,
            "is_last": index == len(actions) - 1,
            "form": typed if typed is not None and changed == action.pk else _change_form(action),
            "is_open": typed is not None and changed == action.pk,
        }
        for index, action in enumerate(actions)
    ]


def _state_label(action: Action) -> str:
    if action.state == Action.State.DONE and action.done_on:
        return f"done {figures.short_day(action.done_on)}"
    return action.get_state_display()


def _change_form(action: Action) -> ActionChangeForm:
    return ActionChangeForm(
        auto_id=f"change{action.pk}_%s",
        initial={
            "text": action.text,
            "state": action.state,
            "owner": action.owner_id,
            "due_on": iso_day(action.due_on),
            "notes": action.notes,
            "share": action.share,
            "cost": action.cost,
            "days_won": action.days_won,
        },
    )


def tell_shares(actions: Sequence[Action]) -> str:
    """What the shares of the gain come to, where there are any: `50 + 20 + 30 = 100 %`."""
    shares = [action.share for action in actions if action.share]
    if not shares:
        return ""
    whole = sum(shares)
    rest = "" if whole == 100 else f"; {100 - whole} % are not explained"
    return f"{' + '.join(map(str, shares))} = {whole} %{rest}"
