"""One rule: when it fires and where, the cases that prove it, and its parameters."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.advisors.engine.finding_rules import FindingRule, find_finding_rule
from apps.advisors.models import RuleSetting, RuleSettingChange
from apps.advisors.rule_cases import cases_of
from apps.advisors.rule_dry_run import RuleDryRuns, count_openings, dry_run_rule
from apps.advisors.rule_settings import (
    BadSetting,
    find_setting,
    read_rule_settings,
    save_rule_setting,
    withdraw_rule_setting,
)
from apps.advisors.standing_findings import StandingFinding, read_standing_findings, read_trials
from apps.people.models import User
from apps.thresholds.changes import ChangedMeanwhile
from apps.web.finding_rows import finding_rows
from apps.web.pages.rules.forms import ReasonForm, RuleSettingForm
from apps.web.pages.rules.rule_list import condition_cell
from apps.web.pages.rules.rule_tables import CASES, DRY_RUNS, FIRES_ON, INPUTS, SETTINGS, case_rows
from apps.web.rights import LACKS_RIGHT, may_change, planner_required
from apps.web.sentences import Part, count
from apps.web.tables import page_or_file


def rule(request: HttpRequest, key: str) -> HttpResponse:
    """A rule; with values in its address what they would have done, and once they are sent with a reason they are set."""
    chosen = _rule_of(key)
    settings = read_rule_settings()
    typed = request.POST if request.method == "POST" else request.GET
    names = {parameter.key for parameter in chosen.parameters}
    form = RuleSettingForm(
        chosen, typed.dict() if names & typed.keys() else None, settings.parameters(chosen)
    )
    reason = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not may_change(request):
            raise PermissionDenied(LACKS_RIGHT)
        if form.is_valid() and reason.is_valid() and _save(request, chosen, form, reason):
            return redirect("rule", chosen.key)
    return page_or_file(request, "pages/rules/rule.html", _context(request, chosen, form, reason))


def _rule_of(key: str) -> FindingRule:
    chosen = find_finding_rule(key)
    if chosen is None:
        raise Http404(f"There is no rule named {key[:40]}.")
    return chosen


def _save(request: HttpRequest, chosen: FindingRule, form: RuleSettingForm, reason: ReasonForm) -> bool:
    by = request.user if isinstance(request.user, User) else None
    try:
        save_rule_setting(
            chosen,
            form.draft,
            reason.cleaned_data["reason"],
            by=by,
            now=timezone.now(),
            read=request.POST.get("read", ""),
        )
    except (BadSetting, ChangedMeanwhile) as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, "Saved. It applies from the next night on.")
    return True


def _context(
    request: HttpRequest, chosen: FindingRule, form: RuleSettingForm, reason: ReasonForm
) -> dict[str, Any]:
    standing = [row for row in read_standing_findings() if row.rule.key == chosen.key]
    untried = sum(chosen.key in trial.missing for trial in read_trials())
    rows = RuleSetting.objects.in_force().filter(rule=chosen.key).select_related("target", "group", "set_by")
    narrow_first = sorted(rows, key=lambda row: (row.target_id is None, row.group_id is None, row.scope))
    runs = dry_run_rule(chosen, form.draft) if form.is_bound and form.is_valid() else None
    return {
        "rule": chosen,
        "sentence": _sentence(chosen, standing, untried),
        "condition": condition_cell(chosen, read_rule_settings().parameters(chosen)),
        "inputs": INPUTS.fill((*chosen.inputs, *chosen.optional_inputs)),
        "fires_on": FIRES_ON.fill(finding_rows(standing)),
        "cases": CASES.fill(case_rows(chosen, cases_of(chosen.key))),
        "settings": SETTINGS.fill(narrow_first),
        "form": form,
        "reason_form": reason,
        "read": _stands(chosen, form) if runs else "",
        "dry_runs": DRY_RUNS.fill(runs.rows) if runs else None,
        "dry_run_sentence": _dry_run_sentence(runs) if runs else "",
        "history": RuleSettingChange.objects.filter(setting__rule=chosen.key).select_related(
            "by", "setting__target", "setting__group"
        ),
        "can_change": may_change(request),
    }


def _stands(chosen: FindingRule, form: RuleSettingForm) -> str:
    """What a second person is recognised by: the moment at which its scope was set, empty where it is not."""
    setting = find_setting(chosen, form.draft.target, form.draft.group)
    return setting.set_at.isoformat() if setting else ""


def _sentence(chosen: FindingRule, standing: Sequence[StandingFinding], untried: int) -> list[Part]:
    lacks = f"; on {count(untried, 'target')} it lacks an input." if untried else "."
    if not standing:
        return [Part(f"{chosen.title}: fires nowhere", True), Part(lacks)]
    return [Part(f"{chosen.title}: fires on {count(len(standing), 'target')}", True), Part(lacks)]


def _dry_run_sentence(runs: RuleDryRuns) -> str:
    present = count_openings(row.present for row in runs.rows)
    draft = count_openings(row.draft for row in runs.rows)
    rest = (
        f" {count(runs.untried, 'further target')} in its scope were not tried here." if runs.untried else ""
    )
    if not runs.rows:
        return "No target in this scope has a reviewed day: there is nothing to try it on."
    return (
        f"In the last 90 days {count(draft, 'finding')} would have been opened on"
        f" {count(len(runs.rows), 'target')}, against {present or 'none'} as the rule stands.{rest}"
    )


@require_POST
@planner_required
def rule_setting_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take parameters out of force, with the reason."""
    setting = get_object_or_404(RuleSetting.objects.in_force(), pk=pk)
    by = request.user if isinstance(request.user, User) else None
    try:
        withdraw_rule_setting(setting, request.POST.get("reason", "")[:300], by=by, now=timezone.now())
        messages.success(request, "Withdrawn. From the next night on the rule goes by what is set elsewhere.")
    except BadSetting as error:
        messages.error(request, str(error))
    return redirect(reverse("rule", args=[setting.rule]))
