"""
Two instances that are read through the real driver: served on the loopback, registered as demo targets.

What they count follows from when they were registered, so that a server that was stopped goes on as if it had not been.
The server that speaks for them is a tool beside the product (SERVER), loaded where it is there; images go without it.
"""

import secrets
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from apps.inventory.models import Credential, Group, Target
from apps.inventory.register import point_at, register_target, set_password

if TYPE_CHECKING:
    from testing.oracle_server import Database, OracleServer

SERVER = "testing.oracle_server"
GROUP = "Live"
USERNAME = "HEADROOM"
INTERVAL_MINUTES = 5
PORT = 15219  # where it is taken, any other
UP_FOR = timedelta(days=9)  # before they were registered


@dataclass(frozen=True)
class LiveInstance:
    """One of the instances: what it is, and how busy."""

    name: str
    release: str
    scale: float
    pdbs: tuple[str, ...] = ()


MEMBERS = (
    LiveInstance("LIVEPRD", "19.22.0.0.0", 0.6, ("SHOPPDB",)),
    LiveInstance("LIVEREP", "12.1.0.2.0", 0.2),
)


def has_server() -> bool:
    """Whether the server is there: in a clone it is, in an image it is not."""
    package, _, _ = SERVER.partition(".")
    return find_spec(package) is not None and find_spec(SERVER) is not None


def why_not_served() -> str:
    """A sentence; empty where they are served."""
    if not has_server():
        return f"The demo's two live instances are not served: they need the package {SERVER}, which images go without."
    if not settings.HEADROOM_DEMO:
        return (
            "The demo's two live instances are not served: start Headroom with HEADROOM_DEMO=1 to have them."
        )
    return ""


def is_wanted() -> bool:
    """Whether there is a demo; one that people removed does not come back."""
    return Target.objects.demo().exists() or not Target.objects.exists()


def serve(now: datetime, port: int = PORT) -> "OracleServer":
    """Register the two where they are missing, and serve them; their addresses follow the port that was free."""
    targets = register_live(now)
    databases = [database_of(member, targets[member.name]) for member in MEMBERS]
    passwords = {_password(target) for target in targets.values()}
    users = {USERNAME: passwords.pop()}
    server: OracleServer = import_module(SERVER).OracleServer(
        *databases, users=users, port=port if is_free(port) else 0
    )
    server.start()
    for member in MEMBERS:
        address = {"host": "127.0.0.1", "port": server.port, "service": member.name}
        if (
            targets[member.name].address != address
        ):  # the password is for this server alone, wherever it listens
            point_at(targets[member.name], address)
            set_password(targets[member.name], USERNAME, users[USERNAME])
    return server


def register_live(now: datetime) -> dict[str, Target]:
    """The two targets, registered with one account between them; those that were retired stay retired."""
    with transaction.atomic():
        registered = {
            target.name: target for target in Target.objects.demo().filter(name__in=[m.name for m in MEMBERS])
        }
        password = _password(next(iter(registered.values()))) if registered else secrets.token_urlsafe(18)
        group = Group.objects.get_or_create(name=GROUP)[0]
        for member in MEMBERS:
            if member.name not in registered:
                registered[member.name] = register_target(
                    member.name,
                    kind=Target.Kind.INSTANCE,
                    platform="oracle",
                    collector="oracle",
                    address={"host": "127.0.0.1", "port": PORT, "service": member.name},
                    now=now,
                    username=USERNAME,
                    password=password,
                    group=group,
                    environment="demo",
                    interval_minutes=INTERVAL_MINUTES,
                    is_demo=True,
                )
    return registered


def database_of(member: LiveInstance, target: Target) -> "Database":
    """What is played for a target; its counters began before it was registered."""
    oracle = import_module(SERVER)
    database: Database = oracle.instance(
        member.name,
        release=member.release,
        clock=oracle.Clock(target.registered_at),
        started_at=target.registered_at - UP_FOR,
        hosts=[f"{member.name.lower()}-db01"],
        pdbs=member.pdbs,
        scale=member.scale,
    )
    database.clock = oracle.wall_clock
    return database


def is_free(port: int) -> bool:
    """Whether nobody listens at this port of the loopback."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _password(target: Target) -> str:
    credential = Credential.objects.get(target=target, use=Credential.Use.COLLECT)
    return credential.secret_at(target.address)
