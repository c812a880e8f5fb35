"""
Files that the tools of a host wrote: looked at before anything is stored, then stored whole or not at all.

Platforms make known how their files are read, by a dotted path; nothing here knows a format.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.utils.module_loading import import_string

from apps.charts.words import count
from apps.collection.file_readers import FileSource, UnreadableFile, file_source_of
from apps.collection.history.pieces import (
    Piece,
    choose_pieces,
    days_with,
    forget_pieces,
    keep_piece,
    origin_of_pieces,
    piece_of,
    pieces_of,
    put_together,
)
from apps.collection.models import CollectionRun
from apps.inventory.models import Target
from apps.snapshots.given_days import fill_days, foresee_filling, forget_given
from apps.snapshots.imported_days import (
    DayNotKept,
    DayOfFile,
    DayOutcome,
    foresee_days,
    forget_imported_days,
    record_imported_days,
)
from apps.snapshots.models import Coverage
from apps.snapshots.newest_facts import read_facts
from apps.snapshots.roll_up import roll_up_day

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
    adds_up: bool = False  # its days are stretches, put together with those of other files
    fills: bool = False  # its days fill what nothing else tells, and stand beside what others gave


class OtherHost(UnreadableFile):
    """A file is of another host than the target."""


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
        outcomes = _foresee(target, host_file, name, now)
    except DayNotKept as error:
        raise UnreadableFile(str(error)) from None
    return HostFileReport(name, host_file, outcomes, wrong_host(target, host_file))


def _foresee(target: Target, file: HostFile, name: str, now: datetime) -> list[DayOutcome]:
    if file.fills:
        return foresee_filling(target, file.days, origin_of(name), now)
    return [
        outcome
        for together in _days_together(target, file, name)
        for outcome in together.in_words(foresee_days(target, [together.day], together.origin, now))
    ]


def store_file(
    target: Target, file: BinaryIO, name: str, now: datetime, *, origin: str = "", is_confirmed: bool = False
) -> HostFileReport:
    """
    Store the days of a file, all or nothing; the same file again changes nothing. Raises UnreadableFile.

    Raises OtherHost for a file of another host, unless somebody confirmed that both are one.
    """
    source = _source(target)
    host_file = _read(target, file, now)
    wrong = wrong_host(target, host_file)
    if wrong and not is_confirmed:
        raise OtherHost(wrong)
    try:
        with transaction.atomic():
            outcomes = _store_days(target, host_file, name, origin or origin_of(name), now)
    except DayNotKept as error:
        raise UnreadableFile(str(error)) from None
    if any(outcome.is_stored for outcome in outcomes) and not source.is_past:
        _note_run(target, host_file, origin or origin_of(name), now)
        review_again(target, outcomes)
    return HostFileReport(name, host_file, outcomes, wrong)


@dataclass(frozen=True)
class _DayTogether:
    """A day of a file with the stretches of it that other files gave, and how many files that are."""

    day: DayOfFile
    origin: str
    files: int = 1
    counts: bool = True  # the file itself

    def in_words(self, outcomes: Sequence[DayOutcome]) -> list[DayOutcome]:
        """What becomes of the day, as people are told."""
        if not self.counts:
            sentence = "its hours are those of other files, which cover more of the day"
            return [replace(outcome, is_stored=False, sentence=sentence) for outcome in outcomes]
        others = count(self.files - 1, "other file")
        return [
            replace(outcome, sentence=f"together with {others}: {100 * outcome.share:.0f} % of the day")
            if outcome.is_stored and self.files > 1
            else outcome
            for outcome in outcomes
        ]


def _days_together(target: Target, file: HostFile, name: str) -> list[_DayTogether]:
    """The days of a file, each with what others gave of it where these add up."""
    if not file.adds_up:
        return [_DayTogether(day, origin_of(name)) for day in file.days]
    return [_with_others(target, day, piece_of(day, name[-120:])) for day in file.days]


def _with_others(target: Target, day: DayOfFile, piece: Piece) -> _DayTogether:
    stretch = (piece.began_at, piece.ended_at)
    others = [other for other in pieces_of(target, day.day.on) if (other.began_at, other.ended_at) != stretch]
    together, chosen = put_together([*others, piece], day.day.on, target)
    return _DayTogether(together, origin_of_pieces(chosen), len(chosen), piece in chosen)


def _store_days(target: Target, file: HostFile, name: str, origin: str, now: datetime) -> list[DayOutcome]:
    if file.fills:
        return fill_days(target, file.days, origin, now)
    if not file.adds_up:
        return record_imported_days(target, file.days, origin, file.facts, now)
    Target.objects.select_for_update().get(
        pk=target.pk
    )  # stretches of a day that come at once wait for each other
    outcomes: list[DayOutcome] = []
    for own, together in zip(file.days, _days_together(target, file, name), strict=True):
        keep_piece(target, own.day.on, piece_of(own, name[-120:]))
        outcomes += together.in_words(
            record_imported_days(target, [together.day], together.origin, file.facts, now)
        )
    return outcomes


def _take_back_pieces(target: Target, name: str, days: Collection[date] | None, now: datetime) -> list[date]:
    """Take back stretches of days that a file gave; what others gave of these days is put together again."""
    file, gone = name[-120:], []
    for on in days_with(target, file, days):
        origin = origin_of_pieces(choose_pieces(pieces_of(target, on)))
        forget_pieces(target, file, on)
        gone += forget_imported_days(target, {on: origin})
        if rest := pieces_of(target, on):
            together, chosen = put_together(rest, on, target)
            record_imported_days(target, [together], origin_of_pieces(chosen), {}, now)
    return gone


def take_back_days(target: Target, name: str, days: Collection[date] | None, now: datetime) -> list[date]:
    """Take back the days that a file of this name gave, or those of them that are named, and roll up again what was read of them."""
    origin = origin_of(name)
    covers = Coverage.objects.filter(target=target, origin=origin)
    if days is not None:
        covers = covers.filter(day__in=days)
    with transaction.atomic():
        gone = forget_given(target, origin, date.min, date.max, days)
        gone += _take_back_pieces(target, name, days, now)
        gone += forget_imported_days(target, dict.fromkeys(covers.values_list("day", flat=True), origin))
        if not Coverage.objects.filter(target=target, origin=origin).exists():
            CollectionRun.objects.filter(target=target, sources__0__name=origin).delete()
    for on in gone:
        roll_up_day(target, on, now)
    return gone


def origin_of(name: str) -> str:
    """How the days of a file name it."""
    return f"file {name[-120:]}"


def wrong_host(target: Target, file: HostFile) -> str:
    """That a file is of another host than the target, in a sentence; empty where it is its own, or says nothing."""
    names = read_facts(target, HOST_NAME)
    expected = names.get(HOST_NAME) or str(target.address.get("host") or target.name)
    if not file.host_name or _short(file.host_name) == _short(expected):
        return ""
    return (
        f"The file is of {file.host_name}, and {target.name} calls itself {expected}:"
        " nothing is stored unless you say that both are one host."
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
