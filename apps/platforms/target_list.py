"""Lists of targets that are registered together: each technology reads its own files, and the page shows what they say."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any


class UnreadableList(ValueError):
    """The whole text cannot be taken for a list; the message says what is expected."""


@dataclass(frozen=True)
class ProposedTarget:
    """One target that could be registered; `problem` says why it cannot be."""

    line: int
    name: str
    address: dict[str, Any]
    username: str = ""
    password: str = field(default="", repr=False)
    time_zone: str = ""
    group: str = ""
    environment: str = ""
    problem: str = ""

    @property
    @abstractmethod
    def where(self) -> str:
        """The address for people."""
