"""A real worker and a real beat at a real broker: what was begun is finished, whatever is killed."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask, PeriodicTasks

from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import committed, instance, prepare, register
from apps.config.embedded.broker import restore_unfinished
from apps.config.embedded.child import Child
from apps.inventory.models import Target
from apps.snapshots import dictionary
from apps.snapshots.models import Coverage, Snapshot
from worker.schedule import install_schedule

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180  # seconds

Start = Callable[..., Child]


@pytest.fixture
def start(broker: str, tmp_path: Path) -> Iterator[Start]:
    """Starts Celery's processes on the test's database and a real broker, and ends them."""
    children: list[Child] = []
    address = urlsplit(os.environ["HEADROOM_DATABASE_URL"])
    environment = {
        **os.environ,
        "HEADROOM_DATABASE_URL": address._replace(path=f"/{connection.settings_dict['NAME']}").geturl(),
        "HEADROOM_BROKER_URL": broker,
        "REHEARSAL_FOLDER": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
    }

    def begin(*arguments: str) -> Child:
        child = Child(
            [sys.executable, "-m", "celery", "--app", "worker.tests.rehearsal", *arguments],
            log=tmp_path / f"{len(children)}.log",
            environment=environment,
            working_directory=ROOT,
        )
        children.append(child)
        return child

    yield begin
    for child in children:
        child.kill_group()


def worker(start: Start) -> Child:
    return start("worker", "-Q", "collect,review", "-n", "test@%h", "--pool", "threads", "--concurrency", "4",
                 "--without-gossip", "--without-mingle")  # fmt: skip


def beat_every_second() -> None:
    """The timetable as it is installed, with its minute made a second."""
    install_schedule()
    IntervalSchedule.objects.update(every=1, period=IntervalSchedule.SECONDS)
    PeriodicTask.objects.filter(task="worker.tasks.review_due").update(enabled=False)
    PeriodicTasks.update_changed()


def wait_until(happened: Callable[[], bool], what: str, *children: Child) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        output = "\n".join(child.last_words(20) for child in children)
        assert time.monotonic() < deadline, f"{what} did not happen.\n{output}"
        time.sleep(0.1)


@committed
def test_a_worker_killed_in_mid_collection_leaves_exactly_one_complete_snapshot(start, broker, tmp_path):
    register()
    dictionary.forget()
    now = timezone.now()
    prepare(now.date())
    target = instance(
        collector="patient", collect_at=now.replace(second=0, microsecond=0).time(), registered_at=now - timedelta(hours=1)
    )  # fmt: skip
    beat_every_second()
    beat = start("beat", "--pidfile=")
    first = worker(start)
    wait_until((tmp_path / "began-1").exists, "the first collection", beat, first)
    assert CollectionRun.objects.get().state == "running"

    os.killpg(first.pid, signal.SIGKILL)
    assert first.wait(60)
    assert not Snapshot.objects.exists()
    assert (
        restore_unfinished(broker, "collect") == 1
    )  # what the supervisor does before it starts the next worker
    (tmp_path / "go-on").touch()
    second = worker(start)
    wait_until(lambda: CollectionRun.objects.get().state == "complete", "the second collection", beat, second)

    run = CollectionRun.objects.get()
    assert (run.series, run.tries) == (2, 2)
    assert Snapshot.objects.values("bucket", "category").distinct().count() == Snapshot.objects.count() == 2
    assert set(Snapshot.objects.values_list("bucket", flat=True)) == {run.slot}
    wait_until(lambda: Coverage.objects.exists(), "the roll-up", second)
    wait_until(lambda: Target.objects.get(pk=target.pk).leased_until is None, "the end of the lease", second)
    readings = len(list(tmp_path.glob("began-*")))
    time.sleep(2.5)  # beat goes on asking, and nothing is due
    assert len(list(tmp_path.glob("began-*"))) == readings == 2
