"""The list of violations, and several of them acknowledged at once."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.outlook.counts import Counts
from apps.outlook.outlooks import outlooks_of_cases
from apps.people.models import User
from apps.thresholds.case_steps import Refusal, take_step
from apps.thresholds.models import Violation
from apps.web.pages.violations.forms import AcknowledgeForm, read_picks
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.sentences import Part, capital, count, counted
from apps.web.tables import page_or_file
from apps.web.violation_table import violation_rows, violations_table


def violation_list(request: HttpRequest) -> HttpResponse:
    """Open and predicted violations, worst first; or those that have ended."""
    return _list(request, AcknowledgeForm(), {})


def _list(request: HttpRequest, form: AcknowledgeForm, ticked: Mapping[int, int]) -> HttpResponse:
    listed = "closed" if request.GET.get("shown") == "closed" else "open"
    violations = Violation.objects.select_related("target", "owner", "threshold")
    violations = (
        violations.live().filter(target__retired_at=None)
        if listed == "open"
        else violations.exclude(closed_on=None).order_by("-closed_on")[:200]
    )
    cases = outlooks_of_cases(violations, timezone.now())
    if listed == "closed":
        cases.sort(key=lambda outlook: outlook.case.closed_on or outlook.day, reverse=True)
    can_pick = listed == "open" and may_change(request)
    rows = violation_rows(cases)
    return page_or_file(
        request,
        "pages/violations/violations.html",
        {
            "sentence": _list_sentence(Counts.of(cases), len(cases), listed),
            "violations": violations_table(can_pick=can_pick, ticked=ticked).fill(rows),
            "can_acknowledge": can_pick and any(row.pick for row in rows),
            "form": form,
            "listed": listed,
            "open_url": reverse("violations"),
            "closed_url": f"{reverse('violations')}?shown=closed",
        },
    )


@require_POST
@planner_required
def acknowledge(request: HttpRequest) -> HttpResponse:
    """Acknowledge the cases that are ticked; of one that cannot be, or that somebody else changed, it is said why."""
    picks, form = read_picks(request.POST.getlist("pick")), AcknowledgeForm(request.POST)
    if not isinstance(request.user, User):
        raise PermissionDenied(LACKS_RIGHT)
    if not picks:
        messages.warning(request, "No case is ticked, so nothing is acknowledged.")
        return redirect("violations")
    if not form.is_valid():
        return _list(request, form, picks)
    done, refusals = _acknowledge_each(picks, form.cleaned_data, request.user)
    if done:
        messages.success(request, f"{capital(count(done, 'case'))} acknowledged.")
    for refusal in refusals:
        messages.warning(request, refusal)
    return redirect("violations")


def _acknowledge_each(picks: Mapping[int, int], typed: Mapping[str, Any], by: User) -> tuple[int, list[str]]:
    """How many are acknowledged, and a sentence for each that is not."""
    cases = Violation.objects.live().filter(pk__in=picks).select_related("target")
    refusals, now = [], timezone.now()
    for case in cases:
        try:
            take_step(
                case,
                Violation.State.ACKNOWLEDGED,
                by=by,
                why=typed["why"],
                now=now,
                review_on=typed["review_on"],
                newest_step=picks[case.pk],
            )
        except Refusal as error:
            refusals.append(f"{case.what} on {case.target.name}: {error}")
    return len(cases) - len(refusals), refusals


def _list_sentence(counts: Counts, number: int, listed: str) -> list[Part]:
    if listed == "closed":
        return [Part(f"{capital(count(number, 'violation'))} ended", True), Part(".")]
    return counted(counts) or [
        Part("Nothing is over its limit", True),
        Part(", and nothing is predicted to be."),
    ]
