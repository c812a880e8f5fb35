"""The plan of a case file, step by step."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.advisors.models import Action, PlanTemplate
from apps.advisors.steps import add_action, change_action, move_action
from apps.advisors.templates import apply_template
from apps.people.models import User
from apps.thresholds.case_steps import Refusal
from apps.thresholds.models import Violation
from apps.web.pages.case.case_page import do_in_case, find_case, read_number, show_case
from apps.web.pages.case.forms import ActionChangeForm, ActionForm, UseTemplateForm
from apps.web.rights import planner_required

MOVES = {"up": -1, "down": 1}


@require_POST
def new_action(request: HttpRequest, pk: int) -> HttpResponse:
    """One more step of the plan."""
    form = ActionForm(request.POST, auto_id="add_%s")

    def deed(violation: Violation, by: User) -> None:
        add_action(violation, by=by, now=timezone.now(), **form.cleaned_data)

    return do_in_case(request, pk, "action_form", form, deed, "plan")


@require_POST
def use_template(request: HttpRequest, pk: int) -> HttpResponse:
    """Add the steps of a template to the plan."""
    offered = list(PlanTemplate.objects.filter(is_withdrawn=False))
    form = UseTemplateForm(request.POST, auto_id="use_%s", offered=offered)

    def deed(violation: Violation, by: User) -> None:
        template = form.cleaned_data["template"]
        if not apply_template(violation, template, by=by, now=timezone.now()):
            raise Refusal(f"Every step of “{template}” is in the plan already.")

    return do_in_case(request, pk, "template_form", form, deed, "plan")


@require_POST
def edit_action(request: HttpRequest, pk: int, action: int) -> HttpResponse:
    """Change a step of the plan: all of it, or its state alone."""
    step = get_object_or_404(Action, pk=action, plan__violation=pk)
    version = read_number(request, "version")
    if "text" not in request.POST:
        return _set_state(request, pk, step, version)
    form = ActionChangeForm(request.POST, auto_id=f"change{step.pk}_%s")

    def deed(_: Violation, by: User) -> None:
        change_action(step, form.cleaned_data, by=by, now=timezone.now(), version=version)

    return do_in_case(request, pk, "change_form", form, deed, "plan", changed=step.pk)


@planner_required
def _set_state(request: HttpRequest, pk: int, step: Action, version: int | None) -> HttpResponse:
    state = request.POST.get("state", "")
    if state not in Action.State.values or not isinstance(request.user, User):
        return show_case(
            request, find_case(pk), plan_error=f"“{state}” is not a state of a step; choose one."
        )
    try:
        change_action(step, {"state": state}, by=request.user, now=timezone.now(), version=version)
    except Refusal as error:
        return show_case(request, find_case(pk), plan_error=str(error))
    return redirect(f"{reverse('violation', args=[pk])}#plan")


@require_POST
@planner_required
def order_action(request: HttpRequest, pk: int, action: int) -> HttpResponse:
    """Move a step of the plan up or down."""
    step = get_object_or_404(Action, pk=action, plan__violation=pk)
    move_action(step, MOVES.get(request.POST.get("to", ""), 0))
    return redirect(f"{reverse('violation', args=[pk])}#plan")
