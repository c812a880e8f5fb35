"""
A full disk, for real: `make run` on a small file system of its own, which root can make, that is filled and emptied.

Pages stay readable, nothing ends, and reading is back soon after there is room (S2).
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
from apps.config.tests.test_supervisor import ROOT, SupervisedInstallation, wait_for

pytestmark = pytest.mark.long

SIZE_MB = 600  # of which some 150 are taken at the start
LEFT = 2**20  # bytes: less than what PostgreSQL's reserve is given away at
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
def installation(disk: Path) -> Iterator[SupervisedInstallation]:
    installation = SupervisedInstallation(disk)
    yield installation
    if installation.process.poll() is None:
        installation.stop(signal.SIGTERM)
    for process in installation.processes():
        process.kill()


class PageReader:
    """Somebody who has signed in, and goes on reading."""

    def __init__(self, installation: SupervisedInstallation) -> None:
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
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.url == f"{self.address}{path}"
            return str(answer.read(), "utf-8")


def fill(disk: Path) -> Path:
    """Take what is left but for a little, and in one go: what is given away meanwhile is not taken, too."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        while not ballast.stat().st_blocks:
            room = os.statvfs(disk)
            with suppress(OSError):  # somebody else was quicker
                os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize - LEFT)
    return ballast


def fill_to_the_last_block(disk: Path) -> Path:
    ballast = disk / "the last"
    with ballast.open("wb", buffering=0) as file:
        for size in (2**20, 4096, 1):
            with suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return ballast


def runs(disk: Path, after: float) -> list[tuple[str, str]]:
    """State and reason of each run that began after a moment and has ended; none while PostgreSQL takes nobody in."""
    try:
        with psycopg.connect(Postgres(Folder(disk)).url) as connection:
            return connection.execute(
                "SELECT state, reason FROM collection_collectionrun"
                " WHERE began_at > to_timestamp(%s) AND state <> 'running'",
                [after],
            ).fetchall()
    except psycopg.OperationalError:
        return []


def hurry(disk: Path) -> None:
    """Read this machine every minute, and look at what is due every few seconds."""
    with psycopg.connect(Postgres(Folder(disk)).url) as connection:
        connection.execute("UPDATE inventory_target SET interval_minutes = 1")
        connection.execute("UPDATE django_celery_beat_intervalschedule SET every = 5, period = 'seconds'")
        connection.execute("UPDATE django_celery_beat_periodictasks SET last_update = now()")


def test_a_full_disk_stops_reading_alone_and_what_was_missed_goes_on_with_room(installation, disk):  # S2
    installation.start()
    reader = PageReader(installation)
    wait_for(lambda: runs(disk, 0))
    hurry(disk)
    before = installation.children()

    filled_at = time.time()
    ballast = fill(disk)
    wait_for(lambda: any("nearly full" in reason for _, reason in runs(disk, filled_at)))
    pages = [reader.read(path) for path in ("/", "/collection", "/violations", "/targets")]
    during = installation.children()
    last = fill_to_the_last_block(disk)  # what was held back for PostgreSQL is gone now, too
    time.sleep(10)
    during_the_worst = installation.children()
    for file in (ballast, last):
        file.unlink()
    freed_at = time.time()
    wait_for(lambda: ("complete", "") in runs(disk, freed_at))
    after = reader.read("/")
    wait_for(lambda: "There is room on the disk again" in installation.errors.read_text())
    errors = installation.errors.read_text()

    assert all("is nearly full" in page and "Nothing is read until there is room" in page for page in pages)
    assert "is nearly full (" in pages[1].partition("Readings</h2>")[2]
    assert during == before  # nothing ended
    assert set(before) - {"postgres"} <= set(during_the_worst)
    assert "disk-warning" not in after
    assert "nearly full: reading stops until there is room" in errors
    assert "There is room on the disk again" in errors
    assert installation.stop(signal.SIGTERM) == 0
