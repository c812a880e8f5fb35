"""
A full disk, for real: `make run` on a small file system of its own, which root can make, that is filled and emptied.

Pages stay readable, nothing ends, and reading is back within a minute of there being room (S2).
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres
from apps.config.tests.test_supervisor import ROOT, Installation, wait_for

SIZE_MB = 600  # of which some 150 are taken at the start
BACK_WITHIN = 60  # seconds
SIGN_IN = """
import django
django.setup()
from django.test import Client
from apps.people.models import User
browser = Client()
browser.force_login(User.objects.create_user("rita", password="a password of Rita's"))
print(*(f"{name}={cookie.value}" for name, cookie in browser.cookies.items()), sep="; ")
"""


@pytest.fixture
def disk() -> Iterator[Path]:
    """A file system of its own, with a short path."""
    folder = Path(tempfile.mkdtemp(prefix="headroom-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=711", "headroom-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        pytest.skip("NOT TESTED: a full disk needs root and the right to mount a tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


@pytest.fixture
def installation(disk: Path) -> Iterator[Installation]:
    installation = Installation(disk)
    yield installation
    if installation.process.poll() is None:
        installation.stop(signal.SIGTERM)
    for process in installation.processes():
        process.kill()


class Reader:
    """Somebody who has signed in, and goes on reading."""

    def __init__(self, installation: Installation) -> None:
        self.address = installation.address.geturl()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
        signed_in = subprocess.run(
            [sys.executable, "-c", SIGN_IN], cwd=ROOT, capture_output=True, text=True, check=True,
            env={**inherited, "HEADROOM_DATA": str(installation.root), "DJANGO_SETTINGS_MODULE": "apps.config.settings"},
        )  # fmt: skip
        self.cookie = signed_in.stdout.strip()

    def read(self, path: str) -> str:
        """The page; any answer but 200 raises."""
        request = urllib.request.Request(f"{self.address}{path}", headers={"Cookie": self.cookie})
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.url == f"{self.address}{path}"
            return str(answer.read(), "utf-8")


def fill(disk: Path, name: str) -> Path:
    """Take all that is left, to the last block."""
    ballast = disk / name
    with ballast.open("wb", buffering=0) as file:
        for size in (2**20, 4096, 1):
            with suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return ballast


def runs(disk: Path, after: float) -> list[tuple[str, str]]:
    """State and reason of each run that ended after a moment."""
    with psycopg.connect(Postgres(Folder(disk)).url) as connection:
        return connection.execute(
            "SELECT state, reason FROM collection_collectionrun"
            " WHERE began_at > to_timestamp(%s) AND state <> 'running'",
            [after],
        ).fetchall()


def came_back(disk: Path, after: float) -> bool:
    try:
        return ("complete", "") in runs(disk, after)
    except psycopg.OperationalError:  # PostgreSQL stopped for want of room, and is being started again
        return False


def hurry(disk: Path) -> None:
    """Read this machine every minute, and look at what is due every few seconds."""
    with psycopg.connect(Postgres(Folder(disk)).url) as connection:
        connection.execute("UPDATE inventory_target SET interval_minutes = 1")
        connection.execute("UPDATE django_celery_beat_intervalschedule SET every = 5, period = 'seconds'")
        connection.execute("UPDATE django_celery_beat_periodictasks SET last_update = now()")


def test_a_full_disk_stops_reading_alone_and_what_was_missed_goes_on_with_room(installation, disk):  # S2
    installation.start()
    reader = Reader(installation)
    wait_for(lambda: runs(disk, 0))
    hurry(disk)
    before = installation.children()

    filled_at = time.time()
    ballast = fill(disk, "ballast")
    wait_for(lambda: any("nearly full" in reason for _, reason in runs(disk, filled_at)), 120)
    pages = [reader.read(path) for path in ("/", "/collection", "/violations", "/targets")]
    during = installation.children()
    last = fill(disk, "the last")  # what was held back for PostgreSQL is gone now, too
    time.sleep(10)
    during_the_worst = installation.children()
    for file in (ballast, last):
        file.unlink()
    freed_at = time.time()
    wait_for(lambda: came_back(disk, freed_at), BACK_WITHIN + 60)
    took = time.time() - freed_at
    after = reader.read("/")
    wait_for(lambda: "There is room on the disk again" in installation.errors.read_text())
    errors = installation.errors.read_text()

    assert all("is nearly full" in page and "Nothing is read until there is room" in page for page in pages)
    assert "is nearly full (" in pages[1].partition("What was not read</h2>")[2]
    assert during == before  # nothing ended
    assert set(before) - {"postgres"} <= set(during_the_worst)
    assert took <= BACK_WITHIN
    assert "disk-warning" not in after
    assert "nearly full: reading stops until there is room" in errors
    assert "There is room on the disk again" in errors
    assert installation.stop(signal.SIGTERM) == 0
