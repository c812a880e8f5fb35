"""The list of targets, and changing many of them at once, with a way back."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.inventory.models import Target
from apps.people.models import User
from apps.platforms.registration import all_registrations
from apps.web.collection_runs import failures, last_runs_of
from apps.web.pages.targets.bulk_change import BulkChange, CannotChange, change_many, describe_change, undo
from apps.web.pages.targets.target_list import target_rows, targets_table
from apps.web.rights import may_change, planner_required
from apps.web.sentences import capital, count
from apps.web.tables import page_or_file

KEPT_FOR = timedelta(minutes=15)


def target_list(request: HttpRequest) -> HttpResponse:
    """Every target that was not retired, worst state first."""
    return _listed(request)


def _listed(request: HttpRequest, **more: Any) -> HttpResponse:
    """The list, with what was typed to change many of them where that could not be saved."""
    rows, filters = target_rows(request.GET)
    can_change = may_change(request)
    chosen = more.get("chosen", ())
    context = {
        "targets": targets_table(chosen if can_change else None).fill(rows),
        "filters": filters,
        "sentence": failures(last_runs_of(Target.objects.watched())),
        "can_change": can_change,
        "registrations": all_registrations(),
        "people": User.objects.filter(is_active=True).order_by("username") if can_change else (),
        "undo": _undo_of(request),
        "typed": BulkChange(),
    }
    return page_or_file(request, "pages/targets/targets.html", context | more)


def _undo_of(request: HttpRequest) -> dict[str, Any] | None:
    """What was changed lately and can be taken back."""
    last_change = request.session.get("undo")
    return last_change if last_change and last_change["until"] > timezone.now().timestamp() else None


@require_POST
@planner_required
def change(request: HttpRequest) -> HttpResponse:
    """Set group, environment, owner or notes of all targets that are ticked: all or none."""
    chosen, typed = request.POST.getlist("target"), BulkChange.typed(request.POST)
    try:
        before = change_many(chosen, typed)
    except CannotChange as error:
        keys = {choice.partition(":")[0] for choice in chosen}
        return _listed(request, wrong=str(error), typed=typed, chosen=keys)
    request.session["undo"] = {
        "said": describe_change(len(before), typed),
        "before": before,
        "until": (timezone.now() + KEPT_FOR).timestamp(),
    }
    return redirect("targets")


@require_POST
@planner_required
def take_back(request: HttpRequest) -> HttpResponse:
    """Put the targets of the last change back to how they stood."""
    last_change = _undo_of(request)
    request.session.pop("undo", None)
    if last_change is None:
        messages.warning(request, "There is nothing left to undo.")
        return redirect("targets")
    back, left = undo(last_change["before"])
    if back:
        messages.success(request, f"{capital(count(len(back), 'target'))} put back to how it was before.")
    if left:
        names = " and ".join(target.name for target in left[:3])
        messages.warning(request, f"{names} changed again meanwhile and stays as it is.")
    return redirect("targets")
