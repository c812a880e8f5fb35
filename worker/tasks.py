"""
One call each. Tasks take identifiers, never secrets; each may be delivered twice.

Which queue a task goes to is said in the settings (CELERY_TASK_ROUTES).
"""

from datetime import UTC, date, datetime, timedelta

from celery import Task, shared_task
from django.conf import settings
from django.utils import timezone

from apps.collection.collect import AlreadyUnderWay, collect_target
from apps.collection.due import due_collections, note_missed, pause_before
from apps.collection.models import CollectionRun
from apps.demo.load import load_demo
from apps.inventory.models import Target
from apps.notices.deliver import deliver_due
from apps.notices.digest import tell
from apps.notices.weekly import send_due_reports
from apps.reports.week import last_complete_week
from apps.reports.weekly import compose_weekly_report
from apps.review.due import due_reviews
from apps.review.nightly import review_targets
from apps.snapshots.retention import ensure_ahead, prune
from apps.snapshots.roll_up import days_kept, rebuild_figures
from apps.thresholds.peak_hours import MADE_UP

WAIT_FOR_TURN = 10  # seconds until a target that is being read is asked for again ...
TURNS = 30  # ... at most so many times
CHUNK = 25  # targets reviewed by one task
REVIEW_LIMIT = 1800  # seconds


@shared_task(expires=55)
def collect_due() -> None:
    """Put every slot that is due into the queue; beat calls this each minute."""
    now = timezone.now()
    for due in due_collections(now):
        collect.apply_async((due.target_id, due.slot.isoformat()), expires=due.until)
    note_missed(now)


@shared_task(bind=True, max_retries=None)
def collect(self: Task, target_id: int, slot: str) -> str:
    """Read one target for one slot; a failure worth it is tried again, after a pause that doubles."""
    target = Target.objects.watched().filter(pk=target_id).first()
    if target is None or target.is_blocked:
        return "not watched"
    try:
        run = collect_target(target, datetime.fromisoformat(slot), timezone.now(), holder=self.request.id)
    except AlreadyUnderWay:
        if self.request.retries >= TURNS:
            return "already under way"
        raise self.retry(countdown=WAIT_FOR_TURN) from None
    pause = (
        pause_before(run.tries) if run.state == CollectionRun.State.FAILED and run.is_worth_retrying else None
    )
    if pause is not None:
        raise self.retry(countdown=pause)
    return str(run.state)


@shared_task(time_limit=55, expires=55)
def review_due() -> None:
    """Put the reviews of closed days into the queue, oldest day first; beat calls this each minute."""
    for on, targets in due_reviews(timezone.now()):
        ids = [target.pk for target in targets]
        for start in range(0, len(ids), CHUNK):
            review.apply_async((ids[start : start + CHUNK], on.isoformat()), expires=50)


@shared_task(time_limit=REVIEW_LIMIT)
def review(target_ids: list[int], on: str) -> None:
    review_targets(
        Target.objects.in_estate().filter(pk__in=target_ids), date.fromisoformat(on), timezone.now()
    )


@shared_task(time_limit=REVIEW_LIMIT)
def make_up_hours(target_ids: list[int]) -> None:
    """Roll up the past days of hours that are newly under a limit, a target at a time, so that reviews come in between."""
    target = Target.objects.in_estate().filter(pk=target_ids[0]).first()
    if target is not None and (kept := days_kept(target)) is not None:
        first, last = kept
        rebuild_figures(target, max(first, last - MADE_UP), last, timezone.now())
    if len(target_ids) > 1:
        make_up_hours.delay(target_ids[1:])


@shared_task(time_limit=600)
def keep_house() -> None:
    """Make the partitions of the months to come and drop those past retention."""
    today = timezone.now().astimezone(UTC).date()
    ensure_ahead(today)
    prune(today, reading_days=settings.HEADROOM_READING_DAYS, figure_days=settings.HEADROOM_FIGURE_DAYS)


@shared_task(time_limit=600)
def compose_report() -> None:
    """Compose the report of the last complete week."""
    compose_weekly_report(last_complete_week(timezone.now()), timezone.now())


@shared_task(time_limit=900)
def tell_people() -> None:
    """Prepare the reports and notices that are due, and hand over what waits; beat calls this each minute."""
    now = timezone.now()
    send_due_reports(now)
    tell(now)
    deliver_due(now)


@shared_task(time_limit=3600, soft_time_limit=3500)
def load_demo_estate() -> None:
    load_demo(now=timezone.now())


def collect_at_once(target_id: int, readings: int = 1, seconds_apart: int = 10) -> None:
    """Read a target now, out of turn; with several readings a counter has figures at once."""
    now = timezone.now().replace(microsecond=0)
    for number in range(readings):
        slot = now + timedelta(seconds=number * seconds_apart)
        collect.apply_async((target_id, slot.isoformat()), countdown=number * seconds_apart)
