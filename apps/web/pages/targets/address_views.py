"""Pointing a target somewhere else: it can be tested before anything is saved."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.inventory.models import Target
from apps.inventory.register import point_at
from apps.web.pages.targets.address_forms import HostAddressForm, InstanceAddressForm
from apps.web.pages.targets.address_history import RECORD, record_of
from apps.web.pages.targets.connection_test_views import (
    ask,
    fetched_key,
    forget,
    host_key_group,
    shown_test,
    test_made,
)
from apps.web.pages.targets.form_page import ENCRYPTED, keep_secrets, show_form
from apps.web.read_now import read_now
from apps.web.rights import planner_required


@planner_required
def change_address(request: HttpRequest, pk: int) -> HttpResponse:
    """Point a target somewhere else; its account and its history stay."""
    found = get_object_or_404(Target, pk=pk)
    if found.collector not in ("oracle", "linux-ssh") or found.kind == Target.Kind.DATABASE:
        return render(
            request,
            "confirm.html",
            {
                "title": f"{found.name} has no address of its own",
                "lead": "It is this machine, a database that is read through its instances, or part of the demo.",
                "losses": [],
                "submit": "",
                "cancel_url": found.get_absolute_url(),
            },
        )
    kind = HostAddressForm if found.kind == Target.Kind.HOST else InstanceAddressForm
    form: HostAddressForm | InstanceAddressForm = kind(
        request.POST or None, target=found, test=test_made(request)
    )
    if form.is_valid():
        if "test" in request.POST:
            form = kind(request.POST, target=found, test=ask(request, form, found.collector, found))
        elif not form.is_testing:
            with transaction.atomic():
                point_at(found, form.address, by=request.user)
                keep_secrets(request, found, form.account, form.secrets)
            forget(form.test)
            read_now(request, [found], f"Saved. {found.name} is being read there now.")
            return redirect(found)
    lead = "Its account and its history stay. If another database answers there, no difference is taken over the change."
    if isinstance(form, HostAddressForm):
        if key := fetched_key(form):
            form = HostAddressForm(form.with_fetched(key), target=found, test=form.test)
        proof = ("key", "password")
        groups = [
            ("Where it is", [form[name] for name in ("host", "port")]),
            host_key_group(form),
            ("How it is signed in to", [form[name] for name in proof if name in form.fields]),
        ]
        lead = "Its account and its history stay."
    else:
        proof = ("password", "standby_password")
        groups = [
            ("Where it is", [form[name] for name in ("host", "port", "service", "sid", "descriptor")]),
            ("How it is signed in to", [form[name] for name in proof if name in form.fields]),
            ("Where the connection is encrypted", [form[name] for name in ENCRYPTED]),
        ]
    return show_form(
        request, f"Address of {found.name}", found.blocked_because or lead, form,
        [group for group in groups if group[1]], "Save address", found.get_absolute_url(), can_test=True,
        fetched=form.data.get("fetched", ""), record=RECORD.fill(record_of(found)), **shown_test(form.test),
    )  # fmt: skip
