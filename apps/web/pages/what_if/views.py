"""What if: scenarios of planned changes, and what they make of the days on which limits break."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.charts import figures
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
    chosen = [scenario for scenario in every if str(scenario.pk) in ticked][:MOST]
    names, now = [scenario.name for scenario in chosen], timezone.now()
    moved = compare_scenarios(chosen, list(Target.objects.in_estate()), now.date()) if chosen else []
    context = {
        "form": form,
        "scenarios": scenarios_table(chosen).fill(every),
        "chosen": chosen,
        "moves": moves_of(moved, names, find_outlooks(moved, now)),
        "sentence": sentence_of(names, moved),
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/what_if/what_if.html", context)


def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """One scenario: its changes, and every limited figure that it moves; a planner adds a change here."""
    scenario = get_object_or_404(Scenario, pk=pk)
    today = timezone.now().date()
    form = ChangeForm(request.POST or None, today=today)
    if request.method == "POST":
        if not may_change(request):
            return HttpResponse(LACKS_RIGHT, status=403)
        if form.is_valid():
            form.instance.scenario = scenario
            form.save()
            messages.success(request, "Planned. It counts in this scenario alone until somebody decides it.")
            return redirect(scenario)
    moved = compare_scenarios([scenario], list(Target.objects.in_estate()), today)
    changes = scenario.changes.select_related(
        "target", "group", "driver__target", "driver__group", "decided_by"
    )
    context = {
        "scenario": scenario,
        "form": form,
        "changes": changes_table(can_change=may_change(request)).fill(change_rows(list(changes), today)),
        "moves": moves_of(moved, [scenario.name], find_outlooks(moved, timezone.now())),
        "sentence": sentence_of([scenario.name], moved),
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/what_if/scenario.html", context)


@planner_required
def scenario_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a scenario that holds no decided change, after a page that says what is lost."""
    scenario = get_object_or_404(Scenario, pk=pk)
    if scenario.changes.exclude(decided_at=None).exists():
        messages.error(
            request,
            f"{scenario.name} holds changes that are decided; take the decisions back before you remove it.",
        )
        return redirect(scenario)
    if request.method == "POST":
        scenario.delete()
        messages.success(request, f"{scenario.name} is removed.")
        return redirect("what_if")
    losses = [
        f"{change.change} from {figures.long_day(change.on)}, {change.scope}"
        for change in scenario.changes.all()
    ]
    return _ask(request, f"Remove {scenario.name}?", losses, "Remove the scenario", scenario)


@planner_required
def change_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a planned change, after a page that says what is lost."""
    change = get_object_or_404(PlannedChange.objects.select_related("scenario"), pk=pk)
    if request.method == "POST":
        change.delete()
        messages.success(request, f"{change.change} is removed.")
        return redirect(change.scenario)
    entered = ["It leaves the nightly forecast from the next review on."] if change.decided_at else []
    return _ask(
        request,
        f"Remove {change.change} from {figures.long_day(change.on)}?",
        entered,
        "Remove the change",
        change.scenario,
    )


def _ask(
    request: HttpRequest, title: str, losses: list[str], submit: str, scenario: Scenario
) -> HttpResponse:
    """One more question, with the way back to the scenario."""
    return render(
        request,
        "confirm.html",
        {
            "title": title,
            "lead": "This cannot be undone.",
            "losses": losses,
            "submit": submit,
            "cancel_url": scenario.get_absolute_url(),
        },
    )


@require_POST
@planner_required
def change_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide a planned change, or take the decision back."""
    change = get_object_or_404(PlannedChange.objects.select_related("scenario"), pk=pk)
    step = request.POST.get("step")
    if step in ("decide", "take_back"):
        is_decided = step == "decide"
        change.decided_by = cast(User, request.user) if is_decided else None
        change.decided_at = timezone.now() if is_decided else None
        change.save(update_fields=["decided_by", "decided_at"])
        effect = "enters the nightly forecast" if is_decided else "counts in this scenario alone"
        messages.success(request, f"{change.change} {effect} from the next review on.")
    else:
        messages.error(request, "Nothing was changed: decide it, or take the decision back.")
    return redirect(change.scenario)
