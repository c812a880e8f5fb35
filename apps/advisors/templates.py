"""
Courses of action kept for later: those that platforms bring along, and those that people write.

What comes along becomes rows at the first start; what people have changed or withdrawn is left alone.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q

from apps.advisors.models import Action, ActionPlan, PlanTemplate
from apps.advisors.plan_outlines import PLAN_OUTLINES
from apps.advisors.steps import ensure_plan, today_of
from apps.catalog.registry import all_metrics
from apps.people.models import User
from apps.thresholds.case_steps import EditConflict, Refusal
from apps.thresholds.models import Violation

MOST_STEPS = 40
LONGEST_STEP = 400
MOST_DAYS = 730
_DAYS = re.compile(r"^\s*(\d{1,4})(?:\s*d(?:ays?)?)?\s*$")


def install_templates() -> None:
    """Add the courses that the database does not have yet."""
    have = set(PlanTemplate.objects.exclude(key="").values_list("key", flat=True))
    names = set(PlanTemplate.objects.values_list("name", flat=True))
    for outline in PLAN_OUTLINES.values():
        if outline.key not in have and outline.name not in names:
            PlanTemplate.objects.create(
                name=outline.name,
                family=outline.family,
                diagnosis=outline.diagnosis,
                steps=outline.text,
                source=outline.source,
                key=outline.key,
            )


def families() -> list[str]:
    """The families of statistics that a template may be for: the sections of all catalogues."""
    return sorted({metric.section.title for metric in all_metrics() if metric.section.title})


class BadSteps(Refusal):
    """These are no steps; the message names the line and says what to give."""


def steps_in(text: str) -> list[tuple[str, int | None]]:
    """The steps of a template with their days: a line each, `what to do | days`. Raises BadSteps."""
    steps: list[tuple[str, int | None]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        what, bar, days = line.rpartition("|")
        if not bar:
            what, days = line, ""
        what = what.strip()
        if not what and not days.strip():
            continue
        if not what:
            raise BadSteps(f"Line {number} has no step before the bar; give it as: what to do | 5")
        if len(what) > LONGEST_STEP:
            raise BadSteps(
                f"Line {number} has {len(what)} characters; give at most {LONGEST_STEP} to a step."
            )
        steps.append((what, _days(days, number)))
    if not steps:
        raise BadSteps("Give at least one step: a line each, for example: Add a file | 2")
    if len(steps) > MOST_STEPS:
        raise BadSteps(f"{len(steps)} steps are too many to carry out; give at most {MOST_STEPS}.")
    return steps


def _days(text: str, number: int) -> int | None:
    if not text.strip():
        return None
    match = _DAYS.match(text)
    if match is None or int(match[1]) > MOST_DAYS:
        raise BadSteps(
            f"Line {number}: “{text.strip()}” is no number of days; give one up to {MOST_DAYS}, for example | 5"
        )
    return int(match[1])


def suitable_templates(violation: Violation, plan: ActionPlan | None) -> list[PlanTemplate]:
    """The templates that suit a violation, those made for its family and its diagnosis first."""
    family = violation.about.section.title
    diagnosis = plan.diagnosis if plan else ActionPlan.Diagnosis.UNDETERMINED
    is_decided = diagnosis != ActionPlan.Diagnosis.UNDETERMINED
    fits = Q(diagnosis="") | Q(diagnosis=diagnosis) if is_decided else Q()
    templates = PlanTemplate.objects.filter(fits, is_withdrawn=False)
    return sorted(
        templates.filter(family__in=("", family)),
        key=lambda template: (
            template.family != family,
            template.diagnosis != diagnosis,
            template.name.lower(),
        ),
    )


def apply_template(violation: Violation, template: PlanTemplate, *, by: User, now: datetime) -> list[Action]:
    """
    Add the steps of a template to the plan of a violation, each due once its days and those before it are over.

    Steps that the plan has already are left out; used twice it adds nothing the second time.
    """
    with transaction.atomic():
        plan = ActionPlan.objects.select_for_update().get(pk=ensure_plan(violation, now).pk)
        have = set(plan.actions.values_list("text", flat=True))
        last = plan.actions.aggregate(last=Max("position"))["last"]
        position = 0 if last is None else last + 1
        return Action.objects.bulk_create(
            Action(
                plan=plan,
                position=position + offset,
                text=text,
                owner=violation.owner,
                due_on=due_on,
                changed_by=by,
                changed_at=now,
            )
            for offset, (text, due_on) in enumerate(
                (text, due_on)
                for text, due_on in schedule_steps(steps_in(template.steps), today_of(violation, now))
                if text not in have
            )
        )


def schedule_steps(steps: Iterable[tuple[str, int | None]], begin: date) -> list[tuple[str, date | None]]:
    """Steps with the days by which they are done when each begins as the one before ends."""
    dated, day = [], begin
    for text, days in steps:
        if days is not None:
            day += timedelta(days=days)
        dated.append((text, None if days is None else day))
    return dated


def save_template(
    template: PlanTemplate,
    *,
    name: str,
    family: str,
    diagnosis: str,
    steps: str,
    by: User,
    now: datetime,
    version: int | None = None,
) -> PlanTemplate:
    """Keep a template that is new or changed. Raises Refusal for steps that are none, EditConflict for the second of two."""
    steps_in(steps)
    name = name.strip()
    with transaction.atomic():
        current = PlanTemplate.objects.select_for_update().filter(pk=template.pk).first() or template
        if current.pk and version is not None and current.version != version:
            when = f" at {current.changed_at:%H:%M} UTC" if current.changed_at else ""
            raise EditConflict(
                f"{current.changed_by or 'Somebody'} changed this template{when}, after you opened it."
                " What you typed is kept below; save it again, or leave it."
            )
        if PlanTemplate.objects.filter(name=name).exclude(pk=current.pk).exists():
            raise Refusal(f"There is a template named {name} already; choose another name.")
        current.name, current.family, current.diagnosis = name, family, diagnosis
        current.steps = steps.strip()
        current.version += 1
        current.changed_by, current.changed_at = by, now
        current.is_withdrawn = False
        current.save()
    return current


def withdraw_template(template: PlanTemplate, *, by: User, now: datetime) -> None:
    """Offer it no more; plans made from it stay as they are. One that came along is not installed again."""
    if not template.key:
        template.delete()
        return
    template.is_withdrawn = True
    template.changed_by, template.changed_at = by, now
    template.save(update_fields=["is_withdrawn", "changed_by", "changed_at"])
