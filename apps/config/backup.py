"""
The database in one file, and back, by the programs that belong to its server.

Without HEADROOM_DATABASE_URL it is the one in the data folder, which is started where Headroom stands still.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo

from apps.config import env
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres, program

LAST_LINES = 5
EMPTY = ("SET client_min_messages = warning", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
OURS = "TABLE DATA public django_migrations"

Address = Mapping[str, Any]  # what libpq takes: dbname, host, user, password, ...


class BackupError(Exception):
    """A backup cannot be written or restored; the message says why. The database and older backups are untouched."""


@contextmanager
def database(*, is_alone: bool) -> Iterator[Address]:
    """Where the database answers. Alone: nothing else works on it. Raises CannotStart, or BackupError."""
    if env.text("HEADROOM_DATABASE_URL"):
        address = address_of_connection()
        if is_alone:
            _refuse_others(address)
        yield address
        return
    folder = Folder(settings.HEADROOM_DATA)
    folder.make()
    postgres = Postgres(folder)
    if not is_alone and postgres.is_ready():
        yield conninfo_to_dict(postgres.url)
        return
    with folder.locked():
        postgres.prepare()
        server = postgres.start()
        try:
            server.wait_until(postgres.is_ready, "PostgreSQL", seconds=60)
            yield conninfo_to_dict(postgres.url)
        finally:
            server.stop()


def address_of_connection() -> Address:
    """Where Django's own connection leads."""
    options = {option.keyword.decode() for option in Conninfo.get_defaults()}
    return {name: value for name, value in connection.get_connection_params().items() if name in options}


def back_up(address: Address, file: Path) -> None:
    """Write the database as it stands at this moment; the file is there whole and private, or as it was before."""
    descriptor, draft = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}-")  # mode 0600
    os.close(descriptor)
    try:
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={draft}"], address)
        os.replace(draft, file)
    finally:
        Path(draft).unlink(missing_ok=True)


def restore(address: Address, file: Path) -> None:
    """Put what a backup holds in the place of everything there: all of it, or nothing."""
    listed = subprocess.run(
        [program("pg_restore"), "--list", file], capture_output=True, text=True, check=False
    )
    if OURS not in listed.stdout:
        raise BackupError(f"{file} is not a backup of Headroom.")
    with tempfile.TemporaryFile() as script:
        written = subprocess.run(
            [program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", file],
            stdout=script, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        if written.returncode:
            raise BackupError(f"{file} is damaged: it ends too early, or was changed.")
        script.seek(0)
        emptied = [f"--command={statement}" for statement in EMPTY]
        _run(
            [
                "psql",
                "--no-psqlrc",
                "--quiet",
                "--single-transaction",
                "--set=ON_ERROR_STOP=1",
                *emptied,
                "--file=-",
            ],
            address,
            stdin=script,
        )


def _refuse_others(address: Address) -> None:
    with psycopg.connect(make_conninfo(**address)) as session:
        row = session.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    if row and row[0]:
        raise BackupError(
            f"Something still works on the database ({row[0]} connections): stop Headroom's web server, its workers "
            "and beat first."
        )


def _run(command: Sequence[str], address: Address, stdin: Any = subprocess.DEVNULL) -> None:
    """Run one of PostgreSQL's programs; its password is not shown to other users of the machine."""
    name, *options = command
    login = dict(address)
    environment = {**os.environ, "PGPASSWORD": str(login.pop("password", None) or "")}
    done = subprocess.run(
        [program(name), *options, f"--dbname={make_conninfo(**login)}"],
        stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, env=environment,
    )  # fmt: skip
    if done.returncode:
        complaint = "\n".join(done.stderr.strip().splitlines()[:LAST_LINES])
        raise BackupError(f"{name} has failed:\n{complaint}")
