"""What `sadf -x` prints, put into the words of `sadf -j` interval by interval."""

from collections.abc import Iterator
from typing import Any, TextIO, cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from zoneinfo import ZoneInfo

from apps.collection.file_readers import UnreadableFile
from apps.collection.file_text import CHUNK
from apps.platforms.linux.files.records import HostIdentity, HostRecords
from apps.platforms.linux.files.sadf_json import add_statistics, take_restarts, take_settings
from apps.platforms.linux.sadf import UnreadableRecords

_HOST = ("sysname", "release", "machine")
_AS_LIST = {"cpu-load", "cpu-load-all", "disk", "filesystems"}
_NAMES = {  # element -> its attribute that names a thing, and what sadf -j calls it
    "cpu": ("number", "cpu"),
    "disk-device": ("dev", "disk-device"),
    "filesystem": ("fsname", "filesystem"),
}
_FILESYSTEM = {"fsused-percent": "%fsused", "ufsused-percent": "%ufsused", "Iused-percent": "%Iused"}


def read_sadf_xml(text: TextIO, records: HostRecords, zone: ZoneInfo) -> None:
    """Read the records of one host. Raises UnreadableFile."""
    boots: list[dict[str, Any]] = []
    try:
        for element in _elements(text):
            _take(element, records, zone, boots)
        take_restarts(boots, records, zone)
    except UnreadableRecords as error:
        raise UnreadableFile(str(error)) from None
    except ParseError as error:
        raise UnreadableFile(f"The file is not whole, or not as sadf -x prints it: {error}.") from None
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableFile(f"These are not records as sadf -x prints them: {error!r}."[:300]) from None


def _elements(text: TextIO) -> Iterator[Element]:
    """The elements as they end; what was looked at is forgotten. Entities of a file's own are refused."""
    parser: XMLPullParser[Element] = XMLPullParser(["start", "end"])
    inside: list[Element] = []
    while chunk := text.read(CHUNK):
        if "<!ENTITY" in chunk:
            raise UnreadableFile("The file declares entities, which sadf never does.")
        parser.feed(chunk.partition("?>")[2] if chunk.startswith("<?xml") else chunk)
        for event, element in cast(Iterator[tuple[str, Element]], parser.read_events()):
            if event == "start":
                inside.append(element)
                continue
            inside.pop()
            yield element
            if element.tag in ("timestamp", "boot") and inside:
                inside[-1].remove(element)
    parser.close()


def _take(element: Element, records: HostRecords, zone: ZoneInfo, boots: list[dict[str, Any]]) -> None:
    text = (element.text or "").strip()
    host = records.host
    if element.tag in _HOST:
        setattr(host, "system" if element.tag == "sysname" else element.tag, text)
    elif element.tag == "number-of-cpus":
        take_settings({element.tag: text}, records)
    elif element.tag == "boot":
        boots.append({"boot": dict(element.attrib)})
    elif element.tag == "host":
        if host.name not in ("", element.attrib.get("nodename", "")):
            raise UnreadableFile("The file holds records of several hosts; give each its own file.")
        records.host = HostIdentity(
            element.attrib.get("nodename", ""), host.system, host.release, host.machine
        )
    elif element.tag == "timestamp":
        add_statistics(_statistics(element), records, zone)


def _statistics(element: Element) -> dict[str, Any]:
    statistics: dict[str, Any] = {"timestamp": dict(element.attrib)}
    for activity in element:
        if activity.tag in _AS_LIST:
            statistics[activity.tag] = [_named(child) for child in activity]
        elif activity.tag == "interrupts":
            statistics["interrupts"] = [_interrupt(child) for child in activity.iter("irq")]
        elif activity.tag == "network":
            statistics["network"] = _network(activity)
        elif activity.tag == "psi":
            statistics["psi"] = {child.tag: dict(child.attrib) for child in activity}
        else:
            statistics[activity.tag] = activity.attrib | {child.tag: child.text for child in activity}
    return statistics


def _named(child: Element) -> dict[str, str]:
    attribute, name = _NAMES.get(child.tag, ("", ""))
    return {
        name if key == attribute else _FILESYSTEM.get(key, key): value for key, value in child.attrib.items()
    }


def _interrupt(child: Element) -> dict[str, str]:
    return {"intr": child.attrib.get("intr", ""), "value": child.attrib.get("value", "0")}


def _network(activity: Element) -> dict[str, Any]:
    network: dict[str, Any] = {}
    for child in activity:
        if child.tag in ("net-dev", "net-edev"):
            network.setdefault(child.tag, []).append(dict(child.attrib))
        else:
            network[child.tag] = dict(child.attrib)
    return network
