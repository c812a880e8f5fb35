"""What holds for every task: its queue has a worker, it ends in time, and it waits for a database that is away."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from celery.exceptions import Retry
from django.conf import settings
from django.db import OperationalError

import worker.tasks
from apps.config.embedded.supervisor import WORKERS
from worker.celery import app

app.loader.import_default_modules()
OURS = {name: task for name, task in app.tasks.items() if name.startswith("worker.")}


def test_there_are_tasks():
    assert OURS


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_worker_listens_to_its_queue(name):
    options = app.amqp.router.route(dict(OURS[name]._get_exec_options()), name)

    assert getattr(options["queue"], "name", options["queue"]) in {queue for queue, _, _ in WORKERS}


def test_every_thread_speaks_to_the_same_broker():
    with ThreadPoolExecutor(1) as pool:
        speaking_to = pool.submit(lambda: worker.tasks.collect.app.main).result()

    assert speaking_to == "headroom"


@pytest.mark.parametrize("name", sorted(OURS))
def test_it_ends_before_it_would_be_delivered_again(name):
    limit = OURS[name].time_limit or settings.CELERY_TASK_TIME_LIMIT

    assert limit < settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]


def test_nothing_is_taken_from_the_queue_before_it_was_done():
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1


def test_a_task_waits_for_a_database_that_is_away(monkeypatch):
    @app.task(name="a test's", shared=False)
    def ask() -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(ask, "apply_async", lambda *args, **options: None)
    ask.push_request(called_directly=False, retries=2, id="1", args=(), kwargs={}, delivery_info={})

    with pytest.raises(Retry) as retry:
        ask()

    assert retry.value.when == 8  # 2 s, 4 s, 8 s, up to a minute
    app.tasks.unregister("a test's")
