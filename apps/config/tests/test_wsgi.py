"""What gunicorn loads before it forks."""

import subprocess
import sys

HEAVY_MODULES = (
    "{'apps.web.pages.estate.views', 'pandas', 'oracledb', 'asyncssh', 'redis', 'apps.snapshots.history'}"
)
PROGRAM = (
    f"import apps.config.wsgi, gc, sys; print(gc.get_freeze_count(), sys.modules.keys() >= {HEAVY_MODULES})"
)


def test_the_pages_and_what_they_need_are_loaded_and_frozen_before_processes_are_forked():
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=300
    )

    frozen, has_all = answer.stdout.split()[-2:]
    assert int(frozen) > 100_000
    assert has_all == "True"
