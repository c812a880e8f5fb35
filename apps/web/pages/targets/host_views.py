"""Registering a Linux host: it can be tested, and its key compared, before anything is saved."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.inventory.models import Target
from apps.web.pages.targets.address_forms import HostForm
from apps.web.pages.targets.connection_test_views import (
    ask,
    fetched_key,
    forget,
    host_key_group,
    shown_test,
    test_made,
)
from apps.web.pages.targets.form_page import register_typed, show_form
from apps.web.read_now import read_now
from apps.web.rights import planner_required


@planner_required
def add_host(request: HttpRequest) -> HttpResponse:
    """Register a Linux host that is read over SSH; "Test connection" fetches its key, for a person to compare."""
    named = request.GET.get("name", "")
    form = HostForm(
        request.POST or None,
        initial={"name": named.partition(".")[0], "host": named},
        test=test_made(request),
    )
    if form.is_valid():
        if "test" in request.POST:
            form = HostForm(request.POST, test=ask(request, form, "linux-ssh"))
        elif not form.is_testing and (added := _register_host(request, form)):
            forget(form.test)
            read_now(request, [added], f"{added.name} is registered and being read.", readings=2)
            return redirect(added)
    if key := fetched_key(form):
        form = HostForm(form.with_fetched(key), test=form.test)
    groups = [
        ("Where it is", [form[name] for name in ("name", "host", "port")]),
        host_key_group(form),
        ("Who reads it", [form[name] for name in ("username", "key", "password")]),
        ("When", [form["time_zone"]]),
    ]
    lead = "Headroom reads /proc and sysstat over SSH, as an ordinary user."
    return show_form(
        request, "Add a Linux host", lead, form, groups, "Save host", reverse("targets"),
        can_test=True, fetched=form.data.get("fetched", ""), **shown_test(form.test),
    )  # fmt: skip


def _register_host(request: HttpRequest, form: HostForm) -> Target | None:
    return register_typed(
        request, form, kind=Target.Kind.HOST, platform="linux", collector="linux-ssh", interval_minutes=5
    )
