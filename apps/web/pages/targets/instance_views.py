"""Registering an Oracle instance: it can be tested before anything is saved."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.inventory.models import Target
from apps.web.pages.targets.address_forms import InstanceForm
from apps.web.pages.targets.connection_test_views import ask, forget, shown_test, test_made
from apps.web.pages.targets.form_page import ENCRYPTED, group_named, register_typed, show_form
from apps.web.read_now import read_now
from apps.web.rights import planner_required


@planner_required
def add_instance(request: HttpRequest) -> HttpResponse:
    """Register an Oracle instance; "Test connection" tells what would be missing, and saves nothing."""
    form = InstanceForm(request.POST or None, test=test_made(request))
    if form.is_valid():
        if "test" in request.POST:
            form = InstanceForm(request.POST, test=ask(request, form, "oracle"))
        elif not form.is_testing and (added := _register_instance(request, form)):
            forget(form.test)
            read_now(
                request,
                [added],
                f"{added.name} is registered and being read. Rates come with its second reading.",
            )
            return redirect(added)
    where = ("name", "host", "port", "service", "sid", "descriptor")
    groups = [
        ("Where it is", [form[name] for name in where]),
        ("Who reads it", [form[name] for name in ("username", "password")]),
        ("Where the connection is encrypted", [form[name] for name in ENCRYPTED]),
        ("What people call it", [form[name] for name in ("time_zone", "group_name", "environment")]),
    ]
    return show_form(
        request, "Add an Oracle instance",
        "Headroom reads v$ views that need no licence; it writes nothing.",
        form, groups, "Save instance", reverse("targets"), can_test=True, **shown_test(form.test),
    )  # fmt: skip


def _register_instance(request: HttpRequest, form: InstanceForm) -> Target | None:
    given = form.cleaned_data
    return register_typed(
        request,
        form,
        kind=Target.Kind.INSTANCE,
        platform="oracle",
        collector="oracle",
        environment=given["environment"],
        group=group_named(given["group_name"]),
    )
