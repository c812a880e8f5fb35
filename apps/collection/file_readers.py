"""How files of a target are read that its own tools wrote: platforms declare it; what reads them is loaded when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.inventory.models import Target


class UnreadableFile(Exception):
    """A file cannot be taken; the sentence says why, and what to do."""


@dataclass(frozen=True, kw_only=True)
class FileSource:
    """
    The files of a platform's hosts, or instances: the dotted path of what reads them (a FileReader of host_files.py), and what people are told.

    `crontab` are the times and commands by which a host prints what it is to send. What `is_past` fills days from before the first reading: it counts as no reading, and nothing is reviewed again because of it.
    """

    reader: str
    tools: str  # as they follow “Files of”
    formats: str  # a line of help
    kind: str = Target.Kind.HOST
    is_past: bool = False
    notice: str = ""  # what people are told before they bring one
    crontab: Sequence[tuple[str, str]] = ()


_sources: dict[str, FileSource] = {}


def add_file_source(platform: str, source: FileSource) -> None:
    """Make known how files of a platform's targets are read."""
    _sources[platform] = source


def file_source_of(target: Target) -> FileSource | None:
    """How files of a target are read; None where its platform reads none of its kind, or it is retired."""
    source = _sources.get(target.platform)
    is_of_it = source is not None and source.kind == target.kind and target.retired_at is None
    return source if is_of_it else None
