"""Templates of plans: their list, and the form of one."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone

from apps.advisors.models import Action, PlanTemplate
from apps.advisors.templates import BadSteps, save_template, steps_in, withdraw_template
from apps.people.models import User
from apps.thresholds.case_steps import Refusal
from apps.thresholds.models import Violation
from apps.web.address import number_in
from apps.web.cells import link
from apps.web.pages.plan_templates.forms import PlanTemplateForm
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, FigureColumn, RowHead, Table, page_or_file


def template_list(request: HttpRequest) -> HttpResponse:
    """Every template that is offered."""
    templates = PlanTemplate.objects.filter(is_withdrawn=False).select_related("changed_by")
    rows = [_row(template, can_change=may_change(request)) for template in templates]
    if rows:
        sentence = [
            Part(f"{capital(count(len(rows), 'course'))} of action", True),
            Part(" can be used for a violation."),
        ]
    else:
        sentence = [
            Part("There is no plan template yet", True),
            Part(": write down the steps that helped once, and use them again."),
        ]
    context = {"courses": COURSES.fill(rows), "sentence": sentence, "can_change": may_change(request)}
    return page_or_file(request, "pages/plan_templates/plan_templates.html", context)


def _row(template: PlanTemplate, *, can_change: bool) -> dict[str, Any]:
    steps = steps_in(template.steps)
    days = sum(days or 0 for _, days in steps)
    return {
        "template": template,
        "url": reverse("plan_template", args=[template.pk]) if can_change else "",
        "steps": [text for text, _ in steps],
        "days": days,
        "family": template.family or "any",
        "diagnosis": template.get_diagnosis_display() or "any",
        "from": str(template.changed_by) if template.changed_by else template.source or "Headroom",
    }


def _steps(row: Mapping[str, Any]) -> str:
    """The number of steps and the steps, as a reader of the page has them."""
    number = len(row["steps"])
    return " ".join((f"{number} step{pluralize(number)} of {row['template'].name}", *row["steps"]))


COURSES: Table[Mapping[str, Any]] = Table(
    "courses",
    "Courses of action",
    (
        RowHead(
            "template", lambda row: row["template"].name, lambda row: link(row["url"], row["template"].name)
        ),
        Column("for statistics of", lambda row: row["family"]),
        Column("diagnosis", lambda row: row["diagnosis"], css="nowrap"),
        Column("steps", _steps, template="pages/plan_templates/steps.html"),
        FigureColumn("days", lambda row: row["days"] or None, lambda row: row["days"] or "–"),
        Column("from", lambda row: row["from"], css="quiet-text"),
    ),
    css="folds two-facts",
)


@planner_required
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new template, or one that is kept; a new one may begin with the steps of a plan."""
    template = get_object_or_404(PlanTemplate, pk=pk, is_withdrawn=False) if pk else PlanTemplate()
    if not isinstance(request.user, User):
        raise PermissionDenied(LACKS_RIGHT)
    if request.method == "POST" and pk and "withdraw" in request.POST:
        withdraw_template(template, by=request.user, now=timezone.now())
        messages.success(request, f"{template.name} is not offered any more; plans made from it stay.")
        return redirect("plan_templates")
    form = PlanTemplateForm(request.POST or None, initial=_begin(request, template))
    version = request.POST.get("version", "") or str(template.version)  # kept while something else is mended
    if request.method == "POST" and form.is_valid():
        try:
            save_template(
                template,
                **form.cleaned_data,
                by=request.user,
                now=timezone.now(),
                version=number_in(version),
            )
        except Refusal as error:
            form.add_error("steps" if isinstance(error, BadSteps) else None, str(error))
            if template.pk:
                template.refresh_from_db()
                version = str(template.version)
        else:
            messages.success(request, "Saved.")
            return redirect("plan_templates")
    return render(
        request,
        "pages/plan_templates/plan_template.html",
        {"form": form, "template": template, "version": version},
    )


def _begin(request: HttpRequest, template: PlanTemplate) -> dict[str, str]:
    if template.pk:
        names = ("name", "family", "diagnosis", "steps")
        return {name: getattr(template, name) for name in names}
    violation = Violation.objects.filter(pk=number_in(request.GET.get("violation")) or 0).first()
    if violation is None:
        return {}
    actions = Action.objects.filter(plan__violation=violation).exclude(state=Action.State.DROPPED)
    return {
        "name": f"As for {violation.what}"[:120],
        "family": violation.about.section.title,
        "steps": "\n".join(action.text for action in actions),
    }
