"""How the collection went, as rows of a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from apps.reports.sheets import Cell
from apps.web.pages.collection.problems import Problem

PROBLEMS = ("target", "what happened", "slot", "next step")
COSTS = ("source", "targets", "median, s", "slowest, s", "series")


def problems(rows: Iterable[Problem]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row.target, row.what, row.since_on, row.step


def costs(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row["source"], row["targets"], float(row["median_s"]), float(row["worst_s"]), row["series"]
