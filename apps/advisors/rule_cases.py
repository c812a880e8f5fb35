"""Cases of the method by which rules are proven: figures, and what the rule says of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_files: dict[str, Path] = {}


@dataclass(frozen=True)
class RuleCase:
    """Figures by the key of their input, and the weight that a rule has on them; "quiet" where it does not fire."""

    rule: str
    figures: Mapping[str, float]
    expected: str


def add_rule_cases(platform: str, file: Path) -> None:
    """Make the cases of a platform's rules known; they are read when somebody asks for them."""
    _files[platform] = file
    _read_cases.cache_clear()


def all_rule_cases() -> list[RuleCase]:
    return [case for file in _files.values() for case in _read_cases(file)]


def cases_of(rule: str) -> list[RuleCase]:
    return [case for case in all_rule_cases() if case.rule == rule]


@cache
def _read_cases(file: Path) -> list[RuleCase]:
    if not file.exists():
        return []
    return [RuleCase(**entries) for entries in json.loads(file.read_text())]
