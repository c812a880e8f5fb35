"""
The timetable's defaults. They become rows of the database at the first start, and are changed in the application;
what people have changed is left alone.
"""

from dataclasses import dataclass

from django_celery_beat.models import CrontabSchedule, IntervalSchedule, PeriodicTask


@dataclass(frozen=True)
class Job:
    """One entry: `cron` is minute, hour and day of week, in `zone`; empty: every minute."""

    name: str
    task: str
    cron: tuple[str, str, str] | None = None
    zone: str = "UTC"


EACH_MINUTE = ("*", "*", "*")
JOBS = [
    # as each minute begins: a minute counted from whenever beat was started may always come too late for its slot
    Job("Collect what is due", "worker.tasks.collect_due", EACH_MINUTE),
    Job("Make up for figures that were lost", "worker.tasks.make_up_figures"),
    Job("Go on with histories that lost their worker", "worker.tasks.make_up_past"),
    Job("Read lost days from what hosts keep", "worker.tasks.make_up_lost_days", ("10", "6", "*")),
    Job("Review closed days", "worker.tasks.review_due"),
    Job("Tell people what is due", "worker.tasks.tell_people"),
    Job("Make and drop partitions", "worker.tasks.keep_house", ("17", "1", "*")),
    Job("Forget what was typed for tests of connections", "worker.tasks.forget_tests"),
    Job("Compose the weekly report", "worker.tasks.compose_report", ("0", "7", "1")),
]


def install_schedule() -> None:
    """Add the jobs that the database does not have yet; what still counts its minutes from beat's start begins with them."""
    every_minute, _ = IntervalSchedule.objects.get_or_create(every=1, period=IntervalSchedule.MINUTES)
    for job in JOBS:
        existing = PeriodicTask.objects.filter(task=job.task)
        moved = existing.filter(interval=every_minute) if job.cron == EACH_MINUTE else existing.none()
        if existing.exists() and not moved.exists():
            continue
        crontab = None
        if job.cron is not None:
            minute, hour, weekday = job.cron
            crontab, _ = CrontabSchedule.objects.get_or_create(
                minute=minute,
                hour=hour,
                day_of_week=weekday,
                day_of_month="*",
                month_of_year="*",
                timezone=job.zone,
            )
        for task in moved:
            task.interval, task.crontab = None, crontab
            task.save()
        if existing.exists():
            continue
        PeriodicTask.objects.create(
            name=job.name, task=job.task, crontab=crontab, interval=None if crontab else every_minute
        )
