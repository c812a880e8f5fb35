"""What a preview is made of: its sentence, figures, chart and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.charts import figures
from apps.web.cells import link
from apps.web.pages.thresholds.day_runs import DayRun, runs_table
from apps.web.pages.thresholds.suggestions import SteadySuggestions
from apps.web.tables import Column, FigureColumn, FilledTable, RowHead, Table
from apps.web.threshold_precedence import Candidate, Contest, Reach, ScopeTarget, contest_tables


@dataclass(frozen=True)
class HeadlineFigure:
    """A figure above the chart with what it counts."""

    figure: str
    of: str
    words: str
    is_over: bool = False


@dataclass(frozen=True)
class JudgedDay:
    """A day of the dry run: the figure that was judged, and what came of it."""

    day: date
    figure: float | None
    unit: str
    verdict: str

    @property
    def words(self) -> str:
        return "" if self.figure is None else f"{figures.figure(self.figure)} {self.unit}".strip()


DAY_COLUMNS: Sequence[Column[JudgedDay]] = (
    RowHead("day", lambda row: row.day, lambda row: figures.long_day(row.day), css="nowrap"),
    FigureColumn("figure", lambda row: row.figure, lambda row: row.words),
    Column("unit", lambda row: row.unit, in_file_only=True),
    Column("told", lambda row: row.verdict, css="quiet-text"),
)
REACH_COLUMNS: Sequence[Column[ScopeTarget]] = (
    RowHead(
        "target",
        lambda row: row.target.name,
        lambda row: link(row.target.get_absolute_url(), row.target.name),
        css="",
    ),
    FigureColumn(
        "fires on",
        lambda row: row.fires.days if row.fires else None,
        lambda row: _in_days(row.fires.days) if row.fires else "",
    ),
    FigureColumn("violations", lambda row: row.fires.opened if row.fires else None),
    Column("this limit", lambda row: row.words, css=lambda row: "" if row.wins else "quiet-text"),
)


def _in_days(days: int) -> str:
    return f"{days} day{'' if days == 1 else 's'}"


@dataclass(frozen=True)
class Preview:
    """A dry run in a sentence, with the days it fired on and a chart of all of them."""

    sentence: str
    runs: Sequence[DayRun] = ()
    chart: str = ""
    is_error: bool = False
    contests: Sequence[Contest] = ()
    reach: Reach | None = None
    left_out: str = ""
    facts: Sequence[HeadlineFigure] = ()
    judged: Sequence[JudgedDay] = ()
    parts: Sequence["LimitPart"] = ()  # of a split limit: one for each statistic
    echo: str = ""  # the limit in words, and the figure of today
    steady: SteadySuggestions | None = None
    number: str = ""  # of a part: what tells its tables from those of the others

    @property
    def day_table(self) -> FilledTable[JudgedDay]:
        """The days of the chart, newest first."""
        return Table(
            f"days-told{self.number}", "The days of the chart, newest first", DAY_COLUMNS,
            title="Days of the preview", css="",
        ).fill(self.judged)  # fmt: skip

    @property
    def runs_table(self) -> FilledTable[DayRun]:
        return runs_table(self.runs, self.number)

    @property
    def reach_table(self) -> FilledTable[ScopeTarget]:
        """The targets in the scope of a limit for many."""
        return Table(
            f"reach{self.number}", "Targets in its scope, those first on which it fires most often", REACH_COLUMNS,
            title="Targets in its scope", css="",
        ).fill(self.reach.listed if self.reach else ())  # fmt: skip

    @property
    def contest_tables(self) -> list[FilledTable[Candidate]]:
        return contest_tables(self.contests)

    @property
    def tables(self) -> list[FilledTable[Any]]:
        """All tables that are shown, also those of its parts."""
        of_parts = [table for part in self.parts for table in part.preview.tables]
        return [self.day_table, self.runs_table, self.reach_table, *self.contest_tables, *of_parts]


@dataclass(frozen=True)
class LimitPart:
    """One part of a split limit: what it is on, and its own dry run."""

    label: str
    preview: Preview
