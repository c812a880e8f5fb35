"""The timetable's defaults, as a first start and an upgrade leave them."""

import pytest
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from worker.schedule import JOBS, install_schedule

pytestmark = pytest.mark.django_db
COLLECT = "worker.tasks.collect_due"


def test_what_is_due_is_looked_for_while_the_slot_of_a_minute_may_still_be_read():
    install_schedule()

    task = PeriodicTask.objects.get(task=COLLECT)
    assert (task.crontab.minute, task.interval) == ("*", None)
    assert (task.crontab.hour, task.crontab.day_of_week) == ("*", "*")  # second 0 of each minute


def test_an_upgrade_moves_the_job_that_counted_from_beats_start_and_leaves_what_people_chose():
    install_schedule()
    hourly = IntervalSchedule.objects.create(every=7, period=IntervalSchedule.MINUTES)
    every_minute = IntervalSchedule.objects.get(every=1, period=IntervalSchedule.MINUTES)
    PeriodicTask.objects.filter(task=COLLECT).update(crontab=None, interval=every_minute)
    PeriodicTask.objects.filter(task="worker.tasks.review_due").update(interval=hourly)

    install_schedule()
    moved = PeriodicTask.objects.get(task=COLLECT)
    PeriodicTask.objects.filter(task=COLLECT).update(crontab=None, interval=hourly)
    install_schedule()

    assert (moved.crontab.minute, moved.interval) == ("*", None)
    assert PeriodicTask.objects.get(task=COLLECT).interval == hourly
    assert PeriodicTask.objects.get(task="worker.tasks.review_due").interval == hourly
    assert PeriodicTask.objects.count() == len(JOBS)
