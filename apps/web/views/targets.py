"""Targets: their list, their profile, and registering, changing and retiring them."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.charts import figures
from apps.collection.models import CollectionRun
from apps.inventory.models import Credential, Target
from apps.inventory.register import set_password
from apps.reports.sheets import Sheet
from apps.snapshots.models import Coverage
from apps.thresholds.life import end_target
from apps.web import sheets
from apps.web.address_record import address_in_words
from apps.web.changes import changes_of
from apps.web.collected import runs_of
from apps.web.page import page_of, target_of, target_page
from apps.web.present import MOST, everything
from apps.web.read_now import read_now
from apps.web.reading import preferences_of, units_of
from apps.web.rights import planner_required
from apps.web.show import show_profile
from apps.web.tables import file_of, table_file
from apps.web.target_forms import PasswordForm, TargetForm
from apps.web.together import changed_meanwhile, stamp_of
from apps.web.views.target_form import show_form

FORM_FIELDS = (
    "name", "group_id", "environment", "owner_id", "notes", "runs_on_id", "time_zone", "collect_at", "interval_minutes",
)  # fmt: skip


def target(request: HttpRequest, pk: int) -> HttpResponse:
    """The profile of a target, today's or of any day."""
    page = page_of(request, target_of(pk))
    name = f"{page.target.name}-{page.day}"
    if file := table_file(request, "profile", sheets.PROFILE, sheets.profile(page), name):
        return file
    context = target_page(page, "profile")
    if page.looked is not None:
        context["profile"] = show_profile(page.looked, units_of(request))
        context["hidden_columns"] = preferences_of(request).hidden_columns
        context["csv_url"] = f"{reverse('target_csv', args=[pk])}?on={page.day}"
    return render(request, "pages/target.html", context)


def target_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """The profile as CSV, with exact values."""
    page = page_of(request, target_of(pk))
    name = f"{page.target.name}-{page.day}"
    return file_of(Sheet(name, sheets.PROFILE, sheets.profile(page)), "csv")


def target_violations(request: HttpRequest, pk: int) -> HttpResponse:
    page = page_of(request, target_of(pk))
    context = target_page(page, "violations")
    name = f"{page.target.name}-violations"
    if file := table_file(request, "violations", sheets.VIOLATIONS, sheets.violations(context["rows"]), name):
        return file
    return render(request, "pages/target_violations.html", context)


def target_collection(request: HttpRequest, pk: int) -> HttpResponse:
    """The last runs of a target, with what each source cost."""
    page = page_of(request, target_of(pk))
    runs = runs_of(CollectionRun.objects.filter(target=page.target)[:40])
    if file := table_file(request, "runs", sheets.RUNS, sheets.runs(runs), f"{page.target.name}-readings"):
        return file
    changes = changes_of(page.target)
    name = f"{page.target.name}-changes"
    if file := table_file(request, "changed", sheets.CHANGES, sheets.changes(changes), name):
        return file
    return render(
        request,
        "pages/target_collection.html",
        target_page(page, "collection") | {"runs": runs, "changes": changes},
    )


def target_all(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that was collected of a day, a row each."""
    page = page_of(request, target_of(pk))
    words = request.GET.get("q", "")
    rows = everything(page, words)
    name = f"{page.target.name}-everything-{page.day}"
    if file := table_file(request, "everything", sheets.EVERYTHING, sheets.everything(rows), name):
        return file
    context = target_page(page, "all") | {"rows": rows[:MOST], "all": len(rows), "words": words}
    return render(request, "pages/target_all.html", context)


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
        lead = f"{lead} It is sent to {address_in_words(found.address)} and nowhere else."
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
        "pages/confirm.html",
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
