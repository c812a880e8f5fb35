"""
Files that the tools of a host wrote: looked at before anything is stored, then stored whole or not at all.

Platforms make known how their files are read, by a dotted path; nothing here knows a format.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, BinaryIO, cast

from django.utils.module_loading import import_string

from apps.collection.file_readers import FileSource, UnreadableFile, file_source_of
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.snapshots.imported_days import (
    DayNotKept,
    DayOfFile,
    DayOutcome,
    foresee_days,
    record_imported_days,
)
from apps.snapshots.models import Fact

HOST_NAME = "hostname"  # the fact that says how a host calls itself


@dataclass(frozen=True, kw_only=True)
class HostFile:
    """What a file says: of which host, its days, what was and what was not understood."""

    format: str
    host_name: str
    host_label: str  # system, release, machine
    days: Sequence[DayOfFile]
    understood: Mapping[str, int]  # table -> rows
    ignored: Sequence[str]
    notes: Sequence[str]
    facts: Mapping[str, str]


@dataclass(frozen=True)
class HostFileReport:
    """What becomes, or became, of a file."""

    name: str
    file: HostFile
    outcomes: Sequence[DayOutcome]
    wrong_host: str  # a sentence; empty where it is the target's own

    def as_json(self) -> dict[str, Any]:
        """The report as commands print it; keys are those of docs/hosts.md."""
        return {
            "file": self.name,
            "format": self.file.format,
            "host": self.file.host_name,
            "system": self.file.host_label,
            "wrong_host": self.wrong_host or None,
            "understood": list(self.file.understood),
            "not_understood": list(self.file.ignored),
            "notes": list(self.file.notes),
            "days": [
                {
                    "day": outcome.on.isoformat(),
                    "share": round(outcome.share, 4),
                    "stored": outcome.is_stored,
                    "reason": outcome.sentence,
                }
                for outcome in self.outcomes
            ],
        }


FileReader = Callable[[BinaryIO, Target, datetime], HostFile]


def look_into(target: Target, file: BinaryIO, name: str, now: datetime) -> HostFileReport:
    """What storing a file would do; nothing is stored. Raises UnreadableFile."""
    host_file = _read(target, file, now)
    try:
        outcomes = foresee_days(target, host_file.days, origin_of(name), now)
    except DayNotKept as error:
        raise UnreadableFile(str(error)) from None
    return HostFileReport(name, host_file, outcomes, wrong_host(target, host_file))


def store_file(
    target: Target, file: BinaryIO, name: str, now: datetime, *, origin: str = "", is_confirmed: bool = False
) -> HostFileReport:
    """
    Store the days of a file, all or nothing; the same file again changes nothing. Raises UnreadableFile.

    A file of another host is refused unless somebody confirmed it.
    """
    source = _source(target)
    host_file = _read(target, file, now)
    wrong = wrong_host(target, host_file)
    if wrong and not is_confirmed:
        raise UnreadableFile(wrong)
    try:
        outcomes = record_imported_days(
            target, host_file.days, origin or origin_of(name), host_file.facts, now
        )
    except DayNotKept as error:
        raise UnreadableFile(str(error)) from None
    if any(outcome.is_stored for outcome in outcomes) and not source.is_past:
        _note_run(target, host_file, origin or origin_of(name), now)
        review_again(target, outcomes)
    return HostFileReport(name, host_file, outcomes, wrong)


def origin_of(name: str) -> str:
    """How the days of a file name it."""
    return f"file {name[-120:]}"


def wrong_host(target: Target, file: HostFile) -> str:
    """That a file is of another host than the target, in a sentence; empty where it is its own, or says nothing."""
    names = Fact.objects.filter(target=target, name=HOST_NAME, component="").order_by("-since")
    expected = names.values_list("value", flat=True).first() or str(target.address.get("host") or target.name)
    if not file.host_name or _short(file.host_name) == _short(expected):
        return ""
    return (
        f"The file is of {file.host_name}, and {target.name} calls itself {expected}."
        " If both are one host, confirm it; nothing is stored otherwise."
    )


def _short(name: str) -> str:
    return name.casefold().partition(".")[0]


def _source(target: Target) -> FileSource:
    source = file_source_of(target)
    if source is None:
        raise UnreadableFile(f"{target.name} is not a host whose files can be read.")
    return source


def _read(target: Target, file: BinaryIO, now: datetime) -> HostFile:
    return cast(FileReader, import_string(_source(target).reader))(file, target, now)


def _note_run(target: Target, file: HostFile, origin: str, now: datetime) -> None:
    """A file counts as a reading of its last moment, so that the host's age is known."""
    last = file.days[-1]
    series = sum(len(by_slot[max(by_slot)].keys) for by_slot in last.shots.values())
    CollectionRun.objects.get_or_create(
        target=target,
        slot=last.stretch.ended_at,
        defaults={
            "began_at": now,
            "ended_at": now,
            "state": CollectionRun.State.COMPLETE,
            "series": series,
            "sources": [{"name": origin, "category": 0, "seconds": 0.0, "series": series, "error": ""}],
            "notes": list(file.notes),
        },
    )


def review_again(target: Target, outcomes: Sequence[DayOutcome]) -> None:
    """Days that were reviewed without these figures are reviewed once more."""
    first = min(outcome.on for outcome in outcomes if outcome.is_stored)
    if target.reviewed_through is not None and target.reviewed_through >= first:
        Target.objects.filter(pk=target.pk).update(reviewed_through=first - timedelta(days=1))
