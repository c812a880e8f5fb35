"""What was measured, beside what it must be."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Measurement:
    """One figure; without `least` and `most` it is only reported."""

    key: str
    words: str
    got: float
    unit: str = ""
    least: float | None = None
    most: float | None = None
    is_binding: bool = True  # False where the server lacks what the figure is defined with
    missing: str = ""  # why it was not measured; `got` is then NaN

    @property
    def is_met(self) -> bool:
        return (
            bool(self.missing)
            or not self.is_binding
            or (
                (self.least is None or self.got >= self.least)
                and (self.most is None or self.got <= self.most)
            )
        )

    @property
    def must(self) -> str:
        if self.least is None and self.most is None:
            return ""
        limit = f">= {self.least:g}" if self.least is not None else f"<= {self.most:g}"
        return limit if self.is_binding else f"{limit} with lz4"

    @property
    def text(self) -> str:
        if self.missing:
            return ""
        return f"{self.got:.3g}" if abs(self.got) < 1000 else f"{self.got:,.0f}"


@dataclass
class BenchmarkReport:
    """Figures in the order they were measured; each is printed as a line of JSON once it is known."""

    figures: list[Measurement] = field(default_factory=list)

    def add(self, figure: Measurement) -> None:
        """Take a figure in, and say it."""
        self.figures.append(figure)
        line = {
            "id": figure.key,
            "figure": figure.words,
            "got": None if figure.missing else float(f"{figure.got:.6g}"),
            "unit": figure.unit,
            "must": figure.must,
            "met": None if figure.missing else figure.is_met,
        } | ({"missing": figure.missing} if figure.missing else {})
        print(json.dumps(line, ensure_ascii=False), flush=True)

    @property
    def missed(self) -> Sequence[Measurement]:
        return [figure for figure in self.figures if not figure.is_met]

    def table(self) -> str:
        """All figures as a table that reads well as text and in Markdown."""
        head = ("id", "figure", "must", "got", "unit", "")
        lines = [
            (
                measurement.key,
                measurement.words,
                measurement.must,
                measurement.text,
                measurement.unit,
                measurement.missing or ("" if measurement.is_met else "MISSED"),
            )
            for measurement in self.figures
        ]
        widths = [max(len(row[column]) for row in (head, *lines)) for column in range(len(head))]
        dashes = tuple("-" * max(width, 3) for width in widths)
        return "\n".join(
            "| "
            + " | ".join(cell.ljust(max(width, 3)) for cell, width in zip(row, widths, strict=True))
            + " |"
            for row in (head, dashes, *lines)
        )
