"""The plan of a violation: what was decided when all was calm, and what the numbers say."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction

from apps.advisors.engine.diagnosis import Evidence
from apps.advisors.evidence import diagnose_violations
from apps.advisors.models import Action, ActionPlan, Diagnosis
from apps.inventory.models import Target
from apps.thresholds.models import Violation

Proposals = Mapping[int, tuple[str, list[Evidence]]]  # by the violation's id

LINES = re.compile(r"(?:\r?\n|(?<=\D\.)\s+(?=[A-Z0-9]))")
LASTS = re.compile(r"\((?:[^()]*,\s*)?(\d{1,3}) days?\)\.?$")  # "(storage, 10 days)" at the end of a step
MARK = re.compile(r"^\s*(?:\d+[.)]\s+|[-•*]\s*)?")  # "1." or "-" before a step


def plan_actions(violation: Violation, on: date, now: datetime) -> ActionPlan:
    """
    The action plan of a violation: the steps its threshold names, due within its lead time, and a proposed diagnosis.

    A plan that exists is left as people have made it.
    """
    plan = ActionPlan.objects.filter(violation=violation).first()
    return plan or _make_plan(violation, diagnose_violations(violation.target, [violation], on), on, now)


def plan_target(target: Target, on: date, now: datetime, *, is_long_past: bool = False) -> None:
    """
    Plans for the live violations of a target that have none, and proposals made anew where the figures still count.

    They count until a person has decided, and where one decided against them. A day before that of a proposal changes
    nothing; of days long past, that are loaded in bulk, none is made anew.
    """
    live = (
        Violation.objects.live().filter(target=target).select_related("target__runs_on", "threshold", "plan")
    )
    unplanned = [violation for violation in live if not hasattr(violation, "plan")]
    open_to_proposals = [
        violation for violation in live if hasattr(violation, "plan") and violation.plan.is_asking(on)
    ]
    cases = unplanned if is_long_past else [*unplanned, *open_to_proposals]
    if not cases:
        return
    proposals = diagnose_violations(target, cases, on)
    for violation in unplanned:
        _make_plan(violation, proposals, on, now)
    if not is_long_past:
        _propose_anew([violation.plan for violation in open_to_proposals], proposals, on)


def _propose_anew(plans: Iterable[ActionPlan], proposals: Proposals, on: date) -> None:
    """Take over what the figures say now; a decision that was made meanwhile stands."""
    for plan in plans:
        if plan.violation_id not in proposals:
            continue
        proposed, evidence = _proposal_as_json(proposals, plan.violation_id)
        if (plan.proposed, plan.evidence, plan.proposed_on) == (proposed, evidence, on):
            continue
        rows = ActionPlan.objects.filter(pk=plan.pk, version=plan.version)
        what = {"proposed": proposed, "evidence": evidence, "proposed_on": on}
        rows.update(**what if plan.confirmed_at else {**what, "diagnosis": proposed})


def _proposal_as_json(proposals: Proposals, violation_id: int) -> tuple[str, list[dict[str, Any]]]:
    """A proposal as it is kept."""
    diagnosis, evidence = proposals.get(violation_id, (Diagnosis.UNDETERMINED, []))
    return diagnosis, json.loads(json.dumps([asdict(piece) for piece in evidence]))


def _make_plan(violation: Violation, proposals: Proposals, on: date, now: datetime) -> ActionPlan:
    proposed, evidence = _proposal_as_json(proposals, violation.pk)
    threshold = violation.threshold
    with transaction.atomic():
        plan, is_new = ActionPlan.objects.get_or_create(
            violation=violation,
            defaults={
                "diagnosis": proposed,
                "proposed": proposed,
                "proposed_on": on,
                "evidence": evidence,
                "made_at": now,
            },
        )
        if not is_new:
            return plan
        steps = split_into_steps(threshold.plan) if threshold else []
        lead = timedelta(days=threshold.lead_time_days) if threshold else timedelta()
        for position, (text, due_on) in enumerate(_with_days(steps, on, on + lead)):
            Action.objects.create(
                plan=plan, position=position, text=text, owner=violation.owner, due_on=due_on
            )
    return plan


def _with_days(steps: list[str], begin: date, until: date) -> list[tuple[str, date]]:
    """Each step with the day it is due: after its own days where it says how many, else when the lead time is over."""
    dated, day = [], begin
    for text in steps:
        if lasts := LASTS.search(text):
            day += timedelta(days=int(lasts[1]))
        dated.append((text, day if lasts else until))
    return dated


def split_into_steps(course: str) -> list[str]:
    """A course of action as steps: a line, or a sentence, each."""
    steps = (MARK.sub("", line).strip() for line in LINES.split(course))
    return [step for step in steps if step]
