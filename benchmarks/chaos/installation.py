"""The installation that is killed: its processes by what they are, whether each is back, and its disk."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from apps.config.embedded.broker import Broker
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres
from benchmarks.chaos.plan import SUPERVISOR

ROOT = Path(__file__).resolve().parents[2]
SIZE_MB = 1500
WORDS = {
    "PostgreSQL": "postgres -D", "broker": "valkey-server", "web": "gunicorn", "collect worker": "-Q collect",
    "review worker": "-Q review", "timetable": "beat --pidfile",
}  # fmt: skip
CHILDREN = {"web process": "web", "review process": "review worker", "PostgreSQL backend": "PostgreSQL"}
SAYS_READY = {
    "collect worker": ("worker-collect.log", b" ready."),
    "review worker": ("worker-review.log", b" ready."),
    "timetable": ("beat.log", b"beat: Starting"),
}


class Installation:
    """Headroom as `make run` starts it, on a data folder of its own."""

    def __init__(self, folder: Path, smtp_port: int) -> None:
        self.folder = Folder(folder)
        self.port = free_port()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
        self.environment = {
            **inherited, "HEADROOM_DATA": str(folder), "HEADROOM_PORT": f"{self.port}", "HEADROOM_DEMO": "0",
            "HEADROOM_SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
        }  # fmt: skip

    def run_step(self, *arguments: str, database: str = "", words: str = "") -> str:
        """A step on the installation's database or another of its server, which reads these words; its last line."""
        settings = {"HEADROOM_DATABASE_URL": database} if database else {}
        done = subprocess.run(
            [sys.executable, "-m", *arguments], cwd=ROOT, env={**self.environment, **settings},
            input=words, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""

    @contextmanager
    def postgres(self) -> Iterator[Postgres]:
        """PostgreSQL alone."""
        self.folder.make()
        postgres = Postgres(self.folder)
        postgres.prepare()
        server = postgres.start()
        try:
            server.wait_until(postgres.is_ready, "PostgreSQL", seconds=120)
            yield postgres
        finally:
            server.stop()

    def start(self) -> None:
        with (self.folder.logs / "supervisor.log").open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "apps.config.embedded.supervisor"], cwd=ROOT, env=self.environment,
                stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(90)

    def parts(self, which: float = 0.0) -> dict[str, psutil.Process]:
        """What runs now, by what it is; of several alike the one that lies so far along their list (0 to 1)."""
        parts: dict[str, psutil.Process] = {}
        with suppress(psutil.Error):
            parts[SUPERVISOR] = psutil.Process(self.process.pid)
            for process in parts[SUPERVISOR].children():
                with suppress(psutil.Error):
                    command = " ".join(process.cmdline())
                    parts.update({name: process for name, word in WORDS.items() if word in command})
        for name, parent in CHILDREN.items():
            with suppress(psutil.Error):
                if parent in parts and (children := parts[parent].children()):
                    parts[name] = children[int(which * len(children))]
        return parts

    def marks(self) -> dict[str, int]:
        """How long the logs are now that say when a part is ready."""
        return {name: self._log_size(file) for name, (file, _) in SAYS_READY.items()}

    def answers(self, name: str, since: dict[str, int]) -> bool:
        """Whether a part does its work again, as far as it says so: servers answer, workers and beat say they are ready."""
        if name == SUPERVISOR:
            return WORDS.keys() <= self.parts().keys() and all(self.answers(part, since) for part in WORDS)
        if name == "PostgreSQL":
            return self._has_database()
        if name == "broker":
            return Broker(self.folder).is_ready()
        if name == "web":
            return self._has_pages()
        file, words = SAYS_READY[name]
        with (self.folder.logs / file).open("rb") as log:
            log.seek(since[name])
            return words in log.read()

    def _log_size(self, file: str) -> int:
        log = self.folder.logs / file
        return log.stat().st_size if log.exists() else 0

    def _has_database(self) -> bool:
        try:
            with psycopg.connect(Postgres(self.folder).url, connect_timeout=2):
                return True
        except psycopg.Error:
            return False

    def _has_pages(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=1)
        try:
            connection.request("GET", "/healthz?part=web", headers={"Host": "localhost"})
            connection.getresponse()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        return True

    def fill_disk(self) -> None:
        """Fill the disk to the last block."""
        with (self.folder.root / "ballast").open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(2**20)):
                pass

    def empty_disk(self) -> None:
        (self.folder.root / "ballast").unlink(missing_ok=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def data_folder() -> Iterator[tuple[Path, bool]]:
    """A folder for the data, and whether it is a disk of its own that may be filled."""
    folder = Path(tempfile.mkdtemp(prefix="hr-chaos-"))
    folder.chmod(0o711)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=711", "headroom-chaos", str(folder)]
    is_own = os.geteuid() == 0 and not subprocess.run(mount, capture_output=True, check=False).returncode
    try:
        yield folder, is_own
    finally:
        if is_own:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)
