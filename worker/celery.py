"""
The Celery application. Two queues, each with a worker process of its own:

collect   waiting for targets, in threads; the threads pool knows no time limit, so a collection bounds itself
review    arithmetic on their figures, in processes; also everything else
"""

import os
from typing import Any

from celery import Celery, Task, signals
from django.db import InterfaceError, OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")


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


app = Celery("headroom", task_cls=PatientTask)
app.set_default()  # for all threads, those of the web server too
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["worker"])


@signals.setup_logging.connect
def leave_logging_to_settings(**_: Any) -> None:
    """Celery sets up logging unless somebody listens here; Django has done it."""
