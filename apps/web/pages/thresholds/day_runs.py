"""Days over a limit as runs of days, each with its worst figure, what calendars and notes say of it, and its violation."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.profiles.models import Note
from apps.thresholds.dry_run import DryRun
from apps.thresholds.engine.notation import LimitSide
from apps.thresholds.models import Threshold
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table

LONGEST = 60  # letters of a note


@dataclass(frozen=True)
class DayRun:
    """Days in a row beyond the limit."""

    first: date
    last: date
    worst: float | None
    unit: str
    reasons: str
    violation: str

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def find_runs(run: DryRun, draft: Threshold) -> list[DayRun]:
    """The runs of days on which the limit would have fired, newest first."""
    notes = list(Note.objects.about(draft.target)) if draft.target is not None else []
    at = {day: index for index, day in enumerate(run.days)}
    runs = []
    for first, last in join_days(run.fired_days):
        worst = [float(value) for value in run.worst[at[first] : at[last] + 1] if value == value]
        runs.append(
            DayRun(
                first,
                last,
                _worst_of(worst, draft),
                draft.unit,
                "; ".join([*_peaks(run, first, last), *_notes(notes, first, last)]),
                _violation(run, first, last),
            )
        )
    return runs[::-1]


def join_days(days: Iterable[date]) -> Iterator[tuple[date, date]]:
    """Days in their order as stretches of days in a row."""
    stretch: list[date] = []
    for day in days:
        if stretch and (day - stretch[-1]).days > 1:
            yield stretch[0], stretch[-1]
            stretch = []
        stretch.append(day)
    if stretch:
        yield stretch[0], stretch[-1]


def _worst_of(values: Sequence[float], draft: Threshold) -> float | None:
    """The figure furthest beyond the limit."""
    limit = draft.limit
    if not values:
        return None
    if limit.side is LimitSide.LOWER:
        return min(values)
    if limit.side is LimitSide.BOTH and limit.low is not None and limit.high is not None:
        middle = (limit.low + limit.high) / 2
        return max(values, key=lambda value: abs(value - middle))
    return max(values)


def _peaks(run: DryRun, first: date, last: date) -> list[str]:
    return list(dict.fromkeys(reason for day, reason in run.peaks.items() if first <= day <= last))


def _notes(notes: Iterable[Note], first: date, last: date) -> list[str]:
    texts = [note.text for note in notes if note.first_day <= last and note.last_day >= first]
    return [text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …" for text in texts]


def _violation(run: DryRun, first: date, last: date) -> str:
    """The violations that were open on these days: "opened 30 Aug, closed 3 Sep"."""
    words = []
    for opened, closed in run.spells:
        if opened <= last and (closed is None or closed >= first):
            began = f"opened {figures.short_day(opened)}"
            if opened < run.days[0]:
                began = f"open since before {figures.short_day(run.days[0])}"
            words.append(f"{began}, {f'closed {figures.short_day(closed)}' if closed else 'still open'}")
    return "; ".join(words) or "none opened"


RUN_COLUMNS: Sequence[Column[DayRun]] = (
    RowHead(
        "days", lambda row: row.first, lambda row: figures.day_span(row.first, row.last), css="first nowrap"
    ),
    Column("last day", lambda row: row.last, in_file_only=True),
    FigureColumn("length", lambda row: row.days, lambda row: _length(row.days)),
    FigureColumn(
        "worst",
        lambda row: row.worst,
        lambda row: f"{figures.figure(row.worst)} {row.unit}".rstrip(),
        css="strong c-over",
    ),
    Column("unit", lambda row: row.unit, in_file_only=True),
    Column("calendar, notes", lambda row: row.reasons, css="quiet-text"),
    Column("violation", lambda row: row.violation, css="quiet-text"),
)


def runs_table(runs: Sequence[DayRun], number: str) -> FilledTable[DayRun]:
    """The runs as a table; `number` tells it from those of other parts of a split limit."""
    return Table(
        f"runs-over{number}",
        "Runs of days over the limit, newest first",
        RUN_COLUMNS,
        title="Runs over the limit",
    ).fill(runs)


def _length(days: int) -> str:
    return f"{days} day{'' if days == 1 else 's'}"
