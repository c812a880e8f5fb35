"""The steps people take with a violation. What resolves it is the figures alone, or the end of its target."""

from datetime import date, datetime

from django.db import transaction

from apps.inventory.models import Target
from apps.people.models import User
from apps.thresholds.models import Step, Violation

State = Violation.State


class Refusal(ValueError):
    """This step cannot be taken from where the violation stands; the message says so."""


class EditConflict(Refusal):
    """Somebody else was faster; the message says who, when and what."""


_UNFINISHED = (State.OPEN, State.ACKNOWLEDGED, State.IN_PROGRESS, State.ACCEPTED, State.REGRESSION)
_FROM = {
    State.ACKNOWLEDGED: (State.OPEN, State.PREDICTED, State.ACKNOWLEDGED),
    State.IN_PROGRESS: (State.OPEN, State.ACKNOWLEDGED, State.PREDICTED),
    State.ACCEPTED: (*_UNFINISHED, State.PREDICTED),
    State.REGRESSION: _UNFINISHED,
    State.OPEN: (State.ACKNOWLEDGED, State.IN_PROGRESS, State.ACCEPTED, State.REGRESSION),
}
_NEEDS_A_REASON = {State.ACCEPTED: "a risk", State.REGRESSION: "a regression"}


def take_step(
    violation: Violation,
    to: str,
    *,
    by: User,
    why: str,
    now: datetime,
    review_on: date | None = None,
    newest_step: int | None = None,
) -> Violation:
    """
    Move a violation on.

    What is accepted needs a reason and a day to look again; what is acknowledged may have a day, after whose review it
    falls back. `newest_step` is the last step that the person knew of. Raises Refusal, and EditConflict when there is a newer step.
    """
    with transaction.atomic():
        current = Violation.objects.select_for_update().get(pk=violation.pk)
        _refuse_the_second(current, newest_step)
        _refuse_what_cannot_be(current, State(to), why, review_on, now)
        if to == State.OPEN and current.is_predicted:
            to = State.PREDICTED  # taken back, it is what the forecast made of it
        before, current.state = current.state, State(to)
        current.review_on = review_on if current.is_accepted or to == State.ACKNOWLEDGED else None
        if to == State.IN_PROGRESS and current.owner is None:
            current.owner = by
        current.save()
        Step.objects.create(violation=current, at=now, by=by, before=before, after=to, why=why.strip())
    return current


def assign(
    violation: Violation,
    owner: User | None,
    due_on: date | None,
    *,
    by: User,
    now: datetime,
    newest_step: int | None = None,
) -> Violation:
    """Say who looks after a violation and until when. Raises Refusal once it has ended, EditConflict as above."""
    with transaction.atomic():
        current = Violation.objects.select_for_update().get(pk=violation.pk)
        _refuse_the_second(current, newest_step)
        if not current.is_live:
            raise Refusal(f"It is {current.get_state_display()}; it needs no owner any more.")
        changes = []
        if current.owner != owner:
            changes.append(f"owned by {owner or 'nobody'}")
        if current.due_on != due_on:
            changes.append(f"due on {due_on:%-d %B %Y}" if due_on else "not due on any day")
        if changes:
            current.owner, current.due_on = owner, due_on
            current.save(update_fields=["owner", "due_on"])
            why = ", ".join(changes)
            Step.objects.create(
                violation=current,
                at=now,
                by=by,
                before=current.state,
                after=current.state,
                why=f"{why[:1].upper()}{why[1:]}.",
            )
    return current


def last_step(violation: Violation) -> int:
    """The number of a violation's newest step: what a page shows, and gives back with what is typed there."""
    step = Step.objects.filter(violation=violation).order_by("-pk").first()
    return step.pk if step else 0


def end_acknowledgements(target: Target, day: date, now: datetime) -> list[Violation]:
    """Let what was acknowledged until a day fall back once that day was reviewed; a second time changes nothing."""
    ended = list(Violation.objects.live().filter(target=target, state=State.ACKNOWLEDGED, review_on__lte=day))
    for violation in ended:
        until = violation.review_on
        violation.state = State.PREDICTED if violation.is_predicted else State.OPEN
        violation.review_on = None
        violation.save(update_fields=["state", "review_on"])
        Step.objects.create(  # of no day: the figures have not brought it back
            violation=violation,
            at=now,
            before=State.ACKNOWLEDGED,
            after=violation.state,
            facts={"kind": "acknowledged_until", "until": until.isoformat()} if until else {},
        )
    return ended


def end_target(target: Target, now: datetime) -> list[Violation]:
    """Stop watching a target for good, and close its violations with that reason; what was measured stays."""
    with transaction.atomic():
        Target.objects.select_for_update().filter(pk=target.pk).first()
        target.retire(now)
        closed = list(Violation.objects.live().filter(target=target))
        for violation in closed:
            before = violation.state
            violation.state = State.AVERTED if violation.is_predicted else State.RESOLVED
            violation.closed_on = now.astimezone(target.zone).date()
            violation.closed_because = f"{target.name} was retired."
            violation.review_on = None
            violation.save()
            Step.objects.create(
                violation=violation,
                at=now,
                on=violation.closed_on,
                before=before,
                after=violation.state,
                why=violation.closed_because,
            )
    return closed


def _refuse_the_second(current: Violation, newest_step: int | None) -> None:
    if newest_step is None:
        return
    newer = (
        Step.objects.filter(violation=current, pk__gt=newest_step)
        .order_by("-pk")
        .select_related("by")
        .first()
    )
    if newer is None:
        return
    who = str(newer.by) if newer.by else "The review"
    what = (
        newer.sentence
        if newer.before == newer.after
        else f"it is {State(newer.after).label} now{f' ({newer.sentence})' if newer.sentence else ''}"
    )
    raise EditConflict(
        f"{who} changed this at {newer.at.astimezone(current.target.zone):%H:%M}, after you opened it:"
        f" {what.rstrip('.')}. What you typed is kept below; save it again, or leave it."
    )


def _refuse_what_cannot_be(
    current: Violation, to: State, why: str, review_on: date | None, now: datetime
) -> None:
    allowed = _FROM.get(to, ())
    if current.state not in allowed or not current.is_live:
        raise Refusal(
            f"It is {current.get_state_display()}; it can become {to.label}"
            f" only from {' or '.join(state.label for state in allowed) or 'nothing: the figures decide'}."
        )
    if to == State.REGRESSION and current.is_predicted:
        raise Refusal("Nothing has become worse yet: accept it as a risk.")
    if to in _NEEDS_A_REASON and (not why.strip() or review_on is None):
        raise Refusal(f"Accepting {_NEEDS_A_REASON[to]} needs a reason and the day on which to look again.")
    today = now.astimezone(current.target.zone).date()
    if review_on is not None and review_on <= today:
        raise Refusal(f"{review_on:%-d %B %Y} has come already; give a day after {today:%-d %B %Y}.")
