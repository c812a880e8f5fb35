"""Who says what of which fact: values, words and days, exact and as they are shown."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from math import isclose
from typing import NamedTuple

from apps.catalog.units import convert
from apps.charts import figures

Value = float | str | date | None
MISSING = ("no data", "not present", "not measurable")
DUST = 1e-9  # of a binary fraction, relative


class StatedFact(NamedTuple):
    """What a figure is of; `day` is ISO, or a stretch of days, or empty for how things stand at the last review."""

    target: str
    statistic: str
    component: str
    day: str
    aspect: str

    def __str__(self) -> str:
        return " / ".join(filter(None, self))


@dataclass(frozen=True, slots=True)
class Saying:
    """One place that says a fact: an exact value, a text as people read it, or both."""

    place: str
    exact: Value = None
    text: str | None = None
    unit: str = ""
    plain_unit: str = ""  # of the fact, where `unit` may be another of the same dimension

    @property
    def value(self) -> Value:
        """The exact value in the unit of the fact."""
        if isinstance(self.exact, float) and self.unit != self.plain_unit:
            return convert(self.exact, self.unit, self.plain_unit)
        return self.exact

    @property
    def is_exact(self) -> bool:
        return self.exact is not None

    def __str__(self) -> str:
        parts = " ".join(str(part) for part in (self.text, self.exact, self.unit) if part not in (None, ""))
        return f"“{parts}” at {self.place}"


def written(aspect: str, value: Value) -> str:
    """A value as people read it: the rounding of the exact one."""
    if isinstance(value, str):
        return value
    if isinstance(value, date):
        return figures.short_day(value)
    if aspect == "chance":
        return figures.chance(value)
    if aspect == "slack":
        return figures.slack(value)
    if aspect.startswith("change"):
        return figures.delta(value)
    return figures.figure(value)


class Ledger:
    """All sayings by their fact."""

    def __init__(self) -> None:
        self.sayings: dict[StatedFact, list[Saying]] = defaultdict(list)
        self.wrong: list[str] = []  # identities that do not hold

    def say(
        self, fact: StatedFact, place: str, exact: Value = None, text: str | None = None,
        unit: str = "", plain_unit: str = "",
    ) -> None:  # fmt: skip
        if isinstance(exact, int):
            exact = float(exact)
        self.sayings[fact].append(Saying(place, exact, text, unit, plain_unit or unit))

    def claim(self, is_true: bool, what: str) -> None:
        """An identity that must hold."""
        self.claims += 1
        if not is_true:
            self.wrong.append(what)

    claims = 0

    @property
    def met_twice(self) -> int:
        """Facts that are said in at least two places."""
        return sum(len({saying.place for saying in sayings}) > 1 for sayings in self.sayings.values())

    @property
    def places(self) -> set[str]:
        return {saying.place for sayings in self.sayings.values() for saying in sayings}

    def value(self, fact: StatedFact) -> Value:
        """What is said exactly of a fact; None where nobody does."""
        return next((saying.value for saying in self.sayings.get(fact, ()) if saying.is_exact), None)

    def contradictions(self) -> Iterator[str]:
        for fact, sayings in self.sayings.items():
            if wrong := contradiction(fact, sayings):
                yield wrong


def contradiction(fact: StatedFact, sayings: list[Saying]) -> str:
    """What two places say differently of a fact, both named; empty where all agree."""
    lead = next((saying for saying in sayings if saying.is_exact), sayings[0])
    for saying in sayings:
        if saying.is_exact and not _is_same(saying.value, lead.value):
            return f"{fact}: {lead}, but {saying}"
        if saying.text is not None and not _is_written_as(saying, lead, fact.aspect):
            return (
                f"{fact}: {saying}, but {lead}, which is written {next(_texts_by(saying, lead, fact.aspect))}"
            )
    return ""


def _is_same(value: Value, other: Value) -> bool:
    if isinstance(value, float) and isinstance(other, float):
        return isclose(value, other, rel_tol=DUST, abs_tol=1e-12)
    return value == other


def _is_written_as(saying: Saying, lead: Saying, aspect: str) -> bool:
    return _plain(saying.text or "") in _texts_by(saying, lead, aspect)


def _texts_by(saying: Saying, lead: Saying, aspect: str) -> Iterator[str]:
    """The text that a place must show, given what another says; two where dust lies on the edge between them."""
    if not lead.is_exact:
        yield _plain(lead.text or "")
        return
    value = lead.value
    if not isinstance(value, float):
        yield _plain(written(aspect, value))
        return
    if saying.unit != saying.plain_unit:
        value = convert(value, saying.plain_unit, saying.unit)
    for dust in (0.0, DUST, -DUST):
        yield _plain(written(aspect, value * (1 + dust)))


def _plain(text: str) -> str:
    """With plain spaces, as the cells of a table are read."""
    return text.replace(figures.SPACE, " ")
