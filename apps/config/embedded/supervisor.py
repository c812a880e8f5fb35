"""
Starts Headroom and keeps it running: `python -m apps.config.embedded.supervisor`, which is `make run`.

PostgreSQL, the broker, the database's preparation, the web server, the workers and beat start in this order and stop in
reverse. What ends is started again, a little later each time, and no error of a part ends the others or us. When we are
killed, the kernel tells every child to stop, and the next start waits for them.
"""

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

from apps.collection.engine.disk import has_room_for_readings, note_free_space, tend_reserve
from apps.config import env
from apps.config.embedded import CannotStart
from apps.config.embedded.broker import Broker, keep_on_disk, restore_unfinished
from apps.config.embedded.child import Child, say
from apps.config.embedded.folder import Folder
from apps.config.embedded.leftovers import end_leftovers, forget_children, record_children
from apps.config.embedded.listener import address_of, answers, listen
from apps.config.embedded.part import LONGEST_SILENCE, SupervisedPart
from apps.config.embedded.postgres import Postgres

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 20  # seconds to stop in
PRIVATE = 0o077  # what is made, by us or by our children, is for our own user alone
SERVERS = ("broker", "postgres")
DATABASE_AWAY = 75  # what apps.config.prepare ends with when the database went away under it
ATTEMPTS = 10  # to start what somebody kills while it is started
SIGN_IN = "first-sign-in"  # the first administrator's account, kept until it was shown

GUNICORN = (
    "gunicorn", "apps.config.wsgi", "--worker-class", "gthread", "--workers", "2", "--threads", "8", "--preload",
    "--timeout", "60", "--graceful-timeout", "10", "--no-control-socket",
)  # fmt: skip
CELERY = ("celery", "--app", "worker.celery", "--skip-checks")  # they would load every page
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


class Supervisor:
    """One installation, on one data folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.postgres = None if env.text("HEADROOM_DATABASE_URL") else Postgres(folder)
        self.broker = None if env.text("HEADROOM_BROKER_URL") else Broker(folder)
        self.parts: list[SupervisedPart] = []
        self.programs: list[dict[str, Any]] = []  # that apps want to run beside us, as the preparation tells
        self.is_stopping = False
        # while debugging they are served from where they lie, so that a change is seen at once
        self.collects_static = not env.text("HEADROOM_STATIC") and not env.flag(
            "HEADROOM_DEBUG", default=False
        )
        self.has_room = True
        self.is_queue_on_disk = True
        self.looked_at_disk_at = 0.0

    def run(self) -> None:
        """Start everything and keep it running until we are told to stop. Raises CannotStart."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._remember_to_stop)
        check_settings()
        self.folder.make()
        with self.folder.locked():
            end_leftovers(self.folder.run)
            self.folder.empty_temporary()
            with listen(env.text("HEADROOM_BIND", "127.0.0.1"), configured_port()) as listener:
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
        if self.collects_static:
            self.environment["HEADROOM_STATIC"] = str(self.folder.static)
        servers = []
        if self.postgres:
            tend_reserve(self.folder.root)
            self.postgres.prepare()
            part = SupervisedPart("postgres", "PostgreSQL", self.postgres.start, self.postgres.is_ready)
            # after a crash it first reads its journal, however long that takes
            self._begin(part, part.is_ready, seconds=3600)
            servers.append(part)
        if self.broker:
            self.broker.prepare()
            part = SupervisedPart("broker", "The broker", self.broker.start, self.broker.is_ready)
            self._begin(part, part.is_ready, seconds=120)
            servers.append(part)
        self._prepare_database()
        self._begin(
            SupervisedPart("web", "The web server", partial(self._web, listener)),
            partial(answers, listener),
            seconds=120,
        )
        self._announce(listener)
        for queue, title, options in WORKERS:
            self._add(
                SupervisedPart(f"worker-{queue}", title, partial(self._worker, queue, options), needs=servers)
            )
        beat = partial(self._python, "beat", *CELERY, "beat", "--pidfile=")
        self._add(SupervisedPart("beat", "The timetable", beat, needs=servers))
        for program in self.programs:
            begin = partial(self._python, program["name"], *program["arguments"])
            self._add(SupervisedPart(program["name"], program["title"], begin, needs=servers))

    def _add(self, part: SupervisedPart) -> None:
        """Have it started as soon as what it needs is up."""
        part.due_at = time.monotonic()
        self.parts.append(part)

    def _begin(self, part: SupervisedPart, is_ready: Callable[[], bool] | None, seconds: float) -> None:
        """Start it, and wait until it answers. Raises CannotStart."""
        self.parts.append(part)
        for attempts_left in reversed(range(ATTEMPTS)):
            if self.is_stopping:
                return
            child = part.begin()
            self._record_children()
            try:
                if is_ready:
                    child.wait_until(is_ready, part.title, seconds=seconds, given_up=lambda: self.is_stopping)
                part.note_answer()
                return
            except CannotStart:
                if not has_room_for_readings(self.folder.root):
                    self._wait_for_room()
                elif not part.was_killed or not attempts_left:
                    raise

    def _wait_for_room(self) -> None:
        """Start on, once there is room on a disk that is full."""
        say("There is no room on the disk that holds Headroom's data: it starts as soon as there is.")
        while not self.is_stopping and not has_room_for_readings(self.folder.root):
            time.sleep(1)

    def _prepare_database(self) -> None:
        """Again where a server was killed meanwhile. Raises CannotStart."""
        static = ["--static"] if self.collects_static else []
        for attempts_left in reversed(range(ATTEMPTS)):
            if self.is_stopping:
                return
            child = self._python("prepare", "apps.config.prepare", "--json", *static, answers=True)
            while child.is_alive and not self.is_stopping:
                time.sleep(0.05)
            if self.is_stopping:
                child.stop(PATIENCE)
                return
            if not child.process.returncode:
                break
            has_replaced = self._replace_killed_servers()
            if not attempts_left or not (has_replaced or child.process.returncode == DATABASE_AWAY):
                raise CannotStart(f"Headroom cannot start; {child.log} says why:\n{child.last_words()}")
        answer = json.loads(child.read_answer())
        self.programs = answer.pop("programs")
        if answer["created"]:
            self.folder.keep_private(SIGN_IN, json.dumps(answer))

    def _replace_killed_servers(self) -> bool:
        """Start again the servers that were killed while we start; whether there were any."""
        killed = [part for part in self.parts if part.was_killed]
        for part in killed:
            self.parts.remove(part)
            self._begin(part, part.is_ready, seconds=3600)
        return bool(killed)

    def _announce(self, listener: socket.socket) -> None:
        if self.is_stopping:
            return
        line = f"Headroom is at {self.environment['HEADROOM_URL']}"
        sign_in = self.folder.root / SIGN_IN
        if sign_in.exists():
            account = json.loads(sign_in.read_text())
            line += (
                f" (sign in as {account['username']} with the password {account['password']}, shown only now)"
            )
        print(line, flush=True)
        sign_in.unlink(missing_ok=True)

    def _web(self, listener: socket.socket) -> Child:
        bind = f"fd://{listener.fileno()}"
        return self._python("web", *GUNICORN, "--bind", bind, descriptors=[listener.fileno()])

    def _worker(self, queue: str, options: Sequence[str]) -> Child:
        if self.broker:  # Celery gives them back too, only later
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
        """Start again what has ended, when it is due. What goes wrong with one part is said, and the others go on."""
        self._look_at_disk()
        for part in self.parts:
            try:
                self._look_after(part)
            except Exception as error:
                self._complain(part, f"{part.title} cannot be looked after: {_in_words(error)}")
        for part in self.parts:
            part.note_presence()

    def _look_after(self, part: SupervisedPart) -> None:
        if part.due_at is not None:
            if part.may_start:
                self._begin_again(part)
        elif not part.child or not part.child.is_alive:
            self._note_end(part)
        elif part.comes_up() and part.name == "broker":
            self._tend_broker()
        elif part.name == "broker" and part.is_silent():
            self._complain(part, f"{part.title} has not answered for {LONGEST_SILENCE} s, and is ended.")
            part.child.kill_group()  # what was put into its queue is in its journal

    def _note_end(self, part: SupervisedPart) -> None:
        end, log = "", ""
        if part.child:
            part.child.kill_group()
            end, log = f" {part.child.how_it_ended()}", f" See {part.child.log}."
        pause = part.count_failure(has_room=self.has_room)
        self._complain(part, f"{part.title} ended{end}; it is started again in {pause} s.{log}")

    def _begin_again(self, part: SupervisedPart) -> None:
        try:
            part.begin()
            part.complaint = ""
        except Exception as error:  # whatever it is: the loop must go on, and this part be tried again
            pause = part.count_failure(has_room=self.has_room)
            self._complain(
                part, f"{part.title} cannot be started: {_in_words(error)} Next attempt in {pause} s."
            )
        self._record_children()

    def _complain(self, part: SupervisedPart, sentence: str) -> None:
        if sentence != part.complaint:
            part.complaint = sentence
            say(sentence)

    def _tend_broker(self) -> None:
        """
        A broker that came back: what workers that live on held for later is theirs no more, and goes back to its queue.
        """
        assert self.broker
        self.is_queue_on_disk = True  # as it is started
        for queue, _, _ in WORKERS:
            restore_unfinished(self.broker.url, queue, only_later=True)

    def _look_at_disk(self) -> None:
        """
        Once a second. While the disk is full the broker keeps its queue in memory alone: it would refuse every task.
        With room again nothing waits any longer.
        """
        if time.monotonic() < self.looked_at_disk_at + 1:
            return
        self.looked_at_disk_at = time.monotonic()
        note_free_space(self.folder.root, time.time())
        if self.postgres:
            tend_reserve(self.folder.root)
        has_room = has_room_for_readings(self.folder.root)
        if has_room != self.has_room:
            self._note_room(has_room)
        if self.broker and self.is_queue_on_disk != has_room and keep_on_disk(self.broker.url, has_room):
            self.is_queue_on_disk = has_room

    def _note_room(self, has_room: bool) -> None:
        self.has_room = has_room
        if not has_room:
            say("The disk that holds Headroom's data is nearly full: reading stops until there is room.")
            return
        say("There is room on the disk again: reading goes on.")
        for part in self.parts:
            if part.due_at is not None:
                part.due_at = time.monotonic()

    # ── stopping ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def stop(self) -> None:
        """Stop in reverse: all that use the database and the broker together, then these two."""
        servers = [part for part in self.parts if part.name in SERVERS]
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
        forget_children(self.folder.run)

    def _record_children(self) -> None:
        """Of the servers none: they look for leftovers themselves."""
        users = [part.child for part in self.parts if part.child and part.name not in SERVERS]
        record_children(self.folder.run, users)


def check_settings() -> None:
    """Find a wrong setting before anything is started. Raises WrongSetting."""
    configured_port()
    env.site_url("HEADROOM_URL", "http://localhost")
    env.database("HEADROOM_DATABASE_URL", "postgresql:///headroom")
    env.broker("HEADROOM_BROKER_URL", "redis://")
    for name in ("HEADROOM_DEBUG", "HEADROOM_DEMO"):
        env.flag(name, default=False)


def configured_port() -> int:
    """The port to answer on; 0 for any free one."""
    return env.integer("HEADROOM_PORT", 8000, least=0, most=65535)


def _in_words(error: Exception) -> str:
    """The error as the end of a sentence."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if text.endswith(".") else f"{text}."


def main() -> None:
    os.umask(PRIVATE)
    try:
        Supervisor(Folder(env.path("HEADROOM_DATA", ROOT / "var"))).run()
    except CannotStart as reason:
        sys.exit(str(reason))
    except OSError as error:
        sys.exit(f"Headroom cannot start: {error}. Is there room on the disk, and may it write there?")


if __name__ == "__main__":
    main()
