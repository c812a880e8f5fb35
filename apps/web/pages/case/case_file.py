"""The case file of a violation: how it stands, why, what is being done, and what people said."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.advisors.models import Action, ActionPlan
from apps.advisors.sentences import describe_evidence, states_the_case
from apps.advisors.steps import today_of
from apps.advisors.study import windows_of
from apps.advisors.templates import suitable_templates
from apps.charts import figures
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import outlooks_of_cases
from apps.thresholds.case_steps import last_step
from apps.thresholds.judge import FigureState as Standing
from apps.thresholds.models import Step, Violation
from apps.web.figure_history import History, chart_of, read_history
from apps.web.pages.case.forms import (
    ActionChangeForm,
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
from apps.web.pages.case.study_table import figures_offered, show_study
from apps.web.sentences import Part, count, day_in_words

State = Violation.State
SIDES = ("for", "for capacity", "for performance", "against", "")  # in the order in which evidence is shown
UNMEASURED = 7  # days without a judged one after which it is said
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
    shown = history_of(violation)
    plan = ActionPlan.objects.filter(violation=violation).select_related("confirmed_by").first()
    actions = list(plan.actions.select_related("owner")) if plan else []
    (outlook,) = outlooks_of_cases([violation], timezone.now())
    return {
        "violation": violation,
        "state": outlook.state,
        "what": outlook.what,
        "tag": TAGS.get(State(violation.state), "is-info" if violation.is_closing else "is-over"),
        "sentence": sentence_of(outlook),
        "timeline": _timeline(violation),
        "seen": last_step(violation),
        "figures": _figures(outlook),
        "closing": outlook.closing_words,
        "diagnosis": _diagnosis(plan),
        "plan": plan,
        "actions": _actions(violation, actions, typed.get("change_form"), typed.get("changed")),
        "done": sum(action.state == Action.State.DONE for action in actions),
        "shares": _shares(actions),
        "chart": chart_of(shown),
        "chart_table": shown.table(f"violation-{violation.pk}"),
        "plan_lines": violation.threshold.plan.splitlines() if violation.threshold and not actions else [],
        "comments": violation.comments.select_related("by").order_by("-at", "-pk"),
        "attachments": violation.attachments.without_content(),  # type: ignore[attr-defined]
        "step_form": typed.get("step_form") or StepForm(auto_id="step_%s"),
        "assign_form": typed.get("assign_form")
        or AssignForm(
            auto_id="assign_%s", initial={"owner": violation.owner_id, "due_on": _iso(violation.due_on)}
        ),
        "action_form": typed.get("action_form") or ActionForm(auto_id="add_%s"),
        "diagnosis_form": typed.get("diagnosis_form")
        or DiagnosisForm(auto_id="diagnosis_%s", initial={"diagnosis": plan.diagnosis if plan else ""}),
        "template_form": typed.get("template_form")
        or UseTemplateForm(auto_id="use_%s", offered=suitable_templates(violation, plan)),
        "study": show_study(plan),
        "windows_form": typed.get("windows_form") or WindowsForm(auto_id="window_%s", initial=_windows(plan)),
        "figure_form": typed.get("figure_form")
        or FigureForm(auto_id="figure_%s", offered=figures_offered(violation)),
        "comment_form": typed.get("comment_form") or CommentForm(auto_id="comment_%s"),
        "attachment_form": typed.get("attachment_form") or AttachmentForm(auto_id="attach_%s"),
        "plan_error": typed.get("plan_error", ""),
    }


def _windows(plan: ActionPlan | None) -> dict[str, str]:
    before, after = windows_of(plan) if plan else (None, None)
    return {
        "before_from": _iso(before.first) if before else "",
        "before_to": _iso(before.last) if before else "",
        "after_from": _iso(after.first) if after else "",
        "after_to": _iso(after.last) if after else "",
    }


def history_of(violation: Violation) -> History:
    """The 90 days up to the last that was judged, or to its end."""
    until = violation.closed_on or violation.judged_on or violation.reviewed_on or timezone.now().date()
    return read_history(violation.target, violation.about, violation.component, until, 90)


def sentence_of(outlook: Outlook) -> list[Part]:
    """How it stands: the fact strong, then what follows from it."""
    found = outlook.case
    name = f"{outlook.what} on {found.target.name}"
    if found.state == State.AVERTED:
        return [Part(f"{name} was averted", True), Part(f": {found.closed_because}")]
    if found.closed_on is not None and found.target.retired_at is not None:
        return [
            Part(f"{name} is closed", True),
            Part(f" since {day_in_words(found.closed_on)}: {found.closed_because}"),
        ]
    if found.closed_on is not None:
        return [
            Part(f"{name} came back under control", True),
            Part(f" on {day_in_words(found.closed_on)}. {found.closed_because}"),
        ]
    if outlook.unread is not None:
        return [
            Part(f"How {name} stands is not known", True),
            Part(f": {found.target.name} {outlook.unread.because}. Then it was {outlook.against}."),
        ]
    if found.is_predicted:
        around = f", around {day_in_words(outlook.likely_on)}" if outlook.likely_on else " within 90 days"
        return [Part(f"{name} will be over its limit{around}", True), Part(f"; now {outlook.against}.")]
    since = day_in_words(found.opened_on) if found.opened_on else "today"
    if _is_unmeasured(found):
        return [
            Part(f"{name} was not measured since {day_in_words(found.judged_on)}", True),  # type: ignore[arg-type]
            Part(f"; over its limit since {since}, then {outlook.against}."),
        ]
    if outlook.state is Standing.CLOSING:
        return [
            Part(f"{name} is inside its limit again", True),
            Part(f": {outlook.against}. {_closes(found)}"),
        ]
    return [Part(f"{name} is over its limit since {since}", True), Part(f": {outlook.against}.")]


def _is_unmeasured(found: Violation) -> bool:
    return (
        found.judged_on is not None
        and found.reviewed_on is not None
        and found.reviewed_on - found.judged_on >= timedelta(days=UNMEASURED)
    )


def _closes(found: Violation) -> str:
    if found.threshold is None:
        return ""
    needed, inside = found.threshold.closes_after, found.days_inside
    if not inside or found.judged_on is None:
        return f"The case closes after {count(needed, 'judged day')} inside in a row."
    closes_on = found.judged_on + timedelta(days=needed - inside)
    return f"{inside} of {needed} good days: it closes on {day_in_words(closes_on)} if that holds."


def _timeline(violation: Violation) -> list[dict[str, Any]]:
    return [
        {
            "at": step.at,
            "on": step.on,
            "who": str(step.by) if step.by else "the review",
            "before": _word(step.before),
            "after": _word(step.after),
            "state": step.after,
            "why": step.sentence,
        }
        for step in Step.objects.filter(violation=violation).select_related("by")
    ]


def _word(state: str) -> str:
    return State(state).label if state else ""


def _figures(outlook: Outlook) -> dict[str, str]:
    found = outlook.case
    return {
        "today": figures.figure(found.value) if found.value is not None else "–",
        "limit": outlook.limit_words,
        "unit": found.unit,
        "worst": figures.figure(found.worst_value) if found.worst_value is not None else "",
        "headroom": "–" if outlook.room_percent is None else f"{figures.figure(outlook.room_percent)} %",
        "judged_on": figures.short_day(found.judged_on) if found.judged_on else "–",
        "open_for": count(outlook.days_of_case, "day") if found.opened_on else "",
        "persistence": _persistence(found),
        "due": _due(found),
    }


def _persistence(found: Violation) -> str:
    if found.threshold is None:
        return ""
    one = found.threshold
    opens = f", {one.opens_after} of {one.opens_within} days" if one.opens_within > 1 else ""
    return f"{found.severity}{opens}"


def _due(found: Violation) -> str:
    if found.due_on is None:
        return "no day yet"
    if not found.is_live:
        return figures.short_day(found.due_on)
    days = (found.due_on - today_of(found, timezone.now())).days
    when = "today" if not days else f"in {count(days, 'day')}" if days > 0 else f"{count(-days, 'day')} late"
    return f"{figures.short_day(found.due_on)}, {when}"


def _diagnosis(plan: ActionPlan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    pieces = sorted(plan.evidence, key=lambda piece: SIDES.index(_side(piece, plan.diagnosis)))
    pieces.sort(key=lambda piece: not states_the_case(piece))
    rows = [(_side(piece, plan.diagnosis), describe_evidence(piece)) for piece in pieces]
    return {
        "label": plan.get_diagnosis_display(),
        "proposed": plan.get_proposed_display(),
        "proposed_on": plan.proposed_on,
        "is_overruled": plan.is_overruled,
        "confirmed_by": plan.confirmed_by,
        "confirmed_at": plan.confirmed_at,
        "reason": plan.reason,
        "version": plan.version,
        "evidence": [{"side": side, "sentence": told.sentence, "number": told.number} for side, told in rows],
    }


def _side(piece: Mapping[str, Any], diagnosis: str) -> str:
    """On which side of a diagnosis a piece of evidence stands; of what is undetermined, it names what it speaks for."""
    speaks_for, against = piece.get("speaks_for", ""), piece.get("speaks_against", "")
    if speaks_for in ("", ActionPlan.Diagnosis.UNDETERMINED):
        return "against" if against and against == diagnosis else ""
    if diagnosis == ActionPlan.Diagnosis.UNDETERMINED:
        return f"for {speaks_for}"
    return "for" if speaks_for == diagnosis else "against"


def _actions(
    violation: Violation, actions: Sequence[Action], typed: ActionChangeForm | None, changed: int | None
) -> list[dict[str, Any]]:
    today = today_of(violation, timezone.now())
    return [
        {
            "pk": action.pk,
            "text": action.text,
            "notes": action.notes,
            "owner": str(action.owner or ""),
            "due_on": action.due_on,
            "is_late": action.is_late(today),
            "state": action.state,
            "state_label": _state_label(action),
            "states": Action.State.choices,
            "share": action.share,
            "version": action.version,
            "is_first": index == 0,
            "is_last": index == len(actions) - 1,
            "form": typed if typed is not None and changed == action.pk else _change_form(action),
            "is_open": typed is not None and changed == action.pk,
        }
        for index, action in enumerate(actions)
    ]


def _state_label(action: Action) -> str:
    if action.state == Action.State.DONE and action.done_on:
        return f"done {figures.short_day(action.done_on)}"
    return action.get_state_display()


def _change_form(action: Action) -> ActionChangeForm:
    return ActionChangeForm(
        auto_id=f"change{action.pk}_%s",
        initial={
            "text": action.text,
            "state": action.state,
            "owner": action.owner_id,
            "due_on": _iso(action.due_on),
            "notes": action.notes,
            "share": action.share,
        },
    )


def _iso(day: Any) -> str:
    """As the browser's own field for days asks for it."""
    return day.isoformat() if day else ""


def _shares(actions: Sequence[Action]) -> str:
    """What the shares of the gain come to, where there are any: `50 + 20 + 30 = 100 %`."""
    shares = [action.share for action in actions if action.share]
    if not shares:
        return ""
    whole = sum(shares)
    rest = "" if whole == 100 else f"; {100 - whole} % are not explained"
    return f"{' + '.join(map(str, shares))} = {whole} %{rest}"
