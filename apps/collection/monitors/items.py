"""What a monitoring server kept of a host, or of what runs on it."""

from array import array
from dataclasses import dataclass, field

ItemName = tuple[str, ...]


@dataclass
class KeptItem:
    """One item: its name as the server has it, its unit, and its means of intervals of `seconds`, by when these began."""

    name: str
    unit: str
    seconds: int
    began: "array[int]" = field(default_factory=lambda: array("q"))
    means: "array[float]" = field(default_factory=lambda: array("d"))


@dataclass
class KeptItems:
    """The items of one file; `host` is what the server calls it, and `texts` are the last values of items that are no numbers."""

    host: str
    items: list[KeptItem]
    texts: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)  # what was asked for: why there is no answer
