"""What a program loads: a command that shows no page, draws nothing and asks no Oracle loads nothing for it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DRIVERS = {"oracledb", "asyncssh", "sqlglot"}
FILES = {"xlsxwriter", "typst"}
PAGES = {"apps.web.urls", "apps.web.pages", "apps.web.pages.estate.views"}
SILENT = "postgresql://127.0.0.1:1/none"  # a server that does not answer: what is loaded is loaded by then
RUN = """
import json, sys
sys.argv = ["manage.py", *sys.argv[1:]]
import manage
try:
    manage.main()
except SystemExit:
    pass
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def loaded_by(code: str, *arguments: str, **settings: str) -> set[str]:
    """The names of all modules that a program has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "apps.config.settings", **settings},
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_help_loads_neither_pages_nor_drivers_nor_arithmetic():
    modules = loaded_by(RUN, "help")

    assert "apps.platforms.oracle.metrics" in modules
    assert not modules & {
        *DRIVERS,
        *FILES,
        *PAGES,
        "numpy",
        "pandas",
        "redis",
        "worker.tasks",
        "apps.demo.estate",
    }


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("collect", "apps.collection.collect"),
        ("profile", "apps.profiles.build"),
        ("check_thresholds", "apps.thresholds.check"),
    ],
)
def test_a_command_loads_neither_pages_nor_drivers(command, needed):
    modules = loaded_by(RUN, command, "DWPRD", HEADROOM_DATABASE_URL=SILENT)

    assert needed in modules
    assert not modules & {*DRIVERS, *FILES, *PAGES, "redis", "worker.tasks"}


def test_reading_a_target_needs_no_frames():
    modules = loaded_by(RUN, "collect", "DWPRD", HEADROOM_DATABASE_URL=SILENT)

    assert "numpy" in modules
    assert "pandas" not in modules


@pytest.mark.parametrize(
    ("collector", "driver"),
    [("linux", None), ("linux-ssh", "asyncssh"), ("oracle", "oracledb"), ("demo", None)],
)
def test_a_collector_is_loaded_with_its_own_driver_when_it_is_first_asked_for(collector, driver):
    modules = loaded_by(
        f"import django, json, sys; django.setup()\n"
        f"from apps.collection.collector import get_collector\n"
        f"assert not {DRIVERS!r} & sys.modules.keys()\n"
        f"assert get_collector({collector!r}) is get_collector({collector!r})\n"
        f"print(json.dumps(sorted(sys.modules)))"
    )

    assert modules & {"oracledb", "asyncssh"} == ({driver} if driver else set())


def test_the_workers_load_no_pages_and_no_drivers():
    modules = loaded_by(
        "import django, json, sys; django.setup()\nimport worker.celery, worker.tasks\nprint(json.dumps(sorted(sys.modules)))",
    )

    assert "apps.review.nightly" in modules
    assert not modules & {*PAGES, "asyncssh", "oracledb", "sqlglot"}
