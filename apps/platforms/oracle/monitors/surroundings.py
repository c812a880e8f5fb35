"""What is known of an instance that names of a monitoring server's items are held against."""

from dataclasses import dataclass

from apps.inventory.models import Target
from apps.snapshots.newest_facts import read_newest_facts

ROOT, NO_CONTAINER = "CDB$ROOT", "NOCDB"


@dataclass(frozen=True)
class Surroundings:
    """The instance, its container and its undo tablespace; empty where it was never read."""

    instance: str = ""
    container: str = ""
    undo: str = ""
    is_container_database: bool = False

    def tablespace(self, container: str, name: str) -> str:
        """A tablespace as our statistics call it; empty where it is of a container that is another target's."""
        if container in (NO_CONTAINER, self.container or ROOT):
            return name
        is_pluggable = self.is_container_database and self.container != ROOT
        return "" if is_pluggable else f"{container}/{name}"

    def is_undo(self, tablespace: str) -> bool:
        name = tablespace.rpartition("/")[2]
        return name == self.undo or name.startswith("UNDO")


def surroundings_of(target: Target) -> Surroundings:
    """What the readings of an instance have told."""
    names = ("instance_name", "container", "cdb", "parameter")
    newest = read_newest_facts([target], names)
    facts = {(name, component): value for (_, name, component), value in newest.items()}
    return Surroundings(
        facts.get(("instance_name", ""), ""),
        facts.get(("container", ""), ""),
        facts.get(("parameter", "undo_tablespace"), ""),
        facts.get(("cdb", "")) == "YES",
    )
