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
    target = get_object_or_404(Target, pk=pk)
    stands = stamp_of(target, FORM_FIELDS)
    meanwhile = "" if request.POST.get("stands", stands) == stands else changed_meanwhile(target)
    form = TargetForm(request.POST or None, instance=target)
    if form.is_valid() and not meanwhile:
        form.save()
        messages.success(request, "Saved. A new time of reading applies from the next slot.")
        return redirect(target)
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
        target.get_absolute_url(),
        stands=stands,
    )


@planner_required
def change_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Another account or password; the target is read again at once."""
    target = get_object_or_404(Target, pk=pk)
    form = PasswordForm(request.POST or None, target=target)
    if form.is_valid():
        fields = form.cleaned_data
        use = fields.get("use") or Credential.Use.COLLECT
        set_password(target, fields["username"], fields["password"], use, by=request.user)
        read_now(request, [target], f"Saved. {target.name} is being read with it now.")
        return redirect(target)
    lead = target.blocked_because or "The password is kept encrypted and never shown again."
    if target.address:
        lead = f"{lead} It is sent to {address_in_words(target.collector, target.address)} and nowhere else."
    groups = [("Account", [form[name] for name in form.fields])]
    return show_form(
        request,
        f"New password for {target.name}",
        lead,
        form,
        groups,
        "Save password",
        target.get_absolute_url(),
    )


@require_POST
@planner_required
def pause_target(request: HttpRequest, pk: int) -> HttpResponse:
    """Pause a target, or go on with it."""
    target = get_object_or_404(Target, pk=pk)
    target.is_paused = not target.is_paused
    target.save(update_fields=["is_paused"])
    messages.success(
        request,
        f"{target.name} is {'paused: it is not read until you go on' if target.is_paused else 'read again'}.",
    )
    return redirect(target)


@planner_required
def retire_target(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop watching a target for good, after a page that says what ends and what stays."""
    target = get_object_or_404(Target, pk=pk)
    if request.method == "POST":
        end_target(target, timezone.now())
        messages.success(request, f"{target.name} is retired. Its history stays.")
        return redirect("targets")
    days = Coverage.objects.filter(target=target).count()
    return render(
        request,
        "confirm.html",
        {
            "title": f"Retire {target.name}?",
            "lead": f"Its {figures.whole(days)} days of history stay and can be read; it is not collected or judged any more.",
            "losses": [
                "Nothing is deleted.",
                "Its open violations are closed with that reason.",
                "It leaves the estate and the counts.",
            ],
            "submit": f"Retire {target.name}",
            "cancel_url": target.get_absolute_url(),
        },
    )


@require_POST
@planner_required
def collect_now(request: HttpRequest, pk: int) -> HttpResponse:
    target = get_object_or_404(Target, pk=pk)
    if target.retired_at is not None:
        raise PermissionDenied(f"{target.name} is retired; it is not read any more.")
    if target.is_blocked:
        messages.warning(request, f"{target.blocked_because} It is tried again once that is done.")
    else:
        read_now(
            request, [target], f"{target.name} is being read; the run shows under Collection in a moment."
        )
    return redirect("target_collection", pk=pk)
