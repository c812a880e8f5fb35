"""Packs of limits: those that come along, import with a preview, export."""

from collections import Counter

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.inventory.models import Group, Target
from apps.people.models import User
from apps.thresholds.models import Threshold
from apps.thresholds.packs import Pack, apply_pack, export_pack, load_packs, plan_pack, with_notations
from apps.thresholds.register import BadThreshold
from apps.web.address import number_in
from apps.web.pages.packs.forms import PackForm
from apps.web.pages.packs.pack_tables import KINDS, left_out_table, planned_table
from apps.web.peak_hour_backfill import make_up
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import page_or_file

PREFIX = "limit:"  # of the fields of limits, before their place in the pack


def pack_list(request: HttpRequest) -> HttpResponse:
    """The packs that come along, import and export."""
    return _list(request, PackForm())


def _list(request: HttpRequest, form: PackForm) -> HttpResponse:
    context = {
        "packs": [(pack, left_out_table(pack).fill(pack.left_out)) for pack in load_packs()],
        "form": form,
        "targets": Target.objects.in_estate(),
        "groups": Group.objects.all(),
        "can_change": may_change(request),
    }
    return page_or_file(request, "pages/packs/packs.html", context)


@planner_required
def preview(request: HttpRequest) -> HttpResponse:
    """What a pack would do, limit by limit; nothing is saved."""
    sent = request.POST if request.method == "POST" else request.GET
    if request.method == "GET" and not sent:
        return pack_list(request)
    form = PackForm(sent, request.FILES)
    return _preview(request, form) if form.is_valid() else _list(request, form)


def _preview(request: HttpRequest, form: PackForm) -> HttpResponse:
    cleaned = form.cleaned_data
    target, group = cleaned["target"], cleaned["group"]
    planned = plan_pack(_edited_pack(request, form), target=target, group=group)
    kinds = Counter(limit.kind for limit in planned)
    outcomes = ", ".join(f"{kinds[kind]} {words}" for kind, words in KINDS.items() if kinds[kind])
    scope = target.name if target else f"group {group.name}" if group else "all targets"
    return page_or_file(
        request,
        "pages/packs/pack.html",
        {
            "pack": cleaned["pack"],
            "cleaned": cleaned,
            "scope": scope,
            "planned": planned_table(f"What applying {cleaned['pack'].title} to {scope} would do").fill(
                list(enumerate(planned))
            ),
            "can_apply": bool(kinds["new"] or kinds["changes"]),
            "sentence": [Part(f"{cleaned['pack'].title} for {scope}", True), Part(f": {outcomes}.")],
        },
    )


def _edited_pack(request: HttpRequest, form: PackForm) -> Pack:
    """The pack with the limits that were typed in its table."""
    typed = {
        number: str(text)
        for name, text in request.POST.items()
        if name.startswith(PREFIX) and (number := number_in(name.removeprefix(PREFIX))) is not None
    }
    pack: Pack = form.cleaned_data["pack"]
    return with_notations(pack, typed)


@require_POST
@planner_required
def apply(request: HttpRequest) -> HttpResponse:
    """Set the chosen limits of a pack, together or not at all."""
    form = PackForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list(request, form)
    ticked = (number_in(text) for text in request.POST.getlist("take"))
    chosen = [number for number in ticked if number is not None]
    if not chosen:
        messages.warning(request, "No limit is chosen, so nothing is saved; tick those to take over.")
        return _preview(request, form)
    cleaned = form.cleaned_data
    by = request.user if isinstance(request.user, User) else None
    pack = _edited_pack(request, form)
    if any(number in chosen and limit.refused for number, limit in enumerate(pack.limits)):
        messages.warning(request, "Nothing is saved yet: a limit below needs another look.")
        return _preview(request, form)
    try:
        made = apply_pack(
            pack,
            by=by,
            now=timezone.now(),
            target=cleaned["target"],
            group=cleaned["group"],
            chosen=chosen,
        )
    except BadThreshold as error:
        messages.warning(request, f"{error} Nothing is saved.")
        return _preview(request, form)
    messages.success(
        request,
        f"{capital(count(len(made), 'limit'))} of {cleaned['pack'].title} set, from the next review on.",
    )
    if under_way := make_up(made):
        messages.info(request, under_way)
    return redirect("thresholds")


def export(request: HttpRequest) -> HttpResponse:
    """The limits in force of a target, a group or all targets as a pack."""
    thresholds: QuerySet[Threshold] = Threshold.objects.in_force()
    name = "all"
    for kind, model in (("target", Target), ("group", Group)):
        if (pk := number_in(request.GET.get(kind))) is not None:
            thresholds = thresholds.filter(**{kind: pk})
            name = str(model._default_manager.filter(pk=pk).first() or pk)  # type: ignore[attr-defined]
            break
    else:
        thresholds = thresholds.filter(target=None, group=None)
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)[:60]
    text = export_pack(thresholds, safe.lower()[:40], f"Limits of {name}")
    response = HttpResponse(text, content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="limits-{safe}.yaml"'
    return response
