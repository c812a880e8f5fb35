"""The collection in one line a target: how it ended, when it was last read, when it is next, what failed and what to do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.collection.collect import timetable_of
from apps.collection.collector import is_passive
from apps.collection.models import CollectionRun
from apps.collection.today import newest_read_slot
from apps.inventory.models import Target
from apps.web.cells import hover, icon, link, marked
from apps.web.pages.collection.nights import Night, nights_of
from apps.web.sentences import capital, count
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

NOT_READ, PARTIAL, WAITING, PAUSED, COMPLETE = "not read", "partial", "not read yet", "paused", "complete"
ORDER = (NOT_READ, PARTIAL, WAITING, PAUSED, COMPLETE)
MARKS = {
    NOT_READ: ("cross", "said mark-bad is-strong"),
    PARTIAL: ("flag", "said mark-part is-strong"),
    WAITING: ("clock", "said"),
    PAUSED: ("pause", "said"),
    COMPLETE: ("tick", "said mark-ok"),
}


@dataclass(frozen=True)
class ReadingRow:
    """How the reading of one target stands."""

    target: Target
    run: CollectionRun | None
    read_at: datetime | None
    next_at: datetime | None  # none where it is paused or waits for somebody
    nights: Sequence[Night]

    @property
    def result(self) -> str:
        if self.target.is_paused:
            return PAUSED
        if self.run is None:
            return WAITING
        if not self.run.has_snapshot:
            return NOT_READ
        return PARTIAL if self.run.state == CollectionRun.State.PARTIAL else COMPLETE

    @property
    def sources(self) -> tuple[int, int]:
        """How many sources were read, and how many were asked."""
        asked_for = self.run.sources if self.run is not None else []
        failed = self.run.failed_sources if self.run is not None else []
        return len(asked_for) - len(failed), len(asked_for)

    @property
    def next_words(self) -> str:
        if self.target.is_paused:
            return figures.MISSING
        return figures.moment(self.next_at) if self.next_at else "waits"

    @property
    def what(self) -> str:
        """Why it was not read, what of it was not, or what the reading noted."""
        if self.run is None:
            return ""
        if not self.run.has_snapshot:
            return self.run.reason
        parts = [*self._failed_sources(), *self.run.notes]
        return " ".join(str(part) for part in parts)

    def _failed_sources(self) -> list[str]:
        failed = self.run.failed_sources if self.run is not None else []
        if not failed:
            return []
        more = len(failed) - 1
        return [
            str(failed[0]["error"]),
            *([f"{capital(count(more, 'more source'))} failed."] if more else []),
        ]

    @property
    def step(self) -> tuple[str, str]:
        """What somebody can do about it, and where; empty where there is nothing to do."""
        if self.result not in (NOT_READ, PARTIAL):
            return "", ""
        words, page = next_step_of(self.target)
        return words, reverse(page, args=[self.target.pk])


def next_step_of(target: Target) -> tuple[str, str]:
    """What somebody can do about a target that was not read in full: in words, and the name of the page."""
    if not target.is_blocked:
        return "Look at its runs", "target_collection"
    if any(words in target.blocked_because for words in ("host key", "private key", "address")):
        return "Look at its address", "target_address"
    return "Give a new password", "target_password"


def reading_rows(runs: Iterable[CollectionRun], now: datetime) -> list[ReadingRow]:
    """A row for each target: those that wait for a person first, then by how the last reading ended."""
    targets = Target.objects.in_estate().annotate(read_slot=newest_read_slot(now))
    run_of = {run.target_id: run for run in runs}
    nights = nights_of(now)
    rows = [_row(target, run_of.get(target.pk), nights, now) for target in targets]
    return sorted(rows, key=_urgency)


def _row(
    target: Target, run: CollectionRun | None, nights: Mapping[int, Sequence[Night]], now: datetime
) -> ReadingRow:
    read = target.read_slot  # type: ignore[attr-defined]
    is_due = not target.is_paused and not target.is_blocked and not is_passive(target)
    return ReadingRow(
        target=target,
        run=run,
        read_at=read.astimezone(target.zone) if read else None,
        next_at=timetable_of(target).next_slot(now).astimezone(target.zone) if is_due else None,
        nights=nights[target.pk],
    )


def _urgency(row: ReadingRow) -> tuple[int, bool, str]:
    return ORDER.index(row.result), not row.target.is_blocked, row.target.name.lower()


def readings_table(days: Sequence[date]) -> Table[ReadingRow]:
    """A line a target, with a square for each of these days; files have a column for each."""
    return Table(
        "readings",
        "How each target is read, problems first",
        (
            Column("last reading", lambda row: row.result, _result, css="nowrap"),
            RowHead("target", lambda row: row.target.name, _target, css="first nowrap"),
            FigureColumn("last success", lambda row: row.read_at, _read, css="nowrap"),
            DrawingColumn(f"{len(days)} days, to {figures.short_day(days[-1])}", show=_squares, css="nowrap"),
            *(_night_column(at, day) for at, day in enumerate(days)),
            FigureColumn("sources", _sources, order=_share_read),
            FigureColumn("took", _seconds, _took, file_head="took, s"),
            FigureColumn(
                "next expected",
                lambda row: row.next_at,
                lambda row: row.next_words,
                css="nowrap",
                label="next",
            ),
            Column("what happened", lambda row: row.what, css="quiet-text"),
            Column(
                "next step",
                lambda row: row.step[0],
                lambda row: link(row.step[1], row.step[0], ""),
            ),
        ),
        title="Readings",
        opens_rows=True,
    )


def _result(row: ReadingRow) -> SafeString:
    name, css = MARKS[row.result]
    return format_html('<span class="{}">{} {}</span>', css, icon(name), row.result)


def _target(row: ReadingRow) -> SafeString:
    return link(reverse("target_collection", args=[row.target.pk]), row.target.name, "")


def _read(row: ReadingRow) -> SafeString | str:
    return figures.moment(row.read_at) if row.read_at else marked("muted", "never")


def _squares(row: ReadingRow) -> SafeString:
    squares = format_html_join(
        "", "{}", ((hover(night.title, "", f"night is-{night.state}"),) for night in row.nights)
    )
    words = f"{sum(night.state == 'complete' for night in row.nights)} of {len(row.nights)} days in full"
    return format_html('<span class="nights">{}</span>{}', squares, marked("unseen", words))


def _night_column(at: int, day: date) -> Column[ReadingRow]:
    return Column(day.isoformat(), lambda row: row.nights[at].label, in_file_only=True)


def _sources(row: ReadingRow) -> str:
    read, asked_for = row.sources
    return f"{read} of {asked_for}" if asked_for else ""


def _share_read(row: ReadingRow) -> float | None:
    read, asked_for = row.sources
    return read / asked_for if asked_for else None


def _seconds(row: ReadingRow) -> float | None:
    return round(row.run.seconds, 3) if row.run is not None and row.run.has_snapshot else None


def _took(row: ReadingRow) -> str:
    seconds = _seconds(row)
    return "" if seconds is None else figures.seconds_text(seconds)
