"""The case file of a violation: how it stands, why, what is being done, and what people said."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from apps.advisors.case_findings import find_case_findings, offer_actions
from apps.advisors.growers import read_growth
from apps.advisors.models import Action, ActionPlan
from apps.advisors.study_plan import windows_of
from apps.advisors.templates import suitable_templates
from apps.charts import figures
from apps.forecasting.models import forecast_url
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import outlooks_of_cases
from apps.thresholds.case_steps import last_step
from apps.thresholds.models import Step, Violation
from apps.web.figure_history import History, chart_of, outlook_of, read_history
from apps.web.finding_rows import build_finding_row
from apps.web.forecast_change_table import explain_case
from apps.web.pages.case.case_line import draw_case_line
from apps.web.pages.case.case_sentence import limit_note, sentence_of
from apps.web.pages.case.case_top import find_next_step, state_note, top_facts
from apps.web.pages.case.forms import (
    ActionForm,
    AssignForm,
    AttachmentForm,
    CommentForm,
    DiagnosisForm,
    FigureForm,
    StepForm,
    UseTemplateForm,
    WindowsForm,
)
from apps.web.pages.case.growth_table import growth_table, tell_growth
from apps.web.pages.case.plan_rows import action_rows, diagnosis_of, iso_day, tell_shares
from apps.web.pages.case.stream import write_stream
from apps.web.pages.case.study_table import offer_figures, show_study
from apps.web.sentences import count

State = Violation.State
TAGS = {
    State.PREDICTED: "is-risk",
    State.ACCEPTED: "is-risk",
    State.REGRESSION: "is-risk",
    State.IN_PROGRESS: "is-info",
    State.RESOLVED: "is-ok",
    State.AVERTED: "is-ok",
}


def case_file(violation: Violation, **typed: Any) -> dict[str, Any]:
    """What the page shows; `typed` has the forms that need another look, by name."""
    history = history_of(violation)
    steps = list(Step.objects.filter(violation=violation).select_related("by"))
    plan = ActionPlan.objects.filter(violation=violation).select_related("confirmed_by").first()
    actions = list(plan.actions.select_related("owner")) if plan else []
    (outlook,) = outlooks_of_cases([violation], timezone.now())
    newest = last_step(violation)
    growth = read_growth(violation, violation.reviewed_on or outlook.day)
    findings = find_case_findings(violation)
    return {
        "violation": violation,
        "state": outlook.state,
        "what": outlook.what,
        "tag": TAGS.get(State(violation.state), "is-info" if violation.is_closing else "is-over"),
        "sentence": sentence_of(outlook),
        "line": draw_case_line(outlook, steps, actions),
        "state_note": state_note(outlook),
        "top_facts": top_facts(outlook, _due(outlook)),
        "next_step": find_next_step(violation, actions, newest),
        "newest_step": newest,
        "limit_note": limit_note(outlook),
        "forecast_change": explain_case(violation),
        "forecast_url": forecast_url(violation.target_id, violation.metric, violation.component),
        "what_if_url": reverse(
            "what_if_try",
            query={
                "target": violation.target_id,
                "metric": violation.metric,
                "component": violation.component,
            },
        ),
        "figures": _figures(outlook),
        "diagnosis": diagnosis_of(plan),
        "finding_rows": [build_finding_row(row.standing, row.lines, row.count) for row in findings],
        "offered_actions": offer_actions(findings, {action.text for action in actions}),
        "plan": plan,
        "actions": action_rows(violation, actions, typed.get("change_form"), typed.get("changed")),
        "done": sum(action.state == Action.State.DONE for action in actions),
        "shares": tell_shares(actions),
        "growth": growth_table(growth) if growth else None,
        "growth_aside": tell_growth(growth) if growth else "",
        "chart": chart_of(history),
        "print_chart": draw_for_print(history),
        "chart_table": history.table(f"violation-{violation.pk}"),
        "plan_lines": violation.threshold.plan.splitlines() if violation.threshold and not actions else [],
        "stream": write_stream(violation.comments.select_related("by"), steps),
        "attachments": violation.attachments.without_content(),  # type: ignore[attr-defined]
        "study": show_study(plan),
        "plan_error": typed.get("plan_error", ""),
        **_forms(violation, plan, typed),
    }


def _forms(violation: Violation, plan: ActionPlan | None, typed: Mapping[str, Any]) -> dict[str, Any]:
    """What people type into: as it begins, or as it was typed where it needs another look."""
    return {
        "step_form": typed.get("step_form") or StepForm(auto_id="step_%s"),
        "assign_form": typed.get("assign_form")
        or AssignForm(
            auto_id="assign_%s", initial={"owner": violation.owner_id, "due_on": iso_day(violation.due_on)}
        ),
        "action_form": typed.get("action_form") or ActionForm(auto_id="add_%s"),
        "diagnosis_form": typed.get("diagnosis_form")
        or DiagnosisForm(auto_id="diagnosis_%s", initial={"diagnosis": plan.diagnosis if plan else ""}),
        "template_form": typed.get("template_form")
        or UseTemplateForm(auto_id="use_%s", offered=suitable_templates(violation, plan)),
        "windows_form": typed.get("windows_form") or WindowsForm(auto_id="window_%s", initial=_windows(plan)),
        "figure_form": typed.get("figure_form")
        or FigureForm(auto_id="figure_%s", offered=offer_figures(violation)),
        "comment_form": typed.get("comment_form") or CommentForm(auto_id="comment_%s"),
        "attachment_form": typed.get("attachment_form") or AttachmentForm(auto_id="attach_%s"),
    }


def _windows(plan: ActionPlan | None) -> dict[str, str]:
    before, after = windows_of(plan) if plan else (None, None)
    return {
        "before_from": iso_day(before.first) if before else "",
        "before_to": iso_day(before.last) if before else "",
        "after_from": iso_day(after.first) if after else "",
        "after_to": iso_day(after.last) if after else "",
    }


def history_of(violation: Violation) -> History:
    """The 90 days up to the last that was judged, or to its end."""
    until = violation.closed_on or violation.judged_on or violation.reviewed_on or timezone.now().date()
    return read_history(violation.target, violation.about, violation.component, until, 90)


def draw_for_print(history: History) -> SafeString:
    """The figure and its limit as a still drawing: paper has no script to draw the chart with."""
    return mark_safe(outlook_of(history, 700, 190))


def _figures(outlook: Outlook) -> dict[str, str]:
    violation = outlook.case
    return {
        "today": figures.figure(violation.value) if violation.value is not None else "–",
        "limit": outlook.limit_words,
        "unit": violation.unit,
        "worst": figures.figure(violation.worst_value) if violation.worst_value is not None else "",
        "judged_on": figures.short_day(violation.judged_on) if violation.judged_on else "–",
        "persistence": _persistence(violation),
        "due": _due(outlook),
    }


def _persistence(violation: Violation) -> str:
    if violation.threshold is None:
        return ""
    threshold = violation.threshold
    opens = (
        f", {threshold.opens_after} of {threshold.opens_within} days" if threshold.opens_within > 1 else ""
    )
    return f"{violation.severity}{opens}"


def _due(outlook: Outlook) -> str:
    """The day that is set, counted from that of the figures as every other day of the page."""
    violation = outlook.case
    if violation.due_on is None:
        return "no day yet"
    if not violation.is_live:
        return figures.short_day(violation.due_on)
    days = (violation.due_on - outlook.day).days
    when = "today" if not days else f"in {count(days, 'day')}" if days > 0 else f"{count(-days, 'day')} late"
    return f"{figures.short_day(violation.due_on)}, {when}"
