"""S16: a backup is whole and private, by the programs of its server, and a restore puts back all of it or nothing."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from psycopg.conninfo import make_conninfo

from apps.config.backup import Address, BackupError, address_of_connection, back_up, restore
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres
from apps.people.models import User
from conftest import temporary_folder

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]


def names_in(address: Address) -> list[str]:
    with psycopg.connect(make_conninfo(**address)) as session:
        return [row[0] for row in session.execute("SELECT username FROM people_user ORDER BY username")]


@pytest.fixture
def empty() -> Iterator[Address]:
    """A database of its own beside that of the tests."""
    ours = address_of_connection()
    with psycopg.connect(make_conninfo(**ours), autocommit=True) as server:
        server.execute("CREATE DATABASE headroom_restored")
        yield {**ours, "dbname": "headroom_restored"}
        server.execute("DROP DATABASE headroom_restored WITH (FORCE)")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a database with one person in it."""
    User.objects.create(username="rita")
    file = tmp_path / "headroom.dump"
    call_command("backup", file, stdout=StringIO())
    return file


def test_what_was_backed_up_comes_back_in_the_place_of_what_is_there_also_twice(
    backup: Path, empty: Address, tmp_path: Path
):
    restore(empty, backup)
    with psycopg.connect(make_conninfo(**empty)) as changed:
        changed.execute("UPDATE people_user SET username = 'somebody else'")
        changed.execute("CREATE TABLE of_a_newer_version (person bigint REFERENCES people_user)")
    second = tmp_path / "second.dump"

    restore(empty, backup)
    back_up(empty, second)
    restore(empty, second)

    assert names_in(empty) == ["rita"]
    with psycopg.connect(make_conninfo(**empty)) as session:
        assert session.execute("SELECT to_regclass('of_a_newer_version')").fetchone() == (None,)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("length", "sentence"), [(-200, "is damaged"), (1000, "is not a backup of Headroom")]
)
def test_half_a_backup_is_refused_and_changes_nothing(
    backup: Path, empty: Address, length: int, sentence: str
):
    restore(empty, backup)
    backup.write_bytes(backup.read_bytes()[:length])

    with pytest.raises(BackupError, match=sentence):
        restore(empty, backup)

    assert names_in(empty) == ["rita"]


REFUSE_INDEXES = """
    CREATE SCHEMA aside;
    CREATE FUNCTION aside.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
    CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION aside.refuse();
"""


def test_a_restore_that_fails_late_changes_nothing(backup: Path, empty: Address):
    restore(empty, backup)
    with psycopg.connect(make_conninfo(**empty)) as changed:
        changed.execute("UPDATE people_user SET username = 'somebody else'")
        changed.execute(REFUSE_INDEXES)  # they come last, after all tables and rows

    with pytest.raises(BackupError, match=r"(?s)psql has failed:.*disk full"):
        restore(empty, backup)

    assert names_in(empty) == ["somebody else"]


def test_a_restore_is_refused_while_something_works_on_the_database(backup: Path):
    with pytest.raises(CommandError, match="Something still works on the database"):
        call_command("restore", backup)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_file_that_is_nowhere_gets_a_sentence(command: str):
    with pytest.raises(CommandError, match=r"no file|cannot be written: No such file"):
        call_command(command, Path("/nowhere/headroom.dump"))


@pytest.fixture
def data() -> Iterator[Folder]:
    folder = temporary_folder()
    yield folder
    shutil.rmtree(folder.root)


def run(*command: str | Path, data: Folder) -> str:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
    done = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**inherited, "HEADROOM_DATA": str(data.root)},
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_new_data_folder_is_given_a_backup_and_gives_one_while_headroom_stands_still_or_works(
    backup: Path, data: Folder, tmp_path: Path
):
    restored = run("restore", backup, data=data)
    still = run("backup", tmp_path / "still.dump", data=data)
    postgres = Postgres(data)
    postgres.prepare()
    server = postgres.start()
    try:
        with data.locked():
            server.wait_until(postgres.is_ready, "PostgreSQL", seconds=60)
            with psycopg.connect(postgres.url) as session:
                names = session.execute("SELECT username FROM people_user").fetchall()
            at_work = run("backup", tmp_path / "at-work.dump", data=data)
            refused = run("restore", backup, data=data)
    finally:
        server.stop()

    assert restored.startswith("Restored. Start Headroom")
    assert (still.startswith("Written: "), at_work.startswith("Written: ")) == (True, True)
    assert names == [("rita",)]
    assert "Headroom is already running on the data in" in refused
