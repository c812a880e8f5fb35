"""What a web server tells when it is asked."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.collection.collector import (
    Account,
    Collected,
    ConnectionResult,
    ConnectionStep,
    Reading,
    SourceRun,
)
from apps.inventory.models import Target
from apps.platforms.tests.sketch.metrics import SERVER


class ServerCollector:
    """Reads how many connections are open: as many as the server's name has letters."""

    def collect(self, target: Target, slot: datetime) -> Collected:
        readings = [Reading("sketch_connections", float(len(target.address["host"])))]
        source = SourceRun(name="/status", category=SERVER, readings=readings)
        return Collected(captured_at=slot, started_at=None, sources=[source], facts={"version": "7.1"})


def test_account(address: Mapping[str, Any], account: Account) -> ConnectionResult:
    """Say that the server answers."""
    return ConnectionResult([ConnectionStep("Status", True, f"{address['host']} answers.")])


test_account.__test__ = False  # type: ignore[attr-defined]


def address_in_words(address: Mapping[str, Any]) -> str:
    return f"https://{address['host']}:{address['port']}/"
