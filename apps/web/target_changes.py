"""What changed of a target: its parameters, its role, its release, as facts that differ from those before."""

from dataclasses import dataclass
from datetime import datetime

from apps.inventory.models import Target
from apps.snapshots.models import IDENTITY, PROPOSED_HOST, Fact
from apps.web.tables import Column, FigureColumn, RowHead, Table

MOST = 60
NAMES = {
    IDENTITY: "who answers",
    "role": "role",
    "open_mode": "open mode",
    "version": "release",
    "host_name": "host",
    "db_unique_name": "database",
    "log_mode": "log mode",
    "force_logging": "force logging",
    "flashback": "flashback",
    "kernel": "kernel",
    "cpu_count": "CPUs",
    "lies_on": "place of",
    "stored_in": "tablespace of",
    "device_of": "device below",
    "made_of": "devices below",
    "disk_path": "path of disk",
    "disk_status": "state of disk",
    "logs_lie_on": "place of the online logs",
}
LEFT_OUT = {PROPOSED_HOST, "startup_time", "logins", "status", "path_names"}  # change with every restart


@dataclass(frozen=True)
class FactChange:
    """One fact that is not what it was."""

    at: datetime
    what: str
    before: str
    after: str


def changes_of(target: Target, most: int = MOST) -> list[FactChange]:
    """What changed since the first reading, newest first."""
    last_value: dict[tuple[str, str], str] = {}
    changes = []
    facts = Fact.objects.filter(target=target).exclude(name__in=LEFT_OUT).order_by("since")
    for name, component, since, value in facts.values_list("name", "component", "since", "value"):
        key = (name, component)
        if key in last_value and last_value[key] != value:
            what = component or NAMES.get(name, name.replace("_", " "))
            if component and name in NAMES:
                what = f"{NAMES[name]} {component}"
            changes.append(FactChange(since.astimezone(target.zone), what, last_value[key], value))
        last_value[key] = value
    return changes[::-1][:most]


CHANGES: Table[FactChange] = Table(
    "changed",
    "Facts that changed",
    (
        FigureColumn("since", lambda row: row.at, css="nowrap"),
        RowHead("what", lambda row: row.what),
        Column(
            "before", lambda row: row.before, lambda row: row.before or "–", css="quiet-text", label="before"
        ),
        Column("now", lambda row: row.after, lambda row: row.after or "–", label="now"),
    ),
    title="What changed",
)
