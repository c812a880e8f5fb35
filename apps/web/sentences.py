"""The answers that pages open with: parts of text, the fact strong."""

from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.charts.words import capital as capital
from apps.charts.words import count as count
from apps.outlook.counts import Counts


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; the fact is strong."""

    text: str
    strong: bool = False


def counted(counts: Counts, first: str = "") -> list[Part]:
    """What is over its limit, with the first of it, will be, is closing, or cannot be told; nothing where there is no case."""
    if not counts.lead:
        return []
    return [Part(f"{counts.lead}{first}", True), *(Part(f"; {rest}") for rest in counts.rest), Part(".")]


def are_over(number: int) -> str:
    return "is over its limit" if number == 1 else "are over their limit"


def day_in_words(day: date) -> str:
    return figures.long_day(day).replace(figures.SPACE, " ")
