"""
What Checkmk answers about metrics (domain-types/metric/actions/get/invoke): means of the services of one host, step by step.

An answer says neither host nor service nor metric, so each stands in the file together with its question, as one object. A point is
the mean of the step that ends behind it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import LATEST, MOST_VALUES
from apps.collection.json_stream import JsonStream
from apps.collection.monitors.item_mapping import COMPONENT
from apps.collection.monitors.items import ItemName, KeptItem, KeptItems

FORMAT = "metrics of Checkmk"
A_DAY = 86_400
_BEGINS = re.compile(
    r'\{\s*"(?:site|host_name|service_description|type|metric_id|graph_id|reduce|time_range|step|metrics|title|status)"\s*:\s*(?!"(?:success|error)")'
)
_WHAT = "answers of Checkmk about metrics with their questions, as docs/hosts.md shows"
_NO_QUESTION = "An answer does not say what it is of: put its question beside it, with host_name, service_description and metric_id."


def is_checkmk(head: str) -> bool:
    """Whether a text begins as questions to Checkmk, and its answers, do."""
    return bool(_BEGINS.match(head.lstrip()))


def split_service(services: Sequence[str]) -> Callable[[str], ItemName]:
    """What splits `Disk IO sda: disk_read_ios` into `Disk IO {}: disk_read_ios` and the component, for services such as `Disk IO {}`."""
    patterns = {service: re.escape(service).replace(re.escape(COMPONENT), "(.+)") for service in services}

    def split(name: str) -> ItemName:
        described, _, metric = name.rpartition(": ")
        for service, pattern in patterns.items():
            if match := re.fullmatch(pattern, described):
                return (f"{service}: {metric}", match[1])
        return (name,)

    return split


def read_checkmk(text: TextIO) -> KeptItems:
    """The metrics of the services of one host. Raises UnreadableFile."""
    stream = JsonStream(text, "", _WHAT)
    items: dict[str, KeptItem] = {}
    refused: dict[str, str] = {}
    hosts: set[str] = set()
    for element in stream.objects():
        try:
            name = _name_of(element)
            hosts.add(str(element["host_name"]))
            if "metrics" not in element:
                refused[name] = str(element["detail"] if "detail" in element else element["title"])[:200]
                continue
            _keep(name, element, items)
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
            raise stream.unreadable() from None
        if len(hosts) > 1:
            raise UnreadableFile(
                f"These are services of several hosts, {' and '.join(sorted(hosts))[:120]}: ask for one."
            )
        if sum(len(item.means) for item in items.values()) > MOST_VALUES:
            raise UnreadableFile(f"The file holds more than {MOST_VALUES:,} values; give it in parts.")
    _check(items, refused)
    return KeptItems(next(iter(hosts), ""), list(items.values()), refused=refused)


def _name_of(element: Mapping[str, Any]) -> str:
    if not all(element.get(part) for part in ("host_name", "service_description", "metric_id")):
        raise UnreadableFile(_NO_QUESTION)
    name = f"{element['service_description']}: {element['metric_id']}"
    if element.get("reduce", "average") != "average":
        raise UnreadableFile(f"{name} is the {element['reduce']} of each step: ask with reduce average.")
    return name


def _keep(name: str, element: Mapping[str, Any], items: dict[str, KeptItem]) -> None:
    """Keep the points of an answer that there are."""
    step, start = int(element["step"]), _seconds(element["time_range"]["start"])
    if not 0 < step <= A_DAY:
        raise UnreadableFile(f"{name} has steps of {step:,} seconds: no day can be made of them.")
    if not 0 <= start < LATEST:
        raise UnreadableFile(f"{name} begins at a moment that is none.")
    seconds = next((item.seconds for item in items.values()), step)
    if seconds != step:
        raise UnreadableFile(
            f"The answers have steps of {seconds:,} and of {step:,} seconds: ask for all with one time range, and give each range as a file."
        )
    if len(element["metrics"]) > 1:
        raise UnreadableFile(f"{name} is a graph of several metrics: ask for type single_metric.")
    item = items.setdefault(name, KeptItem(name, "", step))
    for metric in element["metrics"]:
        for place, point in enumerate(metric["data_points"]):
            if point is not None:
                item.began.append(start + place * step)
                item.means.append(float(point))


def _seconds(moment: Any) -> int:
    if isinstance(moment, int | float):
        return int(moment)
    parsed = datetime.fromisoformat(moment)
    return int((parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp())


def _check(items: Mapping[str, KeptItem], refused: Mapping[str, str]) -> None:
    if any(item.means for item in items.values()):
        return
    if refused:
        name, reason = next(iter(refused.items()))
        raise UnreadableFile(f"Checkmk refused the question about {name}: {reason}")
    raise UnreadableFile(
        "The answers hold no point: look at the names of host and services, and at the time range."
    )
