"""A steady period of a target, and the limits it suggests: accepted one by one or together, as they are or changed."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from apps.charts import figures
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Baseline
from apps.thresholds.engine.notation import BadNotation
from apps.thresholds.models import Threshold
from apps.thresholds.proposals import DAYS, LimitProposal, propose_limits, steady_days
from apps.thresholds.register import BadThreshold, add_threshold
from apps.thresholds.satisfaction import FURTHEST, dissatisfied_days, propose_period
from apps.web.pages.baseline.proposal_table import proposal_table
from apps.web.rights import planner_required
from apps.web.sentences import Part, capital, count, day_in_words
from apps.web.tables import page_or_file

LONGEST = 366  # days of a steady period
MOST_NAMED = 5  # days that are named one by one


class BaselineForm(forms.Form):
    """A period in which the target was steady and its users were satisfied."""

    first_day = forms.DateField(label="from", widget=forms.DateInput(attrs={"type": "date"}))
    last_day = forms.DateField(label="to", widget=forms.DateInput(attrs={"type": "date"}))
    note = forms.CharField(
        required=False, max_length=400, help_text="Why these days, for example the month before the upgrade."
    )

    def __init__(self, target: Target, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._target = target

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("first_day"), cleaned.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", f"{last} lies before {first}; give the earlier day first.")
        elif first and last and (last - first).days >= LONGEST:
            self.add_error("last_day", f"A steady period has at most {LONGEST} days; give fewer.")
        elif last and last > timezone.now().date():
            self.add_error("last_day", f"{last} is still to come; give days that were measured.")
        elif first and last and (reasons := dissatisfied_days(self._target, first, last)):
            self.add_error(
                "first_day", f"{_why_not_satisfied(reasons)} Give days on which users were satisfied."
            )
        return cleaned


@planner_required
def baseline(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a steady period, and take over what it suggests."""
    target = get_object_or_404(Target.objects.in_estate(), pk=pk)
    today = today_of(target, timezone.now())
    period = Baseline.objects.filter(target=target).select_related("marked_by").first()
    until = today.day if today else timezone.now().date()
    dissatisfied = (
        dissatisfied_days(target, until - timedelta(days=FURTHEST), until) if period is None else {}
    )
    form = BaselineForm(
        target,
        request.POST if "mark" in request.POST else None,
        initial=_marked(period) if period else _proposed(dissatisfied, until),
        auto_id="id_%s",
    )
    if "mark" in request.POST and form.is_valid():
        Baseline.objects.create(
            target=target,
            first_day=form.cleaned_data["first_day"],
            last_day=form.cleaned_data["last_day"],
            note=form.cleaned_data["note"],
            marked_by=request.user if isinstance(request.user, User) else None,
            marked_at=timezone.now(),
        )
        messages.success(request, "Marked as steady. These are the limits it suggests.")
        return redirect("target_baseline", pk=pk)
    rows = _rows(request, propose_limits(target, period, until)) if period and today else []
    if request.method == "POST" and "mark" not in request.POST and _accept(request, target, rows):
        return redirect("target_baseline", pk=pk)
    return page_or_file(
        request,
        "pages/baseline/baseline.html",
        {
            "target": target,
            "form": form,
            "baseline": period,
            "read": steady_days(target, period) if period else 0,
            "doubt": _doubt(target, period),
            "left_out": _left_out(dissatisfied, form.initial.get("first_day", date.min)),
            "proposals": proposal_table(DAYS).fill(rows),
            "sentence": _sentence(target, period, rows),
        },
    )


def _marked(period: Baseline) -> dict[str, Any]:
    return {"first_day": period.first_day, "last_day": period.last_day, "note": period.note}


def _proposed(dissatisfied: Mapping[date, str], until: date) -> dict[str, Any]:
    """The newest days on which users were satisfied throughout, as far as anybody knows."""
    days = propose_period(dissatisfied, until)
    return {"first_day": days[0], "last_day": days[1]} if days else {}


def _left_out(dissatisfied: Mapping[date, str], since: date) -> list[str]:
    """
    Which days since the proposed ones are left out for what users said or were promised, a sentence a reason.

    "3 Mar, 4 Mar and 7 Mar: response of login was beyond what was promised."
    """
    days_by_reason: dict[str, list[str]] = {}
    for day, reason in dissatisfied.items():
        if day > since:
            days_by_reason.setdefault(reason, []).append(figures.short_day(day))
    return [f"{_listed(days)}: {reason}." for reason, days in days_by_reason.items()]


def _listed(days: Sequence[str]) -> str:
    """The first few days by name, and how many more there are."""
    more = len(days) - MOST_NAMED
    *named, last = days if more <= 0 else (*days[:MOST_NAMED], f"{count(more, 'day')} more")
    return f"{', '.join(named)} and {last}" if named else last


def _doubt(target: Target, period: Baseline | None) -> str:
    """What speaks against the period that is marked; empty where nothing does."""
    reasons = dissatisfied_days(target, period.first_day, period.last_day) if period else {}
    return f"{_why_not_satisfied(reasons)} Mark other days, on which users were satisfied." if reasons else ""


def _why_not_satisfied(reasons: Mapping[date, str]) -> str:
    """ "On 2 of these days users were not satisfied: on 3 Mar users called it slow." """
    day, reason = next(iter(reasons.items()))
    return (
        f"On {count(len(reasons), 'of these days', 'of these days')} users were not satisfied:"
        f" on {figures.short_day(day)} {reason}."
    )


def _sentence(target: Target, period: Baseline | None, rows: list[dict[str, Any]]) -> list[Part]:
    if period is None:
        return [
            Part(f"When was {target.name} steady, with its users satisfied?", True),
            Part(" Its limits follow from those days."),
        ]
    offered = sum(bool(row["notation"]) for row in rows)
    quiet = sum(bool(row["notation"]) and not row["proposed"].fired for row in rows)
    if not offered:
        return [
            Part("These days suggest no limit", True),
            Part(": none of the key statistics has enough figures."),
        ]
    return [
        Part(f"{capital(count(offered, 'limit'))} {'follows' if offered == 1 else 'follow'}", True),
        Part(
            f" from the days from {day_in_words(period.first_day)} to {day_in_words(period.last_day)};"
            f" {count(quiet, 'of them', 'of them')} would not have fired in {DAYS} days."
        ),
    ]


def _rows(request: HttpRequest, proposed: list[LimitProposal]) -> list[dict[str, Any]]:
    """The proposals as the form shows them; what was typed stays."""
    chosen = set(request.POST.getlist("take"))
    rows: list[dict[str, Any]] = []
    for number, suggestion in enumerate(proposed, 1):
        plan = suggestion.proposal
        rows.append(
            {
                "number": number,
                "proposed": suggestion,
                "key": suggestion.key,
                "name": suggestion.metric.called(suggestion.component),
                "unit": suggestion.metric.display_unit,
                "typical": plan.typical,
                "low": plan.low,
                "high": plan.high,
                "worse": {"higher": "higher is worse", "lower": "lower is worse"}.get(
                    suggestion.metric.worse, ""
                ),
                "notation": request.POST.get(f"limit:{suggestion.key}", plan.notation),
                "taken": suggestion.key in chosen if request.method == "POST" else False,
                "why": plan.why,
                "existing": suggestion.existing,
                "error": "",
            }
        )
    return rows


def _accept(request: HttpRequest, target: Target, rows: list[dict[str, Any]]) -> bool:
    """Set the limits that were chosen, all or none; what is wrong is said at its row."""
    chosen = [row for row in rows if row["taken"] or request.POST.get("one") == row["key"]]
    if request.POST.get("one"):
        chosen = [row for row in rows if row["key"] == request.POST["one"]]
    if not chosen:
        messages.warning(request, "No limit is chosen, so nothing is saved; tick those to take over.")
        return False
    by = request.user if isinstance(request.user, User) else None
    made: list[Threshold] = []
    with transaction.atomic():
        for row in chosen:
            suggestion: LimitProposal = row["proposed"]
            try:
                made += add_threshold(
                    suggestion.metric.key,
                    row["notation"],
                    now=timezone.now(),
                    target=target,
                    component=suggestion.component,
                    set_by=by,
                )
            except (BadNotation, BadThreshold) as error:
                row["error"] = str(error)
        if any(row["error"] for row in chosen):
            transaction.set_rollback(True)
            messages.warning(request, "Nothing is saved yet: a limit below needs another look.")
            return False
    messages.success(request, f"{capital(count(len(made), 'limit'))} set. They apply from the next review.")
    return True
