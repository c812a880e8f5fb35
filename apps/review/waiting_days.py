"""Which targets have closed days that were not reviewed yet; days are reviewed in order, a missed one is made up for."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.db.models import OuterRef, QuerySet, Subquery

from apps.collection.collect import timetable_of
from apps.collection.today import newest_read_slot
from apps.inventory.models import Target
from apps.snapshots.models import Coverage

BACKFILL_DAYS = 30  # days; after a longer stop the older ones stay unreviewed


def days_to_review(target: Target, now: datetime) -> list[date]:
    """The closed days of a target that wait for their review, oldest first; none before anything was measured."""
    return next((days for _, days in find_waiting_days(Target.objects.filter(pk=target.pk), now)), [])


def find_waiting_days(targets: QuerySet[Target], now: datetime) -> Iterator[tuple[Target, list[date]]]:
    """Each target that has closed days to review, with these days, oldest first; one query however many targets."""
    first = Coverage.objects.filter(target=OuterRef("pk")).order_by("day").values("day")[:1]
    measured = targets.annotate(first_day=Subquery(first), newest_read=newest_read_slot(now))
    for target in measured.exclude(first_day=None):
        closed = timetable_of(target).days_closing_until(now, newest_read_slot=target.newest_read)
        since = max(target.first_day, closed - timedelta(days=BACKFILL_DAYS))
        if target.reviewed_through is not None:
            since = max(since, target.reviewed_through + timedelta(days=1))
        if since <= closed:
            yield target, [since + timedelta(days=offset) for offset in range((closed - since).days + 1)]


def find_due_reviews(now: datetime) -> Iterator[tuple[date, list[Target]]]:
    """The next day to review of each target, targets of one day together."""
    waiting: dict[date, list[Target]] = {}
    for target, days in find_waiting_days(Target.objects.in_estate(), now):
        waiting.setdefault(days[0], []).append(target)
    yield from sorted(waiting.items())
