"""The lists of the pages as rows of a file: figures as numbers, days as days, what is missing by its word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from apps.charts import figures
from apps.notices.models import Delivery
from apps.platforms.oracle.grants import SourceRead
from apps.profiles.build import Cell as Figure
from apps.profiles.build import Row
from apps.profiles.related import Related
from apps.profiles.side_by_side import SideBySide
from apps.reports.sheets import Cell
from apps.thresholds.judge import State
from apps.web.changes import Change
from apps.web.collected import Problem
from apps.web.estate import Risk
from apps.web.history import DayValue, History
from apps.web.notes import NoteRow
from apps.web.page import Page
from apps.web.present import TargetRow
from apps.web.size_map import Tile
from apps.web.violated import ViolationRow

PROFILE = (
    "section", "statistic", "component", "class", "unit", "minus_90", "minus_30", "minus_7", "today", "threshold",
    "state", "days left", "slack", "act by", "note", "hours", "spans_days", "measured over",
)  # fmt: skip
TARGETS = (
    "state", "target", "kind", "version", "group", "environment", "owner", "violations", "last read", "note",
)  # fmt: skip
SIZES = ("group", "target", "state", "allocated, bytes", "used, bytes")
VIOLATIONS = (
    "state", "life", "target", "what", "value", "limit", "unit", "severity", "since", "days", "owner", "due",
    "next step",
)  # fmt: skip
THRESHOLDS = (
    "state", "statistic", "component", "holds for", "limit", "unit", "severity", "owner", "open violations",
)  # fmt: skip
EVERYTHING = ("section", "statistic", "key", "component", "value", "unit", "source")
HISTORY = ("day", "value", "unit", "presence", "note")
RUNS = ("slot", "result", "took, s", "series", "tries", "what happened")
PROBLEMS = ("target", "what happened", "slot", "next step")
COSTS = ("source", "targets", "median, s", "slowest, s", "series")

RISKS = (
    "state", "target", "what runs out", "now", "soonest", "likely", "chance", "act by", "slack, days", "owner", "plan",
    "note",
)  # fmt: skip
OPEN_BY_DAY = ("day", "violations open")
CHANGES = ("since", "what", "before", "now")
DELIVERIES = ("state", "to", "what", "prepared, UTC", "ended, UTC", "tries", "why")
READS = ("views", "answers", "read, at most", "time limit, s", "statement")
MOVERS = (
    "statistic", "component", "target", "rho", "follows after, days", "days", "chance", "further figures alike",
)  # fmt: skip
BESIDE = ("what", "statistic", "component", "target", "unit", "30 days ago", "7 days ago", "that day")
RHYTHM = ("when", "lower quarter", "median", "upper quarter", "figures")
NOTES = ("first day", "last day", "note", "about", "by")
PAIR = ("day", "target", "statistic", "component", "value", "unit", "presence", "note")


def word(state: State | None) -> str:
    """A state as pages write it."""
    return str(state).replace("_", " ") if state else ""


def presence(cell: Figure) -> Cell:
    """The figure of a profile's cell, or the word for why there is none."""
    return str(cell.presence) if cell.value is None else cell.value


def profile(page: Page) -> Iterator[Sequence[Cell]]:
    """The profile of a target's day, a row a statistic, by the keys of the catalogue."""
    if page.looked is None:
        return
    for judged in page.looked.judged.rows:
        row, one = judged.row, page.looked.outlooks.get(judged.row.key)
        yield (
            row.metric.section, row.metric.key, row.component, row.component_class, row.unit,
            *(presence(cell) for cell in (row.then[90], row.then[30], row.then[7], row.today)),
            judged.threshold.notation if judged.threshold else "", judged.state or "",
            *((one.days_left, one.slack, one.act_by, one.note) if one is not None else (None, None, None, "")),
            row.today.hours, row.today.spans_days, measured_over(row),
        )  # fmt: skip


def measured_over(row: Row) -> str:
    """What is to be known of the figures of a row that are not of a day as others are: which, and why."""
    notes = []
    for cell in (row.then[90], row.then[30], row.then[7], row.today):
        restart = "counts from a start-up" if cell.is_since_restart else ""
        if cell.day is not None and (told := ", ".join(filter(None, (cell.length, restart)))):
            notes.append(f"{figures.short_day(cell.day)}: {told}")
    return "; ".join(dict.fromkeys(notes))


def targets(rows: Iterable[TargetRow]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            word(row.state), row.name, row.kind, row.version, row.group, row.environment, row.owner,
            row.open_violations, row.read_at, "paused" if row.is_paused else row.blocked,
        )  # fmt: skip


def sizes(tiles: Iterable[Tile]) -> Iterator[Sequence[Cell]]:
    for tile in tiles:
        yield tile.group, tile.target, tile.state.replace("_", " "), tile.size, tile.used


def risks(lines: Iterable[Risk]) -> Iterator[Sequence[Cell]]:
    for line in lines:
        one = line.outlook
        yield (
            word(line.state), line.target, line.what, line.room, one.soonest_on, one.likely_on, line.chance,
            one.act_by, one.slack, line.owner, line.plan, line.note,
        )  # fmt: skip


def open_by_day(days: Mapping[date, int | None]) -> Iterator[Sequence[Cell]]:
    for day, number in days.items():
        yield day, "no data" if number is None else number


def changes(rows: Iterable[Change]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row.at, row.what, row.before, row.after


def deliveries(rows: Iterable[Delivery]) -> Iterator[Sequence[Cell]]:
    for one in rows:
        state = f"{one.get_state_display()}{', sent twice' if one.is_second else ''}"
        yield state, one.recipient, one.subject, one.made_at, one.ended_at, one.tries, one.reason


def reads(sources: Iterable[SourceRead]) -> Iterator[Sequence[Cell]]:
    for one in sources:
        yield ", ".join(one.views), one.answers, one.rhythm, one.seconds, one.sql


def violations(rows: Iterable[ViolationRow]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            word(row.state), row.life, row.target, row.what, row.number, row.limit, row.unit, row.severity,
            row.since_on, row.days, row.owner, row.due_on, row.next_step,
        )  # fmt: skip


def thresholds(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            row["state"], row["statistic"], row["component"] or "all", row["scope"], row["notation"], row["unit"],
            row["severity"], row["owner"], row["open"],
        )  # fmt: skip


def everything(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield (
            row["section"], row["statistic"], row["key"], row["component"],
            row["presence"] if row["number"] is None else row["number"], row["unit"], row["source"],
        )  # fmt: skip


def history(days: Iterable[DayValue], unit: str) -> Iterator[Sequence[Cell]]:
    for one in days:
        yield one.day, one.value, unit, str(one.presence), one.reason


def movers(found: Related) -> Iterator[Sequence[Cell]]:
    """What moves with a statistic, exact."""
    for one in found.movers:
        yield one.metric.key, one.component, one.target.name, one.rho, one.lag, one.days, one.chance, one.also


def beside(found: SideBySide) -> Iterator[Sequence[Cell]]:
    """What the method reads beside a statistic."""
    for one in found.neighbours:
        row = one.row
        yield (
            one.subject, row.metric.key, row.component, one.target.name, row.unit,
            presence(row.then[30]), presence(row.then[7]), presence(row.today),
        )  # fmt: skip


def pair(*histories: History) -> Iterator[Sequence[Cell]]:
    """Several series one below the other, a row a day."""
    for one in histories:
        for day, value, unit, there, note in history(one.values, one.metric.display_unit):
            yield day, one.target.name, one.metric.key, one.component, value, unit, there, note


def rhythm(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row["name"], row["low"], row["median"], row["high"], row["count"]


def notes(rows: Iterable[NoteRow]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row.first_day, row.last_day, row.text, row.scope, row.by


def runs(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        said = "; ".join(filter(None, (row["reason"], *row["notes"])))
        yield row["slot"], str(row["state"]), float(row["seconds"]), row["series"], row["tries"], said


def problems(rows: Iterable[Problem]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row.target, row.what, row.since_on, row.step


def costs(rows: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Cell]]:
    for row in rows:
        yield row["source"], row["targets"], float(row["median_s"]), float(row["worst_s"]), row["series"]
