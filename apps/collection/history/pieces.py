"""
Stretches of a day that files gave one by one, such as reports of an hour each: kept, and put together into their day.

Of stretches that overlap those count that cover most of the day, each hour once. They are laid end to end, so that totals and hours add up and what
lies between them is in no figure.
"""

import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from apps.catalog.metric import Kind
from apps.catalog.registry import find_metric
from apps.collection.file_readers import UnreadableFile
from apps.collection.history.models import DayPiece
from apps.inventory.models import Target
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.engine.readings import Shot
from apps.snapshots.imported_days import INTERVAL, DayOfFile, oldest_kept

ABOUT_AN_HOUR = timedelta(minutes=65)
MOST_PIECES = 200  # of a day
Name = tuple[str, str]  # metric and component


@dataclass(frozen=True)
class Piece:
    """A stretch with the readings at both its ends by category, and the file that it is of."""

    file: str
    began_at: datetime
    ended_at: datetime
    readings: Mapping[int, tuple[Mapping[Name, float], Mapping[Name, float]]]
    in_part: frozenset[int]

    @property
    def length(self) -> timedelta:
        return self.ended_at - self.began_at


def piece_of(day: DayOfFile, file: str) -> Piece:
    """A day of a file that has one stretch alone."""
    readings = {}
    for category, by_slot in day.shots.items():
        first, last = by_slot[min(by_slot)], by_slot[max(by_slot)]
        readings[category] = (_by_name(first), _by_name(last))
    return Piece(file, day.stretch.began_at, day.stretch.ended_at, readings, day.in_part)


def _by_name(shot: Shot) -> dict[Name, float]:
    return dict(zip(shot.keys, shot.values.tolist(), strict=True))


def keep_piece(target: Target, on: date, piece: Piece) -> None:
    """Keep a stretch of a day, in the place of the same one. Raises UnreadableFile where there are too many."""
    if DayPiece.objects.filter(target=target, day=on).count() >= MOST_PIECES:
        raise UnreadableFile(f"{MOST_PIECES} files give stretches of {on} already; take some of them back.")
    content = {
        "in_part": sorted(piece.in_part),
        "readings": {
            str(category): [[[*name, value] for name, value in end.items()] for end in ends]
            for category, ends in piece.readings.items()
        },
    }
    DayPiece.objects.update_or_create(
        target=target,
        began_at=piece.began_at,
        ended_at=piece.ended_at,
        defaults={
            "day": on,
            "file": piece.file,
            "content": zlib.compress(json.dumps(content, separators=(",", ":")).encode()),
        },
    )


def pieces_of(target: Target, on: date) -> list[Piece]:
    """The stretches of a day that were kept."""
    return [_read(row) for row in DayPiece.objects.filter(target=target, day=on)]


def _read(row: DayPiece) -> Piece:
    content: dict[str, Any] = json.loads(zlib.decompress(bytes(row.content)))
    readings = {}
    for category, (begin, end) in content["readings"].items():
        readings[int(category)] = (_named(begin), _named(end))
    return Piece(row.file, row.began_at, row.ended_at, readings, frozenset(content["in_part"]))


def _named(rows: Iterable[Sequence[Any]]) -> dict[Name, float]:
    return {(metric, component): value for metric, component, value in rows}


def days_with(target: Target, file: str, days: Collection[date] | None) -> list[date]:
    """The days of which a file gave a stretch, of these or of all."""
    rows = DayPiece.objects.filter(target=target, file=file).order_by("day")
    if days is not None:
        rows = rows.filter(day__in=days)
    return list(rows.values_list("day", flat=True).distinct())


def forget_pieces(target: Target, file: str, on: date) -> None:
    """Forget the stretches that a file gave of a day."""
    DayPiece.objects.filter(target=target, file=file, day=on).delete()


def forget_old_pieces(now: datetime) -> None:
    """Forget the stretches of days that are not kept any more."""
    DayPiece.objects.filter(day__lt=oldest_kept(now)).delete()


def origin_of_pieces(pieces: Sequence[Piece]) -> str:
    """How a day names the files that it is put together from."""
    files = list(dict.fromkeys(piece.file for piece in pieces))
    return f"file {files[0]}" if len(files) == 1 else f"{len(files)} files, {files[0]} to {files[-1]}"


def choose_pieces(pieces: Iterable[Piece]) -> list[Piece]:
    """Those that cover most without an overlap, in order; of as much the finer ones."""
    ordered = sorted(pieces, key=lambda piece: (piece.ended_at, piece.began_at))
    best: list[tuple[timedelta, int, list[Piece]]] = [(timedelta(), 0, [])]
    for place, piece in enumerate(ordered):
        earlier = sum(other.ended_at <= piece.began_at for other in ordered[:place])
        covered, count, chosen = best[earlier]
        with_it = (covered + piece.length, count + 1, [*chosen, piece])
        best.append(max(best[-1], with_it, key=lambda way: way[:2]))
    return best[-1][2]


def put_together(pieces: Iterable[Piece], on: date, target: Target) -> tuple[DayOfFile, list[Piece]]:
    """The day that stretches make, laid end to end from where the first begins, and those that count."""
    chosen = choose_pieces(pieces)
    day = day_of(on, target.zone)
    moments = [chosen[0].began_at]
    for piece in chosen:
        moments.append(moments[-1] + piece.length)
    categories = sorted({category for piece in chosen for category in piece.readings})
    shots = {category: _shots(category, chosen, moments) for category in categories}
    are_hours = len(chosen) > 1 and all(piece.length <= ABOUT_AN_HOUR for piece in chosen)
    together = DayOfFile(
        day,
        Day(on, moments[0], moments[-1]),
        {category: by_slot for category, by_slot in shots.items() if by_slot},
        (moments[-1] - moments[0]) / timedelta(hours=1),
        INTERVAL if are_hours else float("inf"),
    )
    in_part = frozenset.union(*(piece.in_part for piece in chosen)) & together.shots.keys()
    return replace(together, in_part=in_part), chosen


def _shots(category: int, pieces: Sequence[Piece], moments: Sequence[datetime]) -> dict[datetime, Shot]:
    """
    Readings at the ends of all stretches, whose counters go on from one to the next.

    What one of them does not have is left out; but of what is told in part, such as wait events, one that a stretch does not name did not occur in it.
    """
    have = [piece.readings.get(category, ({}, {})) for piece in pieces]
    is_in_part = any(category in piece.in_part for piece in pieces)
    names = [
        name
        for name in dict.fromkeys(name for _, end in have for name in end)
        if _is_whole(name, have, is_in_part)
    ]
    if not names:
        return {}
    start = pieces[0].began_at - timedelta(days=1)
    rows = [[have[0][0].get(name, have[0][1].get(name, 0.0)) for name in names]]
    for begin, end in have:
        rows.append(
            [
                before + end.get(name, 0.0) - begin.get(name, 0.0) if _counts(name) else end.get(name, 0.0)
                for before, name in zip(rows[-1], names, strict=True)
            ]
        )
    return {
        moment: Shot(moment, start, names, np.array(row, dtype=np.float64))
        for moment, row in zip(moments, rows, strict=True)
    }


def _is_whole(
    name: Name, have: Sequence[tuple[Mapping[Name, float], Mapping[Name, float]]], is_in_part: bool
) -> bool:
    """Whether a name has a figure in each stretch; where its component is not named at all, it is 0 if parts are told."""
    for _, end in have:
        if name in end:
            continue
        if not is_in_part or any(component == name[1] for _, component in end):
            return False
    return True


def _counts(name: Name) -> bool:
    metric = find_metric(name[0])
    return metric is not None and metric.kind is Kind.COUNTER
