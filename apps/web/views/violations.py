"""Violations: their list, and the case file of one."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.advisors.models import Action, ActionPlan
from apps.advisors.plan import plan_actions
from apps.charts import figures
from apps.forecasting.headroom import headroom
from apps.people.models import User
from apps.thresholds.life import NotNow, take_step
from apps.thresholds.limits import limit_of
from apps.thresholds.models import Step, Violation
from apps.web import sheets
from apps.web.forms import ActionForm, StepForm
from apps.web.history import chart_of, read_history
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.sentences import Part, capital, count, day_in_words
from apps.web.tables import table_file
from apps.web.violated import state_of, violation_rows, what_of


def violation_list(request: HttpRequest) -> HttpResponse:
    """Open and predicted violations, worst first; or those that have ended."""
    shown = "closed" if request.GET.get("shown") == "closed" else "open"
    found = Violation.objects.filter(target__retired_at=None).select_related("target", "owner", "threshold")
    found = found.live() if shown == "open" else found.exclude(closed_on=None).order_by("-closed_on")[:200]
    rows = violation_rows(found)
    if file := table_file(request, "violations", sheets.VIOLATIONS, sheets.violations(rows)):
        return file
    return render(
        request,
        "pages/violations.html",
        {
            "sentence": _list_sentence(rows, shown),
            "rows": rows,
            "shown": shown,
            "open_url": reverse("violations"),
            "closed_url": f"{reverse('violations')}?shown=closed",
        },
    )


def _list_sentence(rows: list[Any], shown: str) -> list[Part]:
    if shown == "closed":
        return [Part(f"{capital(count(len(rows), 'violation'))} ended", True), Part(".")]
    predicted = sum(row.state == "at_risk" for row in rows)
    over = len(rows) - predicted
    if not rows:
        return [Part("Nothing is over its limit", True), Part(", and nothing is predicted to be.")]
    parts = [
        Part(
            f"{capital(count(over, 'figure'))} {'is' if over == 1 else 'are'} over {'its' if over == 1 else 'their'} limit",
            True,
        )
    ]
    if predicted:
        parts.append(Part(f"; {count(predicted, 'more')} will be within 90 days".replace("mores", "more")))
    return [*parts, Part(".")]


def violation(request: HttpRequest, pk: int) -> HttpResponse:
    """The case file: how the violation stands, why, what is being done."""
    found = get_object_or_404(
        Violation.objects.select_related("target", "owner", "threshold", "follows"), pk=pk
    )
    step_form, action_form = StepForm(), ActionForm()
    if request.method == "POST":
        step_form, action_form, saved = _act(request, found)
        if saved:
            return redirect(found)
    shown = read_history(
        found.target,
        found.about,
        found.component,
        found.closed_on or found.judged_on or found.reviewed_on or timezone.now().date(),
        90,
    )
    days = sheets.history(shown.days_with_values(), found.about.display_unit)
    if file := table_file(request, "figures", sheets.HISTORY, days, f"violation-{found.pk}"):
        return file
    plan = ActionPlan.objects.filter(violation=found).first()
    return render(
        request,
        "pages/violation.html",
        {
            "violation": found,
            "state": state_of(found),
            "what": what_of(found),
            "sentence": _sentence(found),
            "timeline": [
                {
                    "at": step.at,
                    "on": step.on,
                    "who": str(step.by) if step.by else "the review",
                    "before": _word(step.before),
                    "after": _word(step.after),
                    "why": step.why,
                }
                for step in Step.objects.filter(violation=found).select_related("by")
            ],
            "figures": _figures(found),
            "diagnosis": _diagnosis(plan),
            "actions": [_action(one) for one in plan.actions.select_related("owner")] if plan else [],
            "chart": chart_of(shown),
            "chart_rows": shown.rows(),
            "plan_lines": found.threshold.plan.splitlines() if found.threshold else [],
            "step_form": step_form,
            "action_form": action_form,
            "can_change": may_change(request),
        },
    )


def _act(request: HttpRequest, found: Violation) -> tuple[StepForm, ActionForm, bool]:
    """Take the step or add the action that was posted."""
    if not isinstance(request.user, User) or not may_change(request):
        raise PermissionDenied(LACKS_RIGHT)
    if "to" in request.POST:
        form = StepForm(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            try:
                take_step(
                    found,
                    given["to"],
                    by=request.user,
                    why=given["why"],
                    now=timezone.now(),
                    review_on=given["review_on"],
                )
            except NotNow as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, "Saved.")
                return form, ActionForm(), True
        return form, ActionForm(), False
    action_form = ActionForm(request.POST)
    if action_form.is_valid():
        plan = plan_actions(found, found.reviewed_on or timezone.now().date(), timezone.now())
        last = plan.actions.aggregate(last=Max("position"))["last"]
        Action.objects.create(
            plan=plan, position=(last if last is not None else -1) + 1, **action_form.cleaned_data
        )
        messages.success(request, "Saved.")
        return StepForm(), action_form, True
    return StepForm(), action_form, False


@require_POST
@planner_required
def move_action(request: HttpRequest, pk: int, action: int) -> HttpResponse:
    """Move a step of the plan on: to do, under way, done, dropped."""
    found = get_object_or_404(Action, pk=action, plan__violation=pk)
    if request.POST.get("state") in Action.State.values:
        found.state = request.POST["state"]
        found.save(update_fields=["state"])
    return redirect("violation", pk=pk)


def _word(state: str) -> str:
    return Violation.State(state).label if state else ""


def _sentence(found: Violation) -> list[Part]:
    name = f"{what_of(found)} on {found.target.name}"
    value = (
        "" if found.value is None else f"{figures.figure(found.value)} {found.unit} against {limit_of(found)}"
    )
    if found.state == Violation.State.AVERTED:
        return [Part(f"{name} was averted", True), Part(f": {found.closed_because}")]
    if found.closed_on is not None:
        return [
            Part(f"{name} came back under control", True),
            Part(f" on {day_in_words(found.closed_on)}. {found.closed_because}"),
        ]
    if found.is_predicted:
        return [Part(f"{name} will be over its limit within 90 days", True), Part(f"; now {value}.")]
    since = day_in_words(found.opened_on) if found.opened_on else "today"
    if found.threshold and found.value is not None and not found.threshold.limit.is_beyond(found.value):
        days = count(found.threshold.closes_after, "judged day")
        return [
            Part(f"{name} is inside its limit again", True),
            Part(f": {value}. Over since {since}, it closes after {days} inside in a row."),
        ]
    return [Part(f"{name} is over its limit since {since}", True), Part(f": {value}.")]


def _figures(found: Violation) -> dict[str, str]:
    limit = found.threshold.limit if found.threshold else None
    edge = None if limit is None else limit.high if limit.high is not None else limit.low
    share = ""
    if edge and found.value is not None and limit is not None:
        direction = "at_most" if limit.high is not None else "at_least"
        share = f"{figures.figure(headroom(found.value, edge, direction))} %"
    return {
        "today": figures.figure(found.value) if found.value is not None else "–",
        "limit": limit_of(found),
        "unit": found.unit,
        "worst": figures.figure(found.worst_value) if found.worst_value is not None else "–",
        "headroom": share or "–",
        "judged_on": figures.short_day(found.judged_on) if found.judged_on else "–",
    }


def _diagnosis(plan: ActionPlan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    return {
        "label": plan.get_diagnosis_display(),
        "proposed": plan.confirmed_by_id is None,
        "evidence": plan.evidence,
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "pk": action.pk,
        "text": action.text,
        "owner": str(action.owner or ""),
        "due": figures.short_day(action.due_on) if action.due_on else "",
        "state": action.state,
        "state_label": action.get_state_display(),
        "states": Action.State.choices,
    }
