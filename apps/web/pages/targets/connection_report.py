"""What came of a test of a connection, in the order in which somebody acts on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.charts.words import capital, count
from apps.collection.collector import ConnectionStep


@dataclass(frozen=True)
class ConnectionReport:
    """The steps of a test: the way to the target one by one, what is read of it as one, and what is missing."""

    name: str  # of the target, as it is typed
    steps: Sequence[ConnectionStep]

    @cached_property
    def way(self) -> list[ConnectionStep]:
        """The steps before anything is read."""
        return [step for step in self.steps if not step.is_source]

    @cached_property
    def sources(self) -> list[ConnectionStep]:
        return [step for step in self.steps if step.is_source]

    @cached_property
    def missing(self) -> list[ConnectionStep]:
        """Sources that cannot be read."""
        return [step for step in self.sources if not step.is_ok]

    @property
    def rows(self) -> list[ConnectionStep]:
        """The way, and all sources as the last step of it."""
        if not self.sources:
            return self.way
        sentence = f"{len(self.sources) - len(self.missing)} of {len(self.sources)} can be read."
        seconds = sum(step.seconds for step in self.sources)
        return [*self.way, ConnectionStep("Sources", not self.missing, sentence, seconds)]

    @property
    def script(self) -> str:
        """The grants that are missing, a line each."""
        return "\n".join(step.script for step in self.missing if step.script)

    @property
    def seconds(self) -> float:
        return sum(step.seconds for step in self.steps)

    @property
    def missing_words(self) -> str:
        """ "three grants are missing", or "one source cannot be read" where no grant helps."""
        number = len(self.missing)
        if all(step.script for step in self.missing):
            return f"{count(number, 'grant')} {'is' if number == 1 else 'are'} missing"
        return f"{count(number, 'source')} cannot be read"

    @property
    def missing_head(self) -> str:
        return capital(self.missing_words)

    @property
    def headline(self) -> tuple[str, str]:
        """What the page answers with: the fact, and the way on."""
        failed = next((step for step in self.way if not step.is_ok), None)
        if failed is not None and not self.sources:
            return f"{self.name} was not reached.", failed.sentence
        if self.missing:
            return f"{self.name} answers; {self.missing_words}.", "You can save now and add them later."
        if not self.sources:
            return f"{self.name} answers.", "Compare its key before you save."
        return f"{self.name} answers; everything can be read.", "Save it, and its first reading begins."
