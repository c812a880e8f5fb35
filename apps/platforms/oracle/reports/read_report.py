"""A report of a target, as the core takes files."""

import gzip
import lzma
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import BinaryIO, cast

from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import HostFile
from apps.inventory.models import Target
from apps.platforms.oracle import categories
from apps.platforms.oracle.history.shots import shot_of
from apps.platforms.oracle.reports.report_figures import PrintedFigures, figures_of
from apps.platforms.oracle.reports.report_header import AWR, ReportHeader, kind_of, read_header
from apps.platforms.oracle.reports.report_tables import html_tables, text_tables
from apps.snapshots.engine.days import Day, day_of
from apps.snapshots.imported_days import DayOfFile
from apps.snapshots.models import Series
from apps.snapshots.newest_facts import read_facts

LARGEST = 32 * 1024 * 1024  # bytes
OWN_ACT = "It was brought by somebody: Headroom itself reads no view of AWR."
NOT_LICENSED = (
    "The report is of Standard Edition, for which there is no licence of AWR; Statspack is made for it."
)
MOST_CUT = 8
_OPENERS: dict[bytes, Callable[[BinaryIO], object]] = {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open}


def read_report(file: BinaryIO, target: Target) -> HostFile:
    """What a report says of an instance, whose zone is that of its times. Raises UnreadableFile."""
    text = _text_of(file)
    kind = kind_of(text)
    tables = list(html_tables(text) if "<html" in text[:20_000].casefold() else text_tables(text))
    header = read_header(text, kind, tables, target.zone)
    _refuse_other(header, target)
    read = figures_of(tables, text, _events_like)
    if not read.end:
        raise UnreadableFile(
            "None of the tables of this report is known: it is of a release, or of a kind, that is not read."
        )
    return HostFile(
        format=kind,
        host_name="",
        host_label=f"{header.instance} on {header.host}, {header.release}",
        days=[_day(header, read, target)],
        understood=read.understood,
        ignored=[],
        notes=_notes(header, read),
        facts={},
        adds_up=True,
    )


def _text_of(file: BinaryIO) -> str:
    magic = file.read(6)
    file.seek(0)
    opened = cast(BinaryIO, _OPENERS[magic[:2]](file)) if magic[:2] in _OPENERS else file
    try:
        content = opened.read(LARGEST + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        raise UnreadableFile("The packed file is damaged, or cut.") from None
    if len(content) > LARGEST:
        raise UnreadableFile(f"The file is larger than {LARGEST // 2**20} MB.")
    return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


def _refuse_other(header: ReportHeader, target: Target) -> None:
    """Refuse the report of another database or instance, as far as the target has said which it is."""
    facts = read_facts(target, "dbid", "instance_name")
    dbid, instance = facts.get("dbid", header.dbid), facts.get("instance_name", header.instance)
    if dbid != header.dbid:
        raise UnreadableFile(
            f"The report is of the database with DBID {header.dbid}, and {target.name} is DBID {dbid}."
        )
    if instance.casefold() != header.instance.casefold():
        raise UnreadableFile(
            f"The report is of the instance {header.instance}, and {target.name} is {instance}."
        )


def _day(header: ReportHeader, read: PrintedFigures, target: Target) -> DayOfFile:
    """The day in which the middle of the interval lies, with the readings at both ends of it."""
    middle = header.began_at + header.length / 2
    day = day_of(middle.astimezone(target.zone).date(), target.zone)
    shots = {
        category: {
            header.began_at: shot_of(read.begin.get(category, []), header.began_at, header.started_at),
            header.ended_at: shot_of(readings, header.ended_at, header.started_at),
        }
        for category, readings in read.end.items()
    }
    hours = header.length / timedelta(hours=1)
    stretch = Day(day.on, header.began_at, header.ended_at)
    in_part = frozenset({categories.SYSTEM_EVENT, categories.FILES} & shots.keys())
    return DayOfFile(day, stretch, shots, hours, float("inf"), in_part=in_part)


def _events_like(beginning: str) -> list[str]:
    """The wait events that begin so, of all that were ever read here."""
    events = Series.objects.filter(
        category=categories.SYSTEM_EVENT, metric="wait_count", component__startswith=beginning
    )
    return list(events.values_list("component", flat=True)[:2])


def _notes(header: ReportHeader, read: PrintedFigures) -> list[str]:
    notes = []
    if header.kind == AWR:
        notes.append(OWN_ACT)
    if header.kind == AWR and header.edition.upper().startswith(("SE", "STANDARD")):
        notes.append(NOT_LICENSED)
    if read.cut:
        names = ", ".join(sorted(set(read.cut))[:MOST_CUT])
        notes.append(f"Names that are cut, and left out because they may be several: {names}.")
    return notes
