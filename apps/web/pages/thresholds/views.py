"""Limits: their list, and the form with its preview."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.catalog.registry import UnknownMetric
from apps.charts import figures
from apps.outlook.counts import states_by_limit
from apps.people.models import User
from apps.thresholds.changes import ChangedMeanwhile
from apps.thresholds.judge import WORST_FIRST, FigureState
from apps.thresholds.models import Threshold, ThresholdChange
from apps.thresholds.precedence import find_rivals, precedence, wins_because
from apps.thresholds.register import save_threshold, unit_of, withdraw_threshold
from apps.web.pages.thresholds.bulk_forms import BulkForm, choice_of
from apps.web.pages.thresholds.forms import ThresholdForm
from apps.web.pages.thresholds.limit_moves import move_of
from apps.web.pages.thresholds.preview import preview_of
from apps.web.pages.thresholds.threshold_table import THRESHOLDS
from apps.web.peak_hour_backfill import make_up
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, count
from apps.web.statistic_names import UnknownStatistic, find_statistic
from apps.web.tables import page_or_file
from apps.web.target_page import retired_target

BEGINNING = (
    "target",
    "group",
    "metric",
    "component",
    "notation",
    "severity",
    "figure",
    "hours",
)  # what an address may fill in
ADVANCED = (
    "opens_after", "opens_within", "closes_after", "recovery_gap", "leaves_out_peaks", "figure", "hours", "group",
)  # fmt: skip
WATCHED = {"metric", "hours", "target", "group"}  # what says which figures a limit is on


def threshold_list(request: HttpRequest) -> HttpResponse:
    """Every limit in force, those that are broken now first."""
    in_force = Threshold.objects.in_force().filter(Q(target=None) | Q(target__retired_at=None))
    states = states_by_limit(timezone.now())
    rows = sorted(
        (
            _row(threshold, states.get(threshold.pk, ()))
            for threshold in in_force.select_related("target", "group", "owner")
        ),
        key=lambda row: (-row["over"], -row["closing"], row["scope"].lower(), row["statistic"]),
    )
    broken = sum(1 for row in rows if row["over"])
    closing = sum(1 for row in rows if row["state"] is FigureState.CLOSING)
    rest = f"; {count(closing, 'is', 'are')} inside again, closing." if closing else "."
    sentence = (
        [
            Part(f"{capital(count(broken, 'limit'))} of {len(rows)}", True),
            Part(f" {'is' if broken == 1 else 'are'} broken now{rest}"),
        ]
        if rows
        else [Part("No limit is set yet", True), Part(": begin with a figure that you watch anyway.")]
    )
    can_change = may_change(request)
    context = {
        "thresholds": THRESHOLDS.fill(rows),
        "sentence": sentence,
        "can_change": can_change,
        "form": BulkForm(),
    }
    return page_or_file(request, "pages/thresholds/thresholds.html", context)


def _row(threshold: Threshold, states: Sequence[FigureState]) -> dict[str, Any]:
    """One limit, with the states of its cases."""
    over, closing = states.count(FigureState.VIOLATED), states.count(FigureState.CLOSING)
    counted = {"over": over, "closing": closing}
    return {
        "statistic": threshold.label,
        "component": threshold.component or "",
        "scope": threshold.scope,
        "notation": threshold.notation,
        "unit": threshold.own_unit,
        "severity": threshold.severity,
        "owner": str(threshold.owner or ""),
        "cases": ", ".join(f"{number} {state}" for state, number in counted.items() if number),
        **counted,
        "pick": choice_of(threshold).pick,
        "url": threshold.get_absolute_url(),
        "state": min(states, key=WORST_FIRST.index, default=None),
        "move": move_of(threshold),
    }


@planner_required
def add(request: HttpRequest) -> HttpResponse:
    """Set a limit; the address may name target, statistic and component."""
    initial = {name: request.GET[name] for name in BEGINNING if name in request.GET}
    if gone := retired_target(initial.get("target", "")):
        messages.warning(request, f"{gone.name} was retired; no limit on it would be judged.")
        return redirect(gone)
    return _edit(request, None, initial)


@planner_required
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """One limit; what is typed after somebody withdrew it may be set anew, one by which nothing is judged stays as it is.

    The address may name another statistic to move it to: nothing is moved until it is saved.
    """
    threshold = get_object_or_404(Threshold, pk=pk)
    reason = threshold.why_idle
    if not reason:
        return _edit(request, threshold, {"metric": request.GET["metric"]} if "metric" in request.GET else {})
    if request.method == "POST" and threshold.withdrawn_at is not None:
        sentence = f"{reason.rstrip('.')}, after you opened it. Save again to set it anew."
        return _edit(request, None, {}, sentence)
    if request.method == "POST":
        messages.warning(request, f"{reason} Nothing is saved.")
        return redirect(threshold)
    context = {
        "threshold": threshold,
        "reason": reason,
        "history": _history(threshold),
        "add_url": _add_url(threshold),
    }
    return render(request, "pages/thresholds/withdrawn.html", context)


def _add_url(threshold: Threshold) -> str:
    """Where to set the same limit anew."""
    query = {
        "metric": threshold.metric,
        "target": threshold.target_id,
        "group": threshold.group_id,
        "component": threshold.component,
        "notation": threshold.notation,
        "severity": threshold.severity,
        "figure": threshold.figure,
    }
    return reverse("threshold_add", query={name: value for name, value in query.items() if value})


def _edit(
    request: HttpRequest, standing: Threshold | None, initial: dict[str, str], refused: str = ""
) -> HttpResponse:
    stands = standing.set_at.isoformat() if standing else ""
    read = stands and (request.POST.get("read") or stands)  # kept while something else is mended
    form = ThresholdForm(request.POST or None, instance=standing, initial=initial)
    if refused:
        form.add_error(None, refused)
    elif form.is_valid():
        try:
            with transaction.atomic():
                saved = [
                    save_threshold(threshold, by=_person(request), now=timezone.now(), read=read or None)
                    for threshold in form.thresholds()
                ]
        except ChangedMeanwhile as error:
            read = stands
            form.add_error(None, f"{error} Yours is kept below; save again to keep yours.")
        else:
            messages.success(request, "Saved. It applies from the next review.")
            is_newly_watched = standing is None or not WATCHED.isdisjoint(form.changed_data)
            if is_newly_watched and (under_way := make_up(saved)):
                messages.info(request, under_way)
            for threshold in saved:
                if overlap := _overlap(threshold):
                    messages.warning(request, overlap)
            return redirect("thresholds")
    dry_run = preview_of(_values(form))
    return page_or_file(
        request,
        "pages/thresholds/threshold.html",
        {
            "form": form,
            "threshold": standing,
            "move": move_of(standing) if standing else None,
            "read": read,
            "unit": _unit(form),
            "preview": dry_run,
            "tables": dry_run.tables,
            "preview_url": reverse("threshold_preview"),
            "history": _history(standing),
            "add_url": reverse("threshold_add") if refused else "",
            "what_if_url": _what_if_url(form),
            "has_advanced": _has_advanced(form),
        },
    )


def _has_advanced(form: ThresholdForm) -> bool:
    """Whether something that is folded away is other than usual, or wrong."""
    usual = Threshold()
    return any(
        form[name].errors
        or str(form[name].value() or "") not in ("", "0", "0.0", str(getattr(usual, name, "")))
        for name in ADVANCED
    )


def _what_if_url(form: ThresholdForm) -> str:
    """The other tab: a change of the same figure."""
    names = ("target", "metric", "component")
    return reverse("what_if_try", query={name: form[name].value() for name in names if form[name].value()})


def _overlap(saved: Threshold) -> str:
    """Which other limits stand in the very same place, and which of them applies, in a sentence; empty where none does."""
    others = find_rivals(Threshold.objects.in_force().filter(metric=saved.metric), saved)
    if not others:
        return ""
    winner, *rest = sorted([saved, *others], key=precedence)
    listed = ", ".join(f"{other.notation} by {other.set_by or 'nobody named'}" for other in others)
    return (
        f"There {'is' if len(others) == 1 else 'are'} {listed} on the very same figure already. {winner.notation} applies:"
        f" {wins_because(winner, rest[0])}. Withdraw what is not meant any more."
    )


def _history(threshold: Threshold | None) -> QuerySet[ThresholdChange] | None:
    """Every change of a limit, newest first."""
    return threshold.changes.select_related("by") if threshold else None


def _person(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _values(form: ThresholdForm) -> QueryDict:
    """What the form holds now, as an address would: what was typed, else what it began with."""
    values = QueryDict(mutable=True)
    for name in form.fields:
        values[name] = str(form[name].value() or "")
    values["pk"] = str(form.instance.pk or "")
    return values


def _unit(form: ThresholdForm) -> str:
    try:
        metric = find_statistic(str(form["metric"].value() or ""), form.statistic.target).metric
        return unit_of(metric.key, str(form["figure"].value() or "value"))
    except (UnknownStatistic, UnknownMetric):
        return ""


def preview(request: HttpRequest) -> HttpResponse:
    """What the limit that is being typed would have done in the last 90 days."""
    dry_run = preview_of(request.GET)
    context = {"preview": dry_run, "tables": dry_run.tables}
    return page_or_file(request, "pages/thresholds/preview.html", context)


@require_POST
@planner_required
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a limit out of force; what it opened is closed by the next review, with that reason."""
    threshold = get_object_or_404(Threshold, pk=pk)
    try:
        withdraw_threshold(
            threshold, by=_person(request), now=timezone.now(), read=request.POST.get("read") or None
        )
    except ChangedMeanwhile as error:
        messages.warning(request, f"{error} It is not withdrawn by you; look at it again.")
        return redirect(threshold)
    messages.success(request, f"{threshold.label} {figures.threshold(threshold.notation)} is withdrawn.")
    return redirect(threshold)
