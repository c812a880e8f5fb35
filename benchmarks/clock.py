"""Time and pages: contenders take turns, so that a busy machine slows all of them alike."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import Any
from unittest.mock import patch

from psycopg import Cursor

from apps.snapshots import history
from apps.snapshots.vectors import vector_cursor

Deed = Callable[[int], object]


def in_turns(
    rounds: int, contenders: Mapping[str, Deed], before: Deed = lambda turn: None
) -> dict[str, float]:
    """
    Seconds of each contender, as medians over the rounds.

    Deeds are given the number of their round; `before` prepares a round while no clock runs.
    """
    timings: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(rounds):
        before(turn)
        for name, deed in contenders.items():
            began = time.perf_counter()
            deed(turn)
            timings[name].append(time.perf_counter() - began)
    return {name: median(seconds) for name, seconds in timings.items()}


Question = tuple[str, Any]  # a query and its parameters


class _Listening:
    """A cursor that remembers what it was asked."""

    def __init__(self, cursor: Cursor[Any], heard: list[Question]) -> None:
        self.cursor, self.heard = cursor, heard

    def execute(self, query: str, parameters: Any = None) -> None:
        """Ask, and remember the question where it is about figures."""
        if "figure" in query or "series_trend" in query:
            self.heard.append((query, parameters))
        self.cursor.execute(query, parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cursor, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cursor)


def question_of(deed: Callable[[], object]) -> Question:
    """The query about figures that the product sends when it does something."""
    heard: list[Question] = []

    @contextmanager
    def listening() -> Iterator[_Listening]:
        with vector_cursor() as cursor:
            yield _Listening(cursor, heard)

    with patch.object(history, "vector_cursor", listening):
        deed()
    (question,) = heard
    return question


def run(question: Question) -> list[Any]:
    """The rows that answer a question."""
    with vector_cursor() as cursor:
        cursor.execute(*question)
        return cursor.fetchall()


def pages(question: Question) -> int:
    """Pages a query touches in its second execution of the session."""
    query, parameters = question
    explained = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", parameters
    run(explained)
    return _blocks(run(explained)[0][0])


def _blocks(explained: Any) -> int:
    document = json.loads(explained) if isinstance(explained, (str, bytes)) else explained
    plan = document[0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
