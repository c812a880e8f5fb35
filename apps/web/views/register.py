"""Registering a target, and pointing one somewhere else: both can be tested before anything is saved."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.collection.collector import CollectionError, Step
from apps.inventory.models import Credential, Group, Target
from apps.inventory.register import BadTarget, point_at, register_target, set_password
from apps.platforms.linux import preflight as host_preflight
from apps.platforms.linux.ssh import Door, door_at, proof_of
from apps.platforms.oracle.collector import logins_of
from apps.platforms.oracle.preflight import test_connection
from apps.web.address_forms import HostAddressForm, HostForm, InstanceAddressForm, InstanceForm
from apps.web.rights import planner_required
from worker.tasks import collect_at_once

ENCRYPTED = ("protocol", "wallet", "wallet_password", "server_dn")


@planner_required
def add_instance(request: HttpRequest) -> HttpResponse:
    """Register an Oracle instance; "Test connection" tells what would be missing, and saves nothing."""
    form = InstanceForm(request.POST or None)
    steps = None
    if form.is_valid():
        if "test" in request.POST:
            steps = test_connection(form.address, form.login)
        elif added := _register_instance(form):
            collect_at_once(added.pk)
            messages.success(
                request, f"{added.name} is registered and being read. Rates come with its second reading."
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
        form, groups, "Save instance", reverse("targets"), steps=steps, can_test=True,
    )  # fmt: skip


@planner_required
def add_host(request: HttpRequest) -> HttpResponse:
    """Register a Linux host that is read over SSH; "Test connection" fetches its key, for a person to compare."""
    named = request.GET.get("name", "")
    form = HostForm(request.POST or None, initial={"name": named.partition(".")[0], "host": named})
    steps = None
    if form.is_valid():
        if "test" in request.POST:
            steps, fetched = _test_host(form.door)
            form = HostForm(form.with_fetched(fetched)) if fetched else form
        elif added := _register_host(form):
            collect_at_once(added.pk, readings=2)
            messages.success(request, f"{added.name} is registered and being read.")
            return redirect(added)
    groups = [
        ("Where it is", [form[name] for name in ("name", "host", "port")]),
        _host_key_group(form),
        ("Who reads it", [form[name] for name in ("username", "key", "password")]),
        ("When", [form["time_zone"]]),
    ]
    lead = "Headroom reads /proc and sysstat over SSH, as an ordinary user."
    return show_form(
        request, "Add a Linux host", lead, form, groups, "Save host", reverse("targets"),
        steps=steps, can_test=True, fetched=form.data.get("fetched", ""),
    )  # fmt: skip


def _register_instance(form: InstanceForm) -> Target | None:
    given = form.cleaned_data
    added = _register(
        form,
        kind=Target.Kind.INSTANCE,
        platform="oracle",
        collector="oracle",
        environment=given["environment"],
        group=_group(given["group_name"]),
    )
    if added:
        _keep_wallet_password(added, given["wallet_password"])
    return added


def _register_host(form: HostForm) -> Target | None:
    return _register(form, kind=Target.Kind.HOST, platform="linux", collector="linux-ssh", interval_minutes=5)


def _register(form: InstanceForm | HostForm, **about: Any) -> Target | None:
    """The target that was typed, registered; none where it cannot be, and the form says why."""
    given = form.cleaned_data
    account = {name: given[name] for name in ("username", "password", "time_zone")}
    try:
        return register_target(given["name"], address=form.address, now=timezone.now(), **account, **about)
    except BadTarget as error:
        form.add_error(None, str(error))
        return None


@planner_required
def change_address(request: HttpRequest, pk: int) -> HttpResponse:
    """Point a target somewhere else; its account and its history stay."""
    found = get_object_or_404(Target, pk=pk)
    if found.collector not in ("oracle", "linux-ssh") or found.kind == Target.Kind.DATABASE:
        return render(
            request,
            "pages/confirm.html",
            {
                "title": f"{found.name} has no address of its own",
                "lead": "It is this machine, a database that is read through its instances, or part of the demo.",
                "losses": [],
                "submit": "",
                "cancel_url": found.get_absolute_url(),
            },
        )
    kind = HostAddressForm if found.kind == Target.Kind.HOST else InstanceAddressForm
    form: HostAddressForm | InstanceAddressForm = kind(request.POST or None, target=found)
    steps = None
    if form.is_valid():
        if "test" in request.POST:
            steps, fetched = _test_stored(found, form)
            if fetched and isinstance(form, HostAddressForm):
                form = HostAddressForm(form.with_fetched(fetched), target=found)
        else:
            point_at(found, form.address)
            _keep_wallet_password(found, form.cleaned_data.get("wallet_password", ""))
            collect_at_once(found.pk)
            messages.success(request, f"Saved. {found.name} is being read there now.")
            return redirect(found)
    lead = "Its account and its history stay. If another database answers there, no difference is taken over the change."
    if isinstance(form, HostAddressForm):
        groups = [
            ("Where it is", [form[name] for name in ("host", "port")]),
            _host_key_group(form),
            ("How it is signed in to", [form["key"]]),
        ]
        lead = "Its account and its history stay."
    else:
        groups = [
            ("Where it is", [form[name] for name in ("host", "port", "service", "sid", "descriptor")]),
            ("Where the connection is encrypted", [form[name] for name in ENCRYPTED]),
        ]
    return show_form(
        request, f"Address of {found.name}", found.blocked_because or lead, form, groups, "Save address",
        found.get_absolute_url(), steps=steps, can_test=True, fetched=form.data.get("fetched", ""),
    )  # fmt: skip


def _host_key_group(form: HostForm) -> tuple[str, list[Any]]:
    """The box of the host key, and the question whether it was compared where it came over the network."""
    if form.has_fetched:
        return "Who it is", [form["host_key"], form["is_compared"]]
    return "Who it is", [form["host_key"]]


def _test_host(door: Door) -> tuple[list[Step], str]:
    """The steps, and the key that the host presented where nobody gave one."""
    tested = host_preflight.test_connection(door)
    return tested.steps, "" if door.host_key else tested.host_key


def _test_stored(target: Target, form: HostAddressForm | InstanceAddressForm) -> tuple[list[Step], str]:
    """The same at another address, with the account that is stored."""
    try:
        if isinstance(form, HostAddressForm):
            user, password = proof_of(target)
            return _test_host(door_at(form.address, user, password))
        login = logins_of(target)[0]
    except CollectionError as error:
        return [Step("Account", False, str(error))], ""
    typed = form.cleaned_data["wallet_password"]
    return test_connection(form.address, login.with_wallet_password(typed) if typed else login), ""


def _keep_wallet_password(target: Target, password: str) -> None:
    if password:
        set_password(target, "wallet", password, Credential.Use.WALLET)


def show_form(
    request: HttpRequest,
    title: str,
    lead: str,
    form: Any,
    groups: list[Any],
    submit: str,
    cancel_url: str,
    **more: Any,
) -> HttpResponse:
    """A form of a target on a page of its own, with the steps of a test beside it."""
    context = {
        "title": title,
        "lead": lead,
        "form": form,
        "groups": groups,
        "submit": submit,
        "cancel_url": cancel_url,
    }
    return render(request, "pages/target_form.html", context | {"steps": None, "can_test": False} | more)


def _group(name: str) -> Group | None:
    return Group.objects.get_or_create(name=name.strip())[0] if name.strip() else None
