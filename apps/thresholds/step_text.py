"""The sentences of what a review found, made from its facts when they are shown (arithmetic)."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from apps.charts import figures

Facts = Mapping[str, Any]


def write_sentence(facts: Facts) -> str:
    """A step's facts in a sentence; `kind` names which."""
    return _SENTENCES[facts["kind"]](facts)


def write_limit_facts(facts: Facts) -> str:
    """A limit as it was kept: as it was typed, its sign and its number, or both its ends."""
    if "low" in facts:
        return f"{figures.figure(facts['low'])}..{figures.figure(facts['high'])}"
    if "edge" in facts:
        return f"{facts['sign']}{figures.figure(facts['edge'])}"
    return figures.threshold(facts["notation"])


def _over(facts: Facts) -> str:
    measured = ""
    if facts["value"] is not None:
        measured = f"{figures.figure(facts['value'])} {facts['unit']}".rstrip()
        if "second_value" in facts:
            second = f"{figures.figure(facts['second_value'])} {facts['second_unit']} {facts['second_word']}"
            measured = f"{measured} and {second}"
        measured += " against "
    return f"{'Back over' if facts['is_back'] else 'Over'} its limit: {measured}{write_limit_facts(facts['limit'])}."


def _severity(facts: Facts) -> str:
    return f"{facts['before']} became {facts['after']}: {figures.threshold(facts['notation'])}"


def _limit_changed(facts: Facts) -> str:
    before, after = (figures.threshold(facts[name]) for name in ("before", "after"))
    return f"The limit was changed from {before} to {after}."


def _predicted(facts: Facts) -> str:
    limit = figures.threshold(facts["notation"])
    of = f"that both are broken, {limit}," if facts["is_both"] else f"to cross {limit}"
    when = f", likely on {_day(facts['likely_on'])}" if facts["likely_on"] else ""
    return f"The chance {of} within {facts['horizon']} days is {figures.chance(facts['chance'])}{when}."


def _acknowledged_until(facts: Facts) -> str:
    return f"It was acknowledged until {_day(facts['until'])}."


def _day(text: str) -> str:
    return figures.long_day(date.fromisoformat(text))


_SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "over": _over,
    "severity": _severity,
    "limit_changed": _limit_changed,
    "predicted": _predicted,
    "acknowledged_until": _acknowledged_until,
}
