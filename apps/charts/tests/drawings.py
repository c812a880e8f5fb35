"""An SVG text as something a test can ask."""

from collections.abc import Iterator
from xml.etree import ElementTree

NAMES = frozenset({"style", "onload", "onclick"})


def parse(svg: str) -> ElementTree.Element:
    """The drawing, which must be well-formed and carry nothing that the content security policy forbids."""
    root = ElementTree.fromstring(svg)
    assert not any(NAMES & set(part.attrib) for part in root.iter())
    return root


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in root.iter() if name in part.get("class", "").split()]


def words(root: ElementTree.Element) -> Iterator[str]:
    """What is written in the drawing, without the titles that only hovering shows."""
    return (part.text or "" for part in root.iter() if part.tag == "text")
