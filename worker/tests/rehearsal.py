"""The Celery application with a collector that waits for a file, for tests that run real workers: `--app worker.tests.rehearsal`."""

import os
from pathlib import Path
from typing import Any

from celery import signals

from worker.celery import app

__all__ = ["app"]


@signals.import_modules.connect(weak=False)
def make_the_collector_known(**_: Any) -> None:
    """Once Django is set up, which Celery sees to before it imports the tasks."""
    from apps.collection.collector import add_collector
    from apps.collection.tests import scripted

    scripted.register()
    add_collector("patient", scripted.Patient(Path(os.environ["REHEARSAL_FOLDER"])))
