"""What gunicorn loads before it forks."""

import subprocess
import sys

TOLD = (
    "import apps.config.wsgi, gc, sys; print(gc.get_freeze_count(), 'apps.web.views.estate' in sys.modules)"
)


def test_the_pages_are_loaded_and_frozen_before_processes_are_forked():
    answer = subprocess.run(
        [sys.executable, "-c", TOLD], capture_output=True, text=True, check=True, timeout=120
    )

    frozen, has_pages = answer.stdout.split()[-2:]
    assert int(frozen) > 100_000
    assert has_pages == "True"
