"""
One call each. Tasks take identifiers, never secrets; each may be delivered twice.

Which queue a task goes to is said in the settings (CELERY_TASK_ROUTES).
"""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from celery import Task, current_app, shared_task
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.collection.collect import AlreadyUnderWay, collect_target
from apps.collection.collector import CollectionError
from apps.collection.connection import forget_old_tests
from apps.collection.due_slots import DueSlot, due_collections, next_try_at
from apps.collection.full_disk import note_unread, refuse_when_disk_is_full
from apps.collection.history.figure_files import forget_old_files, lost_figure_files, store_figures
from apps.collection.history.imports import look_for_history, lost_readings, read_history, start_reading_all
from apps.collection.history.models import HistoryImport
from apps.collection.history.sources import has_history
from apps.collection.host_uploads import forget_old_uploads, look_into_upload, store_upload
from apps.collection.lost_days import hosts_with_lost_days, make_up_days
from apps.collection.missed_slots import note_missed
from apps.collection.moments import BadMoment, parse_day, parse_moment
from apps.collection.record_run import make_up_roll_ups
from apps.collection.retention import clear_runs
from apps.forecasting.kind_records import renew_kind_records
from apps.inventory.example import get_example
from apps.inventory.models import Target
from apps.notices.digest import prepare_digests
from apps.notices.handover import deliver_due
from apps.notices.report_delivery import send_due_reports
from apps.people.retention import clear_sign_ins
from apps.reports.engine.week import last_complete_week
from apps.reports.weekly_report import compose_weekly_report
from apps.review.nightly import review_targets
from apps.review.waiting_days import find_due_reviews
from apps.snapshots.retention import ensure_ahead, prune
from apps.snapshots.roll_up import readable_days, rebuild_figures
from apps.thresholds.peak_hours import MADE_UP

WAIT_FOR_TURN = 10  # seconds until a target that is being read is asked for again ...
TURNS = 30  # ... at most so many times
SOON = timedelta(days=1)  # the world's clocks differ by so much at most
CHUNK = 25  # targets reviewed by one task
REVIEW_LIMIT = 1800  # seconds
ROOM_AGAIN = (
    10  # seconds until a full disk is looked at again; often enough to last from one call of beat to the next
)
ROOM_LATER = 60  # seconds, for long work


def _slot(text: str) -> datetime | None:
    """A slot that can be read for: neither of the future nor past what is kept."""
    now = timezone.now()
    try:
        slot = parse_moment(text)
    except BadMoment:
        return None
    return slot if now - timedelta(days=settings.HEADROOM_READING_DAYS) < slot < now + SOON else None


def _day(text: str) -> date | None:
    """A day that can be reviewed: neither of the future nor past what is kept."""
    today = timezone.now().date()
    try:
        day = parse_day(text)
    except BadMoment:
        return None
    return day if timedelta() <= today + SOON - day <= timedelta(days=settings.HEADROOM_FIGURE_DAYS) else None


@shared_task(bind=True, expires=55, max_retries=5)
def collect_due(self: Task) -> None:
    """Put every slot that is due into the queue; beat calls this each minute."""
    now = timezone.now()
    if reason := refuse_when_disk_is_full():
        note_unread(due_collections(now), reason, now)
        raise self.retry(countdown=ROOM_AGAIN)
    note_missed(now)
    for due in due_collections(now):
        collect.apply_async((due.target_id, due.slot.isoformat()), expires=due.until)


@shared_task(bind=True, max_retries=None)
def collect(self: Task, target_id: int, slot: str) -> str:
    """Read one target for one slot; what failed and is worth it is tried again, after pauses that grow."""
    at = _slot(slot)
    if at is None:
        return "no slot"
    target = Target.objects.watched().filter(pk=target_id).first()
    if target is None or target.is_blocked:
        return "not watched"
    if reason := refuse_when_disk_is_full():
        note_unread([DueSlot(target_id, at, at)], reason, timezone.now())
        return "no room"
    try:
        run = collect_target(target, at, timezone.now(), holder=self.request.id)
    except AlreadyUnderWay:
        if self.request.retries >= TURNS:
            return "already under way"
        raise self.retry(countdown=WAIT_FOR_TURN) from None
    again = next_try_at(run)
    if again is not None:
        raise self.retry(countdown=max((again - timezone.now()).total_seconds(), 1))
    return str(run.state)


@shared_task(time_limit=REVIEW_LIMIT, expires=55)
def make_up_figures() -> None:
    """Roll up what was recorded by a worker that was killed before it came to it; beat calls this each minute."""
    if not refuse_when_disk_is_full():
        make_up_roll_ups(timezone.now())


@shared_task(time_limit=55, expires=55)
def review_due() -> None:
    """Put the reviews of closed days into the queue, oldest day first; beat calls this each minute."""
    if refuse_when_disk_is_full():
        return
    for on, targets in find_due_reviews(timezone.now()):
        ids = [target.pk for target in targets]
        for start in range(0, len(ids), CHUNK):
            review.apply_async((ids[start : start + CHUNK], on.isoformat()), expires=50)


@shared_task(time_limit=REVIEW_LIMIT)
def review(target_ids: list[int], on: str) -> str:
    day = _day(on)
    if day is None:
        return "no day"
    review_targets(Target.objects.in_estate().filter(pk__in=target_ids), day, timezone.now())
    return "reviewed"


@shared_task(bind=True, time_limit=REVIEW_LIMIT, max_retries=None)
def make_up_hours(self: Task, target_ids: list[int]) -> None:
    """Roll up the past days of hours that are newly under a limit, a target at a time, so that reviews come in between."""
    wait_for_room(self)
    target = Target.objects.in_estate().filter(pk__in=target_ids[:1]).first()
    if target is not None and (readable := readable_days(target)) is not None:
        first, last = readable
        rebuild_figures(target, max(first, last - MADE_UP), last, timezone.now())
    if len(target_ids) > 1:
        make_up_hours.delay(target_ids[1:])


@shared_task(time_limit=600)
def keep_house() -> None:
    """Make and drop partitions, clear old runs and what is left of sign-ins, and sum up how forecasts fared."""
    today = timezone.now().astimezone(UTC).date()
    ensure_ahead(today)
    prune(today, reading_days=settings.HEADROOM_READING_DAYS, figure_days=settings.HEADROOM_FIGURE_DAYS)
    clear_runs(timezone.now(), run_days=settings.HEADROOM_RUN_DAYS, figure_days=settings.HEADROOM_FIGURE_DAYS)
    clear_sign_ins(timezone.now())
    renew_kind_records(today)
    forget_old_uploads(timezone.now())
    forget_old_files(timezone.now())


@shared_task(time_limit=600)
def compose_report() -> None:
    """Compose the report of the last complete week."""
    compose_weekly_report(last_complete_week(timezone.now()), timezone.now())


@shared_task(time_limit=900)
def tell_people() -> None:
    """Prepare the reports and notices that are due, and hand over what waits; beat calls this each minute."""
    now = timezone.now()
    send_due_reports(now)
    prepare_digests(now)
    deliver_due(now)


@shared_task(bind=True, time_limit=3600, soft_time_limit=3500, max_retries=None)
def load_example(self: Task) -> None:
    """Load the estate to look around in, where an app brings one."""
    wait_for_room(self)
    if (example := get_example()) is not None:
        example.load(timezone.now())


def wait_for_room(task: Task) -> None:
    """Put a task off while the disk is full. Raises Retry."""
    if refuse_when_disk_is_full():
        raise task.retry(countdown=ROOM_LATER)


def collect_at_once(target_id: int, readings: int = 1, seconds_apart: int = 10) -> None:
    """Read a target now, out of turn; with several readings a counter has figures at once."""
    now = timezone.now().replace(microsecond=0)
    for number in range(readings):
        slot = now + timedelta(seconds=number * seconds_apart)
        collect.apply_async((target_id, slot.isoformat()), countdown=number * seconds_apart)


@shared_task(expires=55)
def forget_tests() -> None:
    """Forget what was typed for tests of connections; beat calls this each minute."""
    forget_old_tests(timezone.now())


def try_at_once(test_id: int) -> None:
    """
    Have a connection tested by the worker for collections, whatever waits in its queue (worker/control.py).

    Where the broker is away nothing happens; the page that asked says that no worker answered.
    """
    lost = (OperationalError, OSError, *current_app.connection_for_write().connection_errors)
    with suppress(*lost):
        current_app.control.broadcast("try_connection", arguments={"test_id": test_id})


@shared_task(time_limit=300)
def look_for_past(target_id: int) -> None:
    """Ask a target what it remembers of the days before its first reading."""
    look_for_history(target_id, timezone.now())


@shared_task(bind=True, time_limit=600, max_retries=None)
def read_past(self: Task, target_id: int) -> None:
    """Read days of a target's history for some minutes, and the rest behind whatever waits meanwhile."""
    wait_for_room(self)
    if read_history(target_id, timezone.now):
        read_past.delay(target_id)


@shared_task(time_limit=300)
def read_all_past(target_id: int) -> None:
    """Read all that a machine keeps of itself, so that its first profile has days to compare with."""
    target = Target.objects.watched().filter(pk=target_id).first()
    if target is not None and start_reading_all(target, timezone.now()):
        read_past.delay(target_id)


@shared_task(bind=True, time_limit=600, max_retries=None)
def store_figure_file(self: Task, file_id: int) -> None:
    """Store figures of a file for some minutes, and the rest behind whatever waits meanwhile."""
    wait_for_room(self)
    if store_figures(file_id, timezone.now):
        store_figure_file.delay(file_id)


@shared_task(time_limit=55, expires=55)
def make_up_past() -> None:
    """Go on with histories, and files of figures, whose worker is gone; beat calls this each minute."""
    for file_id in lost_figure_files(timezone.now()):
        store_figure_file.delay(file_id)
    for history in lost_readings(timezone.now()):
        task = look_for_past if history.state == HistoryImport.State.LOOKING else read_past
        task.delay(history.target_id)


@shared_task(time_limit=300, expires=600)
def make_up_lost_days() -> None:
    """Have hosts be asked for days that were not read and that they kept themselves; beat calls this each morning."""
    if not refuse_when_disk_is_full():
        for host in hosts_with_lost_days(timezone.now()):
            read_lost_days.delay(host.pk)


@shared_task(time_limit=600)
def read_lost_days(target_id: int) -> None:
    """Read the lost days of one host; one that cannot be asked now is asked the next morning."""
    target = Target.objects.watched().filter(pk=target_id).first()
    if target is not None and has_history(target):
        with suppress(CollectionError):
            make_up_days(target, timezone.now())


@shared_task(time_limit=600)
def look_into_file(upload_id: int) -> None:
    """Say what is in a file that somebody gave on the page of a host."""
    look_into_upload(upload_id, timezone.now())


@shared_task(bind=True, time_limit=600, max_retries=None)
def store_files(self: Task, upload_ids: list[int]) -> None:
    """Store files that were looked into, one after the other."""
    wait_for_room(self)
    for upload_id in upload_ids:
        store_upload(upload_id, timezone.now())
