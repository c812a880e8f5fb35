"""What rules notice, on the estate and on a target; who dismisses it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.advisors.engine.finding_rules import Classification, Weight
from apps.advisors.models import Finding, RuleTrial
from apps.advisors.standing_findings import (
    StandingFinding,
    dismiss,
    read_standing_findings,
    read_trials,
    withdraw_dismissal,
)
from apps.inventory.models import Target
from apps.people.models import User
from apps.web.finding_rows import FindingRow, finding_rows
from apps.web.pages.findings.finding_table import DISMISSED, OF_ESTATE, OF_TARGET
from apps.web.pages.findings.forms import DismissalForm
from apps.web.pages.findings.trial_table import ENDED, UNTRIED, read_ended, untried_rows
from apps.web.rights import may_change, planner_required
from apps.web.sentences import Part, capital, count, day_in_words
from apps.web.tables import RowGroup, page_or_file
from apps.web.target_page import day_page, target_of, target_page

ENDED_WITHIN = timedelta(days=60)
CALLS_FOR = {
    Classification.PERFORMANCE: "tune configuration or code",
    Classification.CAPACITY: "more or better resources",
    Classification.DATA_QUALITY: "the readings themselves",
}


def findings(request: HttpRequest) -> HttpResponse:
    """Everything that is noticed on the estate, by its weight."""
    standing = read_standing_findings()
    current = [row for row in standing if row.dismissal is None]
    rows = finding_rows(current)
    groups = [
        RowGroup(capital(weight.value), members)
        for weight in Weight
        if (members := [row for row in rows if row.standing.finding.weight == weight])
    ]
    context = {
        "findings": OF_ESTATE.fill(groups=groups),
        "sentence": _estate_sentence(current),
        "dismissed": len(standing) - len(current),
        "trials": read_trials(),
    }
    return page_or_file(request, "pages/findings/findings.html", context)


def _estate_sentence(current: Sequence[StandingFinding]) -> list[Part]:
    if not current:
        return [Part("Nothing is noticed", True), Part(": no rule fires on any target.")]
    targets = len({row.finding.target_id for row in current})
    begin = f"Headroom notices {count(len(current), 'thing')} on {count(targets, 'target')}"
    return [Part(begin, True), *_critical(current)]


def _critical(current: Sequence[StandingFinding]) -> list[Part]:
    critical = sum(row.finding.weight == Weight.CRITICAL for row in current)
    return [Part(f"; {critical} critical." if critical else "; none of it is critical.")]


def target_findings(request: HttpRequest, pk: int) -> HttpResponse:
    """What is noticed on a target and its machine, with what was dismissed, could not be evaluated, and ended."""
    target = target_of(pk)
    page = day_page(request, target)
    around = [target, target.runs_on] if target.runs_on else [target]
    standing = read_standing_findings(around)
    current = [row for row in standing if row.dismissal is None]
    trials = read_trials(around)
    own = next((trial for trial in trials if trial.target_id == target.pk), None)
    name = target.name
    context: dict[str, Any] = target_page(page, "findings") | {
        "sentence": _target_sentence(target, current, own),
        "findings": OF_TARGET.fill(
            groups=_groups(finding_rows(current, can_change=may_change(request))),
            file_name=f"{name}-findings",
        ),
        "dismissed": DISMISSED.fill(
            finding_rows([row for row in standing if row.dismissal], can_change=may_change(request)),
            file_name=f"{name}-dismissed",
        ),
        "untried": UNTRIED.fill(untried_rows(trials), file_name=f"{name}-not-evaluable"),
        "ended": ENDED.fill(read_ended(around, ENDED_WITHIN), file_name=f"{name}-ended-findings"),
        "trial": own,
        "quiet": _count_quiet(trials, standing),
        "tried": sum(trial.tried for trial in trials),
        "is_old": own is not None and page.day is not None and own.on < page.day - timedelta(days=1),
    }
    return page_or_file(request, "pages/findings/target.html", context)


def _count_quiet(trials: Sequence[RuleTrial], standing: Sequence[StandingFinding]) -> int:
    return sum(trial.tried - len(trial.missing) for trial in trials) - len(standing)


def _groups(rows: Sequence[FindingRow]) -> list[RowGroup[FindingRow]]:
    return [
        RowGroup(
            capital(classification.value),
            members,
            f"{count(len(members), 'finding')}: {CALLS_FOR[classification]}",
        )
        for classification in Classification
        if (members := [row for row in rows if row.standing.rule.classification is classification])
    ]


def _target_sentence(
    target: Target, current: Sequence[StandingFinding], trial: RuleTrial | None
) -> list[Part]:
    if trial is None:
        return [
            Part(f"No rule was tried on {target.name} yet", True),
            Part(": they are tried each night, from the first whole day on."),
        ]
    if not current:
        return [
            Part(f"Headroom notices nothing on {target.name}", True),
            Part(f": {count(trial.tried, 'rule')} were tried on {day_in_words(trial.on)}, and none fires."),
        ]
    return [
        Part(f"Headroom notices {count(len(current), 'thing')} on {target.name}", True),
        *_critical(current),
    ]


@require_POST
@planner_required
def finding_dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Set a finding apart until a day, with the reason; or show it again."""
    finding = get_object_or_404(Finding.objects.live().select_related("target"), pk=pk)
    now = timezone.now()
    if "withdraw" in request.POST:
        withdraw_dismissal(finding, now)
        messages.success(request, "It stands among the findings again.")
        return redirect("target_findings", finding.target_id)
    form = DismissalForm(request.POST, now.astimezone(finding.target.zone).date())
    if form.is_valid():
        by = request.user if isinstance(request.user, User) else None
        dismiss(finding, form.cleaned_data["until"], form.cleaned_data["reason"], by, now)
        messages.success(request, "Dismissed. It stands below the others until that day.")
    else:
        for errors in form.errors.values():
            messages.error(request, " ".join(str(error) for error in errors))
    return redirect("target_findings", finding.target_id)
