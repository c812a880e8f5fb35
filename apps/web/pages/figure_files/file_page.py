"""A file of figures as its page shows it: what was understood, what not, and what becomes of it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from apps.charts import figures
from apps.collection.history.models import FigureFile
from apps.web.cells import link
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, FigureColumn, RowHead, Table

State = FigureFile.State
Row = Mapping[str, Any]


def sentence_of(file: FigureFile) -> list[Part]:
    """What the page answers first."""
    match State(file.state):
        case State.STORING:
            return [Part(f"The figures of {file.name} are being stored", True), Part("; this page follows.")]
        case State.STORED:
            return [
                Part(f"{capital(count(file.figures_stored, 'figure'))} of {file.name} stored", True),
                Part(": each names its file on the profile."),
            ]
        case State.TAKEN_BACK:
            return [Part(f"{file.name} is taken back", True), Part("; give it again to store it.")]
        case State.READ:
            return _sentence_of_read(file)


def _sentence_of_read(file: FigureFile) -> list[Part]:
    if file.reason:
        return [Part(f"{file.name} cannot be read so", True), Part(f": {file.reason}")]
    report = file.report
    if not report.get("figures"):
        return [Part(f"Nothing of {file.name} can be stored", True), Part("; below is why.")]
    words = f"{capital(count(report['figures'], 'figure'))} of {count(report['days'], 'day')} can be stored"
    return [Part(words, True), Part("; nothing is stored yet.")]


def remarks_of(file: FigureFile) -> list[str]:
    """What stays as it is, and what is left out, in sentences."""
    report = file.report
    remarks = [
        f"{capital(count(figures_of, 'figure'))} {'stays' if figures_of == 1 else 'stay'} as {source} has them: take that back first to have them from here."
        for source, figures_of in report.get("stays", {}).items()
    ]
    if measured := report.get("measured_days"):
        remarks.append(
            f"{capital(count(measured, 'day'))} {'was' if measured == 1 else 'were'} measured by Headroom and {'stays' if measured == 1 else 'stay'} as {'it is' if measured == 1 else 'they are'}."
        )
    if empty := report.get("empty"):
        remarks.append(f"{capital(count(empty, 'line'))} without a value left out.")
    return remarks


def _day(text: str) -> str:
    return figures.day_and_year(date.fromisoformat(text))


def _example(row: Row) -> str:
    theirs, ours = row["example"]
    return f"{figures.figure(theirs)} {row['unit']} = {figures.figure(ours)} {row['into']}".replace(
        "  ", " "
    ).strip()


FILES: Table[FigureFile] = Table(
    "files",
    "Files of figures, newest first",
    (
        RowHead("file", lambda row: row.name, lambda row: link(row.get_absolute_url(), row.name)),
        Column("state", lambda row: str(row.get_state_display())),
        FigureColumn("figures", lambda row: row.figures_stored or row.report.get("figures", 0)),
        Column("by", lambda row: str(row.person or "a command"), css="quiet-text"),
        FigureColumn(
            "given",
            lambda row: row.given_at,
            lambda row: figures.short_day(row.given_at.date()),
        ),
    ),
    title="Files",
    css="folds two-facts",
)
UNDERSTOOD: Table[Row] = Table(
    "understood",
    "Statistics of the file",
    (
        RowHead("in the file", lambda row: row["name"]),
        Column("statistic here", lambda row: row["label"]),
        Column("key", lambda row: row["key"], css="quiet-text"),
        Column("first figure", _example),
        FigureColumn("figures", lambda row: row["figures"], lambda row: figures.whole(row["figures"])),
        FigureColumn("targets", lambda row: row["targets"], lambda row: figures.whole(row["targets"])),
        FigureColumn("first", lambda row: row["first"], lambda row: _day(row["first"])),
        FigureColumn("last", lambda row: row["last"], lambda row: _day(row["last"])),
    ),
    title="What was understood",
)
PROBLEMS: Table[Row] = Table(
    "problems",
    "Lines that are left out",
    (
        FigureColumn("first line", lambda row: row["line"], lambda row: figures.whole(row["line"])),
        RowHead("why it is left out", lambda row: row["text"]),
        FigureColumn("lines", lambda row: row["lines"], lambda row: figures.whole(row["lines"])),
    ),
    title="What was not",
)
