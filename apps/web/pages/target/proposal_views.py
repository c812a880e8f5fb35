"""Confirming what Headroom found out: the host of an instance, the database that several instances share."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from apps.inventory.models import Target
from apps.inventory.register import BadTarget, register_database
from apps.platforms.registration import registration_of
from apps.web.read_now import read_now
from apps.web.rights import planner_required
from apps.web.target_proposals import database_name, host_named, members_with, proposed_host


@planner_required
def confirm_host(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that an instance runs on the host it names."""
    target = get_object_or_404(Target, pk=pk)
    name = proposed_host(target)
    host = host_named(name) if name else None
    if request.method == "POST" and host is not None:
        target.runs_on = host
        target.save(update_fields=["runs_on"])
        messages.success(
            request, f"{target.name} runs on {host.name}; its figures stand beside those of the host."
        )
        return redirect(target)
    return _confirm(
        request,
        target,
        f"Does {target.name} run on {host.name}?" if host else f"{target.name} has not named a watched host",
        f"{_host_source(target)} says {name}." if name else "There is nothing to confirm.",
        f"It runs on {host.name}" if host else "",
    )


def _host_source(target: Target) -> str:
    """Where a target says on which machine it runs."""
    registration = registration_of(target.collector)
    return (registration.host_source if registration else "") or target.name


@planner_required
def confirm_database(request: HttpRequest, pk: int) -> HttpResponse:
    """Watch the database that several instances share."""
    target = get_object_or_404(Target, pk=pk)
    members = members_with(target) if target.database_id is None else [target]
    names = " and ".join(sorted(member.name for member in members))
    if request.method == "POST" and len(members) > 1:
        name = database_name(target)
        is_taken = Target.objects.named(name).exists()
        try:
            database = register_database(
                f"{name} database" if is_taken else name, members, now=timezone.now()
            )
        except BadTarget as error:
            messages.warning(request, str(error))
            return redirect(target)
        read_now(request, [database], f"{database.name} is registered and being read through {names}.")
        return redirect(database)
    is_shared = len(members) > 1
    return _confirm(
        request,
        target,
        f"Watch the database of {names}?"
        if is_shared
        else f"{target.name} shares its database with no other",
        "What is the same everywhere is then read once, and figures are sums and maxima of the instances'."
        if is_shared
        else "There is nothing to confirm.",
        "Watch the database" if is_shared else "",
    )


def _confirm(request: HttpRequest, target: Target, title: str, lead: str, submit: str) -> HttpResponse:
    context = {
        "title": title,
        "lead": lead,
        "submit": submit,
        "cancel_url": target.get_absolute_url(),
    }
    return render(request, "pages/target/proposal.html", context)
