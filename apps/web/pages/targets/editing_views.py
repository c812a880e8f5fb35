"""A target changed, paused, read at once, and retired."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.charts import figures
from apps.inventory.models import Credential, Target
from apps.inventory.register import set_password
from apps.platforms.registration import address_in_words
from apps.snapshots.models import Coverage
from apps.thresholds.case_steps import end_target
from apps.web.pages.targets.bulk_change import changed_meanwhile, stamp_of
from apps.web.pages.targets.form_page import show_form
from apps.web.pages.targets.forms import PasswordForm, TargetForm
from apps.web.read_now import read_now
from apps.web.rights import planner_required

FORM_FIELDS = (
    "name", "group_id", "environment", "owner_id", "notes", "runs_on_id", "time_zone", "collect_at", "interval_minutes",
)  # fmt: skip


@planner_required
def edit_target(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Target, pk=pk)
    stands = stamp_of(found, FORM_FIELDS)
    meanwhile = "" if request.POST.get("stands", stands) == stands else changed_meanwhile(found)
    form = TargetForm(request.POST or None, instance=found)
    if form.is_valid() and not meanwhile:
        form.save()
        messages.success(request, "Saved. A new time of reading holds from the next slot on.")
        return redirect(found)
    if meanwhile:
        form.add_error(None, meanwhile)
    groups = [
        (
            "What people call it",
            [form[name] for name in ("name", "group_name", "environment", "owner", "notes")],
        ),
        ("Where it runs", [form["runs_on"]]),
        ("When it is read", [form[name] for name in ("time_zone", "collect_at", "interval_minutes")]),
    ]
    name = Target.objects.get(pk=pk).name
    return show_form(
        request,
        f"Edit {name}",
        "History stays as it was.",
        form,
        groups,
        "Save target",
        found.get_absolute_url(),
        stands=stands,
    )


@planner_required
def change_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Another account or password; the target is read again at once."""
    found = get_object_or_404(Target, pk=pk)
    form = PasswordForm(request.POST or None, target=found)
    if form.is_valid():
        given = form.cleaned_data
        use = given.get("use") or Credential.Use.COLLECT
        set_password(found, given["username"], given["password"], use, by=request.user)
        read_now(request, [found], f"Saved. {found.name} is being read with it now.")
        return redirect(found)
    lead = found.blocked_because or "The password is kept encrypted and never shown again."
    if found.address:
        lead = f"{lead} It is sent to {address_in_words(found.collector, found.address)} and nowhere else."
    groups = [("Who reads it", [form[name] for name in form.fields])]
    return show_form(
        request,
        f"New password for {found.name}",
        lead,
        form,
        groups,
        "Save password",
        found.get_absolute_url(),
    )


@require_POST
@planner_required
def pause_target(request: HttpRequest, pk: int) -> HttpResponse:
    """Pause a target, or go on with it."""
    found = get_object_or_404(Target, pk=pk)
    found.is_paused = not found.is_paused
    found.save(update_fields=["is_paused"])
    messages.success(
        request,
        f"{found.name} is {'paused: it is not read until you go on' if found.is_paused else 'read again'}.",
    )
    return redirect(found)


@planner_required
def retire_target(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop watching a target for good, after a page that says what ends and what stays."""
    found = get_object_or_404(Target, pk=pk)
    if request.method == "POST":
        end_target(found, timezone.now())
        messages.success(request, f"{found.name} is retired. Its history stays.")
        return redirect("targets")
    days = Coverage.objects.filter(target=found).count()
    return render(
        request,
        "confirm.html",
        {
            "title": f"Retire {found.name}?",
            "lead": f"Its {figures.whole(days)} days of history stay and can be read; it is not collected or judged any more.",
            "losses": [
                "Nothing is deleted.",
                "Its open violations are closed with that reason.",
                "It leaves the estate and the counts.",
            ],
            "submit": f"Retire {found.name}",
            "cancel_url": found.get_absolute_url(),
        },
    )


@require_POST
@planner_required
def collect_now(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Target, pk=pk)
    if found.retired_at is not None:
        raise PermissionDenied(f"{found.name} is retired; it is not read any more.")
    if found.is_blocked:
        messages.warning(request, f"{found.blocked_because} It is tried again once that is done.")
    else:
        read_now(request, [found], f"{found.name} is being read; the run shows under Collection in a moment.")
    return redirect("target_collection", pk=pk)
