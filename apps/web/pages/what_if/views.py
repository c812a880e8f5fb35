"""What if: scenarios of planned changes, and what they make of the days on which limits break."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.catalog.registry import all_metrics
from apps.forecasting.models import PlannedChange, Scenario
from apps.forecasting.scenarios import compare_scenarios
from apps.inventory.models import Target
from apps.people.models import User
from apps.web.pages.what_if.forms import ChangeForm, ScenarioForm
from apps.web.pages.what_if.scenario_tables import changes_table, scenarios_table
from apps.web.pages.what_if.scenario_text import change_rows, sentence_of
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.scenario_moves import find_outlooks, moves_of
from apps.web.tables import page_or_file

MOST = 4  # scenarios side by side


def what_if(request: HttpRequest) -> HttpResponse:
    """The scenarios, and those that are ticked side by side; a planner names a new one here."""
    form = ScenarioForm(request.POST or None)
    if request.method == "POST":
        if not may_change(request):
            return HttpResponse(LACKS_RIGHT, status=403)
        if form.is_valid():
            form.instance.created_by, form.instance.created_at = cast(User, request.user), timezone.now()
            made = form.save()
            messages.success(request, f"{made.name} is there. Plan the first change in it.")
            return redirect(made)
    every = list(Scenario.objects.prefetch_related("changes").select_related("created_by"))
    ticked = set(request.GET.getlist("with"))
    chosen = [one for one in every if str(one.pk) in ticked][:MOST]
    now = timezone.now()
    moved = compare_scenarios(chosen, list(Target.objects.in_estate()), now.date()) if chosen else []
    context = {
        "form": form,
        "scenarios": scenarios_table(chosen).fill(every),
        "chosen": chosen,
        "moves": moves_of(moved, [one.name for one in chosen], find_outlooks(moved, now)),
        "sentence": sentence_of([one.name for one in chosen], moved),
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/what_if/what_if.html", context)


def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """One scenario: its changes, and every limited figure that it moves; a planner adds a change here."""
    found = get_object_or_404(Scenario, pk=pk)
    today = timezone.now().date()
    form = ChangeForm(request.POST or None, today=today)
    if request.method == "POST":
        if not may_change(request):
            return HttpResponse(LACKS_RIGHT, status=403)
        if form.is_valid():
            form.instance.scenario = found
            form.save()
            messages.success(request, "Planned. It counts in this scenario alone until somebody decides it.")
            return redirect(found)
    moved = compare_scenarios([found], list(Target.objects.in_estate()), today)
    changes = found.changes.select_related("target", "group", "decided_by")
    context = {
        "scenario": found,
        "form": form,
        "changes": changes_table(can_change=may_change(request)).fill(change_rows(list(changes), today)),
        "moves": moves_of(moved, [found.name], find_outlooks(moved, timezone.now())),
        "sentence": sentence_of([found.name], moved),
        "statistics": [(one.key, one.label) for one in all_metrics() if one.is_figure],
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/what_if/scenario.html", context)


@require_POST
@planner_required
def scenario_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a scenario that holds no decided change."""
    found = get_object_or_404(Scenario, pk=pk)
    if found.changes.exclude(decided_at=None).exists():
        messages.error(
            request,
            f"{found.name} holds changes that are decided; take the decisions back before you remove it.",
        )
        return redirect(found)
    found.delete()
    messages.success(request, f"{found.name} is removed.")
    return redirect("what_if")


@require_POST
@planner_required
def change_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide a planned change, take the decision back, or remove the change."""
    change = get_object_or_404(PlannedChange.objects.select_related("scenario"), pk=pk)
    step = request.POST.get("step")
    if step == "remove":
        change.delete()
        messages.success(request, f"{change.change} is removed.")
    elif step in ("decide", "take_back"):
        is_decided = step == "decide"
        change.decided_by = cast(User, request.user) if is_decided else None
        change.decided_at = timezone.now() if is_decided else None
        change.save(update_fields=["decided_by", "decided_at"])
        said = "enters the nightly forecast" if is_decided else "counts in this scenario alone"
        messages.success(request, f"{change.change} {said} from the next review on.")
    else:
        messages.error(request, "Nothing was changed: decide it, take the decision back, or remove it.")
    return redirect(change.scenario)
