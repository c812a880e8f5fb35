"""What monitoring servers kept of a host: means of its items, by the mappings zabbix_items.json and checkmk_items.json."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apps.collection.monitors import checkmk, zabbix
from apps.collection.monitors.item_mapping import ItemMapping, ItemStatistic
from apps.collection.monitors.item_statistics import ItemReport, StatisticValues, statistics_of
from apps.collection.monitors.items import KeptItems
from apps.platforms.linux.devices import is_watched_interface
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.metrics import categories
from apps.platforms.linux.metrics.categories import DEVICES, INTERFACES

LONGEST = 3600  # seconds of an interval that samples a day
ALL_DEVICES = "SUMMARY"
SERVICES = ("Disk IO {}", "Filesystem {}", "Interface {}")
HERE = Path(__file__)
MAPPINGS: Mapping[str, ItemMapping] = {
    zabbix.FORMAT: ItemMapping(HERE.with_name("zabbix_items.json"), categories, zabbix.split_key),
    checkmk.FORMAT: ItemMapping(
        HERE.with_name("checkmk_items.json"), categories, checkmk.split_service(SERVICES)
    ),
}


def take_items(answers: KeptItems, records: HostRecords) -> None:
    """Add what a server kept to the records of the format that is theirs. Raises UnreadableFile."""
    records.host = HostIdentity(name=answers.host, system="Linux")

    def takes(statistic: ItemStatistic, component: str) -> bool:
        if component and not _is_ours(statistic.category, component):
            return False
        if component:
            records.check_component(component)
        return True

    report = ItemReport(records.understood, records.ignored)
    for values in statistics_of(answers.items, MAPPINGS[records.format], takes, report):
        _add(values, records)
    for name, reason in answers.refused.items():
        records.ignored[f"{name}: {reason}"] += 1


def _is_ours(category: int, component: str) -> bool:
    """Whether a device or an interface has the name that the kernel has for it, and is one that is watched."""
    if category == INTERFACES:
        return is_watched_interface(component) and not component.isdecimal()
    return category != DEVICES or (component != ALL_DEVICES and " " not in component)


def _add(values: StatisticValues, records: HostRecords) -> None:
    statistic = values.statistic
    records.is_coarse = values.seconds > LONGEST
    for moment, value in values.values.items():
        began_at = datetime.fromtimestamp(moment, UTC)
        if statistic.holds_on:
            records.set_from(statistic.statistic, value, began_at)
        else:
            key = (statistic.category, statistic.statistic, values.component)
            records.add(began_at, began_at + timedelta(seconds=values.seconds), {key: value})
