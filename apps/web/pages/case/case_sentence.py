"""How a case stands in a sentence, and what became of its limit since."""

from datetime import timedelta

from apps.charts import figures
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState as Standing
from apps.thresholds.models import Violation
from apps.web.pages.case.case_line import closing_day
from apps.web.sentences import Part, count, day_in_words

State = Violation.State
UNMEASURED = 7  # days without a judged one after which it is said


def sentence_of(outlook: Outlook) -> list[Part]:
    """How it stands: the fact strong, then what follows from it."""
    violation = outlook.case
    name = f"{outlook.what} on {violation.target.name}"
    if violation.state == State.AVERTED:
        return [Part(f"{name} was averted", True), Part(f": {violation.closed_because}")]
    if violation.closed_on is not None and violation.target.retired_at is not None:
        return [
            Part(f"{name} is closed", True),
            Part(f" since {day_in_words(violation.closed_on)}: {violation.closed_because}"),
        ]
    if violation.closed_on is not None:
        return [
            Part(f"{name} came back under control", True),
            Part(f" on {day_in_words(violation.closed_on)}. {violation.closed_because}"),
        ]
    if outlook.unread is not None:
        return [
            Part(f"How {name} stands is not known", True),
            Part(f": {violation.target.name} {outlook.unread.because}. Then it was {outlook.against}."),
        ]
    if violation.is_predicted:
        around = f", around {day_in_words(outlook.likely_on)}" if outlook.likely_on else " within 90 days"
        return [Part(f"{name} will be over its limit{around}", True), Part(f"; now {outlook.against}.")]
    since = day_in_words(violation.opened_on) if violation.opened_on else "today"
    if _is_unmeasured(violation):
        return [
            Part(f"{name} has not been measured since {day_in_words(violation.judged_on)}", True),  # type: ignore[arg-type]
            Part(f"; over its limit since {since}, then {outlook.against}."),
        ]
    if outlook.state is Standing.CLOSING:
        return [
            Part(f"{name} is inside its limit again", True),
            Part(f": {outlook.against}. {_closes(violation)}"),
        ]
    return [Part(f"{name} has been over its limit since {since}", True), Part(f": {outlook.against}.")]


def _is_unmeasured(violation: Violation) -> bool:
    return (
        violation.judged_on is not None
        and violation.reviewed_on is not None
        and violation.reviewed_on - violation.judged_on >= timedelta(days=UNMEASURED)
    )


def _closes(violation: Violation) -> str:
    closes_on = closing_day(violation)
    if violation.threshold is None or closes_on is None:
        return ""
    needed, inside = violation.threshold.closes_after, violation.days_inside
    if not inside:
        return f"The case closes after {count(needed, 'judged day')} inside in a row."
    return f"{inside} of {needed} good days: it closes on {day_in_words(closes_on)} if that holds."


def limit_note(outlook: Outlook) -> str:
    """What became of the limit of an open case since its last review; empty where it holds as it was."""
    violation, threshold = outlook.case, outlook.case.threshold
    if not violation.is_live:
        return ""
    if threshold is None or threshold.withdrawn_at is not None:
        when = (
            ""
            if threshold is None or threshold.withdrawn_at is None
            else f" on {figures.long_day(threshold.withdrawn_at.date())}"
        )
        return (
            f"Its limit was withdrawn{when}. The next review closes the case, unless another limit is broken."
        )
    if outlook.is_of_former_limit:
        return f"Its limit was changed to {figures.threshold(threshold.notation)}. The next review judges the case by it."
    return ""
