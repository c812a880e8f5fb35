"""
Files of daily figures as people keep them: understood, shown, stored by a worker once that is asked for, taken back whole.

A file of the same name takes the place of the one before it; what that stored stays until it is stored again or taken back.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from itertools import islice

from django.db import transaction

from apps.catalog.registry import is_metric
from apps.collection.engine.figure_rows import (
    TARGET,
    BadFigures,
    FigureColumns,
    FigureLines,
    guess_columns,
    read_lines,
)
from apps.collection.history.figure_reading import DaysOfTarget, FigureNames, FigureReader
from apps.collection.history.models import FigureFile
from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots.given_days import GivenOutcome, foresee_given, forget_given, store_given
from apps.snapshots.roll_up import readable_days, roll_up_day

State = FigureFile.State
MOST_FILES = 20  # that nobody has stored yet
MOST_NAMES = 100  # unknown ones that people are asked about
HELD = timedelta(days=7)  # a file that nobody has stored
STRETCH = timedelta(minutes=3)  # a worker stores no longer in one go: reviews wait behind it
LOST_AFTER = timedelta(minutes=10)
CHUNK = 50  # days in one transaction


def give_file(
    name: str, content: bytes, target: Target | None, person: User | None, now: datetime
) -> FigureFile:
    """Keep a file and say what was understood; lines without a target are of the one that is named. Raises BadFigures."""
    lines = read_lines(content)
    columns = guess_columns(lines)
    if target is not None and TARGET not in columns.columns:
        columns = FigureColumns(columns.columns, {TARGET: target.name})
    waiting = FigureFile.objects.filter(state=State.READ).exclude(name=name)
    if waiting.count() >= MOST_FILES:
        raise BadFigures(f"{MOST_FILES} files wait at most: store or drop those that are listed.")
    file = FigureFile.objects.filter(name=name).first() or FigureFile(name=name)
    if file.is_under_way:
        raise BadFigures(f"{name} is being stored; give it again after that.")
    file.target, file.person, file.content, file.state = target, person, content, State.READ
    file.given_at = file.moved_at = now
    file.names = file.names or {"statistics": {}, "targets": {}}
    _understand(file, lines, columns, now)
    file.save()
    return file


def map_file(file: FigureFile, columns: FigureColumns, names: FigureNames, now: datetime) -> None:
    """Take what people say of columns and names, and say anew what was understood. Raises BadFigures."""
    unknown = [key for key in names.statistics.values() if not is_metric(key)]
    if unknown:
        raise BadFigures(f"“{unknown[0][:60]}” is not a statistic; choose one of those that are offered.")
    former = FigureNames(**file.names)
    file.names = {
        "statistics": {**former.statistics, **names.statistics},
        "targets": {**former.targets, **names.targets},
    }
    _understand(file, read_lines(bytes(file.content)), columns, now)
    file.save()


def _understand(
    file: FigureFile, lines: FigureLines, columns: FigureColumns, now: datetime
) -> FigureReader | None:
    """Read a file and say what was understood; None where its columns are not told yet, or no day can be read."""
    file.columns = {"columns": dict(columns.columns), "fixed": dict(columns.fixed), "dates": columns.dates}
    first = lines.lines[0][1]
    file.reason = ""
    file.report = {"head": list(lines.head), "lines": len(lines.lines), "first": list(first)}
    if columns.lacking:
        file.reason = f"it is open which column has {', '.join(columns.lacking)}."
        return None
    reader = FigureReader(columns, FigureNames(**file.names), now)
    try:
        reader.read(lines)
    except BadFigures as problem:
        file.reason = str(problem)
        return None
    outcome = GivenOutcome()
    for pk, days in reader.days.items():
        outcome.add(foresee_given(reader.targets[pk], days, file.origin))
    file.report |= _report(reader, outcome)
    return reader


def _report(reader: FigureReader, outcome: GivenOutcome) -> dict[str, object]:
    """What was understood, as pages and commands say it."""
    understood = sorted(reader.understood.values(), key=lambda row: (-row.figures, row.metric.label))
    return {
        "figures": outcome.figures,
        "days": outcome.days,
        "measured_days": outcome.measured_days,
        "stays": outcome.stays,
        "empty": reader.empty,
        "left_out": reader.left_out,
        "targets": sorted(target.name for target in reader.targets.values()),
        "statistics": [row.as_json() for row in understood],
        "problems": [
            {"text": problem.text, "line": problem.line, "lines": problem.lines}
            for problem in sorted(reader.problems.values(), key=lambda problem: -problem.lines)
        ],
        "unknown_statistics": _most(reader.unknown_statistics),
        "unknown_targets": _most(reader.unknown_targets),
    }


def _most(counts: dict[str, int]) -> dict[str, int]:
    """The names that most lines have."""
    return dict(sorted(counts.items(), key=lambda item: -item[1])[:MOST_NAMES])


def start_storing(file: FigureFile, now: datetime) -> None:
    """Have the figures of a file be stored. Raises BadFigures."""
    with transaction.atomic():
        current = FigureFile.objects.select_for_update().defer("content").get(pk=file.pk)
        if current.state != State.READ or not current.report.get("figures"):
            raise BadFigures(f"There is nothing to store of {file.name}.")
        current.state, current.moved_at, current.stored = State.STORING, now, {}
        current.save(update_fields=["state", "moved_at", "stored"])


def store_figures(pk: int, clock: Callable[[], datetime]) -> bool:
    """Store figures of a file for some minutes, target by target, the newest days first; True where there are more."""
    file = FigureFile.objects.filter(pk=pk, state=State.STORING).first()
    if file is None:
        return False
    ends_at = clock() + STRETCH
    columns = FigureColumns(**file.columns)
    reader = FigureReader(columns, FigureNames(**file.names), file.given_at)
    reader.read(read_lines(bytes(file.content)))
    for target_pk, days in reader.days.items():
        if str(target_pk) in file.stored:
            continue
        if clock() >= ends_at:
            return True
        file.stored[str(target_pk)] = _store(file, reader.targets[target_pk], days)
        file.moved_at = clock()
        first, last = min(days), max(days)
        file.first_day = min(first, file.first_day or first)
        file.last_day = max(last, file.last_day or last)
        file.save(update_fields=["stored", "moved_at", "first_day", "last_day"])
    file.state, file.content = State.STORED, b""
    file.save(update_fields=["state", "content"])
    return False


def _store(file: FigureFile, target: Target, days: DaysOfTarget) -> int:
    outcome = GivenOutcome()
    for chunk in _chunks(sorted(days, reverse=True)):
        outcome.add(store_given(target, {on: days[on] for on in chunk}, file.origin))
    return outcome.figures


def _chunks(days: Iterable[date]) -> Iterable[list[date]]:
    rest = iter(days)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def lost_figure_files(now: datetime) -> list[int]:
    """Files that are being stored by a worker that is gone; each is given to another once in a while."""
    lost = FigureFile.objects.filter(state=State.STORING, moved_at__lte=now - LOST_AFTER)
    keys = list(lost.values_list("pk", flat=True))
    FigureFile.objects.filter(pk__in=keys).update(moved_at=now)
    return keys


def take_back_file(file: FigureFile, now: datetime) -> int:
    """Take back all that a file brought, and roll up again what was read of its days; returns how many days lost figures."""
    with transaction.atomic():
        current = FigureFile.objects.select_for_update().defer("content").get(pk=file.pk)
        if current.is_under_way or current.first_day is None or current.last_day is None:
            return 0
        targets = list(
            Target.objects.filter(coverage__day__range=(current.first_day, current.last_day)).distinct()
        )
        gone = {
            target: forget_given(target, current.origin, current.first_day, current.last_day)
            for target in targets
        }
        current.state, current.stored, current.first_day, current.last_day = State.TAKEN_BACK, {}, None, None
        current.save(update_fields=["state", "stored", "first_day", "last_day"])
    for target, days in gone.items():
        readable = readable_days(target) if days else None
        for on in days:
            if readable is not None and readable[0] <= on <= readable[1]:
                roll_up_day(target, on, now)
    return sum(map(len, gone.values()))


def drop_file(file: FigureFile) -> None:
    """Forget a file that was not stored, or was taken back; of one that stored figures before, those stay."""
    files = FigureFile.objects.filter(pk=file.pk).exclude(state=State.STORING)
    files.filter(first_day=None).delete()
    files.filter(state=State.READ).update(state=State.STORED, content=b"")


def forget_old_files(now: datetime) -> None:
    """Forget files that nobody has stored in time."""
    FigureFile.objects.filter(state=State.READ, first_day=None, given_at__lte=now - HELD).delete()
