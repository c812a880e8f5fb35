"""The peak hours of days before and after a change, of targets that are read hourly or finer."""

from apps.advisors.study_registry import Fields, KindField, StudyKind
from apps.catalog.metric import base_of
from apps.catalog.registry import hours_of
from apps.inventory.models import Target
from apps.thresholds.case_steps import Refusal
from apps.thresholds.peak_hours import FINEST, reading_interval


def _read_fields(target: Target, fields: Fields) -> Fields:
    """The hours as "9-17". Raises Refusal for hours that a day does not have, and for a target that is read too seldom."""
    hours = "".join(fields.get("hours", "").split())
    if hours_of(f"x:{hours}") is None:
        typed = f"“{hours}” are no hours of a day; give" if hours else "Give the hours,"
        raise Refusal(f"{typed} for example 9-17, from 0-1 to 0-24.")
    if target.interval_minutes > FINEST:
        raise Refusal(
            f"Peak hours need readings at least once an hour, and {target.name} is read {reading_interval(target)};"
            " study whole days, or have it read more often."
        )
    first, _, last = hours.partition("-")
    return {"hours": f"{int(first)}-{int(last)}"}


def _within_hours(metric: str, fields: Fields) -> str:
    return f"{base_of(metric)}:{fields['hours']}"


def _describe(fields: Fields) -> str:
    first, _, last = fields["hours"].partition("-")
    return f"{first} to {last} h of each day"


HOURS = StudyKind(
    key="hours",
    title="Peak hours of days",
    question="Are commits faster between 9 and 17 h?",
    template="pages/studies/kinds/hours.html",
    fields=(KindField("hours", "peak hours", "Clock hours of the target's day, for example 9-17.", 5),),
    read_fields=_read_fields,
    statistic_of=_within_hours,
    has_row=lambda metric, fields: metric == _within_hours(metric, fields),
    describe=_describe,
    is_rolled_up=True,
)
