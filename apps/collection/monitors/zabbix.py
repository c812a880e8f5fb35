"""
What Zabbix answers to item.get and trend.get: hourly means of the items of one host.

Both answers stand in one file, one behind the other, in any order.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import LATEST, MOST_VALUES
from apps.collection.json_stream import JsonStream
from apps.collection.monitors.items import ItemName, KeptItem, KeptItems

FORMAT = "trend.get of Zabbix"
AN_HOUR = 3600
_BEGINS = re.compile(r'\{\s*"jsonrpc"')
_REFUSED = re.compile(
    r'"error"\s*:\s*\{[^{}]*"message"\s*:\s*"([^"]*)"(?:[^{}]*"data"\s*:\s*"([^"]*)")?', re.DOTALL
)


@dataclass
class _Answers:
    """What the answers of a file have: items by their number, trends by that of their item, hosts by theirs."""

    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    trends: dict[str, KeptItem] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)


def is_zabbix(head: str) -> bool:
    """Whether a text begins as the answers of Zabbix do."""
    return bool(_BEGINS.match(head.lstrip()))


def split_key(key: str) -> ItemName:
    """The key of an item as its name and its parameters: `vfs.fs.size["/u01",pused]`."""
    name, bracket, rest = key.strip().partition("[")
    if not bracket:
        return (name,)
    parameters = next(csv.reader([rest.removesuffix("]")], skipinitialspace=True), [])
    return (name, *(parameter.strip() for parameter in parameters))


def read_zabbix(text: TextIO, head: str) -> KeptItems:
    """The items of one host with their trends. Raises UnreadableFile."""
    if refused := _REFUSED.search(head[:2000]):
        raise UnreadableFile(f"Zabbix refused the question: {' '.join(filter(None, refused.groups()))[:200]}")
    answers = _read_answers(text)
    _check(answers)
    for number, trends in answers.trends.items():
        if (item := answers.items.get(number)) is not None:
            trends.name, trends.unit = item["key"], item["unit"]
    return KeptItems(
        host=next(iter(answers.hosts.values()), ""),
        items=[answers.trends[number] for number in answers.items if number in answers.trends],
        texts={item["key"]: item["last"] for item in answers.items.values() if item["last"]},
    )


def _read_answers(text: TextIO) -> _Answers:
    stream = JsonStream(text, '"result"', "what Zabbix answers to item.get and trend.get")
    answers, count = _Answers(), 0
    stream.before()
    while True:
        for element in stream.elements():
            try:
                count += _keep(element, answers)
            except (KeyError, TypeError, ValueError, OverflowError):
                raise stream.unreadable() from None
            if count > MOST_VALUES:
                raise UnreadableFile(f"The file holds more than {MOST_VALUES:,} values; give it in parts.")
        if not stream.has_list():
            return answers
        stream.before()


def _keep(element: Mapping[str, Any], answers: _Answers) -> int:
    """Keep an item, or the hour of one; returns how many values that are."""
    number = str(element["itemid"])
    if "key_" in element:
        answers.items[number] = {
            "key": str(element["key_"]),
            "unit": str(element.get("units", "")).lstrip("!"),
            "last": str(element.get("lastvalue", "")),
        }
        for host in element.get("hosts") or ():
            answers.hosts[str(host["hostid"])] = str(host.get("host") or host.get("name") or "")
        return 0
    hour, mean = int(element["clock"]), float(element["value_avg"])
    if not 0 <= hour < LATEST:
        raise UnreadableFile(f"The hour {hour} of a trend is none.")
    trends = answers.trends.setdefault(number, KeptItem("", "", AN_HOUR))
    trends.began.append(hour)
    trends.means.append(mean)
    return 1


def _check(answers: _Answers) -> None:
    if len(answers.hosts) > 1:
        names = " and ".join(sorted(answers.hosts.values()))
        raise UnreadableFile(f"These are items of several hosts, {names[:120]}: ask for one.")
    if not answers.items:
        raise UnreadableFile(
            "No item is named: add the answer of item.get, with itemid, key_ and units, to that of trend.get."
        )
    if not answers.trends:
        raise UnreadableFile("There are items and no trends of them: add the answer of trend.get.")
