"""Trend changes: level shifts that the review proposes, and what people decide of them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from apps.forecasting.methods import Jump
from apps.forecasting.models import TrendChange
from apps.inventory.models import Target
from apps.people.models import User

NEAR = timedelta(days=7)  # a shift so near to a known one is the same
RECENT = timedelta(days=120)  # an older one is no news


def propose_trend_changes(
    target: Target, on: date, found: Sequence[tuple[str, str, Sequence[Jump]]]
) -> list[TrendChange]:
    """
    Propose the level shifts of some figures (metric, component, jumps) as trend changes.

    One that was proposed, accepted or rejected before is not proposed again.
    """
    shifts = [
        (metric, component, on - timedelta(days=jump.days_ago), jump.size)
        for metric, component, jumps in found
        for jump in jumps
        if timedelta(days=jump.days_ago) <= RECENT
    ]
    if not shifts:
        return []
    known: dict[tuple[str, str], list[date]] = {}
    for change in TrendChange.objects.filter(target=target):
        known.setdefault((change.metric, change.component), []).append(change.on)
    made = []
    for metric, component, day, size in shifts:
        days = known.setdefault((metric, component), [])
        if all(abs(day - other) > NEAR for other in days):
            days.append(day)
            made.append(
                TrendChange(
                    target=target, metric=metric, component=component, on=day, size=size, proposed_on=on
                )
            )
    return TrendChange.objects.bulk_create(made, ignore_conflicts=True)


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
