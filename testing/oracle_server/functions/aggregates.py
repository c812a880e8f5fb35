"""Functions of a group of rows."""

import statistics

from ..values import Cell, number_of, text_of
from ..wire import OracleType

NUMBER = OracleType.NUMBER
TEXT = OracleType.VARCHAR2


class SampleAggregate:
    """The numbers of a group."""

    def __init__(self) -> None:
        self.numbers: list[int | float] = []

    def step(self, cell: Cell) -> None:
        if cell is not None:
            self.numbers.append(number_of(cell))


class StandardDeviation(SampleAggregate):
    def finalize(self) -> Cell:
        return statistics.stdev(self.numbers) if len(self.numbers) > 1 else 0 if self.numbers else None


class Variance(SampleAggregate):
    def finalize(self) -> Cell:
        return statistics.variance(self.numbers) if len(self.numbers) > 1 else 0 if self.numbers else None


class Median(SampleAggregate):
    def finalize(self) -> Cell:
        return statistics.median(self.numbers) if self.numbers else None


class ListAggregate:
    """The texts of a group, put together in order."""

    def __init__(self) -> None:
        self.texts: list[tuple[Cell, str]] = []
        self.separator = ""
        self.is_descending = False

    def step(self, cell: Cell, separator: Cell, key: Cell, is_descending: Cell) -> None:
        if cell is not None:
            self.texts.append((key, text_of(cell)))
        self.separator = text_of(separator)
        self.is_descending = bool(is_descending)

    def finalize(self) -> Cell:
        keyed = [pair for pair in self.texts if pair[0] is not None]
        keyed.sort(key=lambda pair: pair[0], reverse=self.is_descending)  # type: ignore[arg-type, return-value]
        rest = [pair for pair in self.texts if pair[0] is None]
        return self.separator.join(text for _, text in keyed + rest) or None


AGGREGATES: dict[str, tuple[type, OracleType]] = {
    "stddev": (StandardDeviation, NUMBER),
    "variance": (Variance, NUMBER),
    "median": (Median, NUMBER),
    "listagg": (ListAggregate, TEXT),
    "ratio_to_report": (SampleAggregate, NUMBER),
}
