"""
`make run`, for real: it starts, answers, stops without a trace, and recovers from the kill of any of its processes.

The first tests use parts that are quick to start; those at the end run everything.
"""

import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email.message import Message
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from kombu.exceptions import OperationalError

from apps.config.embedded import CannotStart, supervisor
from apps.config.embedded import part as part_module
from apps.config.embedded.broker import Broker, connect
from apps.config.embedded.child import Child
from apps.config.embedded.folder import Folder
from apps.config.embedded.listener import address_of, listen
from apps.config.embedded.part import (
    DELAY_AFTER_OTHERS,
    DELAY_WITHOUT_ROOM,
    DELAYS,
    LONGEST_DELAY_AFTER_KILL,
    STABLE_AFTER,
    SupervisedPart,
)
from apps.config.embedded.supervisor import Supervisor
from conftest import free_port, temporary_folder

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder() -> Iterator[Folder]:
    folder = temporary_folder()
    yield folder
    folder.remove_moved_sockets()
    shutil.rmtree(folder.root)


def wait_for(condition: Callable[[], object], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


# ── with parts that are quick to start ────────────────────────────────────────────────────────────────────────────────


def sleeper(folder: Folder, *command: str) -> SupervisedPart:
    return SupervisedPart(
        "part", "The part", lambda: Child(command or ("sleep", "60"), log=folder.logs / "part.log")
    )


def test_a_part_that_ended_is_started_again(folder, capsys):
    whole, part = Supervisor(folder), sleeper(folder)
    whole.parts = [part]
    first = part.begin()
    first.process.kill()
    first.wait(60)

    whole.look_after()
    too_early = part.child
    part.due_at = time.monotonic()
    whole.look_after()

    assert too_early is first
    assert part.child is not first
    assert "The part ended by signal SIGKILL; it is started again in 1 s. See" in capsys.readouterr().err
    whole.stop()


def test_each_failure_waits_longer_and_a_stable_part_is_forgiven(folder):
    part = sleeper(folder, "false")
    part.begin().wait(60)

    waits = [part.count_failure() for _ in range(len(DELAYS) + 1)]
    part.started_at -= STABLE_AFTER + 1

    assert waits == [*DELAYS, DELAYS[-1]] == [1, 2, 4, 8, 16, 30, 30]
    assert part.count_failure() == DELAYS[0]


def test_a_part_that_cannot_be_started_is_tried_again_later(folder, capsys):
    whole, part = Supervisor(folder), sleeper(folder, "/no/such/program")
    whole.parts, part.due_at = [part], time.monotonic()

    whole.look_after()

    assert part.due_at > time.monotonic()
    assert "The part cannot be started" in capsys.readouterr().err


def test_no_exception_of_a_part_ends_the_supervisor_or_keeps_it_from_the_others(folder, capsys):  # S3
    def refuse() -> Child:
        raise OperationalError("Error 2 connecting to the broker")

    def tell() -> bool:
        raise RuntimeError("nobody expected this")

    whole, good = Supervisor(folder), sleeper(folder)
    puzzled = SupervisedPart("puzzled", "The puzzled part", good.start, tell)
    whole.parts = [SupervisedPart("worker", "The worker", refuse, due_at=0), puzzled, good]
    puzzled.begin()
    good.due_at = 0

    for _ in range(3):
        whole.look_after()
    errors = capsys.readouterr().err

    assert good.is_up
    assert "The worker cannot be started: Error 2 connecting to the broker. Next attempt in 1 s." in errors
    assert errors.count("The puzzled part cannot be looked after: nobody expected this.") == 1
    whole.stop()


def test_a_part_waits_for_what_it_needs_and_is_not_made_to_wait_for_its_failures(folder):  # S16
    server, part = sleeper(folder), sleeper(folder, "false")
    part.needs = [server]
    part.begin().wait(60)
    server.note_presence()  # it is away

    waits = [part.count_failure() for _ in range(5)]
    part.due_at = 0
    may_start_without = part.may_start
    child = server.begin()

    assert waits == [DELAY_AFTER_OTHERS] * 5
    assert not may_start_without
    assert part.may_start
    child.stop()


def test_what_is_killed_while_everything_starts_is_started_again(folder):
    begun = []

    def start() -> Child:
        begun.append(sleeper(folder).start())
        if len(begun) == 1:
            begun[0].process.kill()
            begun[0].wait(60)
        return begun[-1]

    whole, part = Supervisor(folder), SupervisedPart("part", "The part", start, lambda: True)
    whole._begin(part, part.is_ready, seconds=10)

    assert (len(begun), part.is_up, whole.parts) == (2, True, [part])
    whole.stop()


def test_a_broker_that_hangs_is_ended_and_started_again_with_its_queue(folder, capsys, monkeypatch):
    monkeypatch.setattr(part_module, "LONGEST_SILENCE", 1)
    monkeypatch.setattr(part_module, "ASK_AGAIN_EVERY", 0.1)
    whole, broker = Supervisor(folder), Broker(folder)
    broker.prepare()
    part = SupervisedPart("broker", "The broker", broker.start, broker.is_ready)
    whole._begin(part, part.is_ready, seconds=30)
    first = part.child
    assert first is not None
    with connect(broker.url) as client:
        client.rpush("queue", "work")

    def is_replaced() -> bool:
        whole.look_after()
        return part.child is not first and part.is_up

    first.process.send_signal(signal.SIGSTOP)
    wait_for(is_replaced)

    assert first.how_it_ended() == "by signal SIGKILL"
    assert "The broker has not answered for" in capsys.readouterr().err
    with connect(broker.url) as client:
        assert client.lrange("queue", 0, -1) == [b"work"]
    whole.stop()


def test_a_server_that_goes_on_answering_is_not_silent(folder, monkeypatch):
    monkeypatch.setattr(part_module, "LONGEST_SILENCE", 0.2)
    monkeypatch.setattr(part_module, "ASK_AGAIN_EVERY", 0)
    answers = iter([True, False, True])
    part = SupervisedPart("part", "The part", sleeper(folder).start, lambda: next(answers))

    assert part.comes_up()
    assert not part.is_silent()  # one question left open is no silence
    time.sleep(0.3)
    assert not part.is_silent()


def test_a_full_disk_is_no_failure_of_a_part(folder):  # S2
    part = sleeper(folder, "false")
    part.begin().wait(60)

    assert [part.count_failure(has_room=False) for _ in range(5)] == [DELAY_WITHOUT_ROOM] * 5
    assert part.count_failure() == DELAYS[0]


def test_a_part_that_is_killed_again_and_again_is_back_soon(folder):
    part = sleeper(folder)
    waits = []
    for _ in range(5):
        child = part.begin()
        child.process.kill()
        child.wait(60)
        waits.append(part.count_failure())

    assert waits == [1, 2, 4, LONGEST_DELAY_AFTER_KILL, LONGEST_DELAY_AFTER_KILL]


def test_a_part_that_does_not_stop_is_killed(folder, monkeypatch):
    monkeypatch.setattr(supervisor, "PATIENCE", 0.5)
    whole, part = (
        Supervisor(folder),
        sleeper(folder, "sh", "-c", "trap '' TERM; echo deaf; sleep 60 & wait; wait"),
    )
    whole.parts = [part]
    child = part.begin()
    wait_for(lambda: "deaf" in child.last_words())

    whole.stop()

    assert child.how_it_ended() == "by signal SIGKILL"


def test_a_taken_port_is_passed_over(capsys):
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]

        with listen("127.0.0.1", port) as next_free:
            assert next_free.getsockname()[1] > port

    assert f"Port {port} is taken, so Headroom takes" in capsys.readouterr().err


def test_an_address_of_another_machine_gets_a_sentence():
    with pytest.raises(
        CannotStart, match=r"cannot listen on 192\.0\.2\.1, port 8000: .* Check HEADROOM_BIND"
    ):
        listen("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("bound", "address"),
    [
        ("127.0.0.1", r"http://127\.0\.0\.1:\d+"),
        ("0.0.0.0", rf"http://{re.escape(socket.gethostname())}:\d+"),
    ],
)
def test_the_address_is_one_to_open_in_a_browser(bound, address):
    with listen(bound, 0) as listener:
        assert re.fullmatch(address, address_of(listener))


# ── everything ────────────────────────────────────────────────────────────────────────────────────────────────────────


class SupervisedInstallation:
    """A data folder, and `make run` on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.errors = root / "stderr.txt"

    def begin(self, **settings: str) -> subprocess.Popen[str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
        own = {"HEADROOM_DATA": str(self.root), "HEADROOM_PORT": "0", "HEADROOM_DEMO": "0", **settings}
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "apps.config.embedded.supervisor"],
                cwd=ROOT, env={**inherited, **own}, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        return self.process

    def start(self, **settings: str) -> str:
        """Start it, and return the one line it prints, when it prints it."""
        process = self.begin(**settings)
        assert process.stdout
        line = process.stdout.readline().strip()
        assert line, self.errors.read_text()
        self.address = urlsplit(line.split()[3])
        wait_for(lambda: "beat" in self.children())
        return line

    def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.end()

    def end(self) -> int:
        assert self.process.stdout
        code = self.process.wait(timeout=180)
        self.process.stdout.close()
        return code

    def get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(str(self.address.hostname), self.address.port, timeout=60)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get_compressed(self, path: str) -> tuple[str, Message]:
        """The text of an answer to a browser that takes it compressed, and its headers."""
        connection = http.client.HTTPConnection(str(self.address.hostname), self.address.port, timeout=60)
        try:
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            return gzip.decompress(answer.read()).decode(), answer.headers
        finally:
            connection.close()

    def is_healthy(self) -> bool:
        try:
            return self.get("/healthz")[0] == 200
        except OSError:
            return False

    def children(self) -> dict[str, psutil.Process]:
        """Its direct children by what they are."""
        words = {
            "postgres": "postgres -D", "broker": "valkey-server", "gunicorn": "gunicorn", "collect": "-Q collect",
            "review": "-Q review", "beat": "beat --pidfile", "prepare": "apps.config.prepare",
        }  # fmt: skip
        children = {}
        for process in psutil.Process(self.process.pid).children():
            try:
                command = " ".join(process.cmdline())
            except psutil.Error:
                continue
            children.update({name: process for name, word in words.items() if word in command})
        return children

    def has_another(self, name: str, process: psutil.Process) -> bool:
        return self.children().get(name, process) != process

    def processes(self) -> list[psutil.Process]:
        """Every living process that was started for these data."""
        processes = []
        for process in psutil.process_iter():
            try:
                is_ours = process.environ().get("HEADROOM_DATA") == str(self.root)
                if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                    processes.append(process)
            except psutil.Error:
                continue
        return processes


@pytest.fixture
def installation(folder: Folder) -> Iterator[SupervisedInstallation]:
    installation = SupervisedInstallation(folder.root)
    yield installation
    if installation.process.poll() is None:
        installation.stop(signal.SIGTERM)
    for process in installation.processes():
        process.kill()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"HEADROOM_PORT": "eighty"},
            "HEADROOM_PORT is 'eighty'; expected is a whole number from 0 to 65535.",
        ),
        ({"HEADROOM_URL": "headroom"}, "HEADROOM_URL is 'headroom'; expected is an address without a path"),
    ],
)
def test_a_wrong_setting_stops_it_with_a_sentence(installation, settings, sentence):
    installation.begin(**settings)

    assert installation.end() == 1
    assert sentence in installation.errors.read_text()
    assert "Traceback" not in installation.errors.read_text()
    assert not installation.processes()


def test_a_second_one_on_the_same_data_says_so_and_stops(installation, folder):
    with folder.locked():
        installation.begin()

        assert installation.end() == 1

    assert installation.errors.read_text() == (
        f"Headroom is already running on the data in {folder.root}: "
        "stop that one first, or give this one another folder in HEADROOM_DATA.\n"
    )


def test_it_starts_and_stops_without_a_trace_and_starts_again(installation):
    first = installation.start()
    status, body = installation.get("/healthz")
    listening = {
        connection.laddr.ip
        for process in installation.processes()
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    front_page = installation.get("/")[0]
    temporary = {
        child.environ().get("TMPDIR") for name, child in installation.children().items() if name == "review"
    }
    readable = [path.name for path in installation.root.iterdir() if path.lstat().st_mode & 0o066]
    stopped = installation.stop(signal.SIGINT)
    (installation.root / "tmp/pymp-of-a-killed-one").mkdir()
    left = installation.processes()
    second = installation.start()
    was_cleared = not (installation.root / "tmp/pymp-of-a-killed-one").exists()
    hung_up = installation.stop(signal.SIGHUP)

    assert temporary == {str(installation.root / "tmp")}
    assert was_cleared
    assert set(readable) <= {"stderr.txt", "postgres-programs"}  # ours, and programs that another user runs
    assert re.fullmatch(
        r"Headroom is at http://127\.0\.0\.1:\d+ \(sign in as \S+ with the password \S+, shown only now\)",
        first,
    )
    assert (status, json.loads(body)["healthy"]) == (200, True)
    assert front_page == 302  # to the sign-in
    assert listening == {"127.0.0.1"}
    assert (stopped, left) == (0, [])
    assert re.fullmatch(r"Headroom is at http://127\.0\.0\.1:\d+", second)
    assert (hung_up, installation.processes()) == (0, [])
    assert (
        "password"
        not in "".join(log.read_text() for log in (installation.root / "log").glob("*.log")).lower()
    )


@pytest.mark.parametrize("meanwhile", ["prepare", "gunicorn"])
def test_a_database_killed_while_everything_starts_holds_nothing_up(installation, meanwhile):
    process = installation.begin()
    wait_for(lambda: meanwhile in installation.children())
    installation.children()["postgres"].kill()

    line = process.stdout.readline()  # once the web server answers
    assert line, installation.errors.read_text()
    installation.address = urlsplit(line.split()[3])

    wait_for(installation.is_healthy)
    assert installation.stop(signal.SIGINT) == 0


def test_a_page_and_its_files_are_sent_compressed_without_a_proxy(installation):
    installation.start()

    page, how = installation.get_compressed("/sign-in")
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    scripts = re.findall(r'<script src="([^"]+)"', page)
    files = {name: installation.get_compressed(name)[1] for name in sheets + scripts}

    assert how["Content-Encoding"] == "gzip"
    assert len(sheets) == 1  # nothing is painted before the last of them has come
    assert scripts
    for headers in files.values():
        assert headers["Content-Encoding"] == "gzip"
        assert "immutable" in headers["Cache-Control"]


def test_what_apps_want_to_run_beside_it_is_started_and_stopped_with_it(installation):
    installation.start(HEADROOM_DEMO="1")

    wait_for(lambda: any("serve_demo_oracle" in process.cmdline() for process in installation.processes()))

    assert installation.stop(signal.SIGTERM) == 0
    assert installation.processes() == []


def test_with_a_database_and_a_broker_given_it_brings_none(installation, broker):
    port = free_port()

    line = installation.start(
        HEADROOM_DATABASE_URL=os.environ["HEADROOM_DATABASE_URL"],
        HEADROOM_BROKER_URL=broker,
        HEADROOM_URL="https://headroom.example.com",
        HEADROOM_PORT=str(port),
    )
    installation.address = urlsplit(f"http://127.0.0.1:{port}")

    assert line.startswith("Headroom is at https://headroom.example.com")
    assert installation.is_healthy()
    assert installation.get("/")[0] == 301  # to https
    assert set(installation.children()) == {"gunicorn", "collect", "review", "beat"}
    assert installation.stop(signal.SIGTERM) == 0
    assert not (installation.root / "postgres").exists()


def test_whatever_is_killed_comes_back(installation):
    installation.start()
    wait_for(lambda: {"collect", "review"} <= set(installation.children()))

    others = {name: installation.children()[name] for name in ("review", "beat", "gunicorn", "postgres")}
    for _ in range(3):
        broker = installation.children()["broker"]
        broker.kill()
        wait_for(partial(installation.has_another, "broker", broker))
    away, due = installation.children()["broker"], installation.children()["collect"]
    away.kill()
    due.kill()  # a worker that is due while the broker is away: S3, S16
    wait_for(partial(installation.has_another, "collect", due))
    wait_for(installation.is_healthy)
    children = installation.children()
    left_alone = {name: children[name] for name in others}
    errors = installation.errors.read_text()

    for name in ("collect", "review", "beat", "broker", "postgres", "gunicorn"):
        killed = installation.children()[name]
        killed.kill()
        wait_for(partial(installation.has_another, name, killed))
    wait_for(installation.is_healthy)
    before = {process.pid for process in installation.processes()}
    installation.process.kill()
    installation.end()
    line = installation.start()
    wait_for(installation.is_healthy)
    shared = before & {process.pid for process in installation.processes()}

    assert "The worker for collections cannot be started" not in errors
    assert left_alone == others  # the broker's loss ended none of them
    assert "sign in" not in line  # the administrator of the first start is still there
    assert not shared
    assert installation.stop(signal.SIGTERM) == 0
    assert not installation.processes()
