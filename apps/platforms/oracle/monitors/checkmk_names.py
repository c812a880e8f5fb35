"""Services of Checkmk's plug-in for Oracle under names that know one instance: `ORA PAYPRD.SALES.USERS Tablespace` as `Tablespace SALES/USERS`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from apps.collection.file_readers import UnreadableFile
from apps.collection.monitors.items import KeptItem, KeptItems
from apps.inventory.models import Target
from apps.platforms.oracle.monitors.surroundings import NO_CONTAINER, ROOT, Surroundings

SERVICES = ("Tablespace {}",)
_SERVICE = re.compile(
    r"ORA (?P<instance>[^. ]+)(?:\.(?P<within>\S+))? (?P<what>Tablespace|Sessions|Processes|Performance)(?: Memory| DB-Time)?: (?P<metric>\w+)"
)
_CANONICAL = {
    "sessions": "running_sessions", "size": "tablespace_size", "max_size": "tablespace_max_size", "used": "tablespace_used",
}  # fmt: skip


def own_items(answers: KeptItems, around: Surroundings, target: Target) -> tuple[str, list[KeptItem]]:
    """The name of the instance and its items; those of others on the host are left out. Raises UnreadableFile."""
    by_instance: dict[str, list[tuple[KeptItem, Mapping[str, str]]]] = {}
    others: list[KeptItem] = []
    for item in answers.items:
        if match := _SERVICE.fullmatch(item.name):
            parts = {name: value or "" for name, value in match.groupdict().items()}
            by_instance.setdefault(parts["instance"].upper(), []).append((item, parts))
        else:
            others.append(item)
    instance = _chosen(sorted(by_instance), around, target)
    own = [
        replace(item, name=name)
        for item, parts in by_instance.get(instance, ())
        if (name := _name(parts, around))
    ]
    return instance, own + others


def _chosen(instances: Sequence[str], around: Surroundings, target: Target) -> str:
    """Whose services count. Raises UnreadableFile where that is none of them, or cannot be told."""
    own = around.instance.upper() or (instances[0] if len(instances) == 1 else "")
    if instances and own not in instances:
        identity = (
            f"is {around.instance}"
            if around.instance
            else "was never read, so which one it is cannot be told"
        )
        raise UnreadableFile(
            f"The services are of {', '.join(instances)[:120]}, and {target.name} {identity}."
        )
    return own


def _name(parts: Mapping[str, str], around: Surroundings) -> str:
    """What is called a name within one instance; empty for what is of a container that is another target's."""
    metric = _CANONICAL.get(parts["metric"], parts["metric"])
    if parts["what"] != "Tablespace":
        return f"{parts['what']}: {metric}" if not parts["within"] else ""
    container, _, name = parts["within"].rpartition(".")
    component = around.tablespace(container or (ROOT if around.is_container_database else NO_CONTAINER), name)
    return f"Tablespace {component}: {metric}" if component else ""
