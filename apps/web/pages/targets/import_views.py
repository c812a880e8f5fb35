"""Registering many instances: a CSV or a tnsnames.ora, looked at first, taken over as a whole or in part."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from apps.inventory.models import Group, Target
from apps.inventory.register import BadTarget, register_target
from apps.inventory.secrets import UnreadableSecret, decrypt, encrypt
from apps.platforms.registration import ListSource, Registration, all_registrations
from apps.platforms.target_list import ProposedTarget, UnreadableList
from apps.web.pages.targets.forms import ListForm
from apps.web.read_now import read_now
from apps.web.rights import planner_required


@planner_required
def import_targets(request: HttpRequest) -> HttpResponse:
    """First the list, then what it says row by row, then those rows that are wanted."""
    registration, source = _find_source(request)
    if "sealed" in request.POST:
        return _take_over(request, registration, source)
    form = ListForm(request.POST or None, request.FILES or None)
    form.fields["file"].help_text = source.files
    if form.is_valid():
        fields = form.cleaned_data
        try:
            rows = _rows(source, fields["text"], fields)
        except UnreadableList as error:
            form.add_error("text", str(error))
        else:
            sealed = {name: fields[name] for name in ("text", *DEFAULTS)} | {
                "given_at": timezone.now().timestamp()
            }
            return _preview(request, rows, encrypt(json.dumps(sealed), _belongs_to(request)))
    context = {"form": form, "source": source, "others": _others(registration), "rows": None}
    return render(request, "pages/targets/import.html", context)


def _find_source(request: HttpRequest) -> tuple[Registration, ListSource]:
    """What the list is of: what the address says, else the first technology that reads lists. Raises Http404."""
    key = request.GET.get("of", "")
    listed = [
        (registration, registration.list_source)
        for registration in all_registrations()
        if registration.list_source is not None
    ]
    for registration, source in listed:
        if key in ("", registration.key):
            return registration, source
    raise Http404(f"There is no list of “{key}” that could be read; “Import a list” opens one that is.")


def _others(registration: Registration) -> list[Registration]:
    """What else there are lists of."""
    return [other for other in all_registrations() if other.list_source is not None and other != registration]


LOOKED_AT_FOR = timedelta(hours=1)  # passwords of a list are not carried through pages for ever
DEFAULTS = ("username", "password", "time_zone", "group_name", "environment")


def _rows(source: ListSource, text: str, defaults: dict[str, str]) -> list[ProposedTarget]:
    """The targets of the list, with what is said once for all of them. Raises UnreadableList."""
    names = Target.objects.values_list("name", flat=True)
    rows = [
        replace(
            row,
            username=row.username or defaults["username"],
            password=row.password or defaults["password"],
            time_zone=row.time_zone or defaults["time_zone"],
            group=row.group or defaults["group_name"],
            environment=row.environment or defaults["environment"],
        )
        for row in source.read_list(text, set(names))
    ]
    return [
        row
        if row.problem or row.username
        else replace(row, problem="It has no user; give one in the list or for all of them.")
        for row in rows
    ]


def _preview(request: HttpRequest, rows: Sequence[ProposedTarget], sealed: str) -> HttpResponse:
    sound = sum(not row.problem for row in rows)
    context = {
        "rows": rows,
        "sealed": sealed,
        "sound": sound,
        "title": f"{sound} of {len(rows)} instances can be registered",
        "lead": "Nothing is registered yet." if sound else "Correct the list and give it again.",
    }
    return render(request, "pages/targets/import.html", context)


def _take_over(request: HttpRequest, registration: Registration, source: ListSource) -> HttpResponse:
    """Register the rows that were ticked, all or none of them."""
    try:
        sealed = json.loads(decrypt(request.POST["sealed"], _belongs_to(request)))
        if timezone.now().timestamp() - sealed["given_at"] > LOOKED_AT_FOR.total_seconds():
            messages.warning(
                request, "The list was given more than an hour ago; upload it again. Nothing was registered."
            )
            return redirect(request.get_full_path())
        rows = _rows(source, sealed["text"], sealed)
    except (UnreadableSecret, UnreadableList):
        messages.warning(request, "The list was not kept; give it again. Nothing was registered.")
        return redirect(request.get_full_path())
    ticked = set(request.POST.getlist("take"))
    chosen = [row for row in rows if not row.problem and row.name in ticked]
    if not chosen:
        messages.warning(request, "No row was ticked, so nothing was registered.")
        return _preview(request, rows, request.POST["sealed"])
    try:
        with transaction.atomic():
            added = [_register(row, request, registration) for row in chosen]
    except BadTarget as error:
        messages.warning(request, f"Nothing was registered: {error}")
        return _preview(request, rows, request.POST["sealed"])
    names = added[0].name if len(added) == 1 else f"{len(added)} instances"
    read_now(
        request,
        added,
        f"{names} {'is' if len(added) == 1 else 'are'} registered and being read. Rates come with the second reading.",
    )
    return redirect("targets")


def _register(row: ProposedTarget, request: HttpRequest, registration: Registration) -> Target:
    group = Group.objects.get_or_create(name=row.group)[0] if row.group else None
    return register_target(
        row.name,
        kind=registration.kind,
        platform=registration.platform,
        collector=registration.collector,
        interval_minutes=registration.interval_minutes,
        address=row.address,
        now=timezone.now(),
        username=row.username,
        password=row.password,
        by=request.user,
        time_zone=row.time_zone or "UTC",
        environment=row.environment,
        group=group,
    )


def _belongs_to(request: HttpRequest) -> str:
    """Whose list it is: nobody else can hand it in."""
    return f"list of {request.user.pk}"
