"""The list of thresholds as rows of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from apps.reports.sheets import Cell
from apps.web.sheet_cells import word

THRESHOLDS = (
    "state", "statistic", "component", "holds for", "limit", "unit", "severity", "owner", "over", "closing",
)  # fmt: skip


def thresholds(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            word(row["state"]), row["statistic"], row["component"] or "all", row["scope"], row["notation"], row["unit"],
            row["severity"], row["owner"], row["over"], row["closing"],
        )  # fmt: skip
