"""The estate that tests look at, in databases of its own: loaded once, copied for each process."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
    """The address of a database with the estate, for all tests of this process that look at it in a browser."""
    with estate_copy() as address:
        yield address


@contextmanager
def estate_copy(purpose: str = "browser") -> Iterator[str]:
    """
    The address of a database with the estate that nobody else of this process works on; gone in the end.

    It is loaded once, however many processes run the tests: the first copy makes a model, the last one takes it away.
    """
    ours = urlsplit(os.environ["HEADROOM_DATABASE_URL"])
    model = f"estate_{os.environ.get('PYTEST_XDIST_TESTRUNUID', str(os.getpid()))[:16]}"
    copy = f"{model}_{purpose}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with _alone(ours.geturl(), model) as connection:
        if not _named(connection, model):
            draft = f"draft_{model}"
            _change(connection, "DROP DATABASE IF EXISTS {}", draft)
            _change(connection, "CREATE DATABASE {}", draft)
            run_program(
                "estate", "apps.web.tests.browser.estate", address=ours._replace(path=f"/{draft}").geturl()
            )
            _change(connection, "ALTER DATABASE {} RENAME TO {}", draft, model)
        _change(connection, "CREATE DATABASE {} TEMPLATE {}", copy, model)
    yield ours._replace(path=f"/{copy}").geturl()
    with _alone(ours.geturl(), model) as connection:
        _change(connection, "DROP DATABASE {} WITH (FORCE)", copy)
        if _named(connection, model) == [model]:
            _change(connection, "DROP DATABASE {}", model)


@contextmanager
def _alone(address: str, model: str) -> Iterator[psycopg.Connection]:
    """A connection while no other process makes or drops copies of the model."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", [model])
        yield connection


def _named(connection: psycopg.Connection, model: str) -> list[str]:
    """The model and its copies."""
    rows = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [model])
    return [name for (name,) in rows]


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
