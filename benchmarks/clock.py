"""Time and pages: contenders take turns, so that a busy machine slows all of them alike."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from apps.snapshots.vectors import vector_cursor

Deed = Callable[[int], object]


def in_turns(rounds: int, contenders: Mapping[str, Deed]) -> dict[str, float]:
    """Seconds of each contender, as medians over the rounds; a deed is given the number of its round."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(rounds):
        for name, deed in contenders.items():
            began = time.perf_counter()
            deed(turn)
            taken[name].append(time.perf_counter() - began)
    return {name: median(seconds) for name, seconds in taken.items()}


def warm(deeds: Sequence[Deed]) -> None:
    """Let each deed run once before the clock."""
    for deed in deeds:
        deed(0)


def pages(query: str, parameters: Mapping[str, object]) -> int:
    """Pages a query touches in its second execution of the session."""
    touched = 0
    with vector_cursor() as cursor:
        for _ in range(2):
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", parameters)
            touched = _blocks(cursor.fetchall()[0][0])
    return touched


def _blocks(explained: Any) -> int:
    told = json.loads(explained) if isinstance(explained, (str, bytes)) else explained
    plan = told[0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
