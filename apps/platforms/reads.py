"""What Headroom reads of each technology, as its page lists it: statements, and the scripts that grant them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.module_loading import import_string


@dataclass(frozen=True)
class SourceRead:
    """One statement, as the page lists it."""

    views: list[str]
    answers: str
    rhythm: str
    seconds: float
    sql: str


@dataclass(frozen=True, kw_only=True)
class Reads:
    """Everything that is read of a technology, and the sentences that stand beside it."""

    nothing_of: str  # follows “Headroom only reads, and nothing”
    guard: str
    views_aside: str
    grants_aside: str
    sources: Sequence[SourceRead]
    scripts: Sequence[tuple[str, str]]  # title and text


_paths: dict[str, str] = {}


def add_reads_at(platform: str, path: str) -> None:
    """Make known, by a dotted path, the function that says what is read of a technology."""
    _paths[platform] = path


def all_reads() -> list[Reads]:
    return [cast(Callable[[], Reads], import_string(path))() for path in _paths.values()]
