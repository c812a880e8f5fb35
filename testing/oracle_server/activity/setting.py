"""What an instance has to do: how much of each thing, how many people, under which parameters."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..database import Database, Instance, Rows
from ..storage import Storage
from ..workload import Workload

BACKGROUND = [
    "PMON",
    "VKTM",
    "GEN0",
    "MMAN",
    "DIAG",
    "DIA0",
    "DBW0",
    "LGWR",
    "CKPT",
    "SMON",
    "RECO",
    "MMON",
    "MMNL",
    "ARC0",
    "ARC1",
    "ARC2",
    "ARC3",
    "CJQ0",
    "QMNC",
    "W000",
]

Views = Mapping[str, Callable[[datetime], Rows]]  # the rows of views, by name, as they are at a moment


@dataclass(frozen=True)
class Wait:
    """How often an event is waited for in an average second, how long, and what share of it by users."""

    per_second: float
    average_us: float
    foreground: float = 1.0


@lru_cache
def usual() -> dict[str, Any]:
    """Return the names and the usual rates."""
    names: dict[str, Any] = json.loads(Path(__file__).parent.with_name("names.json").read_text())
    return names


class Setting:
    """What one instance is played with: all that more than one of its views is made of."""

    def __init__(
        self,
        database: Database,
        instance: Instance,
        workload: Workload,
        storage: Storage,
        scale: float,
        cpus: int,
        rates: Mapping[str, float],
        waits: Mapping[str, Wait],
        parameters: Mapping[str, str],
    ) -> None:
        self.database = database
        self.instance = instance
        self.workload = workload
        self.storage = storage
        self.scale = scale
        self.cpus = cpus
        self.parameters = parameters
        self.rates = {name: rate * scale for name, (_, rate) in usual()["statistics"].items()} | dict(rates)
        self.time_model = {name: rate * scale for name, rate in usual()["time_model"].items()}
        self.time_model |= {name: rate for name, rate in rates.items() if name in self.time_model}
        self.events = self._events(waits)
        self._peaks: dict[datetime, tuple[datetime, float]] = {}

    def _events(self, waits: Mapping[str, Wait]) -> dict[str, tuple[str, Wait]]:
        """Return all wait events with their class; those nobody waits for have no waits."""
        events: dict[str, tuple[str, Wait]] = {}
        for group, names in usual()["events"].items():
            for name in names["quiet"]:
                events[name] = group, Wait(0, 0)
            for name, (per_second, average_us, foreground) in names["busy"].items():
                is_there = group != "Cluster" or self.database.is_rac
                is_fixed = group == "Idle" and not foreground
                rate = per_second if is_fixed else per_second * self.scale
                events[name] = group, Wait(rate if is_there else 0, average_us, foreground)
        for name, wait in waits.items():
            events[name] = events.get(name, ("Other", wait))[0], wait
        return dict(sorted(events.items()))

    def done(self, now: datetime) -> dict[str, float]:
        """Return the work since start-up, as `Workload.count` takes it."""
        return self.workload.done(self.instance.started_at, now)

    def sessions(self, now: datetime) -> int:
        return self.people(self.workload.level(now))

    def people(self, level: float) -> int:
        return int(len(BACKGROUND) + 40 + 60 * level * min(self.scale, 5))

    def peak(self, now: datetime) -> float:
        """Return the highest level since start-up."""
        hour = timedelta(hours=1)
        start = self.instance.started_at
        at, highest = self._peaks.get(start, (start.replace(minute=30, second=0, microsecond=0) + hour, 0.0))
        while at <= now:
            highest = max(highest, self.workload.level(at))
            at += hour
        self._peaks[start] = at, highest
        return max(highest, self.workload.level(now))

    def parameter_value(self, name: str) -> str:
        usual_values = {each: value for each, _, value, _ in usual()["parameters"]}
        own = {
            "db_name": self.database.name,
            "db_unique_name": self.database.unique_name,
            "instance_name": self.instance.name,
            "service_names": self.database.unique_name,
            "instance_number": str(self.instance.number if self.database.is_rac else 0),
            "thread": str(self.instance.number if self.database.is_rac else 0),
            "cluster_database": "TRUE" if self.database.is_rac else "FALSE",
            "enable_pluggable_database": "TRUE" if self.database.is_cdb else "FALSE",
            "compatible": self.database.base_release_text,
            "cpu_count": str(self.cpus),
            "undo_tablespace": f"UNDOTBS{self.instance.number}",
        }
        values: dict[str, str] = {**usual_values, **own, **self.parameters}
        return values.get(name, "")
