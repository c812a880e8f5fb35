"""What Headroom reads, as rows of a file."""

from collections.abc import Iterable, Iterator, Sequence

from apps.platforms.oracle.grants import SourceRead
from apps.reports.sheets import Cell

READS = ("views", "answers", "read, at most", "time limit, s", "statement")


def reads(sources: Iterable[SourceRead]) -> Iterator[Sequence[Cell]]:
    for one in sources:
        yield ", ".join(one.views), one.answers, one.rhythm, one.seconds, one.sql
