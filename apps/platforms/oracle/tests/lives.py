"""A database that lives through days and is collected like any other: server, driver, snapshot, roll-up."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import transaction

from apps.collection.collect import collect_target
from apps.collection.models import CollectionRun
from apps.inventory.models import Credential, Target
from apps.snapshots import dictionary
from apps.snapshots.history import read_days
from apps.snapshots.retention import ensure_partitions
from testing.oracle_server import Clock, Database, OracleServer

MIDNIGHT = datetime(
    2026, 2, 17, 0, 5, tzinfo=UTC
)  # when a day begins: the slot of a target that is read daily
DAY = MIDNIGHT.date()


@dataclass
class Life:
    """A clock, a database, its server, and the targets that are read from it."""

    database: Database
    clock: Clock
    server: OracleServer
    targets: dict[str, Target] = field(default_factory=dict)

    def target(self, name: str = "GISPRD", service: str = "", **fields: Any) -> Target:
        """The target of this name, registered when first asked for."""
        if name not in self.targets:
            service = service or self.database.instances[0].name
            fields = {
                "kind": Target.Kind.INSTANCE,
                "address": {"host": "127.0.0.1", "port": self.server.port, "service": service},
            } | fields
            target = Target.objects.create(
                name=name, platform="oracle", collector="oracle", registered_at=self.clock(), **fields
            )
            if target.kind == Target.Kind.INSTANCE:
                Credential.objects.create(target=target, username="HEADROOM", password="secret-of-gis")
            self.targets[name] = target
        return self.targets[name]

    def collect(self, name: str = "GISPRD", **fields: Any) -> CollectionRun:
        return collect_target(self.target(name, **fields), self.clock(), self.clock())

    def move_to(self, moment: datetime) -> None:
        self.clock.move_to(moment)

    def figures(self, on: date = DAY, name: str = "GISPRD") -> dict[tuple[str, str], float]:
        frame = read_days(self.targets[name], [on])
        return {(metric, component): value for (_, metric, component), value in frame[on].items()}


@contextmanager
def life_of(database: Database, clock: Clock, months: Sequence[date] = (DAY,)) -> Iterator[Life]:
    """Serve the database and make room for what is read; nothing is left when the block ends."""
    dictionary.forget()  # series of a test before went with its transaction
    with transaction.atomic():
        ensure_partitions([day + timedelta(days=offset) for day in months for offset in (-9, -1, 0, 1, 9)])
        server = OracleServer(database, service="GISPRD", users={"HEADROOM": "secret-of-gis"}).start()
        try:
            yield Life(database, clock, server)
        finally:
            server.stop()
            transaction.set_rollback(True)
    dictionary.forget()
