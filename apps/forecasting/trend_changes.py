"""Trend changes: level shifts that the review proposes, and what people decide of them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from apps.forecasting.engine.level_shifts import LevelShift
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.people.models import User

NEAR = timedelta(days=7)  # a shift so near to another change is the same
RECENT = timedelta(days=120)  # an older one is no news


def propose_trend_changes(
    target: Target, on: date, level_shifts: Sequence[tuple[str, str, Sequence[LevelShift]]]
) -> list[TrendChange]:
    """
    Propose the level shifts of some figures (metric, component, shifts) as trend changes.

    One that was proposed, accepted or rejected before is not proposed again.
    """
    recent = [
        (metric, component, on - timedelta(days=shift.days_ago), shift.size)
        for metric, component, shifts in level_shifts
        for shift in shifts
        if timedelta(days=shift.days_ago) <= RECENT
    ]
    if not recent:
        return []
    days_of: dict[tuple[str, str], list[date]] = {}
    for change in TrendChange.objects.filter(target=target):
        days_of.setdefault((change.metric, change.component), []).append(change.on)
    proposals = []
    for metric, component, day, size in recent:
        days = days_of.setdefault((metric, component), [])
        if all(abs(day - other) > NEAR for other in days):
            days.append(day)
            proposals.append(
                TrendChange(
                    target=target, metric=metric, component=component, on=day, size=size, proposed_on=on
                )
            )
    return TrendChange.objects.bulk_create(proposals, ignore_conflicts=True)


def decide(change: TrendChange, *, is_accepted: bool, by: User, now: datetime) -> TrendChange:
    """Accept or reject a trend change; the next review goes by it."""
    change.state = TrendChange.State.ACCEPTED if is_accepted else TrendChange.State.REJECTED
    change.decided_by, change.decided_at = by, now
    change.save(update_fields=["state", "decided_by", "decided_at"])
    return change


def begin_on(
    target: Target, metric: str, component: str, day: date, *, by: User, now: datetime
) -> TrendChange:
    """Let the history of a figure begin on a day that a person names."""
    change, _ = TrendChange.objects.get_or_create(target=target, metric=metric, component=component, on=day)
    return decide(change, is_accepted=True, by=by, now=now)
