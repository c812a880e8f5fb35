"""The list of thresholds as rows of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from apps.reports.sheets import Cell

THRESHOLDS = (
    "state", "statistic", "component", "holds for", "limit", "unit", "severity", "owner", "open violations",
)  # fmt: skip


def thresholds(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            row["state"], row["statistic"], row["component"] or "all", row["scope"], row["notation"], row["unit"],
            row["severity"], row["owner"], row["open"],
        )  # fmt: skip
