"""How a violation stood at the end of a week: over its limit, inside it again, or not known."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.collection.unread_targets import UnreadTarget
from apps.outlook.case_text import closing_words
from apps.reports.daily_figures import Row, read_daily_figures
from apps.reports.engine.week import Week
from apps.reports.week_violations import WeekViolation
from apps.thresholds.engine.notation import Limit
from apps.thresholds.models import Threshold, Violation

LONGEST = 400  # days back in which the figure that broke the limit is looked for


@dataclass(frozen=True)
class ViolationStanding:
    """
    What is known of a violation, in its unit: the figure of the week's end, and the one that broke the limit.

    That is the worst of the week, or the last before it was inside again.
    """

    case: WeekViolation
    value: float | None
    words: str = ""  # of what is closing or not known
    broke_at: float | None = None
    broke_on: date | None = None

    @property
    def beyond(self) -> float | None:
        """How far beyond its limit, as a share of it."""
        limit = find_limit(self.case.violation)
        edge = None if limit is None or limit.second is not None else limit.edge
        if self.value is None or not edge or limit is None:
            return None
        return (self.value - edge if limit.is_upper else edge - self.value) / abs(edge)


def judge_standing(case: WeekViolation, week: Week, unread: Mapping[int, UnreadTarget]) -> ViolationStanding:
    """The violation at the end of the week; one that is inside its limit again is closing, not over it."""
    violation = case.violation
    why = unread.get(violation.target_id)
    if why is not None and case.kind != "resolved":
        return ViolationStanding(replace(case, kind="unread"), None, why.because)
    is_of_week = violation.judged_on is not None and violation.judged_on <= week.last_day
    needs_days = not is_of_week or case.kind != "predicted"
    days = _days(violation, week) if needs_days else {}
    value = violation.value if is_of_week or not days else next(reversed(days.values()))
    limit = find_limit(violation)
    is_inside = (
        violation.is_closing
        if is_of_week
        else limit is not None and not limit.is_beyond(value) and bool(days)
    )
    beyond = {on: figure for on, figure in days.items() if limit is not None and limit.is_beyond(figure)}
    if case.is_over and not is_inside:
        broke_on = _worst_day({on: figure for on, figure in beyond.items() if on >= week.first_day}, limit)
        return ViolationStanding(case, value, "", beyond[broke_on] if broke_on else None, broke_on)
    if case.kind == "predicted":
        return ViolationStanding(case, value)
    broke_on = next(reversed(beyond), None)
    broke_at = beyond[broke_on] if broke_on else violation.worst_value
    if case.kind == "resolved":
        return ViolationStanding(case, value, "", broke_at, broke_on)
    words = closing_words(violation) if is_of_week else "closing"
    return ViolationStanding(replace(case, kind="closing"), value, words, broke_at, broke_on)


def _worst_day(beyond: Mapping[date, float], limit: Limit | None) -> date | None:
    """The day whose figure is farthest beyond a limit; of two the later."""
    if limit is None or not beyond:
        return None

    def distance(on: date) -> tuple[float, date]:
        above = 0.0 if limit.high is None else beyond[on] - limit.high
        below = 0.0 if limit.low is None else limit.low - beyond[on]
        return (beyond[on] if limit.edge is None else max(above, below)), on

    return max(beyond, key=distance)


def find_limit(violation: Violation) -> Limit | None:
    """The limit as numbers; None where it has changed since, or is gone."""
    threshold = violation.threshold
    return threshold.limit if threshold is not None and threshold.notation == violation.notation else None


def _days(violation: Violation, week: Week) -> dict[date, float]:
    """The figures from its beginning to the end of the week; none of a limit on a change."""
    if violation.figure != Threshold.FigureOf.VALUE:
        return {}
    begun = violation.opened_on or violation.predicted_on or week.first_day
    first = max(min(begun, week.first_day), week.last_day - timedelta(days=LONGEST))
    name = (violation.metric, violation.component)
    row: Row = read_daily_figures(violation.target_id, [name], first, week.last_day).get(name, [])
    return {first + timedelta(days=at): value for at, value in enumerate(row) if value is not None}
