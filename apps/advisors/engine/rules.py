"""
Rules: what is to be looked at next, with the reason. Each is one declaration in a platform's `rules/<subject>.py`.

A rule asks a few facts of a statistic that somebody looks at, and answers with advice, or with None.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol


class Observation(Protocol):
    """What a rule may ask of a statistic on a day."""

    @property
    def is_largest(self) -> bool:
        """Whether it leads its section of the profile."""
        ...

    def is_rising(self, subject: str) -> bool:
        """Whether something that is read beside it under this subject rose over the last 90 days."""
        ...


@dataclass(frozen=True)
class Advice:
    """What to do, and the reason: two halves of one sentence."""

    because: str
    action: str

    def __str__(self) -> str:
        return f"{self.because}: {self.action}."


Check = Callable[[Observation], Advice | None]


@dataclass(frozen=True)
class AdvisorRule:
    """A check of the statistics with these keys."""

    watches: frozenset[str]
    check: Check


_rules: dict[str, tuple[AdvisorRule, ...]] = {}


def rule(*watches: str) -> Callable[[Check], AdvisorRule]:
    """Make a function the rule of the statistics with these keys."""
    return lambda check: AdvisorRule(frozenset(watches), check)


def add_rules(platform: str, rules: Iterable[AdvisorRule]) -> None:
    """Add what a platform declares; a second time replaces the first."""
    _rules[platform] = tuple(rules)


def advise(platform: str, metric: str, observation: Observation) -> list[Advice]:
    """What the rules of a platform say of one of its statistics."""
    answers = (rule.check(observation) for rule in _rules.get(platform, ()) if metric in rule.watches)
    return [advice for advice in answers if advice is not None]
