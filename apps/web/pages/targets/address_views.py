"""Pointing a target somewhere else: it can be tested before anything is saved."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.inventory.models import Target
from apps.inventory.register import point_at
from apps.platforms.forms import StoredSecrets
from apps.web.pages.targets.address_history import RECORD, record_of
from apps.web.pages.targets.connection_test_views import answer_in_place, ask, forget, show_test, test_made
from apps.web.pages.targets.form_page import keep_secrets, show_form
from apps.web.read_now import read_now
from apps.web.rights import planner_required
from apps.web.target_page import address_registration


@planner_required
def change_address(request: HttpRequest, pk: int) -> HttpResponse:
    """Point a target somewhere else; its account and its history stay."""
    target = get_object_or_404(Target, pk=pk)
    registration = address_registration(target)
    if registration is None:
        return _refuse(request, target)
    kind = registration.load_address_form()
    form = kind(request.POST or None, target=target, test=test_made(request))
    if "test" in request.POST and request.headers.get("HX-Request"):
        return answer_in_place(request, form, target.collector, target)
    if form.is_valid():
        if "test" in request.POST:
            form = kind(request.POST, target=target, test=ask(request, form, target.collector, target))
        elif not form.is_testing:
            _save(request, target, form)
            read_now(request, [target], f"Saved. {target.name} is being read there now.")
            return redirect(target)
    if (fetched := form.fetched) is not None:
        form = kind(fetched, target=target, test=form.test)
    return show_form(
        request, f"Address of {target.name}", target.blocked_because or form.lead, form, form.field_groups,
        "Save address", target.get_absolute_url(), can_test=True, fetched=form.data.get("fetched", ""),
        record=RECORD.fill(record_of(target)), **show_test(form.test),
    )  # fmt: skip


def _save(request: HttpRequest, target: Target, form: StoredSecrets) -> None:
    with transaction.atomic():
        point_at(target, form.address, by=request.user)
        keep_secrets(request, target, form.account, form.secrets)
    forget(form.test)


def _refuse(request: HttpRequest, target: Target) -> HttpResponse:
    context = {
        "title": f"{target.name} has no address of its own",
        "lead": "It is this machine, a database that is read through its instances, or part of the demo.",
        "losses": [],
        "submit": "",
        "cancel_url": target.get_absolute_url(),
    }
    return render(request, "confirm.html", context)
