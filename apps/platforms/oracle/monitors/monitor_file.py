"""The items that a monitoring server kept of an instance, as a file of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import HostText
from apps.collection.host_files import HostFile
from apps.collection.monitors import checkmk, zabbix
from apps.collection.monitors.item_mapping import ItemMapping, ItemStatistic
from apps.collection.monitors.item_statistics import ItemReport, statistics_of
from apps.collection.monitors.items import KeptItem, KeptItems
from apps.collection.monitors.statistic_days import days_of
from apps.inventory.models import Target
from apps.platforms.oracle import categories
from apps.platforms.oracle.monitors import checkmk_names, zabbix_names
from apps.platforms.oracle.monitors.surroundings import Surroundings, surroundings_of

HERE = Path(__file__)
NO_NAME = "The file does not say which instance it is of: see to it yourself."
UNDO = "Used space of undo is left out: it counts what may be overwritten."


@dataclass(frozen=True)
class MonitorServer:
    """A kind of monitoring server: how its items are named, and which are statistics."""

    name: str
    mapping: ItemMapping
    own_items: Callable[[KeptItems, Surroundings, Target], tuple[str, list[KeptItem]]]


SERVERS: Mapping[str, MonitorServer] = {
    zabbix.FORMAT: MonitorServer(
        "Zabbix",
        ItemMapping(HERE.with_name("zabbix_items.json"), categories, zabbix.split_key),
        zabbix_names.own_items,
    ),
    checkmk.FORMAT: MonitorServer(
        "Checkmk",
        ItemMapping(
            HERE.with_name("checkmk_items.json"), categories, checkmk.split_service(checkmk_names.SERVICES)
        ),
        checkmk_names.own_items,
    ),
}


def is_monitor(head: str) -> bool:
    """Whether a text begins as the answers of a monitoring server do."""
    return zabbix.is_zabbix(head) or checkmk.is_checkmk(head)


def read_monitor(text: HostText, target: Target, now: datetime) -> HostFile:
    """What a monitoring server kept of an instance. Raises UnreadableFile."""
    head = text.head.decode("utf-8-sig", errors="replace")
    if zabbix.is_zabbix(head):
        return _read(zabbix.read_zabbix(text.open(), head), zabbix.FORMAT, target, now)
    return _read(checkmk.read_checkmk(text.open()), checkmk.FORMAT, target, now)


def _read(answers: KeptItems, format: str, target: Target, now: datetime) -> HostFile:
    server, around = SERVERS[format], surroundings_of(target)
    instance, items = server.own_items(answers, around, target)
    report, undo = ItemReport(), set()

    def takes(statistic: ItemStatistic, component: str) -> bool:
        if statistic.statistic == "ts_used_mb" and around.is_undo(component):
            undo.add(component)
            return False
        return True

    series = list(statistics_of(items, server.mapping, takes, report))
    if not series:
        raise UnreadableFile(
            f"None of its items is one of those of Oracle in {server.name} that are read; the documentation has the list."
        )
    return HostFile(
        format=format,
        host_name="",
        host_label=f"{instance or 'no instance named'}, {answers.host} in {server.name}",
        days=days_of(series, target.zone, now),
        understood=dict(report.understood),
        ignored=[*report.ignored, *(f"{name}: {reason}" for name, reason in answers.refused.items())],
        notes=[*([] if instance else [NO_NAME]), *([UNDO] if undo else [])],
        facts={},
        fills=True,
    )
