"""
Starts Headroom and keeps it running: `python -m apps.config.embedded.supervisor`, which is `make run`.

PostgreSQL, the broker, the database's preparation, the web server, the workers and beat start in this order and stop in
reverse. What ends is started again, a little later each time. When we are killed, the kernel tells every child to stop,
and the next start waits for them.
"""

import errno
import http.client
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import psutil
import redis

from apps.config import env
from apps.config.embedded import CannotStart
from apps.config.embedded.broker import Broker, restore_unfinished
from apps.config.embedded.child import Child, is_living, send, wait_for_end
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres

ROOT = Path(__file__).resolve().parents[3]
PORTS_TO_TRY = 100
PATIENCE = 20  # seconds to stop in
LEFTOVER_PATIENCE = 5  # seconds for what a killed supervisor left, which was told to stop then
DELAYS = (1, 2, 4, 8, 16, 30)  # seconds until the next start
STABLE_AFTER = 60  # seconds after which earlier failures are forgotten
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # addresses to bind to, and where they answer
SIGN_IN = "first-sign-in"  # the first administrator's account, kept until it was shown

GUNICORN = (
    "gunicorn", "apps.config.wsgi", "--worker-class", "gthread", "--workers", "2", "--threads", "8", "--preload",
    "--timeout", "60", "--graceful-timeout", "10", "--no-control-socket",
)  # fmt: skip
CELERY = ("celery", "--app", "worker.celery")
QUIET = ("--without-gossip", "--without-mingle")
COLLECTIONS = 200  # in flight at once: they wait for targets, and share a few database connections
CONNECTIONS = 16
WORKERS = (
    (
        "collect",
        "The worker for collections",
        ("--pool", "threads", "--concurrency", f"{COLLECTIONS}", *QUIET),
    ),
    (
        "review",
        "The worker for reviews",
        ("--pool", "prefork", "--concurrency", f"{min(2, os.cpu_count() or 1)}", *QUIET),
    ),
)


@dataclass
class Part:
    """One of the processes that make up Headroom, and how it fares."""

    name: str
    title: str
    start: Callable[[], Child]
    child: Child | None = None
    started_at: float = 0
    failures: int = 0
    due_at: float | None = None

    def begin(self) -> Child:
        self.started_at, self.due_at = time.monotonic(), None
        self.child = self.start()
        return self.child

    def count_failure(self) -> int:
        """Note that it ended; return in how many seconds it is due again."""
        now = time.monotonic()
        if now - self.started_at > STABLE_AFTER:
            self.failures = 0
        delay = DELAYS[min(self.failures, len(DELAYS) - 1)]
        self.failures += 1
        self.due_at = now + delay
        return delay


class Supervisor:
    """One installation, on one data folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.postgres = None if env.text("HEADROOM_DATABASE_URL") else Postgres(folder)
        self.broker = None if env.text("HEADROOM_BROKER_URL") else Broker(folder)
        self.parts: list[Part] = []
        self.is_stopping = False

    def run(self) -> None:
        """Start everything and keep it running until we are told to stop. Raises CannotStart."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._remember_to_stop)
        check_settings()
        self.folder.make()
        with self.folder.locked():
            self._end_leftovers()
            self.folder.empty_temporary()
            with listen(env.text("HEADROOM_BIND", "127.0.0.1"), wanted_port()) as listener:
                try:
                    self._start(listener)
                    while not self.is_stopping:
                        self.look_after()
                        time.sleep(0.2)
                    say("Headroom is stopping.")
                finally:
                    self.stop()

    def _remember_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.is_stopping = True

    # ── starting ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _start(self, listener: socket.socket) -> None:
        self.environment = {
            **os.environ,
            **self.folder.temporary_setting,
            "HEADROOM_DATA": str(self.folder.root),
            "HEADROOM_URL": env.text("HEADROOM_URL") or address_of(listener),
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "apps.config.settings",
        }
        if self.postgres:
            self.postgres.prepare()
            # after a crash it first reads its journal, however long that takes
            self._begin(
                Part("postgres", "PostgreSQL", self.postgres.start), self.postgres.is_ready, seconds=3600
            )
        if self.broker:
            self.broker.prepare()
            self._begin(Part("broker", "The broker", self.broker.start), self.broker.is_ready, seconds=120)
        self._prepare_database()
        self._begin(
            Part("web", "The web server", partial(self._web, listener)),
            partial(answers, listener),
            seconds=120,
        )
        self._announce(listener)
        for queue, title, options in WORKERS:
            self._begin(Part(f"worker-{queue}", title, partial(self._worker, queue, options)))
        self._begin(
            Part("beat", "The timetable", partial(self._python, "beat", *CELERY, "beat", "--pidfile="))
        )
        if env.flag("HEADROOM_DEMO", default=True):
            serve = partial(
                self._python, "demo-oracle", "django", "serve_demo_oracle", stop_signal=signal.SIGTERM
            )
            self._begin(Part("demo-oracle", "The demo's Oracle instances", serve))

    def _begin(self, part: Part, is_ready: Callable[[], bool] | None = None, seconds: float = 60) -> None:
        if self.is_stopping:
            return
        self.parts.append(part)
        child = part.begin()
        self._record_children()
        if is_ready:
            child.wait_until(is_ready, part.title, seconds=seconds, given_up=lambda: self.is_stopping)

    def _prepare_database(self) -> None:
        if self.is_stopping:
            return
        child = self._python("prepare", "apps.config.prepare", "--json", answers=True)
        while child.is_alive and not self.is_stopping:
            time.sleep(0.05)
        if self.is_stopping:
            child.stop(PATIENCE)
            return
        if child.process.returncode:
            raise CannotStart(f"Headroom cannot start; {child.log} says why:\n{child.last_words()}")
        answer = child.read_answer()
        if json.loads(answer)["created"]:
            self.folder.keep_private(SIGN_IN, answer)

    def _announce(self, listener: socket.socket) -> None:
        if self.is_stopping:
            return
        line = f"Headroom is at {self.environment['HEADROOM_URL']}"
        kept = self.folder.root / SIGN_IN
        if kept.exists():
            account = json.loads(kept.read_text())
            line += (
                f" (sign in as {account['username']} with the password {account['password']}, shown only now)"
            )
        print(line, flush=True)
        kept.unlink(missing_ok=True)

    def _web(self, listener: socket.socket) -> Child:
        bind = f"fd://{listener.fileno()}"
        return self._python("web", *GUNICORN, "--bind", bind, descriptors=[listener.fileno()])

    def _worker(self, queue: str, options: Sequence[str]) -> Child:
        if self.broker:
            with suppress(redis.exceptions.RedisError, OSError):  # Celery gives them back too, only later
                restore_unfinished(self.broker.url, queue)
        # SIGQUIT: give the tasks a while, then put them back into the queue
        return self._python(
            f"worker-{queue}",
            *CELERY,
            "worker",
            "-Q",
            queue,
            "-n",
            f"{queue}@%h",
            *options,
            stop_signal=signal.SIGQUIT,
            settings={"HEADROOM_DATABASE_POOL": f"{CONNECTIONS}"} if queue == "collect" else {},
        )

    def _python(
        self,
        name: str,
        module: str,
        *arguments: str,
        settings: Mapping[str, str] = MappingProxyType({}),
        **how: Any,
    ) -> Child:
        return Child(
            [sys.executable, "-m", module, *arguments],
            log=self.folder.logs / f"{name}.log",
            environment={**self.environment, **settings},
            working_directory=ROOT,
            **how,
        )

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def look_after(self) -> None:
        """Start again what has ended, when it is due."""
        for part in self.parts:
            if part.due_at is not None:
                if time.monotonic() >= part.due_at:
                    self._begin_again(part)
            elif part.child and not part.child.is_alive:
                part.child.kill_group()
                end = part.child.how_it_ended()
                say(
                    f"{part.title} ended {end}; it is started again in {part.count_failure()} s. See {part.child.log}."
                )

    def _begin_again(self, part: Part) -> None:
        try:
            part.begin()
        except (CannotStart, OSError) as error:
            say(f"{part.title} cannot be started: {error} Next attempt in {part.count_failure()} s.")
        self._record_children()

    # ── stopping ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def stop(self) -> None:
        """Stop in reverse: all that use the database and the broker together, then these two."""
        servers = [part for part in self.parts if part.name in ("broker", "postgres")]
        users = [part for part in self.parts if part not in servers]
        for part in reversed(users):
            if part.child:
                part.child.ask_to_stop()
        deadline = time.monotonic() + PATIENCE
        for part in reversed(users):
            if part.child:
                part.child.wait(max(0, deadline - time.monotonic()))
                part.child.kill_group()
        for part in reversed(servers):
            if part.child:
                part.child.stop(PATIENCE)
        self.folder.remove_moved_sockets()
        (self.folder.run / "children.json").unlink(missing_ok=True)

    def _record_children(self) -> None:
        """Write down whom the next supervisor would have to wait for if this one were killed."""
        alive = []
        for part in self.parts:
            if part.child and part.name not in ("broker", "postgres"):  # these look for leftovers themselves
                with suppress(psutil.NoSuchProcess):
                    process = psutil.Process(part.child.pid)
                    alive.append([process.pid, process.create_time(), int(part.child.stop_signal)])
        draft = self.folder.run / "children.new"
        with suppress(OSError):  # a full disk must not stop what still runs
            draft.write_text(json.dumps(alive))
            draft.replace(self.folder.run / "children.json")

    def _end_leftovers(self) -> None:
        """Wait for the children of a supervisor that was killed; they have been told to stop."""
        leftovers = []
        for pid, created, stop_signal in reversed(self._recorded_children()):
            with suppress(psutil.Error):
                process = psutil.Process(pid)
                if abs(process.create_time() - created) < 1 and is_living(process):
                    leftovers.append(process)
                    process.send_signal(stop_signal)
        if leftovers:
            say("Waiting for what an earlier start left running.")
        for process in wait_for_end(leftovers, LEFTOVER_PATIENCE):
            send([*process.children(recursive=True), process], signal.SIGKILL)

    def _recorded_children(self) -> list[tuple[int, float, int]]:
        try:
            return [
                (pid, created, number)
                for pid, created, number in json.loads((self.folder.run / "children.json").read_text())
            ]
        except (OSError, ValueError, TypeError):
            return []


def check_settings() -> None:
    """Find a wrong setting before anything is started. Raises WrongSetting."""
    wanted_port()
    env.site_url("HEADROOM_URL", "http://localhost")
    env.database("HEADROOM_DATABASE_URL", "postgresql:///headroom")
    env.broker("HEADROOM_BROKER_URL", "redis://")
    for name in ("HEADROOM_DEBUG", "HEADROOM_DEMO"):
        env.flag(name, default=False)


def wanted_port() -> int:
    """The port to answer on; 0 for any free one."""
    return env.integer("HEADROOM_PORT", 8000, least=0, most=65535)


def listen(host: str, wanted: int) -> socket.socket:
    """Take the wanted port, or the next free one. The supervisor keeps it, so that no restart of the web loses it."""
    for port in range(wanted, min(wanted + PORTS_TO_TRY, 65536)):
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            listener = socket.create_server(address[:2], family=family, backlog=1024)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise CannotStart(
                f"Headroom cannot listen on {host}, port {port}: {error.strerror}. Check HEADROOM_BIND and HEADROOM_PORT."
            ) from None
        if wanted and port != wanted:
            say(f"Port {wanted} is taken, so Headroom takes {port}.")
        return listener
    raise CannotStart(f"The ports from {wanted} to {port} are all taken: set HEADROOM_PORT to a free one.")


def address_of(listener: socket.socket) -> str:
    """The address to open in a browser."""
    host, port = listener.getsockname()[:2]
    if host in EVERYWHERE:
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def answers(listener: socket.socket) -> bool:
    """Whether somebody answers there, whatever it is."""
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(EVERYWHERE.get(host, host), port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def say(sentence: str) -> None:
    """Tell the person at the terminal, who may have closed it."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


def main() -> None:
    try:
        Supervisor(Folder(env.path("HEADROOM_DATA", ROOT / "var"))).run()
    except CannotStart as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
