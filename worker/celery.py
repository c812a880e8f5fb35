"""
The Celery application. Two queues, each with a worker process of its own:

collect   waiting for targets, in threads; the threads pool knows no time limit, so a collection bounds itself
review    arithmetic on their figures, in processes; also everything else
"""

import os
from collections.abc import Callable
from typing import Any

from celery import Celery, Task, signals
from celery.app.amqp import AMQP
from django.db import InterfaceError, OperationalError
from kombu import Connection, Producer
from kombu.pools import ProducerPool

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")


LONGEST_PAUSE = 5  # seconds between two attempts to reach a broker that is away


class PatientConnection(Connection):
    """A connection that is back soon after its broker is: Celery's own pauses grow to half a minute."""

    def ensure_connection(
        self, errback: Callable[..., Any] | None = None, max_retries: int | None = None, **options: Any
    ) -> Any:
        pauses = {"interval_start": 1, "interval_step": 1, "interval_max": LONGEST_PAUSE}
        return super().ensure_connection(errback, max_retries, **{**pauses, **options})

    def get_transport_cls(self) -> Any:
        from worker.broker import PatientTransport, RedisTransport  # loaded where there is such a broker

        chosen = super().get_transport_cls()
        return PatientTransport if chosen is RedisTransport else chosen


class BriefProducer(Producer):
    """What is sent waits for nobody: kombu would repeat a broadcast until the broker is back."""

    def publish(self, body: Any, *, retry_policy: dict[str, Any] | None = None, **options: Any) -> Any:
        policy = retry_policy or app.conf.task_publish_retry_policy
        return super().publish(body, retry_policy=policy, **options)


class PatientAMQP(AMQP):
    Connection = PatientConnection

    @property
    def producer_pool(self) -> ProducerPool:
        pool = super().producer_pool
        pool.Producer = BriefProducer
        return pool


class PatientTask(Task):
    """
    A task that is tried again while PostgreSQL does not answer.

    That it began is not written to the results: a failure to do so, before its body, would lose it.
    """

    autoretry_for = (OperationalError, InterfaceError)
    retry_backoff = 2
    retry_backoff_max = 60
    retry_jitter = False
    max_retries = 20


app = Celery("headroom", task_cls=PatientTask, amqp=PatientAMQP)
app.set_default()  # for all threads, those of the web server too
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["worker"])


@signals.setup_logging.connect
def leave_logging_to_settings(**_: Any) -> None:
    """Celery sets up logging unless somebody listens here; Django has done it."""
