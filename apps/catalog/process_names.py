"""What the processes of a technology are called: by whom they are run, and what they do; a machine's collector asks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ProcessName:
    """
    Processes whose command begins with a word like `pattern`, which has a group `of`: the instance that they are part of.

    They are called by it and by what they do: "PROD log writer".
    """

    pattern: str
    called: str

    def name(self, word: str) -> str:
        """What a process with this first word is called; empty where it is not one of these."""
        match = re.fullmatch(self.pattern, word)
        return f"{match['of']} {self.called}".strip() if match else ""


_declared: dict[str, tuple[ProcessName, ...]] = {}


def add_process_names(platform: str, names: Iterable[ProcessName]) -> None:
    """Add what a platform declares, the first that fits first; a second time replaces the first."""
    _declared[platform] = tuple(names)


def name_process(word: str) -> str:
    """What the technology calls a process whose command begins with this word; empty where none knows it."""
    names = (process.name(word) for declared in _declared.values() for process in declared)
    return next(filter(None, names), "")
