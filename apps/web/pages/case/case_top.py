"""The top row of a case: how it stands, how far from its limit, until when to act, and the next step with its button."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.urls import reverse

from apps.advisors.models import Action
from apps.charts import figures
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState
from apps.thresholds.models import Violation
from apps.web.pages.case.case_line import closing_day
from apps.web.sentences import count

State = Violation.State


@dataclass(frozen=True)
class TopFact:
    """One figure of the row: what it is, the figure, what stands behind it and what stands below it."""

    label: str
    value: str
    aside: str = ""
    note: str = ""
    css: str = ""


@dataclass(frozen=True)
class NextStep:
    """What is to be done next: by whom, until when; `fields` are sent to `url` when its button is pressed."""

    label: str
    text: str
    who: str = ""
    button: str = ""
    url: str = ""
    fields: Mapping[str, str | int] = field(default_factory=dict)
    is_late: bool = False


def state_note(outlook: Outlook) -> str:
    """What stands below the state: since when, how likely, how far its end is."""
    violation = outlook.case
    if outlook.unread is not None:
        return outlook.unread.because
    if violation.closed_on is not None:
        return f"since {figures.short_day(violation.closed_on)}"
    if violation.is_predicted:
        since = (
            f"predicted on {figures.short_day(violation.predicted_on)}"
            if violation.predicted_on
            else "predicted"
        )
        return f"{since}, chance {outlook.chance_words}" if outlook.chance is not None else since
    if outlook.state is FigureState.CLOSING:
        return f"open since {figures.short_day(violation.opened_on)}, inside its limit again"
    return f"{violation.severity}, open since {figures.short_day(violation.opened_on)}"


def top_facts(outlook: Outlook, due: str) -> list[TopFact]:
    """The three figures beside the state: distance to the limit, days, and until when to act."""
    violation = outlook.case
    facts = [_distance(outlook)]
    if violation.closed_on is not None:
        return [
            *facts,
            TopFact(
                "was open" if violation.opened_on else "was predicted", count(outlook.days_of_case, "day")
            ),
        ]
    if outlook.state is FigureState.AT_RISK:
        return [*facts, _days_ahead(outlook), _act_by(outlook)]
    if outlook.state is FigureState.CLOSING:
        facts.append(_closes(outlook))
    elif outlook.state is FigureState.VIOLATED:
        worst = (
            ""
            if violation.worst_value is None
            else f", worst {figures.figure(violation.worst_value)} {violation.unit}"
        )
        since = f"since {figures.short_day(violation.opened_on)}"
        facts.append(TopFact("over for", count(outlook.days_of_case, "day"), note=f"{since}{worst}".rstrip()))
    day, _, when = due.partition(", ")
    return [*facts, TopFact("due", day, note=when)]


def _distance(outlook: Outlook) -> TopFact:
    value, unit, room = outlook.value, outlook.unit, outlook.room
    if value is None:
        return TopFact("now", figures.MISSING)
    day = outlook.case.judged_on or outlook.case.reviewed_on
    of = "" if day is None else f"on {figures.short_day(day)}"
    if room is None or outlook.room_percent is None:
        return TopFact(
            "now", figures.figure(value), unit, f"against {outlook.limit_words}, {of}".rstrip(", ")
        )
    share = f"{figures.percent(abs(outlook.room_percent))} of the limit, {of}".rstrip(", ")
    if room < 0:
        return TopFact(
            "over its limit by",
            figures.figure(-room),
            f"of {outlook.limit_words} {unit}".rstrip(),
            share,
            "c-over",
        )
    return TopFact("room left", figures.figure(room), f"of {outlook.limit_words} {unit}".rstrip(), share)


def _days_ahead(outlook: Outlook) -> TopFact:
    label = "soonest · likely · latest"
    if outlook.likely_on is None:
        return TopFact(label, figures.MISSING, note=outlook.note)
    soonest, latest = outlook.soonest_on or outlook.likely_on, outlook.latest_on
    span = f"{figures.short_day(soonest)} to {figures.short_day(latest) if latest else 'later'}"
    days = (
        f"in {(soonest - outlook.day).days} to {(latest - outlook.day).days} days"
        if latest
        else f"in {outlook.days_left} days"
    )
    return TopFact(label, figures.short_day(outlook.likely_on, outlook.day), note=f"{span}, {days}")


def _act_by(outlook: Outlook) -> TopFact:
    if outlook.act_by is None:
        return TopFact("act by", figures.MISSING)
    slack = outlook.slack or 0
    when = (
        "today" if not slack else f"in {count(slack, 'day')}" if slack > 0 else f"{count(-slack, 'day')} ago"
    )
    css = {"violated": "c-over", "at_risk": "c-risk"}.get(outlook.slack_kind, "")
    note = f"{when}; acting takes {count(outlook.lead, 'day')}"
    return TopFact("act by", figures.short_day(outlook.act_by, outlook.day), note=note, css=css)


def _closes(outlook: Outlook) -> TopFact:
    violation = outlook.case
    day, needed = closing_day(violation), violation.threshold.closes_after if violation.threshold else 0
    good = f"{violation.days_inside or 0} of {needed} good days" if needed else "its limit is gone"
    return TopFact("closes", figures.short_day(day), note=f"{good}, if that holds" if needed else good)


def find_next_step(violation: Violation, actions: Sequence[Action], newest: int) -> NextStep | None:
    """The first step of the plan that is not over; without one, what the case itself waits for. None of what has ended."""
    if violation.closed_on is not None:
        return None
    for number, action in enumerate(actions, 1):
        if not action.is_over:
            return _step_of_plan(violation, action, f"next step, {number} of {len(actions)}")
    if violation.state in (State.OPEN, State.PREDICTED):
        return NextStep(
            "next step",
            "Acknowledge it",
            "so that others see that somebody is on it",
            "Acknowledge",
            reverse("violation_step", args=[violation.pk]),
            {"to": State.ACKNOWLEDGED, "seen": newest},
        )
    what = "Every step is done" if actions else "No step is planned"
    return NextStep("next step", what, "add one to the plan" if not actions else "it closes by its figures")


def _step_of_plan(violation: Violation, action: Action, label: str) -> NextStep:
    owner = str(action.owner or "nobody yet")
    due = f", by {figures.short_day(action.due_on)}" if action.due_on else ""
    return NextStep(
        label,
        action.text,
        f"{owner}{due}",
        "Mark as done",
        reverse("action", args=[violation.pk, action.pk]),
        {"state": Action.State.DONE, "version": action.version},
    )
