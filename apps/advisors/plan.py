"""The plan of a violation: what was decided when all was calm, and what the numbers say."""

import re
from dataclasses import asdict
from datetime import date, datetime, timedelta

from django.db import transaction

from apps.advisors.evidence import diagnose_violation
from apps.advisors.models import Action, ActionPlan
from apps.thresholds.models import Violation

LINES = re.compile(r"(?:\r?\n|(?<=\D\.)\s+(?=[A-Z0-9]))")
LASTS = re.compile(r"\((?:[^()]*,\s*)?(\d{1,3}) days?\)\.?$")  # "(storage, 10 days)" at the end of a step
MARK = re.compile(r"^\s*(?:\d+[.)]\s+|[-•*]\s*)?")  # "1." or "-" before a step


def plan_actions(violation: Violation, on: date, now: datetime) -> ActionPlan:
    """
    The action plan of a violation: the steps its threshold names, due within its lead time, and a proposed diagnosis.

    A plan that exists is left as people have made it.
    """
    plan = ActionPlan.objects.filter(violation=violation).first()
    if plan is not None:
        return plan
    diagnosis, reasons = diagnose_violation(violation, on)
    threshold = violation.threshold
    with transaction.atomic():
        plan, is_new = ActionPlan.objects.get_or_create(
            violation=violation,
            defaults={
                "diagnosis": diagnosis,
                "proposed": diagnosis,
                "evidence": [asdict(reason) for reason in reasons],
                "made_at": now,
            },
        )
        if not is_new:
            return plan
        steps = steps_of(threshold.plan) if threshold else []
        lead = timedelta(days=threshold.lead_time_days) if threshold else timedelta()
        for position, (text, due_on) in enumerate(_with_days(steps, on, on + lead)):
            Action.objects.create(
                plan=plan, position=position, text=text, owner=violation.owner, due_on=due_on
            )
    return plan


def _with_days(steps: list[str], begin: date, until: date) -> list[tuple[str, date]]:
    """Each step with the day it is due: after its own days where it says how many, else when the lead time is over."""
    told, day = [], begin
    for text in steps:
        if lasts := LASTS.search(text):
            day += timedelta(days=int(lasts[1]))
        told.append((text, day if lasts else until))
    return told


def steps_of(course: str) -> list[str]:
    """A course of action as steps: a line, or a sentence, each."""
    steps = (MARK.sub("", line).strip() for line in LINES.split(course))
    return [step for step in steps if step]
