"""Which targets have closed days that were not reviewed yet; days are reviewed in order, a missed one is made up for."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from apps.collection.today import last_closed_day
from apps.inventory.models import Target
from apps.snapshots.models import Coverage

MAKE_UP = 30  # days; after a longer stop the older ones stay unreviewed


def days_to_review(target: Target, now: datetime) -> list[date]:
    """The closed days of a target that wait for their review, oldest first; none before anything was measured."""
    closed = last_closed_day(target, now)
    first = Coverage.objects.filter(target=target).order_by("day").values_list("day", flat=True).first()
    if first is None or first > closed:
        return []
    since = max(first, closed - timedelta(days=MAKE_UP))
    if target.reviewed_through is not None:
        since = max(since, target.reviewed_through + timedelta(days=1))
    return [since + timedelta(days=offset) for offset in range((closed - since).days + 1)]


def due_reviews(now: datetime) -> Iterator[tuple[date, list[Target]]]:
    """The next day to review of each target, targets of one day together."""
    waiting: dict[date, list[Target]] = {}
    for target in Target.objects.in_estate():
        days = days_to_review(target, now)
        if days:
            waiting.setdefault(days[0], []).append(target)
    yield from sorted(waiting.items())
