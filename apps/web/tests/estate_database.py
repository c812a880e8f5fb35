"""The estate that tests look at, in databases of its own: loaded once, copied for each process."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from apps.config.embedded.child import Child
from apps.config.embedded.folder import Folder

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    """
    The address of a database with the estate.

    It is loaded once, however many processes run the tests: the first of them makes a model, each works on a copy.
    """
    ours = urlsplit(os.environ["HEADROOM_DATABASE_URL"])
    model = f"browser_{os.environ.get('PYTEST_XDIST_TESTRUNUID', str(os.getpid()))[:16]}"
    copy = f"{model}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with psycopg.connect(ours.geturl(), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", [model])
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [model]).fetchone():
            draft = f"{model}_draft"
            _change(connection, "DROP DATABASE IF EXISTS {}", draft)
            _change(connection, "CREATE DATABASE {}", draft)
            run_program(
                "estate", "apps.web.tests.browser.estate", address=ours._replace(path=f"/{draft}").geturl()
            )
            _change(connection, "ALTER DATABASE {} RENAME TO {}", draft, model)
        _change(connection, "CREATE DATABASE {} TEMPLATE {}", copy, model)
        connection.execute("SELECT pg_advisory_unlock(hashtext(%s))", [model])
    yield ours._replace(path=f"/{copy}").geturl()
    with psycopg.connect(ours.geturl(), autocommit=True) as connection:
        _change(connection, "DROP DATABASE {} WITH (FORCE)", copy)
        with suppress(
            psycopg.errors.ObjectInUse, psycopg.errors.InvalidCatalogName
        ):  # another still copies it
            _change(connection, "DROP DATABASE {}", model)


def _change(connection: psycopg.Connection, statement: str, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))  # type: ignore[arg-type]


def run_program(
    name: str,
    module: str,
    *arguments: str,
    address: str,
    listener: socket.socket | None = None,
    broker: str = "memory://",
) -> Child:
    """Start a program of ours on this database; without a listener, wait for its end."""
    logs = Folder(os.environ["HEADROOM_DATA"]).logs
    child = Child(
        [sys.executable, "-m", module, *arguments],
        log=logs / f"browser-{name}-{os.getpid()}.log",
        environment={**os.environ, "HEADROOM_DATABASE_URL": address, "HEADROOM_BROKER_URL": broker},
        descriptors=[listener.fileno()] if listener else [],
        working_directory=ROOT,
    )
    if listener is None and (not child.wait(300) or child.process.returncode):
        child.kill_group()
        raise AssertionError(f"{module} did not end well:\n{child.last_words(40)}")
    return child
