"""Items of Zabbix' templates for Oracle under names that know one container."""

from collections.abc import Iterable
from dataclasses import replace

from apps.collection.file_readers import UnreadableFile
from apps.collection.monitors.items import KeptItem, KeptItems
from apps.collection.monitors.zabbix import split_key
from apps.inventory.models import Target
from apps.platforms.oracle.monitors.surroundings import Surroundings

INSTANCE = "oracle.instance_name"


def own_items(answers: KeptItems, around: Surroundings, target: Target) -> tuple[str, list[KeptItem]]:
    """The name of the instance, empty where it is not told, and its items. Raises UnreadableFile where it is another one."""
    instance = answers.texts.get(INSTANCE, "")
    if instance and around.instance and instance.casefold() != around.instance.casefold():
        raise UnreadableFile(
            f"The items are of the instance {instance}, and {target.name} is {around.instance}."
        )
    return instance, list(_renamed(answers.items, around))


def _renamed(items: Iterable[KeptItem], around: Surroundings) -> Iterable[KeptItem]:
    """Items whose container and tablespace are one component, without those of containers that are other targets'."""
    for item in items:
        name, *parameters = split_key(item.name)
        if len(parameters) != 2 or not name.startswith("oracle.tbs_"):
            yield item
        elif component := around.tablespace(*parameters):
            yield replace(item, name=f'{name}["{component}"]')
