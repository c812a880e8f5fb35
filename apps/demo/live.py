"""
Two instances that are read through the real driver: served on the loopback, registered as demo targets.

What they count follows from when they were registered, so that a server that was stopped goes on as if it had not been.
"""

import secrets
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from apps.demo.oracle import Clock, Database, OracleServer, instance
from apps.demo.oracle.database import wall_clock
from apps.inventory.models import Credential, Group, Target
from apps.inventory.register import register_target

GROUP = "Live"
USERNAME = "HEADROOM"
INTERVAL_MINUTES = 5
PORT = 15219  # where it is taken, any other
UP_FOR = timedelta(days=9)  # before they were registered


@dataclass(frozen=True)
class Member:
    """One of the instances: what it is, and how busy."""

    name: str
    release: str
    scale: float
    pdbs: tuple[str, ...] = ()


MEMBERS = (Member("LIVEPRD", "19.22.0.0.0", 0.6, ("SHOPPDB",)), Member("LIVEREP", "12.1.0.2.0", 0.2))


def is_wanted() -> bool:
    """Whether there is a demo; one that people removed does not come back."""
    return Target.objects.demo().exists() or not Target.objects.exists()


def serve(now: datetime, port: int = PORT) -> OracleServer:
    """Register the two where they are missing, and serve them; their addresses follow the port that was free."""
    targets = register_live(now)
    databases = [database_of(one, targets[one.name]) for one in MEMBERS]
    passwords = {_password(target) for target in targets.values()}
    users = {USERNAME: passwords.pop()}
    server = OracleServer(*databases, users=users, port=port if is_free(port) else 0).start()
    for one in MEMBERS:
        address = {"host": "127.0.0.1", "port": server.port, "service": one.name}
        Target.objects.filter(pk=targets[one.name].pk).exclude(address=address).update(address=address)
    return server


def register_live(now: datetime) -> dict[str, Target]:
    """The two targets, registered with one account between them; those that were retired stay retired."""
    with transaction.atomic():
        known = {
            target.name: target for target in Target.objects.demo().filter(name__in=[m.name for m in MEMBERS])
        }
        password = _password(next(iter(known.values()))) if known else secrets.token_urlsafe(18)
        group = Group.objects.get_or_create(name=GROUP)[0]
        for one in MEMBERS:
            if one.name not in known:
                known[one.name] = register_target(
                    one.name,
                    kind=Target.Kind.INSTANCE,
                    platform="oracle",
                    collector="oracle",
                    address={"host": "127.0.0.1", "port": PORT, "service": one.name},
                    now=now,
                    username=USERNAME,
                    password=password,
                    group=group,
                    environment="demo",
                    interval_minutes=INTERVAL_MINUTES,
                    is_demo=True,
                )
    return known


def database_of(member: Member, target: Target) -> Database:
    """What is played for a target; its counters began before it was registered."""
    database = instance(
        member.name,
        release=member.release,
        clock=Clock(target.registered_at),
        started_at=target.registered_at - UP_FOR,
        hosts=[f"{member.name.lower()}-db01"],
        pdbs=member.pdbs,
        scale=member.scale,
    )
    database.clock = wall_clock
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
    return str(credential.password.reveal(credential))
