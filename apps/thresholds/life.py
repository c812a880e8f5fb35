"""The steps people take with a violation. What resolves it is the figures alone."""

from datetime import date, datetime

from django.db import transaction

from apps.people.models import User
from apps.thresholds.models import Step, Violation

State = Violation.State


class NotNow(ValueError):
    """This step cannot be taken from where the violation stands; the message says so."""


_FROM = {
    State.ACKNOWLEDGED: (State.OPEN, State.PREDICTED),
    State.IN_PROGRESS: (State.OPEN, State.ACKNOWLEDGED, State.PREDICTED),
    State.ACCEPTED: (State.OPEN, State.ACKNOWLEDGED, State.IN_PROGRESS, State.PREDICTED),
    State.OPEN: (State.ACKNOWLEDGED, State.IN_PROGRESS, State.ACCEPTED),
}


def take_step(
    violation: Violation, to: str, *, by: User, why: str, now: datetime, review_on: date | None = None
) -> Violation:
    """Move a violation on; an accepted risk needs a reason and a day to look again. Raises NotNow."""
    with transaction.atomic():
        current = Violation.objects.select_for_update().get(pk=violation.pk)
        allowed = _FROM.get(State(to), ())
        if current.state not in allowed or not current.is_live:
            raise NotNow(
                f"It is {current.get_state_display()}; it can become {State(to).label}"
                f" only from {' or '.join(state.label for state in allowed) or 'nothing: the figures decide'}."
            )
        if to == State.ACCEPTED and (not why.strip() or review_on is None):
            raise NotNow("Accepting a risk needs a reason and the day on which to look again.")
        if to == State.OPEN and current.is_predicted:
            to = State.PREDICTED  # taken back, it is what the forecast made of it
        before, current.state = current.state, State(to)
        current.review_on = review_on if to == State.ACCEPTED else None
        if to == State.IN_PROGRESS and current.owner is None:
            current.owner = by
        current.save()
        Step.objects.create(violation=current, at=now, by=by, before=before, after=to, why=why.strip())
    return current
