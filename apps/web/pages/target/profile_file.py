"""The profile of a target's day as a file: exact, a row a statistic, by the keys of the catalogue."""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.charts import figures
from apps.outlook.figure import Outlook
from apps.profiles.build import ProfileRow
from apps.thresholds.judge import JudgedRow
from apps.web.sheet_cells import presence
from apps.web.tables import Column, FilledTable, Table
from apps.web.target_page import Page


@dataclass(frozen=True)
class ProfileLine:
    """A judged row of a profile with its outlook, where it has a limit."""

    judged: JudgedRow
    outlook: Outlook | None

    @property
    def row(self) -> ProfileRow:
        return self.judged.row


def profile_table(page: Page) -> FilledTable[ProfileLine]:
    """What the page of a profile shows, for a file; the page lays it out in sections."""
    name = f"{page.target.name}-{page.day}"
    return PROFILE.fill(all_rows=lambda: _lines(page), file_name=name)


def _lines(page: Page) -> Iterator[ProfileLine]:
    if page.looked is not None:
        for judged in page.looked.judged.rows:
            yield ProfileLine(judged, page.looked.outlooks.get(judged.row.key))


def measured_over(row: ProfileRow) -> str:
    """What is to be known of the figures of a row that are not of a day as others are: which, and why."""
    notes = []
    for cell in (row.then[90], row.then[30], row.then[7], row.today):
        restart = "counts from a start-up" if cell.is_since_restart else ""
        if cell.day is not None and (words := ", ".join(filter(None, (cell.length, restart)))):
            notes.append(f"{figures.short_day(cell.day)}: {words}")
    return "; ".join(dict.fromkeys(notes))


def sources_of(row: ProfileRow) -> str:
    """Where the figures of a row come from that Headroom did not read itself, with their days."""
    cells = (row.then[90], row.then[30], row.then[7], row.today)
    return "; ".join(
        f"{figures.short_day(cell.day)}: {cell.source}"
        for cell in cells
        if cell.source and cell.day is not None
    )


def _days_ago(days: int) -> Column[ProfileLine]:
    return Column(f"minus_{days}", lambda line: presence(line.row.then[days]))


PROFILE: Table[ProfileLine] = Table(
    "profile",
    "The profile",
    (
        Column("section", lambda line: line.row.metric.section.title),
        Column("statistic", lambda line: line.row.metric.key),
        Column("component", lambda line: line.row.component),
        Column("class", lambda line: line.row.component_class),
        Column("unit", lambda line: line.row.unit),
        _days_ago(90),
        _days_ago(30),
        _days_ago(7),
        Column("today", lambda line: presence(line.row.today)),
        Column("threshold", lambda line: line.judged.threshold.notation if line.judged.threshold else ""),
        Column("state", lambda line: line.judged.state or ""),
        Column("days left", lambda line: line.outlook.days_left if line.outlook else None),
        Column("slack", lambda line: line.outlook.slack if line.outlook else None),
        Column("act by", lambda line: line.outlook.act_by if line.outlook else None),
        Column("note", lambda line: line.outlook.note if line.outlook else ""),
        Column("hours", lambda line: line.row.today.hours),
        Column("spans_days", lambda line: line.row.today.spans_days),
        Column("measured over", lambda line: measured_over(line.row)),
        Column("history from", lambda line: sources_of(line.row)),
    ),
)
